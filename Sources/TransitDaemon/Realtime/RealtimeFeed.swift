internal import Logging
internal import Synchronization
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitStore

/// Keeps the live side of one feed: takes the answers of its sources, matches them to the timetable in use, and keeps the
/// last of each on the disk.
///
/// Answers are applied one after the other, on the thread that brings them. Questions never wait for that: they take
/// ``FeedSnapshot/live``, which is replaced when an answer has been applied.
final class RealtimeFeed: Sendable {
    let id: FeedID
    private let cache: RealtimeCache
    private let damages: CorruptFileLog
    let logger: Logger
    /// Where questions take the live side from. Called with ``work`` locked, so that an older one never follows a newer.
    let publish: @Sendable (RealtimeSnapshot?) -> Void
    let work: Mutex<Work>

    struct Work {
        var side: RealtimeSnapshot?
        /// Remembers the trips of ``side``'s timetable from one message to the next.
        var matcher: TripMatcher?
        /// The live datasets that the feed has, with the seconds between their answers.
        var intervals: [DatasetKind: Int] = [:]
        /// Reads the answers.
        var system: any Provider = GTFSProvider(ProviderOptions())
        /// What was asked of another address than the next answer will come from: neither older nor newer than that.
        var replaced: Set<DatasetKind> = []
        /// What was asked stop by stop.
        var arrivals = ArrivalsCache()
        /// How the arrivals source is queried and how long its answers are used.
        var arrivalsPace = ArrivalsPolicy()
    }

    /// What became of an answer.
    enum Taken: Sendable {
        /// It is in use, or will be as soon as there is a timetable.
        case used
        /// It is older than what is in use, which stays.
        case outdated
        /// The sentence says why it is not.
        case refused(String)
    }

    init(
        _ id: FeedID, cache: RealtimeCache, damages: CorruptFileLog, logger: Logger,
        publish: @escaping @Sendable (RealtimeSnapshot?) -> Void
    ) {
        self.id = id
        self.cache = cache
        self.damages = damages
        self.publish = publish
        var logger = logger
        logger[metadataKey: "feed"] = "\(id)"
        self.logger = logger
        work = Mutex(Work())
    }

    /// Takes the live datasets that the feed has now, with the seconds between their answers, and who reads these.
    func configure(_ intervals: [DatasetKind: Int], _ system: any Provider) {
        work.withLock { work in
            for kind in intervals.keys
            where work.intervals[kind] != nil && work.system.request(for: kind)?.url != system.request(for: kind)?.url {
                work.replaced.insert(kind)
            }
            work.system = system
            for gone in work.intervals.keys where intervals[gone] == nil {
                work.side?.told[gone] = nil
                forget(gone)
            }
            work.intervals = intervals
            work.side?.intervals = intervals
        }
    }

    /// Matches what is known to a version of the timetable; does nothing when it is the one in use.
    ///
    /// What the sources told last is read from the disk again: it is kept there as it came.
    func follow(_ timetable: Timetable?, now: Instant) {
        work.withLock { work in
            // Whoever was told of nothing meanwhile, as at a change of the configuration, is told again.
            guard work.side?.timetable !== timetable else { return publish(work.side) }
            work.matcher = timetable.map { TripMatcher($0) }
            work.side = timetable.map {
                RealtimeSnapshot(timetable: $0, intervals: work.intervals, arrivalsPace: work.arrivalsPace)
            }
            if timetable != nil {
                for kind in DatasetKind.realtime where work.intervals[kind] != nil {
                    restore(kind, now: now, &work)
                }
                followArrivals(now: now, &work)
            }
            publish(work.side)
        }
    }

    private func restore(_ kind: DatasetKind, now: Instant, _ work: inout Work) {
        guard let kept = kept(kind, now: now) else { return }
        do { _ = try apply(kept.body, of: kind, received: min(kept.fetched, now), now: now, &work) } catch {
            logger.error("The last answer for \(kind.rawValue) does not fit the timetable: \(error)")
            forget(kind)
        }
    }

    /// Applies an answer of a source and keeps it; questions are answered from it at the return.
    func take(_ body: [UInt8], of kind: DatasetKind, received: Instant, now: Instant) -> Taken {
        work.withLock { work in
            do {
                let (taken, isWhole) = try apply(body, of: kind, received: received, now: now, &work)
                // What a differential message adds to is not in it: after a restart the source is asked anyway.
                if case .used = taken, isWhole { keep(CachedRealtimeResponse(body: body, fetched: received), kind) }
                publish(work.side)
                return taken
            } catch {
                return .refused("\(error)".asSentence)
            }
        }
    }

    /// Applies what a live connection tells; it is not kept on the disk.
    func take(_ message: DecodedMessage, of kind: DatasetKind, now: Instant) -> Taken {
        work.withLock { work in
            // Before the first answer there is nothing that could change.
            guard work.intervals[kind] != nil, work.side?.told[kind] != nil else {
                return .refused("There is no answer yet that it changes.")
            }
            do {
                let taken = try apply(message, of: kind, received: now, now: now, &work).0
                publish(work.side)
                return taken
            } catch {
                return .refused("\(error)".asSentence)
            }
        }
    }

    private func apply(
        _ body: [UInt8], of kind: DatasetKind, received: Instant, now: Instant, _ work: inout Work
    ) throws -> (Taken, isWhole: Bool) {
        let message = try work.system.message(body, of: kind, received: received)
        return try apply(message, of: kind, received: received, now: now, &work)
    }

    private func apply(
        _ reader: any RealtimeMessage, of kind: DatasetKind, received: Instant, now: Instant, _ work: inout Work
    ) throws -> (Taken, isWhole: Bool) {
        let isWhole = reader.header.incrementality == .fullDataset
        guard var side = work.side, let matcher = work.matcher else { return (.used, isWhole) }
        let known = work.replaced.contains(kind) ? nil : side.told[kind]?.dataset
        let order = MessageAcceptance.of(
            reader.header, after: known?.header.timestamp, now: now, policy: side.policy(kind))
        guard case .accept(let notes) = order else { return (.outdated, isWhole) }
        var builder = RealtimeDatasetBuilder(
            header: reader.header, received: received, matcher: matcher, previous: known, notes: notes)
        try builder.prepare(entities: reader.entityCount) { reader.tripIDs(limit: $0) }
        let kinds = Set(work.intervals.keys)
        var entities = 0
        let problems = try reader.read { (entity) throws in
            entities += 1
            if Self.belongs(entity, to: kind, of: kinds) { try builder.apply(entity) } else { builder.skip() }
        }
        if let fault = UnreadableResponse(entities: entities, problems: problems) { throw fault }
        side.told[kind] = RealtimeResponse(dataset: try builder.finish(), problems: problems)
        work.side = side
        work.replaced.remove(kind)
        return (.used, isWhole)
    }

    /// Whether an entity is taken from the source of a dataset: what has a source of its own is taken from that one only,
    /// since many publishers offer one message under several addresses.
    private static func belongs(_ entity: RealtimeEntity, to kind: DatasetKind, of kinds: Set<DatasetKind>) -> Bool {
        let natural: DatasetKind
        switch entity {
        case .tripUpdate: natural = .tripUpdates
        case .vehicle: natural = .vehicles
        case .alert: natural = .alerts
        case .deleted: return true
        }
        return natural == kind || !kinds.contains(natural)
    }

    /// What was kept last; `nil` when there is nothing that can be used.
    func kept(_ kind: DatasetKind, now: Instant) -> CachedRealtimeResponse? {
        do throws(StoreError) { return try cache.response(feed: id, dataset: kind.rawValue) } catch {
            logger.error("The last answer for \(kind.rawValue) cannot be used; the next one takes its place. \(error)")
            guard case .corrupt = error else { return nil }
            damages.add(
                CorruptFileLog.Entry(
                    name: "\(id) \(kind.rawValue)", remedy: .rebuilt,
                    message: "The last answer was damaged and is set aside; the next one takes its place.", found: now))
            return nil
        }
    }

    func keep(_ snapshot: CachedRealtimeResponse, _ kind: DatasetKind) {
        do throws(StoreError) { try cache.save(snapshot, feed: id, dataset: kind.rawValue) } catch {
            logger.error("The answer for \(kind.rawValue) is in use but cannot be kept: \(error)")
        }
    }

    func forget(_ kind: DatasetKind) {
        do throws(StoreError) { try cache.remove(feed: id, dataset: kind.rawValue) } catch {
            logger.error("What was kept for \(kind.rawValue) cannot be removed: \(error)")
        }
    }
}
