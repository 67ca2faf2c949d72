public import TransitModel

/// A call as a rider may expect it: what the timetable says and what is live, together.
public struct ExpectedCall: Sendable {
    /// What calls.
    public enum Subject: Sendable {
        /// A run of the timetable, or a copy of one.
        case scheduled(ScheduledCall)
        /// A call of a trip that the timetable does not have.
        case extra(ExtraTrip, position: Int)
    }

    public enum Status: UInt8, Hashable, Sendable {
        case scheduled
        /// The whole run does not take place.
        case canceled
        /// The run takes place and does not stop here.
        case skipped
        case added
        case unscheduled
        case duplicated
        case replaced
        /// It has left.
        case departed
    }

    public enum Source: UInt8, Hashable, Sendable {
        /// The publisher says so.
        case live
        /// Of the timetable, or of a plan that the publisher gives instead (``TripUpdateBasis/planned``).
        case scheduled
        /// Computed from where the vehicle is (``TripUpdateBasis/estimated``).
        case estimated
    }

    public enum Confidence: UInt8, Hashable, Sendable, Comparable {
        case low
        case medium
        case high
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    public var subject: Subject
    public var status: Status
    public var source: Source
    public var confidence: Confidence
    /// `nil` where the trip has no times of a timetable.
    public var scheduledArrival: Instant?
    public var scheduledDeparture: Instant?
    /// `nil` where nothing is known about this call, which is not "on time".
    public var expectedArrival: Instant?
    /// Never before ``expectedArrival``.
    public var expectedDeparture: Instant?
    /// Seconds by which ``expectedArrival`` and ``expectedDeparture`` may be wrong; `nil` when the publisher does not say.
    public var uncertainty: Int32?
    /// The stop that is called at; differs from the timetable's when the platform has changed.
    public var stop: StopIndex
    /// Whether ``stop`` is another than the timetable's.
    public var hasPlatformChange: Bool
    /// How full the vehicle is after the departure.
    public var occupancy: Occupancy?
    /// When the live data behind it were measured. `nil` without live data.
    public var measured: Instant?
    public var age: DataAge?
    /// The publisher tells of the route at this time, yet not of this run.
    public var isMissingFromRealtime: Bool
    /// The publisher tells of this run, and what it tells is too old to be used.
    public var isOutdatedInRealtime = false
    /// Whether the source is silent and this is its last prediction. ``confidence`` is then low, and ``age`` is the age
    /// of the prediction.
    public var isLastKnown = false
    /// Whether the publisher's times of this call contradict each other or those of a neighboring call.
    public var isContradicted = false
    /// How the expected times are known.
    public var basis: RealtimeCall.Basis
    /// Position of the call whose delay is carried on; for ``RealtimeCall/Basis/propagated``.
    public var origin: Int?
    /// By what the run was found; `nil` without live data and for trips that the timetable does not have.
    public var match: RealtimeTrip.Match?
    /// What the operator says about the trip, in words of its own.
    public var remark: TranslatedText?
    /// The start of the copy of a trip (`DUPLICATED`) to which the call belongs, whatever its ``status``; `nil` for other runs.
    public var copyStart: ServiceTime?

    /// The run of the timetable, if it is one.
    public var scheduledCall: ScheduledCall? {
        if case .scheduled(let call) = subject { call } else { nil }
    }

    /// The run that it is a call of; `nil` of a trip that the timetable does not have. A copy has a start of its own.
    public var run: TripInstanceKey? {
        guard var run = scheduledCall.map({ TripInstanceKey($0) }) else { return nil }
        if let copyStart { run.frequencyStart = copyStart }
        return run
    }

    /// What a list is ordered by: as expected, else of the timetable.
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

    /// Seconds late at the departure, negative when early; `nil` where nothing is known or there is no timetable to compare with.
    public var delay: Int? { Self.delay(scheduledDeparture, expectedDeparture) }
    public var arrivalDelay: Int? { Self.delay(scheduledArrival, expectedArrival) }

    private static func delay(_ scheduled: Instant?, _ expected: Instant?) -> Int? {
        guard let scheduled, let expected else { return nil }
        return scheduled.seconds(to: expected)
    }
}
