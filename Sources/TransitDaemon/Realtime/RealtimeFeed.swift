internal import Logging
internal import Synchronization
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitReplies
internal import TransitStore
internal import TransitSystem

/// Manages the realtime data of one feed: receives the responses of the feed's sources, matches them to the current
/// timetable version, and caches the last response of each source (``RealtimeCacheWriter``).
///
/// Responses are applied sequentially, each on the thread that received it. Requests never wait for this; they read
/// ``FeedSnapshot/realtime``, which is replaced after a response has been applied.
final class RealtimeFeed: Sendable {
    let id: FeedID
    private let cache: RealtimeCacheWriter
    private let corruptFiles: CorruptFileLog
    private let memory: MemoryReservations
    let clock: any DaemonClock
    /// The time at which ``saveAccumulated(now:)`` must be called.
    let saveTimer: WakeTimer
    let logger: Logger
    /// Publishes a snapshot for requests and subscribers. Called with ``work`` locked, so that an older snapshot never replaces a
    /// newer one.
    let publish: @Sendable (RealtimeSnapshot?) -> Void
    /// Returns the stops of a timetable that users use.
    let stopsInUse: @Sendable (Timetable) -> Set<StopIndex>
    let work: Mutex<Work>

    struct Work {
        var snapshot: RealtimeSnapshot?
        /// Matches trips to the timetable of ``side`` and caches the matches from one message to the next.
        var matcher: TripMatcher?
        /// The realtime datasets of the feed, with the number of seconds between responses.
        var intervals: [DatasetKind: Int] = [:]
        /// Parses the responses.
        var provider: any Provider = GTFSProvider(ProviderOptions())
        /// The datasets whose source has changed since the last response, so that their timestamps cannot be compared.
        var changedSources: Set<DatasetKind> = []
        /// The data of each source that its last response does not contain.
        var earlier: [DatasetKind: EarlierData] = [:]
        /// Learns which trips the source of the trip updates reports.
        var reporting = ReportingLog()
        /// Learns when departures really leave.
        var delays = DelayLog()
        /// The stored service dates of decisions without `start_date`.
        var undatedDecisions: [DatasetKind: UndatedDecisions] = [:]
        /// The responses of the on-demand source.
        var arrivals = ArrivalsCache()
        /// The rate limits of the on-demand source, which determine how long its responses are used.
        var arrivalsPolicy = ArrivalsPolicy()
    }

    /// The result of applying a response.
    enum ReceiveResult: Sendable {
        /// The response is in use, or will be in use as soon as the feed has a timetable.
        case used
        /// The response is older than the data in use, which is retained.
        case outdated
        /// The response is not used, for the given reason.
        case refused(String)
    }

    init(
        _ id: FeedID, cache: RealtimeCacheWriter, corruptFiles: CorruptFileLog, memory: MemoryReservations,
        clock: any DaemonClock, saveTimer: WakeTimer, logger: Logger,
        stopsInUse: @escaping @Sendable (Timetable) -> Set<StopIndex>,
        publish: @escaping @Sendable (RealtimeSnapshot?) -> Void
    ) {
        self.id = id
        self.cache = cache
        self.corruptFiles = corruptFiles
        self.memory = memory
        self.clock = clock
        self.saveTimer = saveTimer
        self.publish = publish
        self.stopsInUse = stopsInUse
        var logger = logger
        logger[metadataKey: "feed"] = "\(id)"
        self.logger = logger
        work = Mutex(Work())
    }

    /// Sets the realtime datasets of the feed, with the number of seconds between responses, and the provider that
    /// parses the responses.
    func configure(_ intervals: [DatasetKind: Int], _ provider: any Provider) {
        work.withLock { work in
            for kind in intervals.keys
            where work.intervals[kind] != nil
                && work.provider.request(for: kind)?.url != provider.request(for: kind)?.url
            {
                work.changedSources.insert(kind)
            }
            work.provider = provider
            for gone in work.intervals.keys where intervals[gone] == nil {
                work.snapshot?.responses[gone] = nil
                memory.record(0, as: holder(gone))
                work.earlier[gone] = nil
                work.undatedDecisions[gone] = nil
                removeCachedResponse(gone)
                if gone == .tripUpdates { forgetReporting(&work) }
            }
            work.intervals = intervals
            work.snapshot?.intervals = intervals
        }
    }

    /// Matches the realtime data to a version of the timetable. If that version is already in use, the data is only
    /// published again.
    ///
    /// The last responses are read again from the cache, which stores them as they were received.
    func rematch(_ timetable: Timetable?, now: Instant) {
        work.withLock { work in
            // The snapshot is published even if the version is the same, because a configuration change may have
            // removed it from the registry.
            guard work.snapshot?.timetable !== timetable else { return publish(work.snapshot) }
            for kind in DatasetKind.realtime {
                saveAccumulated(kind, now: now, &work)
                keepMeasurements(kind, &work)
            }
            work.matcher = timetable.map { TripMatcher($0) }
            restoreReporting(now: now, &work)
            restoreDelays(timetable, now: now, &work)
            work.snapshot = timetable.map {
                RealtimeSnapshot(timetable: $0, intervals: work.intervals, arrivalsPolicy: work.arrivalsPolicy)
            }
            for kind in DatasetKind.realtime + [.arrivals] { memory.record(0, as: holder(kind)) }
            if timetable != nil {
                let history = work.delays.recorder.history
                work.snapshot?.history = history.isEmpty ? nil : history
                for kind in DatasetKind.realtime where work.intervals[kind] != nil {
                    restore(kind, now: now, &work)
                }
                rematchArrivals(now: now, &work)
            }
            publish(work.snapshot)
        }
    }

    /// Applies a response from a source, publishes it, and then caches it.
    func receive(_ body: [UInt8], of kind: DatasetKind, received: Instant, now: Instant) -> ReceiveResult {
        work.withLock { work in
            do {
                if work.changedSources.contains(kind) {
                    work.earlier[kind] = nil
                    work.undatedDecisions[kind] = nil
                    removeCachedResponse(kind)
                    if kind == .tripUpdates { forgetReporting(&work) }
                }
                let (taken, isWhole) = try apply(body, of: kind, received: received, now: now, &work)
                publish(work.snapshot)
                if case .used = taken {
                    cache(body, of: kind, isWhole: isWhole, received: received, now: now, &work)
                    saveUndatedDecisions(kind, received: received, &work)
                    saveDelays(now: now, &work)
                }
                scheduleSave(work)
                recordMemory(kind, work)
                return taken
            } catch {
                return .refused("\(error)".asSentence)
            }
        }
    }

    /// Applies a message from a streaming connection. The message is not cached on disk.
    func receive(_ message: DecodedMessage, of kind: DatasetKind, now: Instant) -> ReceiveResult {
        work.withLock { work in
            // A change cannot be applied before the first full response.
            guard work.intervals[kind] != nil, work.snapshot?.responses[kind] != nil else {
                return .refused("The change arrived before the first full response.")
            }
            do {
                let taken = try apply(message, of: kind, received: now, now: now, &work).0
                publish(work.snapshot)
                saveDelays(now: now, &work)
                return taken
            } catch {
                return .refused("\(error)".asSentence)
            }
        }
    }

    /// Caches a response that is in use. A differential message is useless without its base, so that the sum of the
    /// messages is cached instead.
    private func cache(
        _ body: [UInt8], of kind: DatasetKind, isWhole: Bool, received: Instant, now: Instant, _ work: inout Work
    ) {
        guard isWhole else { return accumulate(body, of: kind, received: received, now: now, &work) }
        saveAccumulated(kind, now: now, &work)
        let areRetainedNew = work.snapshot?.responses[kind].map { response in
            keepRetained(response.dataset, of: kind, now: now, &work)
        }
        work.earlier[kind, default: EarlierData()].begin()
        // The trips that the response lacks are written before it, so that the cache contains them at all times.
        let isEmpty = work.earlier[kind]?.retained.isEmpty ?? true
        if areRetainedNew == true, !isEmpty { saveRetained(kind, now: now, work) }
        cacheFile(CachedRealtimeResponse(body: body, fetched: received), kind.rawValue)
        if areRetainedNew == true, isEmpty { saveRetained(kind, now: now, work) }
    }

    private func apply(
        _ body: [UInt8], of kind: DatasetKind, received: Instant, now: Instant, _ work: inout Work
    ) throws -> (ReceiveResult, isWhole: Bool) {
        let message = try work.provider.message(body, of: kind, received: received)
        return try apply(message, of: kind, received: received, now: now, &work)
    }

    func apply(
        _ reader: any RealtimeMessage, of kind: DatasetKind, received: Instant, now: Instant,
        prior: PriorData = PriorData(), _ work: inout Work
    ) throws -> (ReceiveResult, isWhole: Bool) {
        var header = reader.header
        let isWhole = header.incrementality == .fullDataset
        if prior.isAccumulated { header.incrementality = .fullDataset }
        guard var snapshot = work.snapshot, let matcher = work.matcher else { return (.used, isWhole) }
        let known = work.changedSources.contains(kind) ? nil : snapshot.responses[kind]?.dataset
        let order = MessageAcceptance.of(
            reader.header, after: known?.header.timestamp, now: now, policy: snapshot.policy(kind))
        guard case .accept(let notes) = order else { return (.outdated, isWhole) }
        var builder = RealtimeDatasetBuilder(
            header: header, received: received, matcher: matcher, previous: known, notes: notes)
        builder.restore(prior.retained, withdrawal: prior.withdrawal)
        builder.lostChanges = prior.lostChanges
        builder.clockStep = clockStep(kind, received: received, &work)
        if header.incrementality == .differential, known == nil {
            builder.lostChanges = try lostChanges(kind, since: received, now: now, work)
        }
        if known == nil {
            if let decisions = work.undatedDecisions[kind] { builder.restore(decisions) }
            if let earlier = work.earlier[kind] { builder.restore(earlier.measurements) }
        }
        try builder.prepare(entities: reader.entityCount) { reader.tripIDs(limit: $0) }
        let kinds = Set(work.intervals.keys)
        var entities = 0
        let problems = try reader.read { (entity) throws in
            entities += 1
            if Self.belongs(entity, to: kind, of: kinds) { try builder.apply(entity) } else { builder.skip() }
        }
        if let fault = UnreadableResponse(entities: entities, problems: problems) { throw fault }
        let dataset = try builder.finish()
        try hold(dataset, kind, work)
        work.earlier[kind]?.measurements = [:]
        snapshot.responses[kind] = RealtimeResponse(dataset: dataset, problems: problems)
        if kind == .tripUpdates { snapshot.reporting = try observe(dataset, after: known, now: now, &work) }
        if kind == .tripUpdates || kind == .vehicles && work.intervals[.tripUpdates] == nil {
            snapshot.history = try learnDelays(from: dataset, after: known, of: kind, now: now, &work)
        }
        work.snapshot = snapshot
        work.changedSources.remove(kind)
        return (.used, isWhole)
    }

    private func holder(_ kind: DatasetKind) -> MemoryLedger.Holder { .realtime(DatasetID(id, kind)) }

    /// Records the memory of a dataset that is about to replace the previous one.
    ///
    /// - Throws: ``RealtimeMemoryExceeded`` if it does not fit beside the other data in use.
    private func hold(_ dataset: RealtimeDataset, _ kind: DatasetKind, _ work: Work) throws(RealtimeMemoryExceeded) {
        let bytes = memoryEstimate(of: dataset, kind, work)
        guard memory.hold(bytes, as: holder(kind)) else { throw RealtimeMemoryExceeded(bytes: bytes) }
    }

    /// Records the memory of a dataset after its files were written.
    func recordWrite(of kind: DatasetKind) { work.withLock { work in recordMemory(kind, work) } }

    /// Records the memory of a dataset that is in use, after what is kept beside it has changed.
    private func recordMemory(_ kind: DatasetKind, _ work: Work) {
        guard let dataset = work.snapshot?.responses[kind]?.dataset else { return }
        memory.record(memoryEstimate(of: dataset, kind, work), as: holder(kind))
    }

    /// The approximate number of bytes of a dataset and of what is kept with it for the next message.
    private func memoryEstimate(of dataset: RealtimeDataset, _ kind: DatasetKind, _ work: Work) -> Int {
        dataset.memoryEstimate + (work.earlier[kind]?.memory ?? 0) + cache.waitingBytes(of: DatasetID(id, kind))
            + (kind == .tripUpdates
                ? work.reporting.tracker.memoryEstimate + work.delays.recorder.memoryEstimate : 0)
    }

    /// Returns the seconds by which the wall clock was set forward since the last message from a source, and corrects
    /// the times of the retained trips that are stored.
    private func clockStep(_ kind: DatasetKind, received: Instant, _ work: inout Work) -> Int {
        work.earlier[kind, default: EarlierData()].step(to: clock.reading(), received: received)
    }

    /// Whether an entity is accepted from the source of a dataset. Entities of a dataset with its own source are
    /// accepted only from that source, because many publishers serve the same message at several URLs.
    static func belongs(_ entity: RealtimeEntity, to kind: DatasetKind, of kinds: Set<DatasetKind>) -> Bool {
        let natural: DatasetKind
        switch entity {
        case .tripUpdate: natural = .tripUpdates
        case .vehicle: natural = .vehicles
        case .alert: natural = .alerts
        case .deleted: return true
        }
        return natural == kind || !kinds.contains(natural)
    }

    /// Returns the cached response; `nil` if none is usable.
    func cachedResponse(_ kind: DatasetKind, now: Instant) -> CachedRealtimeResponse? {
        cachedFile(kind.rawValue, now: now)
    }

    /// Returns a file of this feed in the cache; `nil` if none is usable.
    func cachedFile(_ name: String, now: Instant) -> CachedRealtimeResponse? {
        do throws(StoreError) { return try cache.response(feed: id, name: name) } catch {
            logger.error(
                "The cached response for \(name) cannot be used and will be replaced by the next one. \(error)")
            guard case .corrupt = error else { return nil }
            corruptFiles.add(
                CorruptFileLog.Entry(
                    name: "\(id) \(name)", remedy: .rebuilt,
                    message: "The cached response was corrupt and has been set aside. The next response replaces it.",
                    found: now))
            return nil
        }
    }

    /// Replaces a file of this feed in the cache.
    func cacheFile(_ file: CachedRealtimeResponse, _ name: String) { cache.save(file, feed: id, name: name) }

    func removeCachedResponse(_ kind: DatasetKind) {
        removeCachedFile(kind.rawValue)
        removeRetained(kind)
        removeUndatedDecisions(kind)
    }

    /// Removes a file of this feed from the cache.
    func removeCachedFile(_ name: String) { cache.remove(feed: id, name: name) }
}

// Arrivals are a separate dataset, composed of the responses to many queries. As with a differential message, a
// response replaces only the previous response to the same query.
extension RealtimeFeed {
    /// Applies a response, which replaces the previous response to the same query. Requests see the new data as soon as
    /// this method returns.
    func receive(_ message: DecodedMessage, of query: ArrivalsQueryID, received: Instant, now: Instant) -> ReceiveResult
    {
        if let fault = UnreadableResponse(message) { return .refused("\(fault)") }
        return work.withLock { work in
            let longest = FreshnessPolicy(arrivals: work.arrivalsPolicy).plannedTimesLifetime
            let old = work.arrivals.remove(before: now.advanced(by: -longest))
            let new = work.arrivals.replace(message.entities, of: query, received: received)
            do {
                try apply(old + new, message.problems, received: received, &work)
                publish(work.snapshot)
                return .used
            } catch {
                return .refused("\(error)".asSentence)
            }
        }
    }

    /// Matches all responses to the current timetable version.
    private func rematchArrivals(now: Instant, _ work: inout Work) {
        guard work.arrivals.count > 0 else { return }
        do { try apply(work.arrivals.entities, RealtimeProblems(), received: now, &work) } catch {
            logger.error("The last arrivals cannot be matched to the timetable: \(error)")
        }
    }

    /// Sets the rate limits of the source, which determine how long its responses are used.
    func setArrivalsPolicy(_ pace: ArrivalsPolicy) {
        work.withLock { work in
            work.arrivalsPolicy = pace
            work.snapshot?.arrivalsPolicy = pace
        }
    }

    /// Discards the arrivals of a source that was removed or replaced.
    func forgetArrivals() {
        work.withLock { work in
            work.arrivals = ArrivalsCache()
            work.snapshot?.responses[.arrivals] = nil
            memory.record(0, as: holder(.arrivals))
            publish(work.snapshot)
            removeCachedResponse(.arrivals)
        }
    }

    /// - Parameter problems: The problems of the last response, which represent the problems of all responses.
    private func apply(
        _ entities: [RealtimeEntity], _ problems: RealtimeProblems, received: Instant, _ work: inout Work
    ) throws {
        guard var snapshot = work.snapshot, let matcher = work.matcher else { return }
        let known = snapshot.responses[.arrivals]?.dataset
        let header = RealtimeHeader(
            incrementality: known == nil ? .fullDataset : .differential,
            timestamp: max(received, known?.header.timestamp ?? received))
        var builder = RealtimeDatasetBuilder(header: header, received: received, matcher: matcher, previous: known)
        for entity in entities { try builder.apply(entity) }
        let dataset = try builder.finish()
        try hold(dataset, .arrivals, work)
        snapshot.responses[.arrivals] = RealtimeResponse(dataset: dataset, problems: problems)
        work.snapshot = snapshot
    }
}

/// The reason why a response is not used: all data in use would exceed its share of the daemon's memory.
struct RealtimeMemoryExceeded: Error, CustomStringConvertible {
    var bytes: Int

    var description: String {
        "the message takes about \((bytes + (1 << 20) - 1) >> 20) MiB, and with the other data in use this is more than half "
            + "of the daemon's memory limit; increase MemoryMax= of the daemon's unit"
    }
}
