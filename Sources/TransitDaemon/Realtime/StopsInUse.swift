internal import Synchronization
internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitStore
internal import TransitSystem

/// The stops whose departures are learned one by one: those at which users board on their commutes, favorites and usual
/// departures, and those of recent boards.
final class StopsInUse: Sendable {
    private let configuration: ConfigurationHolder
    private let feeds: FeedRegistry
    private let state: StateStore
    private let clock: any DaemonClock
    /// The stops of recent boards of each feed, the newest last.
    private let boards = Mutex<[FeedID: [StopID]]>([:])

    /// The maximum number of recent stops of a feed.
    static let maximumBoards = 100

    init(configuration: ConfigurationHolder, feeds: FeedRegistry, state: StateStore, clock: any DaemonClock) {
        self.configuration = configuration
        self.feeds = feeds
        self.state = state
        self.clock = clock
    }

    /// Records that a person saw the departures of stops.
    func record(_ departures: [Departure]) {
        boards.withLock { boards in
            for departure in departures {
                let stop = departure.scheduledStop?.id ?? departure.stop.id
                var known = boards[departure.feed] ?? []
                if known.last == stop { continue }
                known.removeAll { $0 == stop }
                known.append(stop)
                if known.count > Self.maximumBoards { known.removeFirst() }
                boards[departure.feed] = known
            }
        }
    }

    /// Returns the stops of a timetable that are in use.
    func stops(of timetable: Timetable) -> Set<StopIndex> {
        var stops = Set(boards.withLock { $0[timetable.feed] ?? [] })
        for personal in [PersonalState()] + state.userRecords().map({ PersonalState($0.record) }) {
            let context = QueryContext(
                now: clock.now(), feeds: feeds.all.map(\.view), personal: personal,
                settings: QuerySettings(configuration.current))
            for line in PersonalNetwork(context).lines where line.feed == timetable.feed {
                stops.formUnion(line.boarding ?? [])
            }
        }
        // A stop that the timetable lacks, or that cannot be read, has no departures to learn.
        return Set(stops.compactMap { try? timetable.stop(id: $0) })
    }
}
