public import TransitModel

/// Applies a message, entity by entity, and gives the dataset that it makes.
///
/// ```swift
/// var builder = RealtimeDatasetBuilder(header: header, received: now, matcher: matcher, previous: dataset)
/// try reading.forEachEntity { try builder.take($0) }
/// dataset = builder.finish()
/// ```
public struct RealtimeDatasetBuilder {
    let matcher: TripMatcher
    /// What a differential message starts from.
    let previous: RealtimeDataset?
    var draft: RealtimeDatasetDraft
    private var predictions = DelayPropagator()
    /// The calls that the updates of one trip mean, ``unclear`` where more is to be said; kept for its memory.
    private var places: [Int32] = []
    private static let unclear: Int32 = -1
    /// 0 when it is not known.
    private var expectedEntities = 0
    /// The approximate number of bytes of the data kept from the message and of the names in the matcher's cache.
    var memory = 0
    /// The number of entities of other datasets.
    private(set) var skipped = 0
    /// What a differential message replaces or takes back.
    private(set) var touched: Set<EntityID> = []

    /// - Parameters:
    ///   - header: of the message; its notes are from ``MessageAcceptance/of(_:after:now:policy:)``.
    ///   - previous: what the same source told before; a message that is a full dataset does not look at it.
    public init(
        header: RealtimeHeader, received: Instant, matcher: TripMatcher, previous: RealtimeDataset? = nil,
        notes: [RealtimeMessageNotice] = []
    ) {
        matcher.begin()
        self.matcher = matcher
        self.previous = header.incrementality == .differential ? previous : nil
        draft = RealtimeDatasetDraft(header: header, received: received)
        draft.notes = notes
        draft.tracks = remembered(previous)
        if header.incrementality == .differential, previous == nil { draft.notes.append(.differentialWithoutBase) }
        draft.runs.reserveCapacity(previous?.runs.count ?? 0)
        draft.calls.reserveCapacity(previous?.calls.count ?? 0)
    }

    /// Makes ready for a message that brings so many entities: the first one of a new timetable names thousands of trips, and
    /// found together they cost a small part of what they cost one by one. Without this call the dataset is the same.
    ///
    /// - Parameter tripIDs: gives the trips that the message tells of, at most so many; asked for only if most are new.
    /// - Throws: what the timetable throws.
    public mutating func prepare(entities: Int, tripIDs: (_ most: Int) -> [TripID]) throws {
        expectedEntities = min(entities, TripMatcher.maximumCachedNames)
        if min(entities, TripMatcher.maximumBatchLookups) / 2 > matcher.tripCount {
            try matcher.find(tripIDs(TripMatcher.maximumBatchLookups))
        }
    }

    var isDifferential: Bool { draft.header.incrementality == .differential }

    /// Throws what the timetable throws; what does not fit the timetable is counted and left out.
    public mutating func take(_ entity: RealtimeEntity) throws {
        guard hasRoom(for: entity) else {
            draft.statistics.leftOut += 1
            return
        }
        memory += Self.memoryOfEntity
        if isDifferential { touched.insert(entity.id) }
        switch entity {
        case .tripUpdate(let update):
            draft.statistics.tripUpdates += 1
            try take(update)
        case .vehicle(let position):
            draft.statistics.vehicles += 1
            try take(position)
        case .alert(let alert):
            draft.statistics.alerts += 1
            memory += alert.memory
            draft.alerts.append(alert)
        case .deleted:
            draft.statistics.deletions += 1
        }
    }

    /// Counts an entity that belongs to another dataset, which has a source of its own.
    public mutating func skip() { skipped += 1 }

    // MARK: Trip updates

    private mutating func take(_ update: TripUpdate) throws {
        switch update.trip.relationship {
        case .added, .new: try takeExtra(update, kind: .added)
        case .duplicated: try takeCopy(update)
        case .scheduled, .unscheduled, .canceled, .deleted, .replacement: try takeRun(update)
        }
    }

    private mutating func takeRun(_ update: TripUpdate) throws {
        switch try match(update) {
        // The timetable lacks the trip, so the message is the only source. A SCHEDULED trip with an unknown identifier
        // is not shown, because it would duplicate its planned trip.
        case .failure(.unknownTrip) where update.trip.relationship == .unscheduled:
            try takeExtra(update, kind: .added)
        case .failure(let cause): draft.statistics.addUnmatched(cause, update.trip, entity: update.id)
        case .success(let run):
            draft.statistics.matchedTrips += 1
            let kind = kind(of: update.trip.relationship, run)
            try add(run, kind: kind, update)
            if kind == .replaced { try takeExtra(update, kind: .replacement, replacing: run) }
        }
    }

    private func kind(of relationship: TripScheduleRelationship, _ run: MatchedTrip) -> RealtimeTrip.Kind {
        switch relationship {
        case .canceled: .canceled
        case .deleted: .deleted
        case .replacement: .replaced
        case .duplicated: .duplicated
        case .scheduled, .unscheduled, .added, .new: run.isWithoutTimetable ? .unscheduled : .scheduled
        }
    }

    /// Finds the run and, in ``places``, the calls of the updates.
    private mutating func match(_ update: TripUpdate) throws -> Result<MatchedTrip, UnmatchedTrip> {
        places.removeAll(keepingCapacity: true)
        guard let id = update.trip.tripID else {
            let found = try matcher.run(byRoute: update.trip, clue: clue(update, known: nil))
            if case .success(let run) = found { try place(update, on: run.known) }
            return found
        }
        var found: Result<MatchedTrip, UnmatchedTrip> = .failure(.unknownTrip)
        if let known = try matcher.trip(id) {
            if update.trip.relationship != .replacement { try place(update, on: known) }
            found = matcher.run(of: known, update.trip, clue: clue(update, known: known))
        }
        switch found {
        case .failure(.unknownTrip), .failure(.notRunning): return try matchBySchedule(update) ?? found
        case .failure, .success: return found
        }
    }

    /// The run that was planned so; `nil` when there is none.
    private mutating func matchBySchedule(_ update: TripUpdate) throws -> Result<MatchedTrip, UnmatchedTrip>? {
        switch try matcher.run(bySchedule: update) {
        case .success(let run):
            places.removeAll(keepingCapacity: true)
            try place(update, on: run.known)
            return .success(run)
        case .failure(.ambiguous): return .failure(.ambiguous)
        case .failure: return nil
        }
    }

    /// Fills ``places``. An update is looked at member by member: a copy of each would cost more than all the rest.
    private mutating func place(_ update: TripUpdate, on known: CachedTrip) throws {
        let pattern = matcher.patterns[Int(known.patternNumber)]
        var guess = 0
        for number in update.updates.indices {
            var place = Self.unclear
            if update.updates[number].assignedStopID == nil, let sequence = update.updates[number].sequence,
                let position = pattern.position(sequence: sequence, after: guess),
                update.updates[number].stopID.map({ $0 == pattern.stopIDs[position] }) ?? true
            {
                place = Int32(truncatingIfNeeded: position)
                guess = position + 1
            } else if case .call(let position, nil) = try matcher.call(
                update.updates[number], on: pattern, guess: guess)
            {
                place = Int32(truncatingIfNeeded: position)
                guess = position + 1
            }
            places.append(place)
        }
    }

    /// The first time that is told, if it can be meant, else when the data were measured.
    private func clue(_ update: TripUpdate, known: CachedTrip?) -> ServiceDateEvidence {
        let message = (draft.header.timestamp ?? draft.received).secondsSince1970
        for number in update.updates.indices {
            guard let time = update.updates[number].departure?.time ?? update.updates[number].arrival?.time,
                isPlausibleTime(time, message)
            else { continue }
            // A replacement has its own calls.
            guard let known, update.trip.relationship != .replacement else {
                return ServiceDateEvidence(.stated, time: time.secondsSince1970)
            }
            guard number < places.count, places[number] != Self.unclear else { continue }
            let pattern = matcher.patterns[Int(known.patternNumber)].pattern
            let times = pattern.times(timingGroup: Int(known.timingGroup), call: Int(places[number]))
            let isArrival = update.updates[number].departure?.time == nil
            return ServiceDateEvidence(
                .stated, time: time.secondsSince1970, offset: isArrival ? times.arrival : times.departure)
        }
        let measured = update.timestamp.flatMap { isPlausibleTime($0, message) ? $0.secondsSince1970 : nil } ?? message
        if update.trip.relationship == .canceled || update.trip.relationship == .deleted {
            return ServiceDateEvidence(.withdrawal, time: measured)
        }
        let delays = update.updates.lazy.compactMap { $0.departure?.delay ?? $0.arrival?.delay }
        let delay = delays.first { Int64($0.magnitude) <= DelayPropagator.maximumDeviation } ?? 0
        return ServiceDateEvidence(.message, time: measured &- max(0, Int64(delay)))
    }

    /// Whether a moment is near enough to the message to choose a date by.
    private func isPlausibleTime(_ time: Instant, _ message: Int64) -> Bool {
        let distance = time.secondsSince1970.subtractingReportingOverflow(message)
        return !distance.overflow && distance.partialValue.magnitude <= UInt64(DelayPropagator.maximumDeviation)
    }

    /// Adds the run with what is expected at its calls.
    private mutating func add(_ run: MatchedTrip, kind: RealtimeTrip.Kind, _ update: TripUpdate) throws {
        let known = run.known
        let pattern = matcher.patterns[Int(known.patternNumber)]
        predictions.begin(
            pattern.pattern, timingGroup: Int(known.timingGroup), begins: run.begins,
            isWithoutTimetable: run.isWithoutTimetable,
            mayBeEarly: kind == .duplicated)
        switch kind {
        case .scheduled, .unscheduled, .duplicated, .estimated:
            for number in places.indices {
                if places[number] == Self.unclear {
                    try applyIrregularUpdate(update, number, on: pattern)
                } else {
                    predictions.state(update.updates, number, at: Int(places[number]))
                }
            }
            predictions.propagate(tripDelay: update.delay)
        case .canceled, .deleted, .replaced: break
        }
        draft.statistics.impossibleTimes += predictions.impossibleTimes
        draft.statistics.earlyDepartures += predictions.earlyDepartures
        draft.statistics.delaysWithoutTimetable += predictions.delaysWithoutTimetable
        append(run, kind: kind, basis: update.basis, measured: plausible(update.timestamp), entity: update.id)
        if let remark = update.remark {
            memory += remark.memory
            draft.remarks[update.id] = remark
        }
    }

    /// An update with another platform, of a stop that is visited twice, or of one that is not on the trip.
    private mutating func applyIrregularUpdate(_ update: TripUpdate, _ number: Int, on pattern: MatchedPattern) throws {
        let call = update.updates[number]
        switch try matcher.call(call, on: pattern, guess: 0) {
        case .call(let position, let otherStop):
            predictions.state(update.updates, number, at: position)
            guard let otherStop else { return }
            draft.platformChanges.append(.init(call: Int32(clamping: draft.calls.count + position), stop: otherStop))
        case .ambiguous(let positions):
            draft.statistics.ambiguousStops += 1
            predictions.markAmbiguous(positions)
        case .none: draft.statistics.addUnmatched(call, of: update.trip, entity: update.id)
        }
    }

    /// Nothing was measured after it came, whatever the publisher's clock says.
    func plausible(_ measured: Instant?) -> Instant? { measured.map { min($0, draft.received) } }

    private mutating func append(
        _ run: MatchedTrip, kind: RealtimeTrip.Kind, basis: TripUpdateBasis, measured: Instant?, entity: EntityID
    ) {
        draft.runs.append(
            RealtimeTrip(
                key: run.key, kind: kind, match: run.match, patternNumber: run.known.patternNumber,
                timingGroup: run.known.timingGroup, tripPosition: run.known.position,
                start: ServiceTime(seconds: run.start),
                begins: Instant(secondsSince1970: run.begins), firstCall: Int32(clamping: draft.calls.count),
                measured: measured, entityNumber: Int32(clamping: draft.entities.count),
                basis: basis, hasContradiction: predictions.hasContradiction))
        draft.entities.append(entity)
        memory += Self.memoryOfRun(calls: predictions.calls.count) + Self.memory(of: [entity.rawValue])
        draft.calls.append(contentsOf: predictions.calls)
        if draft.runs.count == Self.sampleSize { reserve() }
    }

    /// The number of runs or vehicles after which the total size is estimated.
    private static let sampleSize = 64
    /// The maximum number of calls that are kept.
    private static let maximumExpectedCalls = RealtimeLimits.memory / MemoryLayout<RealtimeCall>.stride

    /// Takes the memory for all runs at once: growing step by step, the calls of a large message would be copied several times.
    private mutating func reserve() {
        let calls = min(draft.calls.count * expectedEntities / Self.sampleSize, Self.maximumExpectedCalls)
        if calls <= draft.calls.capacity { return }
        draft.calls.reserveCapacity(calls + calls / 16)
        draft.runs.reserveCapacity(expectedEntities)
        draft.entities.reserveCapacity(expectedEntities)
    }

    private mutating func reserveVehicles() {
        draft.vehicles.reserveCapacity(
            min(expectedEntities, RealtimeLimits.memory / MemoryLayout<RealtimeVehicle>.stride))
    }

    // MARK: Trips that the timetable does not have

    /// A copy of a trip at another date and time (*TripProperties*).
    private mutating func takeCopy(_ update: TripUpdate) throws {
        guard let id = update.trip.tripID, let known = try matcher.trip(id) else {
            return draft.statistics.addUnmatched(.unknownTrip, update.trip, entity: update.id)
        }
        guard let date = update.properties?.startDate ?? update.trip.startDate,
            let start = update.properties?.startTime ?? update.trip.startTime
        else { return draft.statistics.addUnmatched(.incompleteCopy, update.trip, entity: update.id) }
        draft.statistics.matchedTrips += 1
        places.removeAll(keepingCapacity: true)
        try place(update, on: known)
        var run = matcher.run(known, on: date, start: start.seconds, match: .tripAndDate)
        // Apart from the run that it is a copy of.
        run.key.frequencyStart = start
        try add(run, kind: .duplicated, update)
        memory += Self.memory(of: [
            update.properties?.tripID?.rawValue, update.properties?.headsign, update.properties?.shortName,
        ])
        draft.copies[update.id] = RealtimeDataset.DuplicatedTrip(
            id: update.properties?.tripID, headsign: update.properties?.headsign,
            shortName: update.properties?.shortName)
    }

    /// - Parameter run: the run whose place the trip takes. What the message does not say is as in its timetable.
    private mutating func takeExtra(
        _ update: TripUpdate, kind: ExtraTrip.Kind, replacing run: MatchedTrip? = nil
    ) throws {
        let kind = kind == .added && matcher.context.isWithoutTimes ? .usual : kind
        guard var trip = try ExtraTrip(update, kind: kind, replaced: run?.key, matcher: matcher) else {
            return draft.statistics.addUnmatched(.withoutCalls, update.trip, entity: update.id)
        }
        trip.measured = plausible(trip.measured)
        if let run {
            let pattern = matcher.patterns[Int(run.known.patternNumber)].pattern
            trip.route = trip.route ?? pattern.route
            trip.direction = trip.direction ?? pattern.direction
            trip.serviceDate = run.key.serviceDate
        } else {
            draft.statistics.matchedTrips += 1
        }
        draft.statistics.unmatchedStops += update.updates.count - trip.calls.count
        memory += trip.memory
        draft.extraTrips.append(trip)
    }

    // MARK: Vehicles

    private mutating func take(_ position: VehiclePosition) throws {
        if matcher.context.isWithoutTimes { return try estimate(position) }
        let tracker = VehicleTracker(
            matcher: matcher, messageTime: draft.header.timestamp ?? draft.received, received: draft.received)
        let sighting = try tracker.observe(position)
        if let cause = sighting.unmatched, let trip = position.trip {
            draft.statistics.addUnmatched(cause, trip, entity: position.id)
        }
        if sighting.run != nil { draft.statistics.matchedTrips += 1 }
        memory += position.memory
        if draft.vehicles.count == Self.sampleSize { reserveVehicles() }
        draft.vehicles.append(
            RealtimeVehicle(
                position: position, run: sighting.run?.key, progress: sighting.progress,
                measured: plausible(position.timestamp)))
        guard let run = sighting.run, let progress = sighting.progress, let delay = sighting.delay else { return }
        let known = run.known
        let pattern = matcher.patterns[Int(known.patternNumber)].pattern
        predictions.begin(
            pattern, timingGroup: Int(known.timingGroup), begins: run.begins, isWithoutTimetable: run.isWithoutTimetable
        )
        predictions.applyEstimate(delay: delay, at: progress.call)
        predictions.propagate(tripDelay: nil)
        append(
            run, kind: .estimated, basis: .estimated, measured: plausible(position.timestamp), entity: position.id)
    }
}
