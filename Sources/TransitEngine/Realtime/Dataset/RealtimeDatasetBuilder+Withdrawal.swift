public import TransitModel

// Trips that a full message lacks (``TripWithdrawal``).
extension RealtimeDatasetBuilder {
    /// The trips of the message, to compare with those of an earlier message.
    private struct MentionedTrips {
        var published: Set<TripInstanceKey> = []
        /// The trips that are known only from the positions of their vehicles.
        var estimated: Set<TripInstanceKey> = []
        var extra: Set<ExtraTripIdentity> = []
    }

    /// The groups of trips that are retained from an earlier dataset.
    private struct RetainedGroups {
        let retentions: [TripRetention]
        /// The index of the group of the trips that the earlier message itself reported; `nil` if they are not retained.
        let ownGroup: Int?
        /// The groups that are believed to be gone.
        var believed: Set<Int> = []
        /// The trips of the believed groups.
        var ended: [Int: ConfirmedWithdrawal] = [:]
        /// One more than the index of each group in the new dataset, once it has trips there.
        var numbers: [Int: UInt16] = [:]

        init(_ retentions: [TripRetention], ownGroup: Int? = nil) {
            self.retentions = retentions
            self.ownGroup = ownGroup
        }

        /// Returns the index of a trip's group; `nil` if the trip is not retained.
        func index(_ retention: UInt16) -> Int? { retention > 0 ? Int(retention) - 1 : ownGroup }

        mutating func end(_ index: Int, at now: Instant, until end: Instant, isCanceled: Bool) {
            let one = ConfirmedWithdrawal(
                since: retentions[index].missingSince, confirmed: now, trips: 1, cancellations: isCanceled ? 1 : 0,
                end: end)
            if ended[index]?.add(one) == nil { ended[index] = one }
        }
    }

    /// Retains the trips of the previous message that this full message lacks, if it is not yet believed that they are
    /// gone.
    mutating func retainMissingTrips() throws {
        draft.withdrawal = last?.withdrawal ?? restoredWithdrawal
        let mentioned = self.mentioned
        if let last {
            var groups = groups(after: last, mentioned)
            try retainTrips(of: last, mentioned, &groups)
        }
        for (dataset, retention) in restored {
            var groups = RetainedGroups([adjusted(retention)], ownGroup: 0)
            try retainTrips(of: dataset, mentioned, &groups)
        }
        let retained = draft.trips.count { $0.retention > 0 } + draft.extraTrips.count { $0.retention > 0 }
        guard retained > 0 else { return }
        draft.notes.append(.lacksReportedTrips(retained))
        // The retained trips keep the dates that their decisions meant, also when the source reports them again.
        for (trip, meaning) in knownDecisions.meanings where draft.undatedDecisions[trip] == nil {
            draft.undatedDecisions[trip] = meaning
        }
    }

    /// Retains the retained trips of the previous dataset further. A differential message repeats nothing, so it does
    /// not confirm that they are gone.
    mutating func retainTrips(ofPrevious previous: RealtimeDataset) throws {
        draft.withdrawal = previous.withdrawal
        if previous.retentions.isEmpty { return }
        var groups = RetainedGroups(previous.retentions.map(adjusted))
        try retainTrips(of: previous, mentioned, &groups)
    }

    /// Drops the note of a confirmed withdrawal that no longer concerns riders. Positions do not replace what the source
    /// no longer reports.
    mutating func endWithdrawal() {
        let reported =
            draft.trips.count { $0.isReport && $0.retention == 0 }
            + draft.extraTrips.count { $0.isReport && $0.retention == 0 }
        guard let withdrawal = draft.withdrawal, !withdrawal.isCurrent(at: draft.received, reported: reported) else {
            return
        }
        draft.withdrawal = nil
    }

    private var mentioned: MentionedTrips {
        var mentioned = MentionedTrips()
        if last == nil, restored.isEmpty { return mentioned }
        for trip in draft.trips {
            if trip.kind == .estimated {
                mentioned.estimated.insert(trip.key)
            } else {
                mentioned.published.insert(trip.key)
            }
        }
        for trip in draft.extraTrips { mentioned.extra.insert(trip.identity) }
        return mentioned
    }

    /// Returns the groups of trips that are retained after the last message: the earlier ones, and a new one if this
    /// message is doubted.
    private func groups(after last: RealtimeDataset, _ mentioned: MentionedTrips) -> RetainedGroups {
        let now = draft.received
        var retentions = last.retentions.map { retention in
            var next = adjusted(retention)
            if differs(from: last) { next.messages += 1 }
            return next
        }
        // Counts the trips that the last message reported, without those that were already retained.
        var (reported, gone) = (0, 0)
        for trip in last.trips where trip.retention == 0 && trip.isReport && !last.isOver(trip, at: now) {
            reported += 1
            if !mentioned.published.contains(trip.key) { gone += 1 }
        }
        for trip in last.extraTrips where trip.retention == 0 && trip.isReport && !trip.isOver(at: now) {
            reported += 1
            if !mentioned.extra.contains(trip.identity) { gone += 1 }
        }
        // A source all of whose trips are others in each message names the same trips anew.
        var ownGroup: Int?
        if retentions.count < TripWithdrawal.maximumGroups, TripWithdrawal.isDoubtful(reported: reported, gone: gone) {
            ownGroup = retentions.count
            retentions.append(TripRetention(reported: last.time, missingSince: now))
        }
        var groups = RetainedGroups(retentions, ownGroup: ownGroup)
        groups.believed = Set(retentions.indices.filter { TripWithdrawal.isBelieved(retentions[$0], at: now) })
        return groups
    }

    /// Returns a retention with its time on the present wall clock, which is never in the future.
    private func adjusted(_ retention: TripRetention) -> TripRetention {
        retention.adjusted(clockStep: clockStep, now: draft.received)
    }

    /// Whether the message differs from the one before it. A source that repeats an old message confirms nothing.
    private func differs(from last: RealtimeDataset) -> Bool {
        guard let time = draft.header.timestamp, let before = last.header.timestamp else { return true }
        return time != before
    }

    /// Retains the trips of an earlier dataset that belong to a group, that are not over, and that this message does not
    /// mention. The trips of the groups that are believed to be gone are only counted.
    private mutating func retainTrips(
        of dataset: RealtimeDataset, _ mentioned: MentionedTrips, _ groups: inout RetainedGroups
    ) throws {
        let now = draft.received
        for trip in dataset.trips where trip.isReport && !dataset.isOver(trip, at: now) {
            guard let index = groups.index(trip.retention), !mentioned.published.contains(trip.key),
                !changedEntities.contains(dataset.entity(of: trip))
            else { continue }
            if groups.believed.contains(index) {
                groups.end(index, at: now, until: dataset.end(of: trip), isCanceled: trip.kind == .canceled)
            } else {
                try retain(trip, of: dataset, mentioned, index, &groups)
            }
        }
        for trip in dataset.extraTrips where trip.isReport && !trip.isOver(at: now) {
            guard let index = groups.index(trip.retention), !mentioned.extra.contains(trip.identity),
                !changedEntities.contains(trip.entity)
            else { continue }
            if groups.believed.contains(index) {
                groups.end(index, at: now, until: trip.end, isCanceled: false)
            } else if hasRoom(for: trip.memory) {
                var copy = trip
                copy.retention = number(of: index, &groups)
                draft.extraTrips.append(copy)
            }
        }
        for index in groups.ended.keys.sorted() {
            guard let ended = groups.ended[index] else { continue }
            if draft.withdrawal?.add(ended) == nil { draft.withdrawal = ended }
        }
    }

    private mutating func retain(
        _ trip: RealtimeTrip, of dataset: RealtimeDataset, _ mentioned: MentionedTrips, _ index: Int,
        _ groups: inout RetainedGroups
    ) throws {
        // The position of the vehicle is newer than the last prediction, but does not undo a decision.
        if trip.isRunning, mentioned.estimated.contains(trip.key), !dataset.hasDecisions(trip) { return }
        guard var retained = try copy(trip, of: dataset) else { return }
        retained.retention = number(of: index, &groups)
        draft.trips.append(retained)
    }

    /// Returns one more than the index of a group in the new dataset. A group is added with its first trip.
    private mutating func number(of index: Int, _ groups: inout RetainedGroups) -> UInt16 {
        if let number = groups.numbers[index] { return number }
        draft.retentions.append(groups.retentions[index])
        let number = UInt16(clamping: draft.retentions.count)
        groups.numbers[index] = number
        return number
    }
}

/// The identity of an extra trip in consecutive messages.
private struct ExtraTripIdentity: Hashable {
    var id: String
    var date: ServiceDate
    var replaced: TripInstanceKey?
}

extension RealtimeTrip {
    /// Whether the trip was reported, rather than derived from the position of its vehicle.
    fileprivate var isReport: Bool { kind != .estimated && basis != .estimated }
}

extension ExtraTrip {
    fileprivate var isReport: Bool { basis != .estimated }

    fileprivate var identity: ExtraTripIdentity {
        ExtraTripIdentity(id: id?.rawValue ?? entity.rawValue, date: serviceDate, replaced: replaced)
    }

    /// The last time at which the vehicle calls, according to the plan and the prediction.
    fileprivate var end: Instant {
        calls.map { max($0.arrival, $0.scheduledArrival ?? $0.arrival) }.max() ?? Instant(secondsSince1970: .min)
    }

    fileprivate func isOver(at now: Instant) -> Bool { end < now }
}

extension RealtimeDataset {
    /// Returns the time at which the trip ends, according to the timetable and to the last prediction.
    public func end(of trip: RealtimeTrip) -> Instant {
        let pattern = pattern(of: trip)
        let planned = pattern.times(timingGroup: Int(trip.timingGroup), call: pattern.callCount - 1).arrival
        let expected = calls(of: trip).last { $0.isExpected }?.arrival ?? planned
        return trip.startInstant.advanced(by: Int(max(planned, expected)))
    }

    fileprivate func isOver(_ trip: RealtimeTrip, at now: Instant) -> Bool { end(of: trip) < now }

    /// Returns the number of reported trips that are not over and of which only the last known data is in use.
    ///
    /// - Parameter isSilent: Whether the source is silent. Otherwise, only retained trips count.
    public func lastKnownTrips(isSilent: Bool, at now: Instant) -> Int {
        trips.count { $0.isReport && (isSilent || $0.retention > 0) && !isOver($0, at: now) }
            + extraTrips.count { $0.isReport && (isSilent || $0.retention > 0) && !$0.isOver(at: now) }
    }

    /// Returns whether the last message reports a trip by one of the entities.
    public func reports(anyOf entities: Set<EntityID>) -> Bool {
        guard !entities.isEmpty else { return false }
        return trips.contains { $0.retention == 0 && entities.contains(entity(of: $0)) }
            || extraTrips.contains { $0.retention == 0 && entities.contains($0.entity) }
    }

    /// Returns the entities all of whose trips are over. Alerts and positions are not among them.
    public func entitiesOfTripsOver(at now: Instant) -> Set<EntityID> {
        let (over, running) = (
            trips.filter { isOver($0, at: now) }.map { entity(of: $0) }
                + extraTripParts.filter { $0.isOver(at: now) }.map(\.entity),
            trips.filter { !isOver($0, at: now) }.map { entity(of: $0) }
                + extraTripParts.filter { !$0.isOver(at: now) }.map(\.entity)
        )
        return Set(over).subtracting(running)
    }

    /// Whether the message skips or moves calls of the trip.
    func hasDecisions(_ trip: RealtimeTrip) -> Bool {
        let calls = calls(of: trip)
        return calls.contains(where: \.isSkipped) || hasPlatformChange(in: calls.startIndex..<calls.endIndex)
    }
}
