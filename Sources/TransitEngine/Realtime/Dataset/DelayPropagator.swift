internal import TransitModel

/// Derives the expected times at every call of a trip from updates for some of its calls.
struct DelayPropagator {
    /// The expected times, with one element for each call of the pattern.
    private(set) var calls: [RealtimeCall] = []
    /// The scheduled times, in seconds from the start of the trip.
    private var arrivals: [Int32] = []
    private var departures: [Int32] = []
    /// The delay in seconds that each stated call propagates to later calls; undefined for other calls.
    private var propagatedDelay: [Int32] = []
    /// The events that the message states, by position; undefined for calls without stated times.
    private var stated: [StatedEvents] = []
    /// Whether stated times contradict each other.
    private(set) var hasContradiction = false
    /// The number of times that are too far from the timetable to be plausible.
    private(set) var impossibleTimes = 0
    /// The number of implausibly early times: departures long before their scheduled time, and arrivals before the trip
    /// can have begun.
    private(set) var earlyDepartures = 0
    /// The number of delays stated for a trip without scheduled times. Calls are timed from the start time that the
    /// publisher gives, which stays the same when the vehicle leaves later (*TripDescriptor*, `start_time`).
    private(set) var delaysWithoutTimetable = 0
    /// The first refused times, at most ``RefusedTime/maximumOfTrip``.
    private(set) var refused: [RefusedTime] = []
    /// The start of the trip, in seconds since 1970.
    private var startInstant: Int64 = 0
    private var isWithoutTimetable = false
    /// Whether arbitrarily early times are accepted. True for a trip without a schedule of its own.
    private var mayBeEarly = false

    /// The maximum plausible deviation from the timetable, in seconds: one week.
    static let maximumDeviation: Int64 = 7 * 86_400

    /// Resets the propagator to a trip of the given timing group. Reuses the allocated memory.
    mutating func begin(
        _ pattern: Pattern, timingGroup: Int, startInstant: Int64, isWithoutTimetable: Bool, mayBeEarly: Bool = false
    ) {
        pattern.readTimes(ofTimingGroup: timingGroup, arrivals: &arrivals, departures: &departures)
        calls.removeAll(keepingCapacity: true)
        calls.reserveCapacity(arrivals.count)
        for position in arrivals.indices { calls.append(planned(position)) }
        while propagatedDelay.count < calls.count {
            propagatedDelay.append(0)
            stated.append([])
        }
        hasContradiction = false
        self.startInstant = startInstant
        self.isWithoutTimetable = isWithoutTimetable
        self.mayBeEarly = mayBeEarly || isWithoutTimetable
        impossibleTimes = 0
        earlyDepartures = 0
        delaysWithoutTimetable = 0
        refused.removeAll(keepingCapacity: true)
    }

    private func planned(_ position: Int) -> RealtimeCall {
        RealtimeCall(arrival: arrivals[position], departure: departures[position])
    }

    // MARK: Stated times

    /// Applies one of several updates to a call. A stated time takes precedence over a stated delay (*StopTimeEvent*).
    ///
    /// - Parameter number: the index of the update. The update's members are read one by one, because copying each
    ///   update would cost more than the rest of the work.
    mutating func applyUpdates(_ updates: [StopTimeUpdate], _ number: Int, at position: Int) {
        var call = calls[position]
        call.occupancy = updates[number].departureOccupancy
        // A decision is not a measurement: it applies whatever becomes of the times.
        if call.basis != .ambiguous {
            switch updates[number].relationship {
            case .skipped: call.isSkipped = true
            case .noData: call.basis = .noData
            case .scheduled, .unscheduled: applyStatedTimes(updates, number, of: &call, at: position)
            }
        }
        calls[position] = call
    }

    /// If only the arrival or only the departure is stated, its delay applies to both.
    @inline(__always)
    private mutating func applyStatedTimes(
        _ updates: [StopTimeUpdate], _ number: Int, of call: inout RealtimeCall, at position: Int
    ) {
        guard call.basis != .stated else {
            // Two updates name the stop without a sequence to distinguish the visits.
            if updates[number].sequence == nil { call = ambiguous(position) }
            return
        }
        // The times of an update belong together. If one of them is another day's or another trip's, so is the other.
        let statedArrival = delay(updates[number].arrival, .arrival, of: call, at: position)
        let statedDeparture = delay(updates[number].departure, .departure, of: call, at: position)
        guard let arrivalDelay = statedArrival, let departureDelay = statedDeparture else { return }
        guard let early = arrivalDelay ?? departureDelay, let late = departureDelay ?? waiting(arrivalDelay) else {
            return
        }
        call.basis = .stated
        stated[position] = []
        if arrivalDelay != nil { stated[position].insert(.arrival) }
        if departureDelay != nil { stated[position].insert(.departure) }
        call.statesArrival = arrivalDelay != nil
        call.statesDeparture = departureDelay != nil
        let waits = departureDelay == nil && late != early
        if waits { stated[position].insert(.wait) }
        call.statingCall = UInt16(clamping: position)
        call.arrival &+= early
        call.departure &+= late
        call.uncertainty = updates[number].departure?.uncertainty ?? updates[number].arrival?.uncertainty
        let statedDelay = departureDelay == nil ? updates[number].arrival?.delay : updates[number].departure?.delay
        propagatedDelay[position] = waits ? late : propagatedDelay(statedDelay, late: late)
    }

    /// The departure delay of a call for which only the arrival is stated. A vehicle that arrives very early waits for
    /// its scheduled departure.
    @inline(__always)
    private func waiting(_ arrivalDelay: Int32?) -> Int32? {
        guard let arrivalDelay, Int64(arrivalDelay) < -ServiceDateEvidence.maximumEarliness, !mayBeEarly else {
            return arrivalDelay
        }
        return 0
    }

    /// Returns the delay to propagate: the stated delay, or, without one, the delay that results from the stated time
    /// (*StopTimeUpdate*).
    @inline(__always)
    private func propagatedDelay(_ delay: Int32?, late: Int32) -> Int32 {
        guard !isWithoutTimetable, let delay, Int64(delay.magnitude) <= Self.maximumDeviation,
            mayBeEarly || Int64(delay) >= -ServiceDateEvidence.maximumEarliness
        else { return late }
        return delay
    }

    /// Returns the delay of an event in seconds, `.some(nil)` if the event states neither a time nor a delay, or `nil` if
    /// the stated time is refused.
    @inline(__always)
    private mutating func delay(
        _ event: StopTimeEvent?, _ name: RefusedTime.Event, of call: RealtimeCall, at position: Int
    ) -> Int32?? {
        guard let event else { return .some(nil) }
        let scheduled = name == .arrival ? call.arrival : call.departure
        let delay: Int64
        // Some publishers send 0 for an unknown time.
        if let time = event.time, time.secondsSince1970 > 0 {
            let late = (time.secondsSince1970 &- startInstant).subtractingReportingOverflow(Int64(scheduled))
            delay = late.overflow ? .max : late.partialValue
        } else if let stated = event.delay {
            if isWithoutTimetable { delaysWithoutTimetable += 1 }
            delay = Int64(stated)
        } else {
            return .some(nil)
        }
        guard let reason = refusal(delay, name, scheduledArrival: call.arrival) else { return .some(Int32(delay)) }
        refuse(RefusedTime(position: position, event: name, reason: reason, delay: Int32(clamping: delay)))
        return nil
    }

    /// Returns why a delay is not plausible; `nil` if it is.
    ///
    /// A departure more than an hour early belongs to another day or another trip. A vehicle may arrive earlier than
    /// that and wait, but not before it can have left its first stop.
    @inline(__always)
    private func refusal(_ delay: Int64, _ event: RefusedTime.Event, scheduledArrival: Int32) -> RefusedTime.Reason? {
        guard (-Self.maximumDeviation...Self.maximumDeviation).contains(delay) else { return .impossible }
        guard delay < -ServiceDateEvidence.maximumEarliness, !mayBeEarly else { return nil }
        guard event == .arrival, let first = departures.first else { return .earlyDeparture }
        let earliest = Int64(first) - ServiceDateEvidence.maximumEarliness
        return Int64(scheduledArrival) + delay < earliest ? .earlyArrival : nil
    }

    private mutating func refuse(_ time: RefusedTime) {
        if time.reason == .impossible { impossibleTimes += 1 } else { earlyDepartures += 1 }
        if refused.count < RefusedTime.maximumOfTrip { refused.append(time) }
    }

    /// Whether times were refused, and nothing else about the trip is known.
    var areTimesRefused: Bool {
        !refused.isEmpty && calls.allSatisfy { !$0.isExpected && !$0.isSkipped && $0.basis != .noData }
    }

    /// Marks the calls to which an update may refer. None of these calls gets an expected time.
    mutating func markAmbiguous(_ positions: [Int]) {
        for position in positions {
            calls[position] = ambiguous(position)
        }
    }

    private func ambiguous(_ position: Int) -> RealtimeCall {
        var call = planned(position)
        call.basis = .ambiguous
        return call
    }

    /// Sets the delay that was computed from the vehicle's position.
    mutating func applyEstimate(delay: Int32, at position: Int) {
        calls[position].basis = .position
        calls[position].statingCall = UInt16(clamping: position)
        calls[position].arrival &+= delay
        calls[position].departure &+= delay
        propagatedDelay[position] = delay
        stated[position] = [.arrival, .departure]
    }

    /// Sets the uncertainty of the times that were computed from a vehicle's position.
    ///
    /// - Parameter measured: when the position was measured, in seconds from the start of the trip.
    mutating func applyUncertainty(ofEstimateAt measured: Int64) {
        for position in calls.indices where calls[position].isExpected {
            calls[position].uncertainty = EstimateUncertainty.seconds(
                ahead: Int64(calls[position].arrival) &- measured)
        }
    }

    // MARK: Propagated times

    /// Propagates each delay to the following calls until another delay is stated (*StopTimeUpdate*). `SKIPPED` does
    /// not end propagation, `NO_DATA` does. `tripDelay` applies until the first stated call (*TripUpdate*, `delay`).
    ///
    /// Stated times do not change. Propagated times are clamped to the range from the previous call to the next stated
    /// call; a vehicle that arrives early and waits limits them only to their planned times. Stated times that contradict
    /// each other are marked (``RealtimeCall/isContradicted``).
    mutating func propagate(tripDelay: Int32?) {
        propagateDelays(tripDelay: tripDelay)
        clampToNextStatedCall()
    }

    private mutating func propagateDelays(tripDelay: Int32?) {
        var carried = self.carried(tripDelay: tripDelay)
        var silence = RealtimeCall.Basis.timetable
        var earliest = Int32.min
        var earliestAfterStated = Int32.min
        let (propagatedDelay, stated) = (propagatedDelay, stated)
        calls.withUnsafeMutableBufferPointer { calls in
            for position in calls.indices {
                switch calls[position].basis {
                case .stated, .position:
                    carried = PropagatedDelay(calls[position], delay: propagatedDelay[position])
                case .noData, .ambiguous:
                    carried = nil
                    silence = .noData
                case .timetable, .propagated, .tripDelay:
                    if let carried { carried.apply(to: &calls[position]) } else { calls[position].basis = silence }
                }
                guard calls[position].isExpected else { continue }
                if !calls[position].hasStatedTimes {
                    calls[position].arrival = max(calls[position].arrival, earliest)
                    calls[position].departure = max(calls[position].departure, calls[position].arrival)
                } else {
                    // The arrival is derived from the departure rather than stated.
                    if !stated[position].contains(.arrival) {
                        calls[position].arrival = min(
                            max(calls[position].arrival, earliestAfterStated), calls[position].departure)
                    }
                    earliestAfterStated = calls[position].departure
                }
                earliest = calls[position].departure
            }
        }
    }

    /// Visits the calls backwards and clamps propagated times to the next stated call.
    private mutating func clampToNextStatedCall() {
        var latest = Int32.max
        var next: Int?
        var hasContradiction = false
        let (stated, departures) = (stated, departures)
        calls.withUnsafeMutableBufferPointer { calls in
            for position in calls.indices.reversed() where calls[position].isExpected {
                guard calls[position].hasStatedTimes else {
                    // A vehicle that arrives early and waits moves no other call before its planned time.
                    let waits = next.map { stated[$0].contains(.wait) } ?? false
                    let limit = waits ? max(latest, departures[position]) : latest
                    calls[position].departure = min(calls[position].departure, limit)
                    calls[position].arrival = min(calls[position].arrival, calls[position].departure)
                    continue
                }
                if !stated[position].contains(.departure) {
                    calls[position].departure = max(
                        calls[position].arrival, min(calls[position].departure, latest))
                }
                if calls[position].departure < calls[position].arrival {
                    calls[position].isContradicted = true
                    hasContradiction = true
                }
                if let next, calls[position].departure > latest {
                    // The times between the two calls depend on both.
                    for doubtful in position...next { calls[doubtful].isContradicted = calls[doubtful].isExpected }
                    hasContradiction = true
                }
                latest = min(calls[position].arrival, calls[position].departure)
                next = position
            }
        }
        self.hasContradiction = hasContradiction
    }

    private mutating func carried(tripDelay: Int32?) -> PropagatedDelay? {
        guard let tripDelay else { return nil }
        if isWithoutTimetable { delaysWithoutTimetable += 1 }
        guard let reason = refusal(Int64(tripDelay), .trip, scheduledArrival: 0) else {
            return PropagatedDelay(delay: tripDelay)
        }
        refuse(RefusedTime(position: 0, event: .trip, reason: reason, delay: tripDelay))
        return nil
    }
}

/// The events of a call for which the message states a time or a delay.
private struct StatedEvents: OptionSet {
    let rawValue: UInt8
    static let arrival = StatedEvents(rawValue: 1)
    static let departure = StatedEvents(rawValue: 2)
    /// Only an arrival is stated, so early that the vehicle waits for its scheduled departure.
    static let wait = StatedEvents(rawValue: 4)
}

extension RealtimeCall {
    /// Whether the call's times are stated or computed from a position, rather than propagated from another call.
    fileprivate var hasStatedTimes: Bool { basis == .stated || basis == .position }
}

/// A delay that is propagated along a trip.
private struct PropagatedDelay {
    var delay: Int32
    var statingCall: UInt16
    var basis: RealtimeCall.Basis
    var storedUncertainty: UInt16

    /// The delay of the trip as a whole (`TripUpdate.delay`).
    init(delay: Int32) {
        self.delay = delay
        statingCall = 0
        basis = .tripDelay
        storedUncertainty = .max
    }

    init(_ call: RealtimeCall, delay: Int32) {
        self.delay = delay
        statingCall = call.statingCall
        basis = .propagated
        storedUncertainty = call.storedUncertainty
    }

    /// Adds the delay to a call. A skipped call keeps its scheduled times and its basis.
    func apply(to call: inout RealtimeCall) {
        guard !call.isSkipped else { return }
        call.arrival &+= delay
        call.departure &+= delay
        call.statingCall = statingCall
        call.basis = basis
        call.storedUncertainty = storedUncertainty
    }
}
