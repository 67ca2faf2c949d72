public import TransitModel

/// Builds a dataset from a message, entity by entity.
///
/// ```swift
/// var builder = RealtimeDatasetBuilder(header: header, received: now, matcher: matcher, previous: dataset)
/// try reading.forEachEntity { try builder.apply($0) }
/// dataset = try builder.finish()
/// ```
public struct RealtimeDatasetBuilder {
    let matcher: TripMatcher
    /// The dataset to which a differential message is applied.
    let previous: RealtimeDataset?
    /// The dataset of the previous message from the same source.
    let last: RealtimeDataset?
    /// The datasets of trips that were retained before a restart, which are used if there is no last dataset.
    var restored: [(dataset: RealtimeDataset, retention: TripRetention)] = []
    /// The trips that were believed to be gone before a restart.
    var restoredWithdrawal: ConfirmedWithdrawal?
    /// The changes that may be lost before this message; ignored if the previous dataset states them.
    public var lostChanges: LostChanges?
    var draft: RealtimeDatasetDraft
    /// The decisions without a date in earlier messages.
    var knownDecisions = UndatedDecisions()
    /// The times of measurement of the same message with another timetable.
    var knownMeasurements: [EntityID: Instant] = [:]
    /// The seconds by which the wall clock was set forward since the previous message, negative if it was set back.
    public var clockStep = 0
    private var predictions = DelayPropagator()
    /// The positions of the calls to which the updates of one trip refer; ``unclear`` for updates that need further
    /// handling. Stored in the builder so that the array's memory is reused.
    var callPositions: [Int32] = []
    private static let unclear: Int32 = -1
    /// The expected number of entities in the message; 0 if unknown.
    private var expectedEntities = 0
    /// The approximate number of bytes of the data kept from the message and of the identifiers in the matcher's cache.
    var memory = 0
    /// The extra trips of the previous message by entity; created for the first extra trip of this message.
    lazy var lastExtraTrips: [EntityID: ExtraTrip] = Dictionary(
        (last?.extraTripParts ?? []).map { ($0.entity, $0) }, uniquingKeysWith: { $1 })
    /// The number of skipped entities, which belong to other datasets.
    private(set) var skipped = 0
    /// The entities that a differential message replaces or deletes.
    private(set) var changedEntities: Set<EntityID> = []

    /// - Parameters:
    ///   - header: the header of the message.
    ///   - previous: the previous dataset from the same source. A differential message changes it. A full message is
    ///     compared with it (``TripWithdrawal``).
    ///   - notes: the notices from ``MessageAcceptance/of(_:after:now:policy:)``.
    public init(
        header: RealtimeHeader, received: Instant, matcher: TripMatcher, previous: RealtimeDataset? = nil,
        notes: [RealtimeMessageNotice] = []
    ) {
        matcher.begin()
        self.matcher = matcher
        self.previous = header.incrementality == .differential ? previous : nil
        last = previous
        draft = RealtimeDatasetDraft(header: header, received: received)
        draft.notes = notes
        draft.tracks = recentTracks(of: previous)
        knownDecisions = previous?.undatedDecisions ?? UndatedDecisions()
        // A differential message does not repeat decisions.
        if header.incrementality == .differential { draft.undatedDecisions = knownDecisions }
        if header.incrementality == .differential, previous == nil { draft.notes.append(.differentialWithoutBase) }
        draft.trips.reserveCapacity(previous?.trips.count ?? 0)
        draft.calls.reserveCapacity(previous?.calls.count ?? 0)
    }

    /// Continues what was known before a restart, for the last message from before it.
    ///
    /// - Parameters:
    ///   - trips: the trips that the message lacks and that were retained.
    ///   - withdrawal: the trips that were believed to be gone.
    public mutating func restore(
        _ trips: [(dataset: RealtimeDataset, retention: TripRetention)], withdrawal: ConfirmedWithdrawal?
    ) {
        restored = trips
        restoredWithdrawal = withdrawal
    }

    /// Prepares for a message with the given number of entities. The first message for a new timetable version names
    /// thousands of trips. Looking them up together is much cheaper than looking them up one by one. Calling this
    /// method does not change the resulting dataset.
    ///
    /// - Parameter tripIDs: returns the identifiers of the trips in the message, at most `most`. The closure is called
    ///   only if most of the trips are new.
    /// - Throws: the errors of the timetable.
    public mutating func prepare(entities: Int, tripIDs: (_ most: Int) -> [TripID]) throws {
        expectedEntities = min(entities, TripMatcher.maximumCachedNames)
        if min(entities, TripMatcher.maximumBatchLookups) / 2 > matcher.tripCount {
            try matcher.find(tripIDs(TripMatcher.maximumBatchLookups))
        }
    }

    var isDifferential: Bool { draft.header.incrementality == .differential }

    /// Applies an entity. Entities that do not match the timetable are counted and left out.
    ///
    /// - Throws: the errors of the timetable.
    public mutating func apply(_ entity: RealtimeEntity) throws {
        guard hasRoom(for: entity) else {
            draft.statistics.leftOut += 1
            return
        }
        memory += Self.memoryOfEntity
        if isDifferential { changedEntities.insert(entity.id) }
        switch entity {
        case .tripUpdate(let update):
            draft.statistics.tripUpdates += 1
            try apply(update)
        case .vehicle(let position):
            draft.statistics.vehicles += 1
            try apply(position)
        case .alert(let alert):
            if try isOutside(alert) { return }
            draft.statistics.alerts += 1
            memory += alert.memory
            draft.alerts.append(alert)
        case .deleted:
            draft.statistics.deletions += 1
        }
    }

    /// Counts an entity that belongs to another dataset with its own source.
    public mutating func skip() { skipped += 1 }

    // MARK: Trip updates

    private mutating func apply(_ update: TripUpdate) throws {
        if try isOutside(update) {
            draft.statistics.outsideTrips += 1
            return
        }
        switch update.trip.relationship {
        case .added, .new: try addExtraTrip(update, kind: .added)
        case .duplicated: try addCopy(update)
        case .scheduled, .unscheduled, .canceled, .deleted, .replacement: try applyToScheduledTrip(update)
        }
    }

    /// Returns whether an update is about a trip outside of the kept part of the feed. An extra trip is outside if it
    /// calls at no stop of the timetable.
    private func isOutside(_ update: TripUpdate) throws -> Bool {
        guard matcher.timetable.isPartial else { return false }
        if try matcher.isOutside(update.trip) { return true }
        guard update.trip.relationship == .added || update.trip.relationship == .new else { return false }
        for number in update.updates.indices {
            guard let id = update.updates[number].assignedStopID ?? update.updates[number].stopID else { return false }
            if let stop = try matcher.stop(id), try matcher.timetable.stop(stop).isKept { return false }
        }
        return !update.updates.isEmpty
    }

    /// Returns whether an alert is only about trips, routes and stops outside of the kept part of the feed. A stop where a
    /// kept trip calls is not, because riders may travel to it.
    private func isOutside(_ alert: Alert) throws -> Bool {
        guard matcher.timetable.isPartial, !alert.informed.isEmpty else { return false }
        return try alert.informed.allSatisfy { informed in
            if let stop = informed.stopID, try matcher.stop(stop) == nil { return true }
            if let route = informed.routeID ?? informed.trip?.routeID, matcher.route(route) == nil { return true }
            return try informed.trip.map { try matcher.isOutside($0) } ?? false
        }
    }

    private mutating func applyToScheduledTrip(_ update: TripUpdate) throws {
        let found = try match(update)
        note(update, found)
        switch found {
        // The timetable lacks the trip, so the message is the only source. A SCHEDULED trip with an unknown identifier
        // is not shown, because it would duplicate its scheduled trip.
        case .failure(.unknownTrip) where update.trip.relationship == .unscheduled:
            try addExtraTrip(update, kind: .added)
        case .failure(let cause): draft.statistics.addUnmatched(cause, update.trip, entity: update.id)
        case .success(let instance):
            draft.statistics.matchedTrips += 1
            let kind = kind(of: update.trip.relationship, instance)
            try add(instance, kind: kind, update)
            if kind == .replaced { try addExtraTrip(update, kind: .replacement, replacing: instance) }
        }
    }

    private func kind(of relationship: TripScheduleRelationship, _ instance: MatchedTrip) -> RealtimeTrip.Kind {
        switch relationship {
        case .canceled: .canceled
        case .deleted: .deleted
        case .replacement: .replaced
        case .duplicated: .duplicated
        case .scheduled, .unscheduled, .added, .new: instance.isWithoutTimetable ? .unscheduled : .scheduled
        }
    }

    /// Finds the trip instance and stores the calls of the updates in ``callPositions``.
    private mutating func match(_ update: TripUpdate) throws -> Result<MatchedTrip, UnmatchedTrip> {
        callPositions.removeAll(keepingCapacity: true)
        guard let id = update.trip.tripID else {
            let found = try matcher.tripInstance(byRoute: update.trip, evidence: evidence(update, known: nil))
            if case .success(let instance) = found { try findCalls(of: update, on: instance.known) }
            return found
        }
        var found: Result<MatchedTrip, UnmatchedTrip> = .failure(.unknownTrip)
        if let known = try matcher.trip(id) {
            if update.trip.relationship != .replacement { try findCalls(of: update, on: known) }
            found = matcher.tripInstance(of: known, update.trip, evidence: evidence(update, known: known))
        }
        switch found {
        case .failure(.unknownTrip), .failure(.notRunning): return try matchBySchedule(update) ?? found
        case .failure, .success: return found
        }
    }

    /// Returns the trip instance with the update's scheduled times, or `nil` if there is none.
    private mutating func matchBySchedule(_ update: TripUpdate) throws -> Result<MatchedTrip, UnmatchedTrip>? {
        switch try matcher.tripInstance(bySchedule: update) {
        case .success(let instance):
            callPositions.removeAll(keepingCapacity: true)
            try findCalls(of: update, on: instance.known)
            return .success(instance)
        case .failure(.ambiguous): return .failure(.ambiguous)
        case .failure: return nil
        }
    }

    /// Fills ``callPositions``. The members of an update are read one by one, because copying each update would cost
    /// more than the rest of the work.
    mutating func findCalls(of update: TripUpdate, on known: CachedTrip) throws {
        let pattern = matcher.patterns[Int(known.patternNumber)]
        var guess = 0
        for number in update.updates.indices {
            var call = Self.unclear
            if update.updates[number].assignedStopID == nil, let sequence = update.updates[number].sequence,
                let position = pattern.position(sequence: sequence, after: guess),
                update.updates[number].stopID.map({ $0 == pattern.stopIDs[position] }) ?? true
            {
                call = Int32(truncatingIfNeeded: position)
                guess = position + 1
            } else if case .call(let position, nil) = try matcher.call(
                update.updates[number], on: pattern, guess: guess)
            {
                call = Int32(truncatingIfNeeded: position)
                guess = position + 1
            }
            callPositions.append(call)
        }
    }

    /// Returns the first plausible stated time, or else the time of measurement.
    private func evidence(_ update: TripUpdate, known: CachedTrip?) -> ServiceDateEvidence {
        let message = (draft.header.timestamp ?? draft.received).secondsSince1970
        for number in update.updates.indices {
            guard let time = update.updates[number].departure?.time ?? update.updates[number].arrival?.time,
                isPlausibleTime(time, message)
            else { continue }
            // A replacement has its own calls.
            guard let known, update.trip.relationship != .replacement else {
                return ServiceDateEvidence(.stated, time: time.secondsSince1970)
            }
            guard number < callPositions.count, callPositions[number] != Self.unclear else { continue }
            let pattern = matcher.patterns[Int(known.patternNumber)].pattern
            let times = pattern.times(timingGroup: Int(known.timingGroup), call: Int(callPositions[number]))
            let isArrival = update.updates[number].departure?.time == nil
            return ServiceDateEvidence(
                .stated, time: time.secondsSince1970, offset: isArrival ? times.arrival : times.departure)
        }
        let measured = update.timestamp.flatMap { isPlausibleTime($0, message) ? $0.secondsSince1970 : nil } ?? message
        if update.isUndatedDecision || update.trip.relationship == .canceled || update.trip.relationship == .deleted {
            return ServiceDateEvidence(
                .decision, time: measured, known: knownDecisions[update.trip], isDifferential: isDifferential)
        }
        let delays = update.updates.lazy.compactMap { $0.departure?.delay ?? $0.arrival?.delay }
        let delay = delays.first { Int64($0.magnitude) <= DelayPropagator.maximumDeviation } ?? 0
        return ServiceDateEvidence(.message, time: measured &- max(0, Int64(delay)))
    }

    /// Returns whether a time is close enough to that of the message to determine a service date.
    private func isPlausibleTime(_ time: Instant, _ message: Int64) -> Bool {
        let distance = time.secondsSince1970.subtractingReportingOverflow(message)
        return !distance.overflow && distance.partialValue.magnitude <= UInt64(DelayPropagator.maximumDeviation)
    }

    /// Adds a trip with the expected times of its calls.
    mutating func add(_ instance: MatchedTrip, kind: RealtimeTrip.Kind, _ update: TripUpdate) throws {
        let known = instance.known
        let pattern = matcher.patterns[Int(known.patternNumber)]
        predictions.begin(
            pattern.pattern, timingGroup: Int(known.timingGroup), startInstant: instance.startInstant,
            isWithoutTimetable: instance.isWithoutTimetable,
            mayBeEarly: kind == .duplicated)
        switch kind {
        case .scheduled, .unscheduled, .duplicated, .estimated:
            for number in callPositions.indices {
                if callPositions[number] == Self.unclear {
                    try applyIrregularUpdate(update, number, on: pattern)
                } else {
                    predictions.applyUpdates(update.updates, number, at: Int(callPositions[number]))
                }
            }
            predictions.propagate(tripDelay: update.delay)
        case .canceled, .deleted, .replaced: break
        }
        draft.statistics.impossibleTimes += predictions.impossibleTimes
        draft.statistics.earlyDepartures += predictions.earlyDepartures
        draft.statistics.delaysWithoutTimetable += predictions.delaysWithoutTimetable
        append(
            instance, kind: kind, basis: update.basis,
            measured: measured(update.timestamp, of: instance, predictions.calls, update.id), entity: update.id)
        keepRefusedTimes(predictions, of: update.id)
        if let remark = update.remark {
            memory += remark.memory
            draft.remarks[update.id] = remark
        }
    }

    /// Applies an update that names another platform, a stop that the trip visits twice, or a stop that is not on the
    /// trip.
    private mutating func applyIrregularUpdate(_ update: TripUpdate, _ number: Int, on pattern: MatchedPattern) throws {
        let call = update.updates[number]
        switch try matcher.call(call, on: pattern, guess: 0) {
        case .call(let position, let otherStop):
            predictions.applyUpdates(update.updates, number, at: position)
            guard let otherStop else { return }
            draft.platformChanges.append(.init(call: Int32(clamping: draft.calls.count + position), stop: otherStop))
        case .ambiguous(let positions):
            draft.statistics.ambiguousStops += 1
            predictions.markAmbiguous(positions)
        case .none: draft.statistics.addUnmatched(call, of: update.trip, entity: update.id)
        }
    }

    /// Limits a time of measurement to the time of receipt, because the publisher's clock may be fast.
    func plausible(_ measured: Instant?) -> Instant? { measured.map { min($0, draft.received) } }

    private mutating func append(
        _ instance: MatchedTrip, kind: RealtimeTrip.Kind, basis: TripUpdateBasis, measured: Instant?, entity: EntityID
    ) {
        draft.trips.append(
            RealtimeTrip(
                key: instance.key, kind: kind, match: instance.match, patternNumber: instance.known.patternNumber,
                timingGroup: instance.known.timingGroup, tripPosition: instance.known.position,
                start: ServiceTime(seconds: instance.start),
                startInstant: Instant(secondsSince1970: instance.startInstant),
                firstCall: Int32(clamping: draft.calls.count),
                measured: measured, entityNumber: Int32(clamping: draft.entities.count),
                basis: basis, hasContradiction: predictions.hasContradiction))
        draft.entities.append(entity)
        memory += Self.memoryOfTrip(calls: predictions.calls.count) + Self.memory(of: [entity.rawValue])
        draft.calls.append(contentsOf: predictions.calls)
        if draft.trips.count == Self.sampleSize { reserve() }
    }

    /// The number of trips or vehicles after which the total size is estimated.
    private static let sampleSize = 64
    /// The maximum number of calls that are stored.
    private static let maximumExpectedCalls = RealtimeLimits.memory / MemoryLayout<RealtimeCall>.stride

    /// Reserves memory for all trips at once. Otherwise, the arrays would grow step by step, and the calls of a large
    /// message would be copied several times.
    private mutating func reserve() {
        let calls = min(draft.calls.count * expectedEntities / Self.sampleSize, Self.maximumExpectedCalls)
        if calls <= draft.calls.capacity { return }
        draft.calls.reserveCapacity(calls + calls / 16)
        draft.trips.reserveCapacity(expectedEntities)
        draft.entities.reserveCapacity(expectedEntities)
    }

    private mutating func reserveVehicles() {
        draft.vehicles.reserveCapacity(
            min(expectedEntities, RealtimeLimits.memory / MemoryLayout<RealtimeVehicle>.stride))
    }

    // MARK: Vehicles

    /// Returns whether the trip of a vehicle is outside of the kept part of the feed. The position of an extra trip does
    /// not say where it calls, so that its route decides.
    private func isOutside(_ trip: TripDescriptor) throws -> Bool {
        if try matcher.isOutside(trip) { return true }
        guard matcher.timetable.isPartial, let id = trip.tripID, let route = trip.routeID else { return false }
        return try matcher.trip(id) == nil && matcher.route(route) == nil
    }

    private mutating func apply(_ position: VehiclePosition) throws {
        if let trip = position.trip, try isOutside(trip) {
            draft.statistics.outsideTrips += 1
            return
        }
        if matcher.context.isWithoutTimes { return try estimate(position) }
        let tracker = VehicleProgressMatcher(
            matcher: matcher, messageTime: draft.header.timestamp ?? draft.received, received: draft.received)
        let observation = try tracker.observe(position)
        if let cause = observation.unmatched, let trip = position.trip {
            draft.statistics.addUnmatched(cause, trip, entity: position.id)
        }
        if observation.instance != nil { draft.statistics.matchedTrips += 1 }
        let waiting = waitingUntil(observation.progress, observation.instance)
        memory += position.memory
        if draft.vehicles.count == Self.sampleSize { reserveVehicles() }
        draft.vehicles.append(
            RealtimeVehicle(
                position: position, tripInstance: observation.instance?.key, progress: observation.progress,
                measured: plausible(position.timestamp), waitingUntil: waiting))
        guard let instance = observation.instance, let progress = observation.progress, let delay = observation.delay
        else {
            return
        }
        let known = instance.known
        let pattern = matcher.patterns[Int(known.patternNumber)].pattern
        predictions.begin(
            pattern, timingGroup: Int(known.timingGroup), startInstant: instance.startInstant,
            isWithoutTimetable: instance.isWithoutTimetable
        )
        predictions.applyEstimate(delay: delay, at: progress.call)
        predictions.propagate(tripDelay: nil)
        let time = plausible(position.timestamp) ?? draft.header.timestamp ?? draft.received
        predictions.applyUncertainty(ofEstimateAt: time.secondsSince1970 &- instance.startInstant)
        // Without a timestamp, the position is as old as its message.
        let measured = plausible(position.timestamp).map { max($0, waiting ?? $0) }
        append(instance, kind: .estimated, basis: .estimated, measured: measured, entity: position.id)
    }
}
