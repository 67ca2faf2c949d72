public import TransitModel

// The age of stated times and of positions.
extension RealtimeDatasetBuilder {
    /// Returns the time of measurement of a trip's predictions.
    ///
    /// This is the timestamp of the entity, unless the publisher has changed a time since its previous message without
    /// a newer timestamp. The times are then as old as the message that changed them.
    ///
    /// - Parameter calls: the calls of the trip with their expected times.
    func measured(
        _ stated: Instant?, of instance: MatchedTrip, _ calls: [RealtimeCall], _ entity: EntityID
    ) -> Instant? {
        guard let stated = plausible(stated), stated < messageTime else { return plausible(stated) }
        guard let last else { return known(stated, entity) }
        guard let number = last.index(of: instance.key) else { return stated }
        let before = last.trips[number]
        guard before.isRunning, before.kind != .estimated, let measured = before.measured else { return stated }
        let shift = Int32(clamping: instance.startInstant &- before.startInstant.secondsSince1970)
        let hasChanged = zip(calls, last.calls(of: before)).contains { call, earlier in
            call.hasOtherTimes(than: earlier, shift: shift)
        }
        return hasChanged ? messageTime : max(stated, measured)
    }

    /// Returns the time of measurement of an extra trip, in the same way.
    func measured(_ trip: ExtraTrip, before: ExtraTrip?) -> Instant? {
        guard let stated = plausible(trip.measured), stated < messageTime else { return plausible(trip.measured) }
        if last == nil { return known(stated, trip.entity) }
        guard let before, before.id == trip.id, before.serviceDate == trip.serviceDate, let measured = before.measured
        else { return stated }
        struct Place: Hashable {
            var stop: StopIndex
            var sequence: UInt32?
        }
        let earlier = Dictionary(before.calls.map { (Place(stop: $0.stop, sequence: $0.sequence), $0) }) { $1 }
        let hasChanged = trip.calls.contains { call in
            guard call.isExpected, let known = earlier[Place(stop: call.stop, sequence: call.sequence)],
                known.isExpected
            else { return false }
            return call.statesArrival && known.statesArrival && known.arrival != call.arrival
                || call.statesDeparture && known.statesDeparture && known.departure != call.departure
        }
        return hasChanged ? messageTime : max(stated, measured)
    }

    /// Returns the time of measurement that was determined for the same message with another timetable.
    private func known(_ stated: Instant, _ entity: EntityID) -> Instant {
        max(stated, min(knownMeasurements[entity] ?? stated, messageTime))
    }

    /// Continues the times of measurement of a message that is matched to another timetable.
    public mutating func restore(_ measurements: [EntityID: Instant]) { knownMeasurements = measurements }

    /// The time of the message, never later than its receipt.
    var messageTime: Instant { draft.header.time(received: draft.received) }

    /// Returns the time until which a position holds, for a vehicle that waits at its first stop; `nil` for others.
    ///
    /// Many vehicles send no positions while they wait, and nobody needs newer ones until the scheduled departure. At
    /// any other place, a vehicle whose radio is dead looks as if it stood still.
    func waitingUntil(_ progress: VehicleProgress?, _ instance: MatchedTrip?) -> Instant? {
        guard let instance, let progress, progress.call == 0, progress.state == .atStop, !instance.isWithoutTimetable
        else { return nil }
        let pattern = matcher.patterns[Int(instance.known.patternNumber)].pattern
        let wait = pattern.times(timingGroup: Int(instance.known.timingGroup), call: 0).departure
        return min(messageTime, Instant(secondsSince1970: instance.startInstant &+ Int64(wait)))
    }
}

extension RealtimeCall {
    /// Whether the publisher states another time for the call than in the previous message. A call that is no longer
    /// stated, because the vehicle has passed it, or that was not stated before, is no change of a time. Neither is a
    /// time that follows from the times of other calls.
    ///
    /// - Parameter shift: the seconds by which the start of the trip is later than in the previous message.
    fileprivate func hasOtherTimes(than earlier: RealtimeCall, shift: Int32) -> Bool {
        guard basis == earlier.basis, isExpected, earlier.isExpected else { return false }
        let (hasOtherArrival, hasOtherDeparture) = (
            arrival &+ shift != earlier.arrival, departure &+ shift != earlier.departure
        )
        switch basis {
        case .stated:
            return statesArrival && earlier.statesArrival && hasOtherArrival
                || statesDeparture && earlier.statesDeparture && hasOtherDeparture
        case .tripDelay: return hasOtherArrival || hasOtherDeparture
        case .timetable, .noData, .ambiguous, .propagated, .position: return false
        }
    }
}

extension RealtimeDataset {
    /// The times of measurement of the trips that run, by entity.
    public var measurements: [EntityID: Instant] {
        let trips = trips.lazy.filter { $0.isRunning && $0.kind != .estimated && $0.retention == 0 }
        return Dictionary(
            trips.compactMap { trip in trip.measured.map { (self.entity(of: trip), $0) } }
                + extraTrips.compactMap { trip in trip.measured.map { (trip.entity, $0) } },
            uniquingKeysWith: max)
    }
}
