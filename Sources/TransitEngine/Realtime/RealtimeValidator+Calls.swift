internal import TransitModel

extension RealtimeValidator {
    /// Checks the stop time updates of a trip.
    ///
    /// - Parameter known: the scheduled trip; `nil` if the timetable lacks it.
    mutating func check(
        _ updates: [StopTimeUpdate], of trip: TripDescriptor, _ known: CachedTrip?, _ entity: EntityID
    ) throws {
        let runs = trip.relationship != .canceled && trip.relationship != .deleted
        if updates.isEmpty, runs { findings.add(.noUpdates, entity) }
        let sequences = updates.compactMap(\.sequence)
        if zip(sequences, sequences.dropFirst()).contains(where: { $0 > $1 }) {
            findings.add(.unsortedSequences, entity)
        }
        for (update, next) in zip(updates, updates.dropFirst()) {
            if let sequence = update.sequence, sequence == next.sequence { findings.add(.repeatedSequence, entity) }
            if let stop = update.stopID, stop == next.stopID { findings.add(.repeatedStop, entity) }
        }
        checkOrder(updates, entity)
        let pattern = known.map { matcher.patterns[Int($0.patternNumber)] }
        for update in updates {
            checkEvents(update, isServed: runs, entity)
            try checkStop(update, trip, pattern, entity)
        }
    }

    private mutating func checkOrder(_ updates: [StopTimeUpdate], _ entity: EntityID) {
        var latest: Instant?
        for update in updates {
            let (arrival, departure) = (update.arrival?.time, update.departure?.time)
            if let arrival, let departure, departure < arrival { findings.add(.departureBeforeArrival, entity) }
            if let latest, let time = arrival ?? departure, time <= latest {
                findings.add(.timesNotIncreasing, entity)
            }
            latest = departure ?? arrival ?? latest
        }
    }

    private mutating func checkEvents(_ update: StopTimeUpdate, isServed: Bool, _ entity: EntityID) {
        let events = [update.arrival, update.departure].compactMap { $0 }
        switch update.relationship {
        case .noData:
            if events.contains(where: { $0.time != nil || $0.delay != nil }) {
                findings.add(.timesWithoutData, entity)
            }
        case .skipped: break
        case .scheduled, .unscheduled:
            if events.isEmpty, isServed { findings.add(.eventMissing, entity) }
            if events.contains(where: { $0.time == nil && $0.delay == nil }) { findings.add(.timeMissing, entity) }
        }
    }

    private mutating func checkStop(
        _ update: StopTimeUpdate, _ trip: TripDescriptor, _ pattern: MatchedPattern?, _ entity: EntityID
    ) throws {
        if update.sequence == nil, update.stopID == nil { findings.add(.stopMissing, entity) }
        if let id = update.stopID {
            if let stop = try matcher.stop(id) {
                let kind = try matcher.timetable.stop(stop).kind
                if kind != .platform { findings.add(.stopIsNoPlatform, entity) }
            } else {
                findings.add(.unknownStop, entity)
            }
        }
        guard let pattern, !trip.relationship.hasOwnCalls else { return }
        guard let sequence = update.sequence else {
            if let id = update.stopID, pattern.positions(stop: id).count > 1 { findings.add(.ambiguousStop, entity) }
            return
        }
        guard let position = pattern.position(sequence: sequence, after: 0) else {
            return findings.add(.unknownSequence, entity)
        }
        let stop = update.stopID ?? pattern.stopIDs[position]
        if stop != pattern.stopIDs[position], stop != update.assignedStopID {
            findings.add(.sequenceAndStopDiffer, entity)
        }
    }
}

extension TripScheduleRelationship {
    /// Whether the update defines the calls of the trip instead of referring to the timetable.
    fileprivate var hasOwnCalls: Bool { self == .added || self == .new || self == .replacement }
}
