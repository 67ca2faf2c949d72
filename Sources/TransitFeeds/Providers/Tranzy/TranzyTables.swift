internal import TransitModel

/// The tables of an agency, and the network that they make.
struct TranzyTables {
    var agency: Agency?
    var routes: [TranzyRoute] = []
    var stops: [TranzyStop] = []
    var trips: [TranzyTrip] = []
    var stopTimes: [TranzyStopTime] = []

    /// Farther from the shape that all later stops lie on, a first stop is not one of the route's; metres. In Cluj no stop
    /// lies farther than 219 m.
    static let offShapeDistance = 1000.0

    // MARK: Shapes

    /// The shapes that are worth a request: those of the variants with the most stops, where most people ride.
    func shapesToRequest(_ most: Int) -> [String] {
        var calls: [TripID: Int] = [:]
        for time in stopTimes { calls[time.trip, default: 0] += 1 }
        var sizes: [String: Int] = [:]
        for trip in trips {
            guard let shape = trip.shape, Self.isPlain(shape), let count = calls[trip.id], count > 1 else { continue }
            sizes[shape] = max(sizes[shape] ?? 0, count)
        }
        let order = sizes.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
        return order.prefix(most).map(\.key)
    }

    /// Whether it can stand in an address and in the name of a step as it is.
    private static func isPlain(_ shape: String) -> Bool {
        (1...100).contains(shape.utf8.count)
            && shape.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                    || [0x2D, 0x5F, 0x2E].contains(byte)
            }
    }

    // MARK: The network

    /// - Parameter shapes: their points, in any order.
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
            let place = ValidationReport.Place(file: "trips", line: number + 1)
            let path = trip.shape.flatMap { shapes[$0] } ?? []
            var variant = NetworkBuilder.Variant(
                id: trip.id, route: trip.route, direction: trip.direction, headsign: trip.headsign,
                stops: calls[trip.id] ?? [], path: path.sorted { $0.sequence < $1.sequence }.map(\.coordinate))
            if Self.isOffShape(variant.stops.map { places[$0] ?? nil }, on: variant.path) {
                builder.report.add(
                    "foreign_first_stop", .warning, at: place,
                    "The first stop of “\(trip.id)”, \(variant.stops[0]), lies far from its shape and is left out")
                variant.stops.removeFirst()
            }
            builder.add(variant, at: place)
        }
    }

    /// The stops of each trip in their order. Of two at one place the first counts.
    private func calls(_ report: inout ValidationReport) -> [TripID: [StopID]] {
        var calls: [TripID: [TranzyStopTime]] = [:]
        for time in stopTimes { calls[time.trip, default: []].append(time) }
        return calls.mapValues { times in
            // A stable order, since the first is to count.
            let sorted = times.enumerated().sorted {
                ($0.element.sequence, $0.offset) < ($1.element.sequence, $1.offset)
            }.map(\.element)
            var stops: [StopID] = []
            var last: Int?
            for time in sorted {
                if time.sequence == last {
                    report.add(
                        "duplicate_key", .error, at: .init(file: "stop_times", field: "stop_sequence"),
                        "“\(time.trip)” has two stops at \(time.sequence)")
                    continue
                }
                last = time.sequence
                stops.append(time.stop)
            }
            return stops
        }
    }

    /// Whether the first stop belongs elsewhere: it lies far from the shape, and the second does not.
    ///
    /// A first stop may look foreign and not be: 1_0 of Cluj begins at stop 46 with 2, 3 and so on behind it, and 46 is the
    /// other end of the same terminus, 33 m from the start of the shape. So the place tells, not the number. Without a shape
    /// nothing tells: suburban routes go on for kilometres before their second stop.
    private static func isOffShape(_ stops: [Coordinate?], on path: [Coordinate]) -> Bool {
        guard stops.count > 2, path.count > 1, let first = stops[0], let second = stops[1] else { return false }
        func nearest(_ place: Coordinate) -> Double { path.map { $0.distance(to: place) }.min() ?? 0 }
        return nearest(first) > offShapeDistance && nearest(second) < offShapeDistance
    }
}
