internal import Synchronization
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// What a timetable states about the accessibility of its trips and stops, read when options of a search first depend on it.
/// It takes 2 bytes for each trip and one for each stop, or nothing if the timetable states nothing.
final class JourneyFactsCache: Sendable {
    private struct Accessible {
        var trips: [TripAccessibility]
        var stops: [Accessibility]
    }

    private let known = Mutex<Accessible?>(nil)

    /// - Parameter timetable: The timetable that owns this cache.
    func facts(
        of timetable: Timetable, for options: JourneyOptions, _ context: QueryContext
    ) throws(StoreError) -> JourneyFacts {
        let modes = options.modes == nil ? [] : timetable.file.routes.map { TransportMode(routeType: $0.type) }
        guard options.wheelchair || options.bicycles else { return JourneyFacts(modes: modes) }
        let accessible = try accessible(of: timetable)
        return JourneyFacts(
            modes: modes, trips: accessible.trips, stops: accessible.stops,
            vehicles: context.realtime(timetable)?.accessibility(now: context.now) ?? [:])
    }

    /// Returns what the timetable states about a stop, or about its station if it states nothing about the stop.
    ///
    /// - Parameter timetable: The timetable that owns this cache.
    func accessibility(of stop: StopIndex, in timetable: Timetable) throws(StoreError) -> Accessibility {
        let stops = try accessible(of: timetable).stops
        return stops.indices.contains(stop.position) ? stops[stop.position] : .unknown
    }

    private func accessible(of timetable: Timetable) throws(StoreError) -> Accessible {
        if let known = known.withLock({ $0 }) { return known }
        let read = Accessible(
            trips: try timetable.file.tripAccessibility(), stops: try timetable.file.stopAccessibility())
        known.withLock { $0 = read }
        return read
    }
}
