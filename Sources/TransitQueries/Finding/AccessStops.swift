internal import TransitEngine
package import TransitModel
internal import TransitStore

/// The stops of one timetable within walking distance of one end of a commute.
package struct AccessStops: Sendable {
    package var timetable: Timetable
    /// The walking time in seconds between the end and each stop.
    package var walks: [StopIndex: Int]
    /// False when the end of the commute is itself a stop.
    package var needsWalk: Bool
    /// True when the stops were found by a radius search around a place, over all feeds.
    package var isRadiusSearch = false
    /// The place from whose distance ``walks`` are computed; `nil` if they are stated, and without a place.
    package var place: Coordinate?

    /// The time zone of the nearest stop.
    package var zone: ServiceZone {
        get throws(StoreError) {
            let nearest = walks.min { ($0.value, $0.key) < ($1.value, $1.key) }
            return try nearest.flatMap { (end) throws(StoreError) in try timetable.cachedStop(end.key).zone }
                ?? timetable.zone
        }
    }
}

/// Finds the stops that serve an end of a commute.
package struct AccessStopFinder {
    package var context: QueryContext

    package init(_ context: QueryContext) { self.context = context }

    /// - Throws: ``QueryError/noData(_:)``; ``QueryError/placeNotSet(_:)``; ``QueryError/noStopsNear(_:radius:isPlace:)``; the
    ///   errors of ``StopFinder/find(_:)``; and `StoreError`.
    package func stops(for end: CommuteList.End) throws -> [AccessStops] {
        switch end {
        case .stops(let stops): return try accessStops(stops, walk: nil)
        case .place(let name, let place): return try stops(for: place, named: name)
        case .unknown(let text):
            throw QueryError.placeNotSet(text)
        }
    }

    private func stops(for place: PlaceConfiguration, named name: String) throws -> [AccessStops] {
        switch place.location {
        // A place set to one platform of a stop also covers the stop's other platforms.
        case .stop(let stop): return try accessStops([stop], walk: place.walk ?? 0, withNamesakes: true)
        case .coordinate(let coordinate):
            let accessStops = try nearby(coordinate, walk: place.walk)
            if accessStops.isEmpty {
                throw QueryError.noStopsNear(
                    name, radius: context.settings.maxWalkingRadius, isPlace: context.places[name] != nil)
            }
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
        let timetables = try QueryContext.timetables(of: [feed])
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
        let timetables = try QueryContext.timetables(of: context.feeds)
        let options = context.settings
        let radius = WalkingRadius(
            usual: Double(options.walkingRadius), widened: Double(options.maxWalkingRadius))
        // The radius is widened only when no feed has a stop within the usual radius.
        let near = try timetables.map { try $0.callingStops(near: place, within: radius.widened) }
        let isUsual = near.contains { $0.contains { $0.meters <= radius.usual } }
        let reach = isUsual ? radius.usual : radius.widened
        return zip(timetables, near).compactMap { timetable, stops in
            var walks = radius.walks(to: stops.filter { $0.meters <= reach }, at: options.walkingSpeed)
            if let walk { walks = walks.mapValues { _ in walk } }
            return walks.isEmpty
                ? nil
                : AccessStops(
                    timetable: timetable, walks: walks, needsWalk: true, isRadiusSearch: true,
                    place: walk == nil ? place : nil)
        }
    }
}

extension QueryContext {
    /// Returns the feeds behind a result: the feeds of the timetables and, after a radius search, also the feeds without
    /// a timetable.
    package func feeds(behind accessStops: [AccessStops]) -> [FeedView] {
        let isRadiusSearch = accessStops.contains(where: \.isRadiusSearch)
        return feeds.filter { feed in
            accessStops.contains { $0.timetable.feed == feed.id } || (isRadiusSearch && feed.timetable == nil)
        }
    }
}
