internal import Synchronization
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// The entrances of a timetable's stations, computed when a walk of a journey first depends on them.
final class StationEntrancesCache: Sendable {
    private let known = Mutex<StationEntrances?>(nil)

    /// - Parameters:
    ///   - timetable: The timetable that owns this cache.
    ///   - network: Its network.
    func entrances(of timetable: Timetable, _ network: JourneyNetwork) throws(StoreError) -> StationEntrances {
        if let known = known.withLock({ $0 }) { return known }
        let pathways = try timetable.file.pathways()
        let isVisited = (0..<network.stopCount).map { stop in
            network.nodes(of: stop).contains { !network.visits(of: $0).isEmpty }
        }
        let entrances = StationEntrances(pathways, isVisited: isVisited)
        known.withLock { $0 = entrances }
        return entrances
    }
}
