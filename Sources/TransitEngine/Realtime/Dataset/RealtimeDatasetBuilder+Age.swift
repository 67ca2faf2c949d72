internal import TransitModel

// The age of stated times and of positions.
extension RealtimeDatasetBuilder {
    /// Returns the time of measurement of a trip's predictions.
    ///
    /// This is the timestamp of the entity, unless the publisher has changed a time since its previous message without
    /// a newer timestamp. The times are then as old as the message that changed them.
    ///
    /// - Parameter calls: the calls of the trip with their expected times.
    func measured(_ stated: Instant?, of instance: MatchedTrip, _ calls: [RealtimeCall]) -> Instant? {
        guard let stated = plausible(stated), stated < messageTime, let last, let number = last.index(of: instance.key)
        else {
            return plausible(stated)
        }
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
        guard let stated = plausible(trip.measured), stated < messageTime, let before, before.id == trip.id,
            before.serviceDate == trip.serviceDate, let measured = before.measured
        else { return plausible(trip.measured) }
        struct Place: Hashable {
            var stop: StopIndex
            var sequence: UInt32?
        }
        let earlier = Dictionary(before.calls.map { (Place(stop: $0.stop, sequence: $0.sequence), $0) }) { $1 }
        let hasChanged = trip.calls.contains { call in
            guard call.isExpected, let known = earlier[Place(stop: call.stop, sequence: call.sequence)],
                known.isExpected
            else { return false }
            return known.arrival != call.arrival || known.departure != call.departure
        }
        return hasChanged ? messageTime : max(stated, measured)
    }

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
    /// stated, because the vehicle has passed it, or that was not stated before, is no change of a time.
    ///
    /// - Parameter shift: the seconds by which the start of the trip is later than in the previous message.
    fileprivate func hasOtherTimes(than earlier: RealtimeCall, shift: Int32) -> Bool {
        guard basis == .stated || basis == .tripDelay, isExpected, earlier.isExpected else { return false }
        return arrival &+ shift != earlier.arrival || departure &+ shift != earlier.departure
    }
}
