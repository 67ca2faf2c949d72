internal import Logging
internal import Synchronization
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitQueries
internal import TransitStore

// What the last response of a source does not contain, and what is nevertheless in use after a restart.
extension RealtimeFeed {
    /// The data of a source that its last response does not contain.
    struct EarlierData {
        /// The sum of the messages of a source that sends differential ones; `nil` for other sources.
        var accumulated: AccumulatedMessage?
        /// The time of receipt of the last message that is not yet in the cache; `nil` if all are.
        var unsaved: Instant?
        /// The time of the last write to the cache.
        var saved: Instant?
        /// The trips that the last full message lacks, as they are in the cache.
        var retained = RetainedTripsFile()
    }

    /// The time in seconds for which a differential message may be in use before it is in the cache.
    static let maximumSaveDelay = 20

    // MARK: Differential messages

    /// Adds a differential message to the earlier ones, and writes the sum to the cache if the last write was some time
    /// ago. ``saveAccumulated(now:)`` writes what remains.
    func accumulate(_ body: [UInt8], of kind: DatasetKind, received: Instant, now: Instant, _ work: inout Work) throws {
        let change = try work.provider.message(body, of: kind, received: received)
        var earlier = work.earlier[kind] ?? EarlierData()
        if earlier.accumulated == nil {
            var message = AccumulatedMessage()
            if let base = cachedResponse(kind, now: now) {
                try message.apply(try work.provider.message(base.body, of: kind, received: base.fetched))
            }
            earlier.accumulated = message
        }
        // Otherwise, the entities would be copied for each message.
        work.earlier[kind] = nil
        try earlier.accumulated?.apply(change)
        earlier.unsaved = received
        work.earlier[kind] = earlier
        if earlier.saved.map({ $0.seconds(to: now) >= Self.maximumSaveDelay || $0 > now }) ?? true {
            saveAccumulated(kind, now: now, &work)
        }
    }

    /// Writes the accumulated messages that are not yet in the cache.
    func saveAccumulated(now: Instant) {
        work.withLock { work in
            for kind in work.earlier.keys { saveAccumulated(kind, now: now, &work) }
        }
    }

    func saveAccumulated(_ kind: DatasetKind, now: Instant, _ work: inout Work) {
        guard let earlier = work.earlier[kind], let message = earlier.accumulated, let received = earlier.unsaved else {
            return
        }
        // A failed write is repeated with the next message or at the next interval.
        guard cacheFile(CachedRealtimeResponse(body: message.bytes, fetched: received), kind.rawValue) else { return }
        work.earlier[kind]?.unsaved = nil
        work.earlier[kind]?.saved = now
        let lostSince = work.snapshot?.responses[kind]?.dataset.lostChanges?.since
        guard lostSince != earlier.retained.lostSince else { return }
        work.earlier[kind]?.retained.lostSince = lostSince
        saveRetained(kind, now: now, work)
    }

    /// Returns the changes that a source with differential messages may have sent without being heard.
    func lostChanges(since: Instant, on timetable: Timetable, now: Instant) throws -> LostChanges? {
        var failure: (any Error)?
        let patterns = (0..<timetable.file.summary.counts.patterns).lazy.compactMap { number -> Pattern? in
            do { return try timetable.file.pattern(PatternIndex(number)) } catch {
                failure = error
                return nil
            }
        }
        let pending = LostChanges.tripsUnderWay(on: patterns, timetable.context, at: now)
        if let failure { throw failure }
        return pending.isEmpty ? nil : LostChanges(since: since, pending: pending)
    }

    // MARK: Retained trips

    /// Writes the trips that the last full message lacks. Must be called before the message itself is cached, so that
    /// the cache contains them at all times.
    ///
    /// - Returns: Whether any trips are retained, or were believed to be gone.
    func saveRetained(
        _ dataset: RealtimeDataset, of kind: DatasetKind, now: Instant, _ work: inout Work
    ) -> Bool {
        let known = work.earlier[kind]?.retained ?? RetainedTripsFile()
        var file = RetainedTripsFile()
        file.withdrawal = dataset.withdrawal
        for (index, retention) in dataset.retentions.enumerated() {
            let entities = dataset.entities(ofRetention: index)
            let group = known.groups.first {
                $0.retention.reported == retention.reported && $0.retention.missingSince == retention.missingSince
            }
            // The cache still has the previous response. If it cannot be read, the trips are lost with a restart.
            guard let response = group?.response ?? cachedResponse(kind, now: now) else { continue }
            file.groups.append(
                RetainedTripsFile.Group(retention: retention, entities: entities, response: response))
        }
        work.earlier[kind, default: EarlierData()].retained = file
        guard !file.isEmpty else { return false }
        saveRetained(kind, now: now, work)
        return true
    }

    private func saveRetained(_ kind: DatasetKind, now: Instant, _ work: Work) {
        guard let file = work.earlier[kind]?.retained, !file.isEmpty else { return removeRetained(kind) }
        cacheFile(CachedRealtimeResponse(body: file.bytes, fetched: now), Self.retainedFile(kind))
    }

    /// Removes the file of ``saveRetained(_:of:now:_:)``.
    func removeRetained(_ kind: DatasetKind) { removeCachedFile(Self.retainedFile(kind)) }

    private static func retainedFile(_ kind: DatasetKind) -> String { "\(kind.rawValue).retained" }

    // MARK: Restart

    /// Reads the last response of a source and what is in use besides it.
    func restore(_ kind: DatasetKind, now: Instant, _ work: inout Work) {
        guard let cached = cachedResponse(kind, now: now) else { return }
        restoreUndatedDecisions(kind, now: now, &work)
        do { try restore(cached, of: kind, now: now, &work) } catch {
            logger.error("The last response for \(kind.rawValue) cannot be matched to the timetable: \(error)")
            // A response for which there is no memory is not at fault. There may be room for it later.
            if error is RealtimeMemoryExceeded { return }
            removeCachedResponse(kind)
        }
    }

    private func restore(
        _ cached: CachedRealtimeResponse, of kind: DatasetKind, now: Instant, _ work: inout Work
    ) throws {
        let received = min(cached.fetched, now)
        let message = try work.provider.message(cached.body, of: kind, received: received)
        var prior = PriorData()
        let file = cachedFile(Self.retainedFile(kind), now: now).flatMap { RetainedTripsFile($0.body) }
        if message.header.incrementality == .differential {
            prior.isAccumulated = true
            // In the same process, nothing was lost unless it was before.
            let isRunning = work.earlier[kind]?.accumulated != nil
            let since = isRunning ? work.earlier[kind]?.retained.lostSince : file?.lostSince ?? received
            if let since, let timetable = work.snapshot?.timetable {
                prior.lostChanges = try lostChanges(since: since, on: timetable, now: now)
            }
            if !isRunning {
                var accumulated = AccumulatedMessage()
                try accumulated.apply(message)
                work.earlier[kind, default: EarlierData()].accumulated = accumulated
                work.earlier[kind]?.saved = now
            }
        }
        if let file, let matcher = work.matcher {
            prior.withdrawal = file.withdrawal
            for group in file.groups {
                prior.retained.append((try dataset(of: group, kind, matcher, work), group.retention))
            }
            work.earlier[kind, default: EarlierData()].retained = file
        }
        // A new timetable before the next message must not end what is known of the lost changes.
        if let lost = prior.lostChanges { work.earlier[kind, default: EarlierData()].retained.lostSince = lost.since }
        _ = try apply(message, of: kind, received: received, now: now, prior: prior, &work)
    }

    private func dataset(
        of group: RetainedTripsFile.Group, _ kind: DatasetKind, _ matcher: TripMatcher, _ work: Work
    ) throws -> RealtimeDataset {
        let message = try work.provider.message(group.response.body, of: kind, received: group.response.fetched)
        var header = message.header
        header.incrementality = .fullDataset
        var builder = RealtimeDatasetBuilder(header: header, received: group.response.fetched, matcher: matcher)
        if let decisions = work.undatedDecisions[kind] { builder.restore(decisions) }
        let kinds = Set(work.intervals.keys)
        _ = try message.read { (entity) throws in
            if group.entities.contains(entity.id), Self.belongs(entity, to: kind, of: kinds) {
                try builder.apply(entity)
            }
        }
        return try builder.finish()
    }
}

/// What is known besides the message that is applied.
struct PriorData {
    /// Whether the message is the sum of several messages (``AccumulatedMessage``).
    var isAccumulated = false
    var lostChanges: LostChanges?
    var retained: [(dataset: RealtimeDataset, retention: TripRetention)] = []
    var withdrawal: ConfirmedWithdrawal?
}
