public import TransitModel

/// A call with realtime data applied to its scheduled times.
public struct ExpectedCall: Sendable {
    /// The kind of trip to which the call belongs.
    public enum Subject: Sendable {
        /// A call of a scheduled trip or of a copy of a scheduled trip.
        case scheduled(ScheduledCall)
        /// A call of a trip that the timetable lacks. It is indirect, so that the other calls are smaller to copy.
        indirect case extra(ExtraTrip, position: Int)
    }

    /// What happens to this call, as of the time of the request. It follows from the status of the trip
    /// (``RealtimeTrip/Kind``, ``ExtraTrip/Kind``), from the call itself and from the clock.
    public typealias Status = CallStatus
    /// The source of the expected times: ``CallTimeSource/estimated`` for ``TripUpdateBasis/estimated``, and
    /// ``CallTimeSource/scheduled`` also for ``TripUpdateBasis/planned``.
    public typealias Source = CallTimeSource
    public typealias Confidence = CallConfidence

    public var subject: Subject
    public var status: Status
    public var source: Source
    public var confidence: Confidence
    /// `nil` if the trip has no scheduled times.
    public var scheduledArrival: Instant?
    public var scheduledDeparture: Instant?
    /// `nil` if there is no realtime data for this call, which does not mean that the vehicle is on time.
    public var expectedArrival: Instant?
    /// Never before ``expectedArrival``.
    public var expectedDeparture: Instant?
    /// The possible error of ``expectedArrival`` and ``expectedDeparture`` in seconds; `nil` if the publisher states
    /// none.
    public var uncertainty: Int32?
    /// The stop where the vehicle calls. It differs from the scheduled stop after a platform change.
    public var stop: StopIndex
    /// Whether ``stop`` differs from the scheduled stop.
    public var hasPlatformChange: Bool
    /// The occupancy of the vehicle after the departure.
    public var occupancy: Occupancy?
    /// The time at which the realtime data was measured; `nil` without realtime data.
    public var measured: Instant?
    public var age: DataAge?
    /// Whether the source reports trips like this one but not this one, although it should have by now
    /// (``ReportingEvidence``).
    public var isMissingFromRealtime: Bool
    /// Whether the publisher reports this trip but its data is too old to be used.
    public var isOutdatedInRealtime = false
    /// Whether the source is silent and the expected times are its last prediction. ``confidence`` is then low, and
    /// ``age`` is the age of the prediction.
    public var isLastKnown = false
    /// Whether the publisher's times of this call contradict each other or those of a neighboring call.
    public var isContradicted = false
    /// The origin of the expected times.
    public var basis: RealtimeCall.Basis
    /// The position of the call whose delay is propagated here; set only for ``RealtimeCall/Basis/propagated``.
    public var statingCall: Int?
    /// How the trip was matched; `nil` without realtime data and for trips that the timetable lacks.
    public var match: RealtimeTrip.Match?
    /// The operator's free-text message about the trip.
    public var remark: TranslatedText?
    /// The start of the copy of a trip (`DUPLICATED`) to which the call belongs, whatever its ``status``; `nil` for
    /// other trips.
    public var duplicateStart: ServiceTime?

    /// The stop where the trip ends, if it skips the calls after it; `nil` if the trip serves its last call.
    public var earlyTerminus: StopIndex?
    /// Whether the trip serves this call and no later one, so that it is an arrival and not a departure.
    public var endsHere = false

    /// The scheduled call; `nil` for an extra trip.
    public var scheduledCall: ScheduledCall? {
        if case .scheduled(let call) = subject { call } else { nil }
    }

    /// Whether the timetable lacks the trip.
    public var isExtra: Bool {
        if case .extra = subject { true } else { false }
    }

    /// The trip instance to which the call belongs; `nil` for a trip that the timetable lacks. A copy has its own
    /// start.
    public var tripInstance: TripInstanceKey? {
        guard var instance = scheduledCall.map({ TripInstanceKey($0) }) else { return nil }
        if let duplicateStart { instance.frequencyStart = duplicateStart }
        return instance
    }

    /// `nil` for a trip whose route is not known.
    public var route: RouteIndex? {
        switch subject {
        case .scheduled(let call): call.pattern.route
        case .extra(let trip, _): trip.route
        }
    }

    public var direction: Direction? {
        switch subject {
        case .scheduled(let call): call.pattern.direction
        case .extra(let trip, _): trip.direction
        }
    }

    public var serviceDate: ServiceDate {
        switch subject {
        case .scheduled(let call): call.serviceDate
        case .extra(let trip, _): trip.serviceDate
        }
    }

    /// The stop in the timetable or, for a trip that the timetable lacks, the stop that the publisher states.
    public var scheduledStop: StopIndex {
        switch subject {
        case .scheduled(let call): call.call.stop
        case .extra(let trip, let position): trip.calls[position].stop
        }
    }

    /// The departure by which lists are sorted: the expected time if known, otherwise the scheduled time.
    public var departure: Instant {
        expectedDeparture ?? scheduledDeparture ?? listed.departure
    }

    public var arrival: Instant { expectedArrival ?? scheduledArrival ?? listed.arrival }

    private var listed: (arrival: Instant, departure: Instant) {
        switch subject {
        case .scheduled(let call): (call.arrival, call.departure)
        case .extra(let trip, let position): (trip.calls[position].arrival, trip.calls[position].departure)
        }
    }

    /// Seconds late at the departure, negative if early; `nil` without realtime data or without a scheduled time to
    /// compare with.
    public var delay: Int? { Self.delay(scheduledDeparture, expectedDeparture) }
    public var arrivalDelay: Int? { Self.delay(scheduledArrival, expectedArrival) }

    private static func delay(_ scheduled: Instant?, _ expected: Instant?) -> Int? {
        guard let scheduled, let expected else { return nil }
        return scheduled.seconds(to: expected)
    }

    /// The departure to show as expected: ``expectedDeparture``. A trip that the timetable lacks may have neither a
    /// prediction nor a planned time, and then has the time of the call, so that one of the two times is always shown.
    public var shownDeparture: Instant? { isUnplanned(scheduledDeparture) ? departure : expectedDeparture }
    /// The arrival to show as expected; see ``shownDeparture``.
    public var shownArrival: Instant? { isUnplanned(scheduledArrival) ? arrival : expectedArrival }

    private func isUnplanned(_ planned: Instant?) -> Bool {
        isExtra && !(source == .scheduled && planned != nil)
    }

    /// The predicted departure; `nil` for a time that is only planned, however recently the source sent it.
    public var predictedDeparture: Instant? { source == .scheduled ? nil : expectedDeparture }

    /// Whether the realtime data states ``stop``, even if it does not change it.
    public var hasReportedStop: Bool { hasPlatformChange || measured != nil }

    /// Whether the call takes place, as far as is known.
    public var isRunning: Bool { status.isRunning }

    /// The uncertainty in seconds above which a prediction does not have high confidence: a rider who relies on the
    /// prediction may miss the vehicle.
    private static let uncertain: Int32 = 120
    /// The uncertainty in seconds above which a prediction has low confidence.
    private static let veryUncertain: Int32 = 600

    /// The uncertainty in seconds above which an estimate has low confidence. An estimate never has high confidence.
    static let uncertainEstimate: Int32 = 300

    var isUncertain: Bool { uncertainty.map { $0 > Self.uncertain } ?? false }
    var isVeryUncertain: Bool { uncertainty.map { $0 > Self.veryUncertain } ?? false }
}

extension ExpectedCall: Identifiable {
    /// Identifies a call within one feed and one version of its timetable.
    public enum ID: Hashable, Sendable {
        /// A call of a trip of the timetable, or of a copy of it, by its position in the pattern.
        case scheduled(TripInstanceKey, position: Int)
        /// A call of a trip that the timetable lacks, by its position in the trip.
        case extra(EntityID, position: Int)
    }

    public var id: ID {
        switch subject {
        case .scheduled(let call): .scheduled(tripInstance ?? TripInstanceKey(call), position: call.position)
        case .extra(let trip, let position): .extra(trip.entity, position: position)
        }
    }
}

extension ExpectedCall {
    /// Creates a call only from the timetable, without realtime data.
    public init(scheduled call: ScheduledCall) {
        self.init(
            subject: .scheduled(call), status: .scheduled, source: .scheduled,
            confidence: call.isApproximate ? .low : .medium, scheduledArrival: call.arrival,
            scheduledDeparture: call.departure, stop: call.pattern.stop(at: call.position), hasPlatformChange: false,
            isMissingFromRealtime: false, basis: .timetable)
    }
}
