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
    /// The time in seconds for which a differential message may be in use before the sum is cached again.
    static let maximumSaveDelay = 20
    /// The number of seconds after which a differential message that is not yet cached is cached. A message is thus on
    /// disk at most 30 seconds after it was received, unless the disk fails.
    private static let saveInterval = 10

    // MARK: Differential messages

    /// Adds a differential message to the earlier ones, and caches the sum if that was last done some time ago.
    /// ``saveAccumulated(now:)`` caches what remains.
    func accumulate(_ body: [UInt8], of kind: DatasetKind, received: Instant, now: Instant, _ work: inout Work) {
        var earlier = work.earlier[kind] ?? EarlierData()
        // Otherwise, the entities would be copied for each message.
        work.earlier[kind] = nil
        defer {
            earlier.unsaved = received
            work.earlier[kind] = earlier
            if earlier.saved.map({ $0.seconds(to: now) >= Self.maximumSaveDelay || $0 > now }) ?? true {
                saveAccumulated(kind, now: now, &work)
            }
        }
        var message = earlier.accumulated.take() ?? base(kind, before: received, now: now, &earlier, work)
        let dataset = work.snapshot?.responses[kind]?.dataset
        do {
            let change = try work.provider.message(body, of: kind, received: received)
            try message.apply(change, received: received) { dataset?.entitiesOfTripsOver(at: now) ?? [] }
        } catch {
            logger.error("A change of \(kind.rawValue) is in use but cannot be cached: \(error)")
            earlier.lostSince = earlier.lostSince ?? received
        }
        earlier.accumulated = message
    }

    /// Returns the message to which the first differential message applies.
    private func base(
        _ kind: DatasetKind, before received: Instant, now: Instant, _ earlier: inout EarlierData, _ work: Work
    ) -> AccumulatedMessage {
        var message = AccumulatedMessage()
        if let base = lastResponse(kind, now: now, work) {
            do {
                try message.apply(
                    try work.provider.message(base.body, of: kind, received: base.fetched), received: base.fetched)
                return message
            } catch {
                logger.error("The cached response for \(kind.rawValue) cannot be read: \(error)")
            }
        }
        // What the source sent before cannot be read, so a restart would lose it.
        earlier.lostSince = received
        return AccumulatedMessage()
    }

    /// Caches the sums of differential messages that are not yet cached.
    func saveAccumulated(now: Instant) {
        work.withLock { work in
            for kind in work.earlier.keys { saveAccumulated(kind, now: now, &work) }
        }
    }

    /// Schedules ``saveAccumulated(now:)`` if a differential message is not yet cached.
    func scheduleSave(_ work: Work) {
        guard work.earlier.values.contains(where: { $0.unsaved != nil }) else { return }
        saveTimer.setIfUnset(clock.reading().boot.advanced(by: Self.saveInterval))
    }

    func saveAccumulated(_ kind: DatasetKind, now: Instant, _ work: inout Work) {
        guard let earlier = work.earlier[kind], let message = earlier.accumulated, let received = earlier.unsaved else {
            return
        }
        cacheFile(CachedRealtimeResponse(body: message.bytes, fetched: received), kind.rawValue)
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
        return cachedResponse(kind, now: now)
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
    ///
    /// - Returns: Whether the cached file must be replaced or removed.
    func keepRetained(_ dataset: RealtimeDataset, of kind: DatasetKind, now: Instant, _ work: inout Work) -> Bool {
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
        return !isKnown || file.isEmpty
    }

    /// Replaces the file of the retained trips, or removes it if there are none.
    func saveRetained(_ kind: DatasetKind, now: Instant, _ work: Work) {
        guard let file = work.earlier[kind]?.retained, !file.isEmpty else { return removeRetained(kind) }
        cacheFile(CachedRealtimeResponse(body: file.bytes, fetched: now), Self.retainedFile(kind))
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
