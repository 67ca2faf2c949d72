internal import Logging
internal import Synchronization
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitStore

/// The live sides of all feeds.
final class RealtimeFeeds: Sendable {
    private let cache: RealtimeCache
    private let damages: CorruptFileLog
    private let logger: Logger
    private let registry: FeedRegistry
    private let feeds = Mutex<[FeedID: RealtimeFeed]>([:])

    init(cache: RealtimeCache, registry: FeedRegistry, damages: CorruptFileLog, logger: Logger) {
        self.cache = cache
        self.damages = damages
        self.registry = registry
        self.logger = logger
    }

    /// Takes the live sources of a new configuration.
    func apply(_ configurations: [FeedConfiguration]) {
        for configuration in configurations {
            let feed = feeds.withLock { feeds in
                let feed = feeds[configuration.id] ?? open(configuration.id)
                feeds[configuration.id] = feed
                return feed
            }
            let kinds = configuration.datasets.filter(\.isRealtime)
            feed.configure(
                Dictionary(uniqueKeysWithValues: kinds.map { ($0, configuration.policy(for: $0).interval) }),
                configuration.system)
        }
        let known = configurations.map(\.id)
        feeds.withLock { feeds in feeds = feeds.filter { known.contains($0.key) } }
        do throws(StoreError) { try cache.removeFeeds(except: known) } catch {
            logger.error("What was kept of feeds that are gone cannot be removed: \(error)")
        }
    }

    private func open(_ id: FeedID) -> RealtimeFeed {
        RealtimeFeed(id, cache: cache, damages: damages, logger: logger) { [registry] side in
            registry.update(id) { $0.live = side }
        }
    }

    /// Matches what a feed's sources told to the version that is in use now.
    func follow(_ timetable: Timetable?, of feed: FeedID, now: Instant) {
        feeds.withLock { $0[feed] }?.follow(timetable, now: now)
    }

    /// Applies an answer of a source; questions are answered from it at the return.
    func take(_ body: [UInt8], of dataset: DatasetID, received: Instant, now: Instant) -> RealtimeFeed.Taken {
        feeds.withLock { $0[dataset.feed] }?.take(body, of: dataset.kind, received: received, now: now)
            ?? .refused("The feed is gone.")
    }

    /// Applies what a live connection tells.
    func take(_ message: DecodedMessage, of dataset: DatasetID, now: Instant) -> RealtimeFeed.Taken {
        feeds.withLock { $0[dataset.feed] }?.take(message, of: dataset.kind, now: now) ?? .refused("The feed is gone.")
    }

    /// Applies an answer about arrivals; questions are answered from it at the return.
    func take(
        _ message: DecodedMessage, of query: ArrivalsQueryID, feed: FeedID, received: Instant, now: Instant
    ) -> RealtimeFeed.Taken {
        feeds.withLock { $0[feed] }?.take(message, of: query, received: received, now: now)
            ?? .refused("The feed is gone.")
    }

    /// The feed has no arrivals any more, or those of another source.
    func forgetArrivals(of feed: FeedID) { feeds.withLock { $0[feed] }?.forgetArrivals() }

    /// Says for how many seconds a feed's arrivals are as good as new ones.
    func setArrivalsPace(_ pace: ArrivalsPolicy, of feed: FeedID) {
        feeds.withLock { $0[feed] }?.setArrivalsPace(pace)
    }

    /// Keeps the last answers about arrivals, in whatever form.
    func cacheArrivals(_ bytes: [UInt8], of feed: FeedID, at now: Instant) {
        feeds.withLock { $0[feed] }?.keep(CachedRealtimeResponse(body: bytes, fetched: now), .arrivals)
    }

    /// What was kept last; `nil` when there is nothing that can be used.
    func cachedArrivals(of feed: FeedID, now: Instant) -> [UInt8]? {
        feeds.withLock { $0[feed] }?.kept(.arrivals, now: now)?.body
    }

    /// Removes a feed's cached realtime responses from disk. Responses in use stay in use.
    func removeCached(of feed: FeedID) {
        let feed = feeds.withLock { $0[feed] }
        for kind in DatasetKind.realtime { feed?.forget(kind) }
    }

    /// Checks what a source told last by the rules of the GTFS-Realtime validator; `nil` when it is not kept.
    func validate(_ dataset: DatasetID, now: Instant) -> RealtimeFindings? {
        guard let feed = registry.snapshot(dataset.feed), let timetable = feed.timetable else { return nil }
        do {
            guard let kept = try cache.response(feed: dataset.feed, dataset: dataset.kind.rawValue) else { return nil }
            let reader = try feed.configuration.system.message(kept.body, of: dataset.kind, received: kept.fetched)
            var header = reader.header
            // What a provider puts into the terms of GTFS-Realtime has no version that its source could get wrong.
            if reader is DecodedMessage { header.version = "2.0" }
            var validator = RealtimeValidator(
                header: header, now: kept.fetched, matcher: TripMatcher(timetable))
            _ = try reader.read { (entity) throws in try validator.check(entity) }
            return validator.findings
        } catch {
            logger.error("The last answer for \(dataset) cannot be checked: \(error)")
            return nil
        }
    }
}
