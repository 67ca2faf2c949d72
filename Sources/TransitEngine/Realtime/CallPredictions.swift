internal import TransitModel

/// What an update says of the call that it means: the plain numbers of a ``StopTimeUpdate``, which are cheap to hand on.
struct CallUpdate {
    var relationship: StopRelationship
    var arrival: StopTimeEvent?
    var departure: StopTimeEvent?
    var occupancy: Occupancy?
    var hasSequence: Bool
}

/// The rules by which updates of some calls become what is expected at every call of a run.
struct CallPredictions {
    /// One for each call of the pattern.
    private(set) var calls: [LiveCall] = []
    /// The times of the timetable.
    private var times: [CallTimes] = []
    /// What each stated call hands on to the calls after it, in seconds late.
    private var handedOn: [Int32] = []
    /// How many times lay too far from the timetable to be meant.
    private(set) var impossibleTimes = 0
    /// How many delays were given for a run without a timetable.
    private(set) var delaysWithoutTimetable = 0
    /// Seconds since 1970 of the run's start.
    private var begins: Int64 = 0
    private var isWithoutTimetable = false

    /// Farther from the timetable no time is believed: a week.
    static let mostSeconds: Int64 = 7 * 86_400

    /// Takes the place of what was there before; the memory is used again.
    mutating func begin(_ times: some Collection<CallTimes>, begins: Int64, isWithoutTimetable: Bool) {
        calls.removeAll(keepingCapacity: true)
        self.times.removeAll(keepingCapacity: true)
        handedOn.removeAll(keepingCapacity: true)
        for time in times {
            calls.append(LiveCall(arrival: time.arrival, departure: time.departure))
            self.times.append(time)
            handedOn.append(0)
        }
        self.begins = begins
        self.isWithoutTimetable = isWithoutTimetable
        impossibleTimes = 0
        delaysWithoutTimetable = 0
    }

    // MARK: What is stated

    /// What an update says of a call. Where both are given, the time counts and not the delay (*StopTimeEvent*).
    mutating func state(_ update: CallUpdate, at position: Int) {
        calls[position].occupancy = update.occupancy
        guard calls[position].basis != .ambiguous else { return }
        switch update.relationship {
        case .skipped: calls[position].isSkipped = true
        case .noData: calls[position].basis = .noData
        case .scheduled, .unscheduled: stateTimes(update, at: position)
        }
    }

    /// With an arrival alone, the departure is as late as it, and the other way round.
    private mutating func stateTimes(_ update: CallUpdate, at position: Int) {
        guard calls[position].basis != .stated else {
            // A stop that is named twice, without a sequence that would tell the visits apart.
            if !update.hasSequence { stateAmbiguous([position]) }
            return
        }
        let (arrival, departure) = (calls[position].arrival, calls[position].departure)
        let arrivalDelay = delay(update.arrival, scheduled: arrival)
        let departureDelay = delay(update.departure, scheduled: departure)
        guard let early = arrivalDelay ?? departureDelay, let late = departureDelay ?? arrivalDelay else { return }
        calls[position].basis = .stated
        calls[position].origin = UInt16(clamping: position)
        calls[position].arrival = arrival &+ early
        calls[position].departure = departure &+ late
        calls[position].uncertainty = update.departure?.uncertainty ?? update.arrival?.uncertainty
        handedOn[position] = handedOn(departureDelay == nil ? update.arrival : update.departure, late: late)
    }

    /// The delay that is carried on is the one that is told, and only without one that of the time (*StopTimeUpdate*).
    private func handedOn(_ event: StopTimeEvent?, late: Int32) -> Int32 {
        guard !isWithoutTimetable, let delay = event?.delay, Int64(delay.magnitude) <= Self.mostSeconds else {
            return late
        }
        return delay
    }

    /// Seconds late; `nil` when the event says nothing that can be meant.
    private mutating func delay(_ event: StopTimeEvent?, scheduled: Int32) -> Int32? {
        guard let event else { return nil }
        // 0 stands for a time that is not known with some publishers.
        if let time = event.time, time.secondsSince1970 > 0 {
            let late = (time.secondsSince1970 &- begins).subtractingReportingOverflow(Int64(scheduled))
            return believed(late.overflow ? .max : late.partialValue)
        }
        guard let delay = event.delay else { return nil }
        guard !isWithoutTimetable else {
            delaysWithoutTimetable += 1
            return nil
        }
        return believed(Int64(delay))
    }

    private mutating func believed(_ delay: Int64) -> Int32? {
        guard (-Self.mostSeconds...Self.mostSeconds).contains(delay) else {
            impossibleTimes += 1
            return nil
        }
        return Int32(delay)
    }

    /// An update that may mean any of these calls: none of them has an estimate.
    mutating func stateAmbiguous(_ positions: [Int]) {
        for position in positions {
            calls[position] = LiveCall(arrival: times[position].arrival, departure: times[position].departure)
            calls[position].basis = .ambiguous
        }
    }

    /// Where the vehicle is computed to be late.
    mutating func stateEstimate(delay: Int32, at position: Int) {
        calls[position].basis = .position
        calls[position].origin = UInt16(clamping: position)
        calls[position].arrival &+= delay
        calls[position].departure &+= delay
        handedOn[position] = delay
    }

    // MARK: What follows

    /// Carries each delay on to the calls after it, until another is stated (*StopTimeUpdate*). `SKIPPED` does not end
    /// that, `NO_DATA` does. `tripDelay` holds until the first stated call (*TripUpdate*, `delay`).
    ///
    /// Afterwards nothing departs before it arrives, nor before the call before.
    mutating func propagate(tripDelay: Int32?) {
        var carried = self.carried(tripDelay: tripDelay)
        var silence = LiveCall.Basis.timetable
        var earliest = Int32.min
        for position in calls.indices {
            switch calls[position].basis {
            case .stated, .position:
                carried = Carried(calls[position], delay: handedOn[position])
            case .noData, .ambiguous:
                carried = nil
                silence = .noData
            case .timetable, .propagated, .tripDelay:
                if let carried { carried.apply(to: &calls[position]) } else { calls[position].basis = silence }
            }
            guard calls[position].isExpected else { continue }
            calls[position].arrival = max(calls[position].arrival, earliest)
            calls[position].departure = max(calls[position].departure, calls[position].arrival)
            earliest = calls[position].departure
        }
    }

    private mutating func carried(tripDelay: Int32?) -> Carried? {
        guard let tripDelay else { return nil }
        if isWithoutTimetable {
            delaysWithoutTimetable += 1
            return nil
        }
        return believed(Int64(tripDelay)).map { Carried(delay: $0) }
    }
}

/// A delay on its way along a trip.
private struct Carried {
    var delay: Int32
    var origin: UInt16
    var basis: LiveCall.Basis
    var spread: UInt16

    /// That of the trip as a whole.
    init(delay: Int32) {
        self.delay = delay
        origin = 0
        basis = .tripDelay
        spread = .max
    }

    init(_ call: LiveCall, delay: Int32) {
        self.delay = delay
        origin = call.origin
        basis = .propagated
        spread = call.spread
    }

    /// A skipped call keeps its times of the timetable, and says nothing about its basis.
    func apply(to call: inout LiveCall) {
        guard !call.isSkipped else { return }
        call.arrival &+= delay
        call.departure &+= delay
        call.origin = origin
        call.basis = basis
        call.spread = spread
    }
}
