internal import TransitModel

/// Creates expected calls from a dataset's trips and extra trips.
struct ExpectedCallBuilder {
    private let views: RealtimeDatasetViews
    /// The index of the view whose trips are rendered.
    private let index: Int
    private let view: RealtimeDatasetView
    private var realtime: RealtimeDatasets { views.realtime }

    init(_ views: RealtimeDatasetViews, view index: Int) {
        self.views = views
        self.index = index
        view = views[index]
    }

    /// Returns a call of a trip. If the scheduled call is already known, pass it as `scheduled`.
    func expected(instance number: Int, position: Int, scheduled: ScheduledCall? = nil) -> ExpectedCall {
        let instance = view.dataset.trips[number]
        let validity = view.validity(of: instance)
        if let times = views.currentTimes(at: position, of: instance, validity, inView: index) {
            var expected = ExpectedCallBuilder(views, view: times.index).expected(
                instance: times.number, position: position, scheduled: scheduled)
            expected.remark = view.dataset.remark(of: instance) ?? expected.remark
            applyDecisions(about: instance, at: position, to: &expected)
            return expected
        }
        let call = view.call(position, of: instance, validity)
        let decided = validity == .decisions ? view.dataset.reported(instance) : nil
        // A decision whose message is too old is the last known one.
        let isLastKnown =
            validity == .lastKnown
            || decided.map { instance.retention > 0 || view.age(of: $0).freshness == .stale } ?? false
        // A trip without scheduled times starts at the time that the publisher states, not at the start of the
        // headway-based instance that it represents.
        let planned = instance.kind == .unscheduled ? nil : scheduled
        var expected = ExpectedCall(scheduled: planned ?? self.scheduled(instance, position))
        expected.measured = decided ?? view.measured(instance)
        expected.age = expected.measured.map { view.age(of: $0) }
        expected.match = instance.match
        expected.duplicateStart = instance.kind == .duplicated ? instance.start : nil
        expected.basis = call.basis
        expected.remark = view.dataset.remark(of: instance)
        expected.occupancy = call.occupancy
        applyDecisions(about: instance, at: position, to: &expected)
        if instance.kind == .unscheduled, call.isExpected {
            expected.scheduledArrival = nil
            expected.scheduledDeparture = nil
        }
        if expected.occupancy == nil {
            expected.occupancy = realtime.vehicle(of: instance.key, now: view.now)?.position.occupancy
        }
        let isFact = !instance.isRunning || call.isSkipped
        if isFact {
            expected.source = .live
        } else if call.isExpected {
            apply(call, of: instance, to: &expected)
        }
        expected.isLastKnown = isLastKnown && (isFact || call.isExpected && instance.basis != .planned)
        if isLastKnown { expected.clampToSchedule() }
        expected.status = status(instance, call, position: position, expected)
        guard isFact || call.isExpected else { return expected }
        expected.confidence =
            isFact
            ? expected.confidenceOfCancellation : expected.confidence(instance.basis, isStated: call.basis == .stated)
        return expected
    }

    /// Applies a changed platform and a new terminus.
    private func applyDecisions(about instance: RealtimeTrip, at position: Int, to expected: inout ExpectedCall) {
        if let stop = view.dataset.otherStop(position, of: instance) {
            expected.stop = stop
            expected.hasPlatformChange = true
        }
        if let terminus = view.dataset.earlyTerminus(of: instance), position <= terminus {
            expected.endsHere = position == terminus
            expected.earlyTerminus =
                view.dataset.otherStop(terminus, of: instance)
                ?? view.dataset.pattern(of: instance).stop(at: terminus)
        }
    }

    private func apply(_ call: RealtimeCall, of instance: RealtimeTrip, to expected: inout ExpectedCall) {
        expected.source = ExpectedCall.Source(instance.basis)
        expected.expectedArrival = instance.startInstant.advanced(by: Int(call.arrival))
        expected.expectedDeparture = instance.startInstant.advanced(by: Int(call.departure))
        expected.uncertainty = call.uncertainty
        expected.isContradicted = call.isContradicted
        expected.statingCall = call.basis == .propagated ? Int(call.statingCall) : nil
    }

    private func status(
        _ instance: RealtimeTrip, _ call: RealtimeCall, position: Int, _ expected: ExpectedCall
    ) -> ExpectedCall.Status {
        switch instance.kind {
        case .canceled, .deleted: return .canceled
        case .replaced: return .replaced
        case .scheduled, .unscheduled, .duplicated, .estimated: break
        }
        if call.isSkipped { return .skipped }
        if call.isExpected, expected.departure < view.now { return .departed }
        if !call.isExpected || expected.isLastKnown, hasPassed(instance, position: position) { return .departed }
        return switch instance.kind {
        // A call without realtime data is shown at the time derived from the headway.
        case .unscheduled: call.isExpected ? .unscheduled : .scheduled
        case .duplicated: .duplicated
        default: .scheduled
        }
    }

    /// Returns whether the vehicle has passed the call.
    private func hasPassed(_ instance: RealtimeTrip, position: Int) -> Bool {
        guard let progress = realtime.vehicle(of: instance.key, now: view.now)?.progress else { return false }
        return progress.call > position
    }

    /// Returns the scheduled call that corresponds to a call of a trip. For a copy, the times are relative to the start
    /// of the copy.
    func scheduled(_ instance: RealtimeTrip, _ position: Int) -> ScheduledCall {
        let pattern = view.dataset.pattern(of: instance)
        var frequency: (start: ServiceTime, row: Frequency)?
        if instance.kind != .duplicated, let start = instance.key.frequencyStart,
            let row = pattern.frequencies(ofTimingGroup: Int(instance.timingGroup)).first(where: {
                Int32(bitPattern: $0.trip) == instance.tripPosition && $0.start <= start.seconds
                    && start.seconds < $0.end
            })
        {
            frequency = (start, row)
        }
        return ScheduledCall(
            pattern: pattern, timingGroup: Int(instance.timingGroup), tripPosition: Int(instance.tripPosition),
            serviceDate: instance.key.serviceDate, position: position, start: instance.startInstant,
            frequency: frequency)
    }

    func expected(extra number: Int, position: Int) -> ExpectedCall {
        let trip = view.dataset.extraTrips[number]
        let call = trip.calls[position]
        let measured = call.measured ?? trip.measured ?? view.dataset.reported(trip)
        let age = view.age(of: measured)
        let isPredicted = call.isExpected && trip.basis != .planned
        // The call has no prediction. Its times are those of the publisher's plan.
        let isPlan = !isPredicted && !call.isSkipped
        var expected = ExpectedCall(
            subject: .extra(trip, position: position), status: .scheduled,
            source: call.isSkipped ? .live : isPlan ? .scheduled : ExpectedCall.Source(trip.basis), confidence: .medium,
            scheduledArrival: call.scheduledArrival ?? (isPlan ? call.arrival : nil),
            scheduledDeparture: call.scheduledDeparture ?? (isPlan ? call.departure : nil),
            expectedArrival: isPredicted ? call.arrival : nil, expectedDeparture: isPredicted ? call.departure : nil,
            uncertainty: isPredicted ? call.uncertainty : nil, stop: call.stop, hasPlatformChange: false,
            occupancy: call.occupancy, measured: measured, age: age, isMissingFromRealtime: false,
            basis: isPredicted ? (trip.basis == .estimated ? .position : .stated) : .noData, remark: trip.remark)
        if let terminus = trip.earlyTerminus, position <= terminus {
            expected.endsHere = position == terminus
            expected.earlyTerminus = trip.calls[terminus].stop
        }
        expected.isContradicted = isPredicted && call.isContradicted
        expected.isLastKnown = view.validity(of: trip, at: position) == .lastKnown && (isPredicted || call.isSkipped)
        if expected.isLastKnown { expected.clampToSchedule() }
        expected.status = status(of: trip, call, departure: expected.departure)
        if isPredicted {
            expected.confidence = expected.confidence(trip.basis, isWeak: trip.reliability == .weak)
        } else if expected.isLastKnown {
            expected.confidence = .low
        }
        return expected
    }

    private func status(of trip: ExtraTrip, _ call: ExtraCall, departure: Instant) -> ExpectedCall.Status {
        if call.isSkipped { return .skipped }
        if call.isExpected, departure < view.now { return .departed }
        return switch trip.kind {
        case .added: .added
        case .replacement: .replaced
        case .withoutTimetable: .scheduled
        }
    }
}

extension ExpectedCall {
    /// Drops a last known time that is before its scheduled time, because a vehicle that was early may have waited in
    /// the meantime. The call then has only its scheduled time.
    fileprivate mutating func clampToSchedule() {
        if let planned = scheduledArrival, let time = expectedArrival, time < planned { expectedArrival = nil }
        guard let planned = scheduledDeparture, let time = expectedDeparture, time < planned else { return }
        expectedDeparture = nil
        source = .scheduled
    }

    private var isFresh: Bool { age.map { $0.freshness == .fresh && !$0.isAhead } ?? false }

    /// The confidence that the call is canceled or skipped. It depends on the age of the message.
    fileprivate var confidenceOfCancellation: Confidence {
        isLastKnown || age == nil ? .low : isFresh ? .high : .medium
    }

    /// The confidence of an expected time. The confidence is high only for a fresh prediction that the publisher states
    /// for this call, with an uncertainty of at most two minutes and a time in the future. The time must be in the
    /// future because no source confirms that a prediction came true. The confidence of an estimate, or of a prediction
    /// with a reason for doubt (`isWeak`), is one level lower. An estimate with an uncertainty of more than five minutes
    /// has low confidence.
    fileprivate func confidence(_ basis: TripUpdateBasis, isStated: Bool = true, isWeak: Bool = false) -> Confidence {
        if basis == .planned { return .medium }
        guard !isLastKnown, !isContradicted, age != nil, !isVeryUncertain else { return .low }
        if basis == .estimated, let uncertainty, uncertainty > Self.uncertainEstimate { return .low }
        if basis == .estimated || isWeak { return isFresh && !(basis == .estimated && isWeak) ? .medium : .low }
        return isFresh && isStated && !isUncertain && status != .departed ? .high : .medium
    }
}

extension ExpectedCall.Source {
    fileprivate init(_ basis: TripUpdateBasis) {
        self =
            switch basis {
            case .predicted: .live
            case .estimated: .estimated
            case .planned: .scheduled
            }
    }
}
