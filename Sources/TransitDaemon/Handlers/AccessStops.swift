internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// The stops of one timetable within walking distance of one end of a commute.
struct AccessStops: Sendable {
    var timetable: Timetable
    /// The walking time in seconds between the end and each stop.
    var walks: [StopIndex: Int]
    /// False when the end of the commute is itself a stop.
    var needsWalk: Bool
    /// True when the stops were found by a radius search around a place, over all feeds.
    var isRadiusSearch = false

    /// The time zone of the nearest stop.
    var zone: ServiceZone {
        get throws(StoreError) {
            let nearest = walks.min { ($0.value, $0.key) < ($1.value, $1.key) }
            return try nearest.flatMap { (end) throws(StoreError) in try timetable.cachedStop(end.key).zone }
                ?? timetable.zone
        }
    }
}

/// Finds the stops that serve an end of a commute.
struct AccessStopFinder {
    var context: RequestContext

    /// - Throws: ``ErrorKind/feedNoData``; ``ErrorKind/placeNotSet``; ``ErrorKind/commuteInvalid`` when no stop
    ///   is within the widened radius; the errors of ``StopFinder/find(_:)``; and `StoreError`.
    func stops(for end: CommuteList.End) throws -> [AccessStops] {
        switch end {
        case .stops(let stops): return try accessStops(stops, walk: nil)
        case .place(let name, let place): return try stops(for: place, named: name)
        case .unknown(let text):
            throw ControlError(
                .placeNotSet, "There is no place \"\(text)\".",
                hint: "Set it with: transitctl place set \(text) LAT,LON.")
        }
    }

    private func stops(for place: PlaceConfiguration, named name: String) throws -> [AccessStops] {
        switch place.location {
        // A place set to one platform of a stop also covers the stop's other platforms.
        case .stop(let stop): return try accessStops([stop], walk: place.walk ?? 0, withNamesakes: true)
        case .coordinate(let coordinate):
            let accessStops = try nearby(coordinate, walk: place.walk)
            if accessStops.isEmpty { throw Self.noStopsNearby(name, options: context.configuration.queries) }
            return accessStops
        }
    }

    /// Returns the stop itself, then the same stop in the agency's other feed.
    ///
    /// - Parameter named: The platforms of one stop; not empty.
    /// - Parameter walk: The walking time in seconds; `nil` when the end is the stop itself.
    private func accessStops(_ named: [QualifiedStop], walk: Int?, withNamesakes: Bool = false) throws -> [AccessStops]
    {
        let feed = try context.feed(named[0].feed)
        let timetables = try RequestContext.timetables(of: [feed], at: context.now)
        // A platform that is missing from a new timetable version is ignored if another platform of the stop exists.
        var found = try StopFinder(timetables, context).find(QualifiedStop.text(of: named))
        if withNamesakes { found = try found.withNamesakes() }
        let stops = try found.callingStops()
        let own = reach(found.timetable, stops, walk: walk)
        guard let pair = try context.pair(of: found.timetable) else { return [own] }
        let sameStops = pair.stops(stops, of: found.timetable)
        return sameStops.isEmpty ? [own] : [own, reach(pair.other(than: found.timetable), sameStops, walk: walk)]
    }

    private func reach(_ timetable: Timetable, _ stops: [StopIndex], walk: Int?) -> AccessStops {
        AccessStops(
            timetable: timetable, walks: Dictionary(stops.map { ($0, walk ?? 0) }, uniquingKeysWith: min),
            needsWalk: walk != nil)
    }

    private func nearby(_ place: Coordinate, walk: Int?) throws -> [AccessStops] {
        let timetables = try RequestContext.timetables(of: context.feeds, at: context.now)
        let options = context.configuration.queries
        let radius = WalkingRadius(
            usual: Double(options.walkingRadius), widened: Double(options.maxWalkingRadius))
        // The radius is widened only when no feed has a stop within the usual radius.
        let near = try timetables.map { try $0.callingStops(near: place, within: radius.widened) }
        let isUsual = near.contains { $0.contains { $0.meters <= radius.usual } }
        let reach = isUsual ? radius.usual : radius.widened
        return zip(timetables, near).compactMap { timetable, stops in
            var walks = radius.walks(to: stops.filter { $0.meters <= reach })
            if let walk { walks = walks.mapValues { _ in walk } }
            return walks.isEmpty
                ? nil : AccessStops(timetable: timetable, walks: walks, needsWalk: true, isRadiusSearch: true)
        }
    }

    private static func noStopsNearby(_ name: String, options: QueryDefaults) -> ControlError {
        ControlError(
            .commuteInvalid, "There is no stop within \(options.maxWalkingRadius) m of \(name).",
            hint: "Check the position with: transitctl place list. "
                + "The radius is `max_walking_radius` (see transitd.toml(5)).")
    }
}

extension Timetable {
    /// Returns the stops and platforms near a place where trips may call, nearest first.
    func callingStops(
        near place: Coordinate, within meters: Double
    ) throws(StoreError) -> [(stop: StopIndex, meters: Double)] {
        var stops: [(stop: StopIndex, meters: Double)] = []
        for near in try file.stops(near: place, within: meters) where try file.stop(near.stop).kind == .platform {
            stops.append(near)
        }
        return stops
    }
}
