public import TransitModel

extension ExpectedCall {
    /// A call as the timetable has it, with nothing live.
    public init(scheduled call: ScheduledCall) {
        let isApproximate = !call.times.isExact || call.frequency?.row.isExact == false
        self.init(
            subject: .scheduled(call), status: .scheduled, source: .scheduled,
            confidence: isApproximate ? .low : .medium, scheduledArrival: call.arrival,
            scheduledDeparture: call.departure, stop: call.call.stop, hasOtherPlatform: false,
            isMissingFromLive: false, basis: .timetable)
    }
}

/// Makes calls of a dataset's runs and extra trips into what a rider may expect.
struct CallRendering {
    let live: LiveTimetable
    let view: LiveView

    /// A call of a run; `scheduled` is its call of the timetable where that is known already.
    func expected(run number: Int, position: Int, scheduled: ScheduledCall? = nil) -> ExpectedCall {
        let run = view.dataset.runs[number]
        let call = view.dataset.call(position, of: run)
        // Without a timetable the start that the publisher gives counts, and not that of the run it stands for.
        let planned = run.kind == .unscheduled ? nil : scheduled
        var expected = ExpectedCall(scheduled: planned ?? self.scheduled(run, position))
        expected.measured = view.measured(run)
        expected.age = expected.measured.map { view.age(of: $0) }
        expected.match = run.match
        expected.isCopy = run.kind == .duplicated
        expected.basis = call.basis
        expected.remark = view.dataset.remark(of: run)
        expected.occupancy = call.occupancy
        if let stop = view.dataset.otherStop(position, of: run) {
            expected.stop = stop
            expected.hasOtherPlatform = true
        }
        if run.kind == .unscheduled, call.isExpected {
            expected.scheduledArrival = nil
            expected.scheduledDeparture = nil
        }
        if expected.occupancy == nil {
            expected.occupancy = live.vehicle(of: run.key, now: view.now)?.position.occupancy
        }
        apply(call, of: run, to: &expected)
        expected.status = status(run, call, position: position)
        return expected
    }

    private func apply(_ call: LiveCall, of run: LiveRun, to expected: inout ExpectedCall) {
        if run.isRunning, call.isExpected {
            expected.source = ExpectedCall.Source(run.basis)
            expected.expectedArrival = run.begins.advanced(by: Int(call.arrival))
            expected.expectedDeparture = run.begins.advanced(by: Int(call.departure))
            expected.uncertainty = call.uncertainty
            expected.origin = call.basis == .propagated ? Int(call.origin) : nil
        } else if !run.isRunning || call.isSkipped {
            expected.source = .live
        } else {
            return
        }
        expected.confidence = confidence(call, of: run, expected.age)
    }

    private func status(_ run: LiveRun, _ call: LiveCall, position: Int) -> ExpectedCall.Status {
        switch run.kind {
        case .cancelled, .deleted: return .cancelled
        case .replaced: return .replaced
        case .scheduled, .unscheduled, .duplicated, .estimated: break
        }
        if call.isSkipped { return .skipped }
        if hasLeft(run, call, position: position) { return .departed }
        return switch run.kind {
        // Of a call of which nothing is known, the headway's time is told.
        case .unscheduled: call.isExpected ? .unscheduled : .scheduled
        case .duplicated: .duplicated
        default: .scheduled
        }
    }

    /// It was expected earlier than now, or its vehicle is known to be farther on.
    private func hasLeft(_ run: LiveRun, _ call: LiveCall, position: Int) -> Bool {
        if call.isExpected { return run.begins.advanced(by: Int(call.departure)) < view.now }
        guard let progress = live.vehicle(of: run.key, now: view.now)?.progress else { return false }
        return progress.call > position
    }

    private func confidence(_ call: LiveCall, of run: LiveRun, _ age: DataAge?) -> ExpectedCall.Confidence {
        guard let age else { return .low }
        let isFresh = age.freshness == .fresh && !age.isAhead
        let isFact = !run.isRunning || call.isSkipped
        if !isFact, run.basis == .planned { return .medium }
        if !isFact, run.basis == .estimated { return isFresh ? .medium : .low }
        let isCertain = isFact || call.basis == .stated
        return isFresh && isCertain ? .high : .medium
    }

    /// The call of the timetable that a run's call is; of a copy, at the times of the copy.
    func scheduled(_ run: LiveRun, _ position: Int) -> ScheduledCall {
        let pattern = view.dataset.pattern(of: run)
        let times = pattern.times(lane: Int(run.lane), call: position)
        var frequency: (start: ServiceTime, row: Frequency)?
        if run.kind != .duplicated, let start = run.key.frequencyStart,
            let row = pattern.frequencies(ofLane: Int(run.lane)).first(where: {
                Int32(bitPattern: $0.trip) == run.tripPosition && $0.start <= start.seconds && start.seconds < $0.end
            })
        {
            frequency = (start, row)
        }
        return ScheduledCall(
            pattern: pattern, lane: Int(run.lane), tripPosition: Int(run.tripPosition),
            serviceDate: run.key.serviceDate, position: position,
            arrival: run.begins.advanced(by: Int(times.arrival)),
            departure: run.begins.advanced(by: Int(times.departure)), frequency: frequency)
    }

    func expected(extra number: Int, position: Int) -> ExpectedCall {
        let trip = view.dataset.extraTrips[number]
        let call = trip.calls[position]
        let measured = call.measured ?? trip.measured ?? view.dataset.time
        let age = view.age(of: measured)
        let isPlan = trip.basis == .planned
        let isLive = call.isExpected && !isPlan
        return ExpectedCall(
            subject: .extra(trip, position: position), status: status(of: trip, call),
            source: call.isSkipped ? .live : ExpectedCall.Source(trip.basis),
            confidence: confidence(trip, isLive: isLive, age),
            scheduledArrival: call.scheduledArrival ?? (isPlan ? call.arrival : nil),
            scheduledDeparture: call.scheduledDeparture ?? (isPlan ? call.departure : nil),
            expectedArrival: isLive ? call.arrival : nil, expectedDeparture: isLive ? call.departure : nil,
            uncertainty: isLive ? call.uncertainty : nil, stop: call.stop, hasOtherPlatform: false,
            occupancy: call.occupancy, measured: measured, age: age, isMissingFromLive: false,
            basis: isLive ? (trip.basis == .estimated ? .position : .stated) : .noData, remark: trip.remark)
    }

    private func status(of trip: ExtraTrip, _ call: ExtraCall) -> ExpectedCall.Status {
        if call.isSkipped { return .skipped }
        if call.isExpected, call.departure < view.now { return .departed }
        return switch trip.kind {
        case .added: .added
        case .replacement: .replaced
        case .usual: .scheduled
        }
    }

    /// An estimate is one step below what a publisher predicts, and both are a step lower when they grow old.
    private func confidence(_ trip: ExtraTrip, isLive: Bool, _ age: DataAge) -> ExpectedCall.Confidence {
        let isFresh = age.freshness == .fresh && !age.isAhead
        guard isLive else { return .medium }
        switch (trip.basis, trip.footing) {
        case (.planned, _): return .medium
        case (.estimated, .weak): return .low
        case (.estimated, .plain), (.predicted, .weak): return isFresh ? .medium : .low
        case (.predicted, .plain): return isFresh ? .high : .medium
        }
    }
}

extension ExpectedCall.Source {
    fileprivate init(_ basis: TripBasis) {
        self =
            switch basis {
            case .predicted: .live
            case .estimated: .estimated
            case .planned: .scheduled
            }
    }
}
