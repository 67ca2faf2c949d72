/// Identifies a departure of a route from a stop by its scheduled time.
///
/// It contains no `trip_id`, so that it identifies the same departure in every version of a timetable and after every
/// restart.
public struct DepartureKey: Hashable, Sendable {
    public var feed: FeedID
    public var route: RouteID
    /// `nil` if the feed has no directions.
    public var direction: Direction?
    /// The stop in the timetable. A change of the platform does not change it.
    public var stop: StopID
    /// The time in the timetable or, for a trip that is not in the timetable, the first expected time.
    public var scheduled: Instant
    public var serviceDate: ServiceDate

    public init(
        feed: FeedID, route: RouteID, direction: Direction?, stop: StopID, scheduled: Instant, serviceDate: ServiceDate
    ) {
        self.feed = feed
        self.route = route
        self.direction = direction
        self.stop = stop
        self.scheduled = scheduled
        self.serviceDate = serviceDate
    }

    /// The other properties seldom differ between departures of the same time.
    public func hash(into hasher: inout Hasher) { hasher.combine(scheduled.secondsSince1970) }
}

/// What was known about a departure at one moment.
///
/// The state file keeps the observations of watched departures. Notifications are decided from them, `notify rehearse`
/// repeats the decisions with other settings, and `insights` computes punctuality.
public struct DepartureObservation: Hashable, Sendable {
    public var departure: DepartureKey
    /// The time of the observation.
    public var at: Instant
    /// `nil` without realtime data, which does not mean that the vehicle is on time.
    public var expected: Instant?
    /// The number of seconds by which the departure can be earlier than ``time``: the uncertainty that the publisher states or,
    /// without one, what earlier days show; `nil` if neither is known.
    public var uncertainty: Int?
    public var status: CallStatus
    public var source: CallTimeSource
    public var confidence: CallConfidence
    /// The platform in the timetable; `nil` if it names none.
    public var scheduledPlatform: String?
    /// The platform at which the vehicle is expected; `nil` if unknown.
    public var platform: String?
    /// The time at which the realtime data was measured; `nil` without realtime data. Two observations with the same
    /// value come from the same message.
    public var measured: Instant?
    /// Whether the realtime data is recent enough to be used.
    public var isFresh: Bool
    /// Whether the publisher reports the route at this time but not this trip.
    public var isMissing: Bool

    public init(
        departure: DepartureKey, at: Instant, expected: Instant? = nil, uncertainty: Int? = nil,
        status: CallStatus = .scheduled, source: CallTimeSource = .scheduled, confidence: CallConfidence = .medium,
        scheduledPlatform: String? = nil, platform: String? = nil, measured: Instant? = nil, isFresh: Bool = false,
        isMissing: Bool = false
    ) {
        self.departure = departure
        self.at = at
        self.expected = expected
        self.uncertainty = uncertainty
        self.status = status
        self.source = source
        self.confidence = confidence
        self.scheduledPlatform = scheduledPlatform
        self.platform = platform
        self.measured = measured
        self.isFresh = isFresh
        self.isMissing = isMissing
    }

    /// Seconds late, negative if early; `nil` without realtime data.
    public var delay: Int? { expected.map { departure.scheduled.seconds(to: $0) } }

    /// The expected time or, without realtime data, the scheduled time.
    public var time: Instant { expected ?? departure.scheduled }
}
