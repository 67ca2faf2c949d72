internal import TransitModel

/// The tables of an agency, and the network built from them.
struct TranzyTables {
    var agency: Agency?
    var routes: [TranzyRoute] = []
    var stops: [TranzyStop] = []
    var trips: [TranzyTrip] = []
    var stopTimes: [TranzyStopTime] = []

    /// The maximum distance in meters between a route's shape and its first stop. A stop that is farther away does not
    /// belong to the route. In Cluj no stop is farther than 219 m from its shape.
    static let offShapeDistance = 1000.0

    // MARK: Shapes

    /// Returns the shapes of the variants with the most stops, which most riders use.
    func shapesToRequest(_ limit: Int) -> [String] {
        var calls: [TripID: Int] = [:]
        for time in stopTimes { calls[time.trip, default: 0] += 1 }
        var sizes: [String: Int] = [:]
        for trip in trips {
            guard let shape = trip.shape, Self.isPlain(shape), let count = calls[trip.id], count > 1 else { continue }
            sizes[shape] = max(sizes[shape] ?? 0, count)
        }
        let order = sizes.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
        return order.prefix(limit).map(\.key)
    }

    /// Whether the identifier can be used unescaped in a URL and in the name of a step.
    private static func isPlain(_ shape: String) -> Bool {
        (1...100).contains(shape.utf8.count)
            && shape.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                    || [0x2D, 0x5F, 0x2E].contains(byte)
            }
    }

    // MARK: The network

    /// - Parameter shapes: The points of each shape, in any order.
    func network(shapes: [String: [TranzyShapePoint]], report: ValidationReport) throws(FeedError) -> GTFSReading {
        var builder = NetworkBuilder(agencies: agency.map { [$0] } ?? [])
        builder.report = report
        for (number, stop) in stops.enumerated() {
            builder.add(
                Stop(id: stop.id, code: stop.code, name: stop.name, coordinate: stop.coordinate),
                at: .init(file: "stops", line: number + 1))
        }
        for (number, route) in routes.enumerated() {
            builder.add(
                Route(
                    id: route.id, agency: AgencyIndex(0), shortName: route.shortName, longName: route.longName,
                    type: route.type, color: route.color),
                at: .init(file: "routes", line: number + 1))
        }
        addVariants(shapes, to: &builder)
        return try builder.finish()
    }

    private func addVariants(_ shapes: [String: [TranzyShapePoint]], to builder: inout NetworkBuilder) {
        let calls = self.calls(&builder.report)
        let places = Dictionary(stops.map { ($0.id, $0.coordinate) }) { first, _ in first }
        for (number, trip) in trips.enumerated() {
            let place = ValidationReport.Location(file: "trips", line: number + 1)
            let path = trip.shape.flatMap { shapes[$0] } ?? []
            var variant = NetworkBuilder.Variant(
                id: trip.id, route: trip.route, direction: trip.direction, headsign: trip.headsign,
                stops: calls[trip.id] ?? [], path: path.sorted { $0.sequence < $1.sequence }.map(\.coordinate))
            if Self.isOffShape(variant.stops.map { places[$0] ?? nil }, on: variant.path) {
                builder.report.add(
                    "foreign_first_stop", .warning, at: place,
                    "The first stop of “\(trip.id)”, \(variant.stops[0]), is far from its shape and is left out")
                variant.stops.removeFirst()
            }
            builder.add(variant, at: place)
        }
    }

    /// Returns the stops of each trip in order. If two stops have the same sequence number, the first one is used.
    private func calls(_ report: inout ValidationReport) -> [TripID: [StopID]] {
        var calls: [TripID: [TranzyStopTime]] = [:]
        for time in stopTimes { calls[time.trip, default: []].append(time) }
        return calls.mapValues { times in
            // The sort must be stable so that the first of two stops with the same number is used.
            let sorted = times.enumerated().sorted {
                ($0.element.sequence, $0.offset) < ($1.element.sequence, $1.offset)
            }.map(\.element)
            var stops: [StopID] = []
            var last: Int?
            for time in sorted {
                if time.sequence == last {
                    report.add(
                        "duplicate_key", .error, at: .init(file: "stop_times", field: "stop_sequence"),
                        "“\(time.trip)” has two stops with sequence number \(time.sequence)")
                    continue
                }
                last = time.sequence
                stops.append(time.stop)
            }
            return stops
        }
    }

    /// Whether the first stop belongs elsewhere: it is far from the shape, and the second stop is not.
    ///
    /// An unexpected stop number alone proves nothing: trip 1_0 of Cluj begins at stop 46, followed by stops 2 and 3,
    /// but stop 46 is the other end of the same terminus, 33 m from the start of the shape. The decision therefore
    /// depends on the location and not on the number. Without a shape, no decision is possible: suburban routes can run
    /// for kilometers before their second stop.
    private static func isOffShape(_ stops: [Coordinate?], on path: [Coordinate]) -> Bool {
        guard stops.count > 2, path.count > 1, let first = stops[0], let second = stops[1] else { return false }
        func nearest(_ place: Coordinate) -> Double { path.map { $0.distance(to: place) }.min() ?? 0 }
        return nearest(first) > offShapeDistance && nearest(second) < offShapeDistance
    }
}
