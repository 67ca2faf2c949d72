internal import Logging
internal import Synchronization
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitQueries
internal import TransitStore
internal import TransitSystem

/// The realtime data of all feeds.
final class RealtimeFeeds: Sendable {
    /// Writes the responses to disk.
    let cache: RealtimeCacheWriter
    private let corruptFiles: CorruptFileLog
    private let memory: MemoryReservations
    private let clock: any DaemonClock
    private let logger: Logger
    private let registry: FeedRegistry
    private let feeds = Mutex<[FeedID: RealtimeFeed]>([:])
    /// The time at which ``saveAccumulated(now:)`` must be called.
    let saveTimer = WakeTimer()
    /// Returns the stops of a timetable that users use.
    private let stopsInUse = Mutex<@Sendable (Timetable) -> Set<StopIndex>>({ _ in [] })
    /// Called after a response is in use.
    private let changed: @Sendable (FeedID) -> Void

    init(
        cache: RealtimeCache, registry: FeedRegistry, corruptFiles: CorruptFileLog, memory: MemoryReservations,
        clock: any DaemonClock, logger: Logger, changed: @escaping @Sendable (FeedID) -> Void
    ) {
        self.cache = RealtimeCacheWriter(cache, clock: clock, logger: logger)
        self.changed = changed
        self.clock = clock
        self.memory = memory
        self.corruptFiles = corruptFiles
        self.registry = registry
        self.logger = logger
    }

    /// Applies the realtime sources of a new configuration.
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
                configuration.resolvedProvider)
        }
        let known = configurations.map(\.id)
        feeds.withLock { feeds in feeds = feeds.filter { known.contains($0.key) } }
        // ExternalData removes the responses of sources that belong to no feed.
        do throws(StoreError) { try cache.removeFeeds(except: known + DatasetID.externalData.map(\.feed)) } catch {
            logger.error("The cached responses of removed feeds cannot be deleted: \(error)")
        }
    }

    private func open(_ id: FeedID) -> RealtimeFeed {
        RealtimeFeed(
            id, cache: cache, corruptFiles: corruptFiles, memory: memory, clock: clock, saveTimer: saveTimer,
            logger: logger, stopsInUse: { [weak self] timetable in self?.stopsInUse(timetable) ?? [] },
            publish: { [registry] snapshot in registry.update(id) { $0.realtime = snapshot } })
    }

    /// Sets what determines the stops in use. Until it is set, none is.
    func setStopsInUse(_ stops: @escaping @Sendable (Timetable) -> Set<StopIndex>) {
        stopsInUse.withLock { $0 = stops }
    }

    private func stopsInUse(_ timetable: Timetable) -> Set<StopIndex> { stopsInUse.withLock(\.self)(timetable) }

    /// Matches a feed's realtime data to the current timetable version.
    func rematch(_ timetable: Timetable?, of feed: FeedID, now: Instant) {
        feeds.withLock { $0[feed] }?.rematch(timetable, now: now)
    }

    /// Applies a response from a source. Requests and subscribers have the new data when this method returns.
    func receive(_ body: [UInt8], of dataset: DatasetID, received: Instant, now: Instant) -> RealtimeFeed.ReceiveResult
    {
        let result =
            feeds.withLock { $0[dataset.feed] }?.receive(body, of: dataset.kind, received: received, now: now)
            ?? .refused("The feed was removed.")
        if case .used = result { changed(dataset.feed) }
        return result
    }

    /// Caches the accumulated data of sources with differential messages.
    func saveAccumulated(now: Instant) {
        for feed in feeds.withLock({ Array($0.values) }) { feed.saveAccumulated(now: now) }
    }

    /// Caches what has been learned about delays, before the daemon stops.
    func saveDelays(now: Instant) {
        for feed in feeds.withLock({ Array($0.values) }) {
            feed.work.withLock { feed.saveDelays(now: now, isLast: true, &$0) }
        }
    }

    /// Forgets what has been learned about the delays of a feed.
    ///
    /// - Returns: Whether anything had been learned.
    func clearDelays(of feed: FeedID, now: Instant) -> Bool {
        feeds.withLock { $0[feed] }?.clearDelays(now: now) ?? false
    }

    /// Writes what is cached and not yet on disk.
    func write() {
        for dataset in cache.write() { feeds.withLock { $0[dataset.feed] }?.recordWrite(of: dataset.kind) }
    }

    /// Applies a message from a streaming connection.
    func receive(_ message: DecodedMessage, of dataset: DatasetID, now: Instant) -> RealtimeFeed.ReceiveResult {
        feeds.withLock { $0[dataset.feed] }?.receive(message, of: dataset.kind, now: now)
            ?? .refused("The feed was removed.")
    }

    /// Applies an arrivals response. Requests see the new data as soon as this method returns.
    func receive(
        _ message: DecodedMessage, of query: ArrivalsQueryID, feed: FeedID, received: Instant, now: Instant
    ) -> RealtimeFeed.ReceiveResult {
        feeds.withLock { $0[feed] }?.receive(message, of: query, received: received, now: now)
            ?? .refused("The feed was removed.")
    }

    /// Discards the arrivals of a source that was removed or replaced.
    func forgetArrivals(of feed: FeedID) { feeds.withLock { $0[feed] }?.forgetArrivals() }

    /// Sets the rate limits of a feed's on-demand source, which determine how long its responses are used.
    func setArrivalsPolicy(_ pace: ArrivalsPolicy, of feed: FeedID) {
        feeds.withLock { $0[feed] }?.setArrivalsPolicy(pace)
    }

    /// Caches the last arrivals responses, encoded.
    func cacheArrivals(_ bytes: [UInt8], of feed: FeedID, at now: Instant) {
        cache.save(CachedRealtimeResponse(body: bytes, fetched: now), feed: feed, name: DatasetKind.arrivals.rawValue)
    }

    /// Returns the cached responses; `nil` if none are usable.
    func cachedArrivals(of feed: FeedID, now: Instant) -> [UInt8]? {
        feeds.withLock { $0[feed] }?.cachedResponse(.arrivals, now: now)?.body
    }

    /// Removes a feed's cached realtime responses from disk. Responses that are in use remain in use.
    func removeCached(of feed: FeedID) {
        let feed = feeds.withLock { $0[feed] }
        for kind in DatasetKind.realtime { feed?.removeCachedResponse(kind) }
        feed?.removeCachedFile(ReportingLog.name)
    }

    /// Checks the cached response of a source against the rules of the GTFS-Realtime validator; `nil` if none is
    /// cached.
    func validate(_ dataset: DatasetID, now: Instant) -> RealtimeFindings? {
        guard let feed = registry.snapshot(dataset.feed), let timetable = feed.timetable else { return nil }
        do {
            guard let cached = try cache.response(feed: dataset.feed, name: dataset.kind.rawValue) else {
                return nil
            }
            let reader = try feed.configuration.resolvedProvider.message(
                cached.body, of: dataset.kind, received: cached.fetched)
            var header = reader.header
            // The version is not checked in messages that a provider converted to GTFS-Realtime, because the source
            // does not state it.
            if reader is DecodedMessage { header.version = "2.0" }
            var validator = RealtimeValidator(
                header: header, now: cached.fetched,
                matcher: TripMatcher(timetable, cacheLimit: RealtimeValidator.cachedNames))
            _ = try reader.read { (entity) throws in try validator.check(entity) }
            return validator.findings
        } catch {
            logger.error("The cached response for \(dataset) cannot be validated: \(error)")
            return nil
        }
    }
}
