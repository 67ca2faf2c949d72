public import TransitModel
public import TransitWire

/// A trip in the timetable, or a trip that realtime data adds.
public struct TripSummary: WireObject {
    /// The trip's identifier (`trip_id`).
    public var id: TripID
    /// The number by which riders know the trip, such as a train number.
    public var shortName: String?
    /// The destination shown on the vehicle or, if the trip skips its last stops, the last stop that it serves.
    public var headsign: String?
    /// The destination shown on the vehicle, if the trip ends before it; null otherwise.
    public var scheduledHeadsign: String?
    /// The block (`block_id`): trips that one vehicle runs in succession.
    public var block: String?
    /// The service (`service_id`).
    public var service: ServiceID
    /// Whether the vehicle accommodates wheelchairs.
    public var wheelchair: AccessibilityLevel
    /// Whether the vehicle accommodates bicycles.
    public var bikes: AccessibilityLevel
    /// The direction (`direction_id`), 0 or 1.
    public var directionId: Int?
}

/// A call of a trip at a stop.
public struct TripCall: WireObject {
    /// The position of the call in the trip (`stop_sequence`).
    public var sequence: Int
    /// The stop.
    public var stop: CallStop
    /// The arrival in the timetable; null when the trip is not in the timetable.
    public var arrival: Timestamp?
    /// The departure in the timetable; null when the trip is not in the timetable.
    public var departure: Timestamp?
    /// The predicted or actual arrival.
    public var expectedArrival: Timestamp?
    /// The predicted or actual departure.
    public var expectedDeparture: Timestamp?
    /// The delay; negative when early, null when unknown.
    /// - Unit: seconds
    public var delay: Int?
    /// The uncertainty of the expected times.
    /// - Unit: seconds
    public var uncertainty: Int?
    /// The status of the call. More values may be added.
    public var status: DepartureStatus = .scheduled
    /// The source of the times, as in a departure.
    public var source: DepartureSource = .scheduled
    /// The stop in the timetable, if the vehicle calls at another stop instead.
    public var scheduledStop: CallStop?
    /// Whether the times in the timetable are approximate.
    public var isApproximate: Bool
    /// Whether and how riders can board.
    public var pickup: Boarding
    /// Whether and how riders can get off.
    public var dropOff: Boarding
    /// The destination shown at this stop, if it differs from the trip's.
    public var headsign: String?
}

/// Returns a trip with its calls on a service date.
public struct TripShowParameters: ControlParameters {
    public typealias Reply = TripShowResult
    public static let method = ControlMethod.tripShow

    /// The trip: `FEED:TRIP_ID`, a trip ID, a departure's `id`, or a description of a departure, in the format of
    /// `departure` in `explain`.
    /// - Range: 1...300
    public var trip: String
    /// Limits the search to this feed.
    public var feed: FeedID?
    /// The service date. The default is the date of the trip's current or next run.
    public var date: ServiceDate?
    /// The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed has
    /// translations.txt.
    /// - Range: 1...35
    public var language: String?
}

/// A trip on a service date.
public struct TripShowResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The feed of the trip.
    public var feed: FeedID
    /// The trip.
    public var trip: TripSummary
    /// The route.
    public var route: RouteSummary
    /// The service date of the calls.
    public var serviceDate: ServiceDate
    /// Whether the trip runs on that date according to the timetable.
    public var runs: Bool
    /// The status of the trip, as in a departure.
    public var status: DepartureStatus = .scheduled
    /// The source of the expected times.
    public var source: DepartureSource = .scheduled
    /// How reliable the expected times are.
    public var confidence: Confidence?
    /// The state of the trip's realtime data, as in a departure.
    public var realtimeState: RealtimeState = .notExpected
    /// The age of the data behind the expected times.
    /// - Unit: seconds
    public var age: Int?
    /// The vehicle that runs the trip; null when unknown.
    public var vehicle: DepartureVehicle?
    /// The `id` of each alert that affects the trip.
    public var alerts: [String] = []
    /// The interval of frequency-based service. The calls are then those of a single run.
    public var headway: Headway?
    /// The calls in the order of travel.
    public var calls: [TripCall]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
