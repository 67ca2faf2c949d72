internal import Synchronization
internal import TransitEngine
internal import TransitModel

/// Who could use the feeds' live data, as far as the daemon knows: told to the refresh engine when that changes something.
final class DemandTracker: Sendable {
    private let events: RefreshEvents
    private let demands = Mutex<[FeedID: Demand]>([:])
    /// The time of the last reported request for each feed without a timetable.
    private let misses = Mutex<[FeedID: ClockReading]>([:])

    /// A question is worth a word to the engine only so many seconds after the one before it.
    private static let reportInterval = 60
    /// So many departures that were answered are followed.
    private static let maximumDepartures = 8

    init(_ events: RefreshEvents) { self.events = events }

    /// Somebody asked about the feed's departures.
    ///
    /// - Parameter departures: those that were answered to who plans a journey; they are followed as they come near.
    func asked(about feed: FeedID, departures: [Instant] = [], at now: ClockReading) {
        change(feed) { demand in
            var isNews = false
            if demand.lastRequest.map({ now.age(of: $0) >= Self.reportInterval }) ?? true {
                demand.lastRequest = now
                isNews = true
            }
            let new = departures.filter { !demand.departures.contains($0) }
            if !new.isEmpty {
                let followed = (demand.departures + new).filter { $0.advanced(by: 600) > now.wall }
                demand.departures = Array(followed.sorted().prefix(Self.maximumDepartures))
                isNews = true
            }
            return isNews
        }
    }

    /// Records a request for a feed without a timetable. It is reported to the engine as often as other requests.
    func missed(_ feed: FeedID, at now: ClockReading) {
        let isNews = misses.withLock { misses in
            guard misses[feed].map({ now.age(of: $0) >= Self.reportInterval }) ?? true else { return false }
            misses[feed] = now
            return true
        }
        if isNews { events.send(.missed(feed)) }
    }

    /// Drops the demand for feeds that a new configuration lacks, so that a feed that returns is reported again.
    func forget(besides feeds: Set<FeedID>) {
        demands.withLock { demands in demands = demands.filter { feeds.contains($0.key) } }
        misses.withLock { misses in misses = misses.filter { feeds.contains($0.key) } }
    }

    /// How many readers follow each feed's live data now.
    func follow(_ readers: [FeedID: Int]) {
        let known = demands.withLock { Set($0.keys) }
        for feed in known.union(readers.keys) {
            change(feed) { demand in
                defer { demand.subscribers = readers[feed] ?? 0 }
                return demand.subscribers != readers[feed] ?? 0
            }
        }
    }

    /// When commutes are made that go by the feed.
    func setWindows(_ windows: [ClosedRange<Instant>], of feed: FeedID) {
        change(feed) { demand in
            defer { demand.windows = windows }
            return demand.windows != windows
        }
    }

    private func change(_ feed: FeedID, _ body: (inout Demand) -> Bool) {
        // Sent under the lock, so that the engine never hears of an older state after a newer one.
        demands.withLock { demands in
            if body(&demands[feed, default: Demand()]) { events.send(.demand(feed, demands[feed] ?? Demand())) }
        }
    }
}
