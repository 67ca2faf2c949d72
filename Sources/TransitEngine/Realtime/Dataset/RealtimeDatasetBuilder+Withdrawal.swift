public import TransitModel

// Trips that a full message lacks (``TripWithdrawal``).
extension RealtimeDatasetBuilder {
    /// The trips of the message, to compare with those of the previous message.
    private struct MentionedTrips {
        var published: Set<TripInstanceKey> = []
        /// The trips that are known only from the positions of their vehicles.
        var estimated: Set<TripInstanceKey> = []
        var extra: Set<ExtraTripIdentity> = []
    }

    /// Retains the trips of the previous message that this full message lacks, if it is not yet believed that they are
    /// gone.
    mutating func retainMissingTrips() throws {
        let mentioned = self.mentioned
        var withdrawal = last?.withdrawal ?? restoredWithdrawal
        if let last { try retainTrips(of: last, mentioned, &withdrawal) }
        for (dataset, retention) in restored { try retainTrips(of: dataset, as: retention, mentioned) }
        if let withdrawal, withdrawal.isCurrent(at: draft.received, reported: draft.statistics.matchedTrips) {
            draft.withdrawal = withdrawal
        }
        let retained = draft.trips.count { $0.retention > 0 } + draft.extraTrips.count { $0.retention > 0 }
        guard retained > 0 else { return }
        draft.notes.append(.lacksReportedTrips(retained))
        // The retained trips keep the dates that their decisions meant, also when the source reports them again.
        for (trip, meaning) in knownDecisions.meanings where draft.undatedDecisions[trip] == nil {
            draft.undatedDecisions[trip] = meaning
        }
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

    private mutating func retainTrips(
        of last: RealtimeDataset, _ mentioned: MentionedTrips, _ withdrawal: inout ConfirmedWithdrawal?
    ) throws {
        let now = draft.received
        var retentions = last.retentions.map { retention in
            var next = retention
            if isNews(after: last) { next.messages += 1 }
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
        if retentions.count < TripWithdrawal.maximumGroups, TripWithdrawal.isDoubtful(reported: reported, gone: gone) {
            // An index of 0 means that the trip is not retained.
            retentions.append(TripRetention(reported: last.time, missingSince: now))
        } else if retentions.isEmpty {
            return
        }
        let isDoubtful = retentions.count > last.retentions.count
        let believed = retentions.map { TripWithdrawal.isBelieved($0, at: now) }
        var ended = Array(repeating: ConfirmedWithdrawal?.none, count: retentions.count)
        var numbers = Array(repeating: UInt16(0), count: retentions.count)

        func group(of retention: UInt16) -> Int? {
            retention > 0 ? Int(retention) - 1 : isDoubtful ? retentions.count - 1 : nil
        }
        func note(_ index: Int, endingAt end: Instant, isCanceled: Bool) {
            let one = ConfirmedWithdrawal(
                since: retentions[index].missingSince, confirmed: now, trips: 1, cancellations: isCanceled ? 1 : 0,
                end: end)
            if ended[index]?.add(one) == nil { ended[index] = one }
        }
        for trip in last.trips where trip.isReport && !last.isOver(trip, at: now) {
            guard let index = group(of: trip.retention), !mentioned.published.contains(trip.key) else { continue }
            if believed[index] {
                note(index, endingAt: last.end(of: trip), isCanceled: trip.kind == .canceled)
            } else {
                try retain(trip, of: last, mentioned, as: number(retentions[index], index, &numbers))
            }
        }
        for trip in last.extraTrips where trip.isReport && !trip.isOver(at: now) {
            guard let index = group(of: trip.retention), !mentioned.extra.contains(trip.identity) else { continue }
            if believed[index] {
                note(index, endingAt: trip.end, isCanceled: false)
            } else {
                retain(trip, as: number(retentions[index], index, &numbers))
            }
        }
        for one in ended.compactMap(\.self) {
            if withdrawal?.add(one) == nil { withdrawal = one }
        }
    }

    /// Whether the message differs from the one before it. A source that repeats an old message confirms nothing.
    private func isNews(after last: RealtimeDataset) -> Bool {
        guard let time = draft.header.timestamp, let before = last.header.timestamp else { return true }
        return time != before
    }

    /// Returns the number of a retention in the new dataset, and adds it when it is first used.
    private mutating func number(_ retention: TripRetention, _ index: Int, _ numbers: inout [UInt16]) -> UInt16 {
        if numbers[index] == 0 {
            draft.retentions.append(retention)
            numbers[index] = UInt16(clamping: draft.retentions.count)
        }
        return numbers[index]
    }

    /// Retains the trips of a message from before a restart.
    private mutating func retainTrips(
        of dataset: RealtimeDataset, as retention: TripRetention, _ mentioned: MentionedTrips
    ) throws {
        draft.retentions.append(retention)
        let number = UInt16(clamping: draft.retentions.count)
        for trip in dataset.trips
        where trip.isReport && !dataset.isOver(trip, at: draft.received) && !mentioned.published.contains(trip.key) {
            try retain(trip, of: dataset, mentioned, as: number)
        }
        for trip in dataset.extraTrips
        where trip.isReport && !trip.isOver(at: draft.received) && !mentioned.extra.contains(trip.identity) {
            retain(trip, as: number)
        }
    }

    private mutating func retain(
        _ trip: RealtimeTrip, of dataset: RealtimeDataset, _ mentioned: MentionedTrips, as number: UInt16
    ) throws {
        // The position of the vehicle is newer than the last prediction, but does not undo a decision.
        if trip.isRunning, mentioned.estimated.contains(trip.key), !dataset.hasDecisions(trip) { return }
        guard var retained = try copy(trip, of: dataset) else { return }
        retained.retention = number
        draft.trips.append(retained)
    }

    private mutating func retain(_ trip: ExtraTrip, as number: UInt16) {
        guard hasRoom(for: trip.memory) else { return }
        var copy = trip
        copy.retention = number
        draft.extraTrips.append(copy)
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

    /// Whether the message skips or moves calls of the trip.
    func hasDecisions(_ trip: RealtimeTrip) -> Bool {
        let calls = calls(of: trip)
        return calls.contains(where: \.isSkipped) || hasPlatformChange(in: calls.startIndex..<calls.endIndex)
    }
}
