internal import Synchronization
internal import TransitControl
internal import TransitModel
internal import TransitRefresh
internal import TransitServer

/// Tracks the known demand for the feeds' realtime data, and reports changes to the refresh engine.
final class DemandTracker: Sendable {
    /// Who needs a feed's data.
    private struct Sources: Equatable {
        var subscribers = 0
        var lastRequest: ClockReading?
        /// The departures that clients were shown.
        var departures: [Instant] = []
        /// The windows of commutes of whose departures no one is notified.
        var windows: [ClosedRange<Instant>] = []
        /// The periods in which users are notified of departures, by uid.
        var notifications: [UInt32: [Demand.Period]] = [:]

        var demand: Demand {
            Demand(
                subscribers: subscribers, lastRequest: lastRequest,
                periods: windows.map { Demand.Period($0, .full) }
                    + departures.flatMap { Demand.periods(aroundDeparture: $0) }
                    + notifications.sorted { $0.key < $1.key }.flatMap(\.value))
        }
    }

    private let events: RefreshEvents
    private let sources = Mutex<[FeedID: Sources]>([:])
    /// The time of the last reported request for each feed without a timetable.
    private let misses = Mutex<[FeedID: ClockReading]>([:])

    /// The minimum number of seconds between two reports of requests.
    private static let reportInterval = 60
    /// The maximum number of departures that are tracked per feed.
    private static let maximumDepartures = 8

    init(_ events: RefreshEvents) { self.events = events }

    /// Records a request for a feed's departures.
    ///
    /// - Parameter departures: The departures in the reply to a commute request. Their demand rises as they
    ///   approach.
    func recordRequest(about feed: FeedID, departures: [Instant] = [], at now: ClockReading) {
        change(feed) { sources in
            if sources.lastRequest.map({ now.age(of: $0) >= Self.reportInterval }) ?? true {
                sources.lastRequest = now
            }
            let new = departures.filter { !sources.departures.contains($0) }
            guard !new.isEmpty else { return }
            let tracked = (sources.departures + new).filter { $0.advanced(by: 600) > now.wall }
            sources.departures = Array(tracked.sorted().prefix(Self.maximumDepartures))
        }
    }

    /// Records a request for a feed without a timetable. Such requests are reported to the engine at the same minimum
    /// interval as others.
    func recordRequestWithoutTimetable(_ feed: FeedID, at now: ClockReading) {
        let isNews = misses.withLock { misses in
            guard misses[feed].map({ now.age(of: $0) >= Self.reportInterval }) ?? true else { return false }
            misses[feed] = now
            return true
        }
        if isNews { events.send(.requestedWithoutTimetable(feed)) }
    }

    /// Drops the demand for feeds that are not in a new configuration, so that demand is reported again if a feed is
    /// added back.
    func forget(besides feeds: Set<FeedID>) {
        sources.withLock { sources in sources = sources.filter { feeds.contains($0.key) } }
        misses.withLock { misses in misses = misses.filter { feeds.contains($0.key) } }
    }

    /// Sets the current number of subscribers to each feed's realtime data.
    func setSubscribers(_ counts: [FeedID: Int]) {
        for feed in knownFeeds.union(counts.keys) { change(feed) { $0.subscribers = counts[feed] ?? 0 } }
    }

    /// Sets the time windows of the commutes that use a feed.
    func setWindows(_ windows: [ClosedRange<Instant>], of feed: FeedID) { change(feed) { $0.windows = windows } }

    /// Sets the periods in which a user's notifications need the feeds' data. Feeds that are not named have none.
    func setNotificationPeriods(_ periods: [FeedID: [Demand.Period]], of uid: UInt32) {
        for feed in knownFeeds.union(periods.keys) { change(feed) { $0.notifications[uid] = periods[feed] } }
    }

    /// Returns the demand for a feed.
    func demand(for feed: FeedID) -> Demand { sources.withLock { $0[feed]?.demand } ?? Demand() }

    private var knownFeeds: Set<FeedID> { sources.withLock { Set($0.keys) } }

    private func change(_ feed: FeedID, _ body: (inout Sources) -> Void) {
        // Sent under the lock, so that the engine never receives an older state after a newer one.
        sources.withLock { all in
            let before = all[feed] ?? Sources()
            var sources = before
            body(&sources)
            // Most requests change nothing.
            if sources == before { return }
            all[feed] = sources
            let demand = sources.demand
            if demand != before.demand { events.send(.demand(feed, demand)) }
        }
    }
}

/// Reports the number of subscribers to each feed to the refresh engine.
final class SubscriberCounter: Sendable {
    private let demand: DemandTracker
    private let registry: FeedRegistry
    private let server = Mutex<ControlServer<RequestHandlers>?>(nil)

    init(_ demand: DemandTracker, _ registry: FeedRegistry) {
        self.demand = demand
        self.registry = registry
    }

    /// Sets the server whose subscriptions are counted. Until it is set, the number of subscribers is zero.
    func setServer(_ server: ControlServer<RequestHandlers>) { self.server.withLock { $0 = server } }

    /// Reports the subscribers. Called when a subscription starts or ends, and when topics were evaluated again, for
    /// example because a feed was added. A subscription that names no feed counts for all feeds. A subscription to the
    /// daemon's status counts for none, because it needs no newer data.
    @Sendable func changed() {
        // Reported under the lock, so that an older count never replaces a newer one.
        server.withLock { server in
            guard let server else { return }
            var counts: [FeedID: Int] = [:]
            for demand in server.demand() where demand.topic.topic.topic != .status {
                let feeds = demand.result.conditions.feeds ?? Set(registry.all.map(\.id))
                for feed in feeds { counts[feed, default: 0] += demand.subscribers }
            }
            demand.setSubscribers(counts)
        }
    }
}
