package import TransitModel

/// Builds a timetable from a network whose source publishes routes and stops but no times, such as the buses of Hong
/// Kong or the agencies on Tranzy.
///
/// Every variant of a route becomes one trip of a service that never runs. The trip has the identifier of the variant,
/// which realtime data also contains. The trip can therefore be searched, drawn and found at its stops like any other
/// trip, but it appears on no departure board. Its nominal times (``NominalTravelTimes``) are estimates.
package struct NetworkBuilder: Sendable {
    /// A sequence of stops that vehicles of a route serve.
    package struct Variant: Sendable {
        package var id: TripID
        package var route: RouteID
        package var direction: Direction?
        package var headsign: String?
        /// The stops in travel order. A stop can occur more than once.
        package var stops: [StopID]
        /// The points of the shape, or an empty array if they are unknown.
        package var path: [Coordinate]

        package init(
            id: TripID, route: RouteID, direction: Direction? = nil, headsign: String? = nil, stops: [StopID],
            path: [Coordinate] = []
        ) {
            self.id = id
            self.route = route
            self.direction = direction
            self.headsign = headsign
            self.stops = stops
            self.path = path
        }
    }

    /// The identifier of the service that never runs.
    package static let serviceID = ServiceID("never")

    /// The problems found so far. The caller adds the problems of its own rows.
    package var report = ValidationReport()
    package var feedInfo: FeedInfo?
    private let agencies: [Agency]
    private var stops: [StopID: Stop] = [:]
    private var routes: [RouteID: Route] = [:]
    private var variants: [TripID: Variant] = [:]
    private var translations: [Translation] = []

    /// - Parameter agencies: The agencies. There must be at least one. Routes refer to agencies by their position in
    ///   this array.
    package init(agencies: [Agency]) { self.agencies = agencies }

    /// Adds a stop. A stop whose identifier was already added is ignored and reported.
    package mutating func add(_ stop: Stop, at place: ValidationReport.Location) {
        guard stops[stop.id] == nil else { return addDuplicate("Stop", stop.id.rawValue, place) }
        stops[stop.id] = stop
        if stop.coordinate == nil {
            report.add("stop_without_location", .warning, at: place, "Stop “\(stop.id)” has no coordinates")
        }
    }

    /// Adds a route. A route whose identifier was already added is ignored and reported.
    package mutating func add(_ route: Route, at place: ValidationReport.Location) {
        guard routes[route.id] == nil else { return addDuplicate("Route", route.id.rawValue, place) }
        routes[route.id] = route
    }

    /// Adds a variant. A variant with an unknown route or fewer than two known stops is ignored and reported.
    package mutating func add(_ variant: Variant, at place: ValidationReport.Location) {
        guard variants[variant.id] == nil else { return addDuplicate("Variant", variant.id.rawValue, place) }
        guard routes[variant.route] != nil else {
            return report.add(
                "foreign_key_violation", .error, at: place, "Variant “\(variant.id)” refers to an unknown route")
        }
        var variant = variant
        let known = variant.stops.filter { stops[$0] != nil }
        if known.count < variant.stops.count {
            report.add(
                "foreign_key_violation", .error, at: place,
                "Variant “\(variant.id)” refers to unknown stops (\(variant.stops.count - known.count)), which are skipped"
            )
        }
        variant.stops = known
        guard known.count >= 2 else {
            return report.add(
                "unusable_trip", .warning, at: place, "Variant “\(variant.id)” has fewer than two stops and is skipped")
        }
        variants[variant.id] = variant
    }

    package mutating func add(_ translation: Translation) { translations.append(translation) }

    private mutating func addDuplicate(_ type: String, _ id: String, _ place: ValidationReport.Location) {
        report.add("duplicate_key", .error, at: place, "\(type) “\(id)” occurs more than once")
    }

    // MARK: The timetable

    /// Builds the timetable. The timetable includes only the stops and routes that a variant uses.
    ///
    /// - Throws: ``FeedError/refused(reason:report:)`` if there are no variants.
    package consuming func finish() throws(FeedError) -> GTFSReading {
        guard !variants.isEmpty else {
            throw .refused(reason: "No route of the network has two or more stops", report: report)
        }
        let ordered = variants.values.sorted { $0.id.rawValue < $1.id.rawValue }
        let usedStops = Set(ordered.flatMap(\.stops))
        let usedRoutes = Set(ordered.map(\.route))
        let stopList = stops.values.filter { usedStops.contains($0.id) }.sorted { $0.id.rawValue < $1.id.rawValue }
        let routeList = routes.values.filter { usedRoutes.contains($0.id) }.sorted { $0.id.rawValue < $1.id.rawValue }
        // The order of the responses varies, but the digest must not depend on it.
        translations.sort { $0.isListed(before: $1) }
        let digest = digest(stopList, routeList, ordered)
        var draft = try draft(stopList, routeList, ordered)
        draft.agencies = agencies
        draft.translations = translations
        draft.feedInfo = feedInfo
        return GTFSReading(draft: draft, report: report, contentDigest: digest)
    }

    private mutating func draft(
        _ stopList: [Stop], _ routeList: [Route], _ variants: [Variant]
    ) throws(FeedError) -> TimetableDraft {
        let stopIndexes = Self.indexes(stopList.map(\.id))
        let routeIndexes = Self.indexes(routeList.map(\.id))
        var builder = TimetableBuilder(coordinates: stopList.map(\.coordinate))
        var shapes = ShapeColumns()
        for variant in variants {
            guard let route = routeIndexes[variant.route] else { continue }
            var attributes = TripAttributes(
                route: RouteIndex(route), service: ServiceIndex(0), direction: variant.direction)
            attributes.headsign = variant.headsign.map { TextIndex(builder.texts.intern(Array($0.utf8)).number) }
            if variant.path.count >= 2 {
                attributes.shape = ShapeIndex(shapes.count)
                shapes.ids.append(variant.id.rawValue)
                shapes.packed.append(contentsOf: Self.packed(variant.path))
            }
            let id = Array(variant.id.rawValue.utf8)
            guard let trip = id.withUnsafeBufferPointer({ builder.addTrip($0, attributes) }) else { continue }
            let calls = variant.stops.compactMap { stopIndexes[$0] }
            let times = NominalTravelTimes(type: routeList[route].type).times(calls.map { stopList[$0].coordinate })
            for (position, call) in calls.enumerated() {
                let time = ServiceTime(seconds: times[position])
                builder.append(
                    StopTime(
                        stop: StopIndex(call), sequence: UInt32(position + 1), arrival: time, departure: time,
                        isExact: false),
                    to: trip)
            }
        }
        let built = builder.finish { problems, id in
            report.add(
                "unusable_trip", .error, at: .init(file: "variants"), count: problems.count,
                "Variant “\(id(problems.examples[0].trip))” cannot be used")
        }
        var draft = TimetableDraft(patterns: built.patterns)
        draft.stops = stopList
        draft.routes = routeList
        let never = ServiceDate(daysSince1970: 0)
        draft.services = [Service(id: Self.serviceID, weekdays: 0, start: never, end: never)]
        draft.texts = built.texts
        draft.trips = built.trips
        draft.shapes = shapes
        draft.stopTimeCount = built.stopTimeCount
        return draft
    }

    private static func indexes<ID: Hashable>(_ ids: [ID]) -> [ID: Int] {
        Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
    }

    private static func packed(_ path: [Coordinate]) -> [UInt8] {
        var writer = ShapePacking.Writer()
        for point in path { writer.append(point) }
        return writer.bytes
    }

    /// Returns the SHA-256 of all data that users see. The digest does not depend on how the network was fetched.
    private func digest(_ stops: [Stop], _ routes: [Route], _ variants: [Variant]) -> String {
        var text = ""
        func add(_ parts: [String?]) {
            text += parts.map { $0 ?? "" }.joined(separator: "\u{1F}")
            text += "\u{1E}"
        }
        for agency in agencies { add([agency.id.rawValue, agency.name, agency.timezone]) }
        for stop in stops {
            let place = stop.coordinate.map { "\($0.latitude) \($0.longitude)" }
            add([stop.id.rawValue, stop.name, stop.code, place])
        }
        for route in routes {
            add([route.id.rawValue, route.shortName, route.longName, "\(route.type)", route.color, "\(route.agency)"])
        }
        for variant in variants {
            add([variant.id.rawValue, variant.route.rawValue, variant.headsign, "\(variant.path.count)"])
            add(variant.stops.map(\.rawValue))
        }
        for translation in translations { add([translation.language, "\(translation.subject)", translation.text]) }
        return ContentHash.of(Array(text.utf8))
    }
}

extension Translation {
    /// Returns whether this translation sorts before another one: by table, field and language, then with translations
    /// of records before translations of values, then by text.
    fileprivate func isListed(before other: Translation) -> Bool {
        let (one, two) = (subject.key, other.subject.key)
        return (table, field, language, one.kind, one.name, one.part)
            < (other.table, other.field, other.language, two.kind, two.name, two.part)
    }
}

extension Translation.Subject {
    fileprivate var key: (kind: Int, name: String, part: String) {
        switch self {
        case .record(let id, let subID): (0, id, subID ?? "")
        case .value(let text): (1, text, "")
        }
    }
}

/// Estimates travel times between stops for a network without published times. The estimate is the straight-line
/// distance times a detour factor, divided by an average speed.
private struct NominalTravelTimes {
    /// The typical average speed of the mode in a city, including dwell times, in meters per second.
    private let speed: Double
    /// The ratio of the street distance to the straight-line distance.
    private static let detourFactor = 1.3
    /// The travel time, in seconds, if one of the two stops has no coordinates.
    private static let unknownDistanceTime: Int32 = 90
    /// The minimum travel time between two stops, in seconds.
    private static let minimumTime: Int32 = 20

    /// - Parameter type: The `route_type` in GTFS.
    init(type: Int) {
        speed =
            switch type {
            case 1, 400..<500: 9
            case 2, 100..<200: 14
            case 4, 1000..<1100: 6
            default: 5
            }
    }

    /// Returns the time of each call in seconds after the first call.
    func times(_ places: [Coordinate?]) -> [Int32] {
        var seconds: Int32 = 0
        var times: [Int32] = []
        for (position, place) in places.enumerated() {
            if position > 0 { seconds += between(places[position - 1], place) }
            times.append(seconds)
        }
        return times
    }

    private func between(_ from: Coordinate?, _ to: Coordinate?) -> Int32 {
        guard let from, let to else { return Self.unknownDistanceTime }
        let meters = min(from.distance(to: to), 1_000_000)
        return max(Self.minimumTime, Int32((meters * Self.detourFactor / speed).rounded()))
    }
}
