public import TransitModel

/// The facts from which an expected call was derived, from the realtime message to the result.
public struct Explanation: Hashable, Sendable {
    public enum Fact: Hashable, Sendable {
        /// No realtime source is configured, or no data has been received yet.
        case noRealtimeData
        /// The message does not mention the trip.
        case notReported(isExpectedToBe: Bool)
        /// What follows from the trips that the source usually reports.
        case reporting(ReportingFinding)
        /// A time that the source states for the trip and that is not used. `sequence` is the call's `stop_sequence`.
        case refused(RefusedTime, sequence: UInt32)
        /// The message cancels the trip without a date, and several trip instances are possible.
        case ambiguousDate
        /// The message's data about the trip is too old to be used.
        case tooOld(DataAge)
        /// The source has sent no newer data, so its last prediction for the trip remains in use.
        case lastKnown(DataAge)
        /// The stated times of the call contradict each other or those of a neighboring call.
        case contradicted
        case message(time: Instant?, received: Instant, incrementality: Incrementality)
        case entity(EntityID)
        case matched(RealtimeTrip.Match)
        /// The status of the trip according to the message.
        case tripKind(RealtimeTrip.Kind)
        /// The basis of the call's times. `statingCall` is the `stop_sequence` of the call whose delay is propagated.
        case call(RealtimeCall.Basis, statingCall: UInt32?)
        case skipped
        case extraTrip(ExtraTrip.Kind)
        case platformChange(StopIndex)
        case uncertainty(seconds: Int32)
        case vehicle(VehicleProgress)
        case measured(Instant, DataAge)
        case confidence(ExpectedCall.Confidence, Reason)
    }

    /// The reason for a confidence level.
    public enum Reason: UInt8, Hashable, Sendable {
        case freshAndStated
        case propagatedFromEarlierCall
        case aging
        /// The prediction is the last prediction from a silent source.
        case lastKnown
        case contradicted
        /// The publisher states an uncertainty of more than two minutes.
        case uncertain
        /// The predicted time has passed.
        case passed
        case timestampAhead
        case estimated
        /// The publisher sends a plan instead of a prediction.
        case planned
        case timetable
        case timetableApproximate
        case missingFromRealtime
    }

    /// The facts, sorted so that each fact precedes the facts that follow from it.
    public var facts: [Fact]
}

extension Explanation.Fact {
    /// The section of the GTFS-Realtime reference on which the fact is based; `nil` if it is a rule of this program.
    public var section: String? {
        switch self {
        case .noRealtimeData, .tooOld, .lastKnown, .measured, .confidence, .vehicle, .reporting, .refused: nil
        case .notReported: "Trip Updates"
        case .ambiguousDate: "TripDescriptor.start_date"
        case .message: "FeedHeader"
        case .entity: "FeedEntity"
        case .matched(.route): "Alternative trip matching"
        case .matched(.scheduledTimes): nil
        case .matched(.frequency): "Systems with repeated trip_ids"
        case .matched: "TripDescriptor"
        case .tripKind(.estimated): nil
        case .tripKind, .extraTrip: "TripDescriptor.ScheduleRelationship"
        case .call(.tripDelay, _): "TripUpdate.delay"
        case .call(.position, _): nil
        case .call, .skipped, .contradicted: "StopTimeUpdate"
        case .platformChange: "StopTimeProperties.assigned_stop_id"
        case .uncertainty: "Uncertainty"
        }
    }
}

extension RealtimeDatasets {
    /// Returns the facts behind a call that ``expected(_:of:now:)`` or a board returned.
    public func explain(_ expected: ExpectedCall, now: Instant) -> Explanation {
        var facts: [Explanation.Fact] = []
        switch expected.subject {
        case .scheduled(let call): explain(call, of: expected.tripInstance ?? TripInstanceKey(call), now: now, &facts)
        case .extra(let trip, _):
            if let source = source(of: trip) { facts.append(Self.message(of: source)) }
            facts += [.entity(trip.entity), .extraTrip(trip.kind)]
            if expected.isLastKnown, let age = expected.age { facts.append(.lastKnown(age)) }
        }
        if expected.isContradicted { facts.append(.contradicted) }
        if expected.status == .skipped { facts.append(.skipped) }
        if expected.hasPlatformChange { facts.append(.platformChange(expected.stop)) }
        if let uncertainty = expected.uncertainty { facts.append(.uncertainty(seconds: uncertainty)) }
        if let measured = expected.measured, let age = expected.age { facts.append(.measured(measured, age)) }
        facts.append(.confidence(expected.confidence, Self.reason(expected)))
        return Explanation(facts: facts)
    }

    private func explain(
        _ call: ScheduledCall, of key: TripInstanceKey, now: Instant, _ facts: inout [Explanation.Fact]
    ) {
        let views = RealtimeDatasetViews(self, now: now)
        if views.views.isEmpty { facts.append(.noRealtimeData) }
        let chosen = views.chosen(key)
        for (position, view) in views.views.enumerated() {
            guard let number = view.dataset.index(of: key) else { continue }
            let instance = view.dataset.trips[number]
            let validity = view.validity(of: instance)
            facts += Self.origin(of: instance, in: view.dataset)
            let age = view.age(of: view.measured(instance))
            guard chosen?.view == position else {
                facts.append(.tooOld(age))
                continue
            }
            if validity == .decisions { facts.append(.tooOld(age)) }
            if validity == .lastKnown { facts.append(.lastKnown(age)) }
            // If the trip does not run, there are no further facts about the call.
            guard instance.isRunning else { return }
            if let times = views.currentTimes(at: call.position, of: instance, validity, inView: position) {
                facts += Self.origin(of: times.instance, in: times.view.dataset)
                facts += Self.times(of: call, times.instance, times.validity, in: times.view)
            } else {
                let realtime = view.call(call.position, of: instance, validity)
                guard !realtime.isSkipped, validity != .decisions else { return }
                facts += Self.times(of: call, instance, validity, in: view)
            }
            if let progress = vehicle(of: key, now: now)?.progress { facts.append(.vehicle(progress)) }
            return
        }
        guard !views.views.isEmpty, !facts.contains(where: { if case .tooOld = $0 { true } else { false } }) else {
            return
        }
        facts.append(.notReported(isExpectedToBe: scheduled(call, now: now).isMissingFromRealtime))
        if let finding = reportingFinding(call, now: now) { facts.append(.reporting(finding)) }
    }

    /// Returns where the data about a trip comes from.
    private static func origin(of instance: RealtimeTrip, in dataset: RealtimeDataset) -> [Explanation.Fact] {
        [
            message(of: dataset), .entity(dataset.entity(of: instance)), .matched(instance.match),
            .tripKind(instance.kind),
        ]
    }

    /// Returns where the times of a call come from.
    private static func times(
        of call: ScheduledCall, _ instance: RealtimeTrip, _ validity: RealtimeValidity, in view: RealtimeDatasetView
    ) -> [Explanation.Fact] {
        let realtime = view.call(call.position, of: instance, validity)
        let statingCall = realtime.basis == .propagated ? call.pattern.calls[Int(realtime.statingCall)].sequence : nil
        let refused = view.dataset.refusedTimes(of: instance).filter { $0.position < call.pattern.callCount }
        return [.call(realtime.basis, statingCall: statingCall)]
            + refused.map { .refused($0, sequence: call.pattern.calls[$0.position].sequence) }
    }

    /// Returns the dataset that contains the trip.
    private func source(of trip: ExtraTrip) -> RealtimeDataset? {
        [tripUpdates, arrivals, vehicles].compactMap { $0 }.first { dataset in
            dataset.extraTrips.contains { $0.entity == trip.entity }
        }
    }

    private static func message(of dataset: RealtimeDataset) -> Explanation.Fact {
        .message(
            time: dataset.header.timestamp, received: dataset.received,
            incrementality: dataset.header.incrementality)
    }

    private static func reason(_ expected: ExpectedCall) -> Explanation.Reason {
        if expected.isMissingFromRealtime { return .missingFromRealtime }
        if expected.isLastKnown { return .lastKnown }
        switch expected.source {
        case .scheduled:
            guard let call = expected.scheduledCall else { return .planned }
            return call.isApproximate ? .timetableApproximate : .timetable
        case .estimated: return .estimated
        case .live:
            if expected.isContradicted { return .contradicted }
            if expected.isVeryUncertain { return .uncertain }
            if expected.age?.isAhead == true { return .timestampAhead }
            if expected.age?.freshness != .fresh { return .aging }
            if expected.confidence == .high { return .freshAndStated }
            if expected.isUncertain { return .uncertain }
            return expected.status == .departed ? .passed : .propagatedFromEarlierCall
        }
    }
}
