internal import Logging
internal import Synchronization
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitQueries
internal import TransitStore
internal import TransitSystem

// What the last response of a source does not contain, and what is nevertheless in use after a restart.
extension RealtimeFeed {
    /// The time in seconds for which a differential message may be in use before it is in the cache.
    static let maximumSaveDelay = 20
    /// The number of seconds after which a message that is not yet in the cache, or could not be written to it, is
    /// written. A message is thus on disk at most 30 seconds after it was received, including the time of the write.
    private static let saveInterval = 10

    // MARK: Differential messages

    /// Adds a differential message to the earlier ones, and writes the sum to the cache if the last write was some time
    /// ago. ``saveAccumulated(now:)`` writes what remains.
    func accumulate(_ body: [UInt8], of kind: DatasetKind, received: Instant, now: Instant, _ work: inout Work) throws {
        let change = try work.provider.message(body, of: kind, received: received)
        var earlier = work.earlier[kind] ?? EarlierData()
        if earlier.accumulated == nil {
            var message = AccumulatedMessage()
            if let base = lastResponse(kind, now: now, work) {
                try message.apply(
                    try work.provider.message(base.body, of: kind, received: base.fetched), received: base.fetched)
            } else {
                // What the source sent before cannot be read, so a restart would lose it.
                earlier.lostSince = received
            }
            earlier.accumulated = message
        }
        // Otherwise, the entities would be copied for each message.
        work.earlier[kind] = nil
        let dataset = work.snapshot?.responses[kind]?.dataset
        try earlier.accumulated?.apply(change, received: received) { dataset?.entitiesOfTripsOver(at: now) ?? [] }
        earlier.uncached = nil
        earlier.unsaved = received
        work.earlier[kind] = earlier
        if earlier.saved.map({ $0.seconds(to: now) >= Self.maximumSaveDelay || $0 > now }) ?? true {
            saveAccumulated(kind, now: now, &work)
        }
    }

    /// Writes what is in use and not yet in the cache.
    func saveAccumulated(now: Instant) {
        work.withLock { work in
            for kind in work.earlier.keys { save(kind, now: now, &work) }
            scheduleSave(work)
        }
    }

    /// Schedules ``saveAccumulated(now:)`` if something is not yet in the cache.
    func scheduleSave(_ work: Work) {
        guard work.earlier.values.contains(where: { $0.unsaved != nil || $0.uncached != nil }) else { return }
        saveTimer.setIfUnset(clock.reading().boot.advanced(by: Self.saveInterval))
    }

    func save(_ kind: DatasetKind, now: Instant, _ work: inout Work) {
        saveAccumulated(kind, now: now, &work)
        saveResponse(kind, now: now, &work)
    }

    func saveAccumulated(_ kind: DatasetKind, now: Instant, _ work: inout Work) {
        guard let earlier = work.earlier[kind], let message = earlier.accumulated, let received = earlier.unsaved else {
            return
        }
        // A failed write is repeated with the next message or at the next call.
        guard cacheFile(CachedRealtimeResponse(body: message.bytes, fetched: received), kind.rawValue) else { return }
        work.earlier[kind]?.unsaved = nil
        work.earlier[kind]?.saved = now
        let lostSince = [
            work.snapshot?.responses[kind]?.dataset.lostChanges?.since, earlier.lostSince, message.removedSince,
        ].compactMap(\.self).min()
        guard lostSince != earlier.retained.lostSince else { return }
        work.earlier[kind]?.retained.lostSince = lostSince
        saveRetained(kind, now: now, work)
    }

    /// Returns the last response or, for a source with differential messages, the sum of its messages.
    func lastResponse(_ kind: DatasetKind, now: Instant, _ work: Work) -> CachedRealtimeResponse? {
        let earlier = work.earlier[kind]
        if let message = earlier?.accumulated, let received = earlier?.unsaved {
            return CachedRealtimeResponse(body: message.bytes, fetched: received)
        }
        return earlier?.uncached ?? cachedResponse(kind, now: now)
    }

    /// Returns the changes that a source with differential messages may have sent without being heard; `nil` for a source
    /// without trip updates, whose messages never mention the trips.
    func lostChanges(_ kind: DatasetKind, since: Instant, now: Instant, _ work: Work) throws -> LostChanges? {
        guard let timetable = work.snapshot?.timetable,
            kind == .tripUpdates || work.intervals[.tripUpdates] == nil
        else { return nil }
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

    /// Keeps the trips that the last full message lacks. Must be called before the message replaces the last response.
    func keepRetained(_ dataset: RealtimeDataset, of kind: DatasetKind, now: Instant, _ work: inout Work) {
        let known = work.earlier[kind]?.retained ?? RetainedTripsFile()
        var file = RetainedTripsFile()
        file.withdrawal = dataset.withdrawal
        for (index, retention) in dataset.retentions.enumerated() {
            let entities = dataset.entities(ofRetention: index)
            let group = known.groups.first {
                $0.retention.reported == retention.reported && $0.retention.missingSince == retention.missingSince
            }
            // If the last response cannot be read, the trips are lost with a restart.
            guard let response = group?.response ?? lastResponse(kind, now: now, work) else { continue }
            file.groups.append(
                RetainedTripsFile.Group(retention: retention, entities: entities, response: response))
        }
        let isKnown = file.isStored(as: known) { !dataset.reports(anyOf: $0) }
        work.earlier[kind, default: EarlierData()].retained = file
        // A file that is no longer needed is removed, also if it was never read.
        if !isKnown || file.isEmpty { work.earlier[kind]?.areRetainedUnsaved = true }
    }

    /// Writes the last full response, if it is not yet in the cache. The trips that it lacks are written before, so that
    /// the cache contains them at all times. A failed write is repeated at the next call.
    func saveResponse(_ kind: DatasetKind, now: Instant, _ work: inout Work) {
        guard let earlier = work.earlier[kind], let response = earlier.uncached else { return }
        if earlier.areRetainedUnsaved, !earlier.retained.isEmpty, !saveRetained(kind, now: now, work) { return }
        guard cacheFile(response, kind.rawValue) else { return }
        if earlier.areRetainedUnsaved, earlier.retained.isEmpty { removeRetained(kind) }
        work.earlier[kind]?.areRetainedUnsaved = false
        work.earlier[kind]?.uncached = nil
    }

    /// Returns false if the write fails.
    @discardableResult
    private func saveRetained(_ kind: DatasetKind, now: Instant, _ work: Work) -> Bool {
        guard let file = work.earlier[kind]?.retained, !file.isEmpty else {
            removeRetained(kind)
            return true
        }
        return cacheFile(CachedRealtimeResponse(body: file.bytes, fetched: now), Self.retainedFile(kind))
    }

    /// Removes the file of the retained trips.
    func removeRetained(_ kind: DatasetKind) { removeCachedFile(Self.retainedFile(kind)) }

    private static func retainedFile(_ kind: DatasetKind) -> String { "\(kind.rawValue).retained" }

    // MARK: Restart

    /// Keeps the times of measurement for the case that the last message is matched to another timetable.
    func keepMeasurements(_ kind: DatasetKind, _ work: inout Work) {
        guard let measurements = work.snapshot?.responses[kind]?.dataset.measurements, !measurements.isEmpty else {
            return
        }
        work.earlier[kind, default: EarlierData()].measurements = measurements
    }

    /// Reads the last response of a source and what is in use besides it.
    func restore(_ kind: DatasetKind, now: Instant, _ work: inout Work) {
        guard let cached = lastResponse(kind, now: now, work) else { return }
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
            if let since { prior.lostChanges = try lostChanges(kind, since: since, now: now, work) }
            if !isRunning {
                var accumulated = AccumulatedMessage()
                try accumulated.apply(message, received: received)
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
