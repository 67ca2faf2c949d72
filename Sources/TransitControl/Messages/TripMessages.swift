public import TransitModel
public import TransitWire

/// A trip in the timetable, or a trip that realtime data adds.
public struct TripSummary: WireObject {
    public var id: TripID
    public var shortName: String?
    public var headsign: String?
    public var block: String?
    public var service: ServiceID
    public var wheelchair: AccessibilityLevel
    public var bikes: AccessibilityLevel
    public var directionId: Int?

    public init(
        id: TripID, shortName: String? = nil, headsign: String? = nil, block: String? = nil, service: ServiceID,
        wheelchair: AccessibilityLevel, bikes: AccessibilityLevel, directionId: Int? = nil
    ) {
        self.id = id
        self.shortName = shortName
        self.headsign = headsign
        self.block = block
        self.service = service
        self.wheelchair = wheelchair
        self.bikes = bikes
        self.directionId = directionId
    }

    public static let wireSchema = WireSchema(
        "TripSummary", "A trip in the timetable, or a trip that realtime data adds.", Self.init,
        Field("id", \.id, "The trip's identifier (`trip_id`)."),
        Field("short_name", \.shortName, "The number by which riders know the trip, such as a train number."),
        Field("headsign", \.headsign, "The destination shown on the vehicle."),
        Field("block", \.block, "The block (`block_id`): trips that one vehicle runs in succession."),
        Field("service", \.service, "The service (`service_id`)."),
        Field("wheelchair", \.wheelchair, "Whether the vehicle accommodates wheelchairs."),
        Field("bikes", \.bikes, "Whether the vehicle accommodates bicycles."),
        Field("direction_id", \.directionId, "The direction (`direction_id`), 0 or 1."))
}

/// A call of a trip at a stop.
public struct TripCall: WireObject {
    public var sequence: Int
    public var stop: CallStop
    public var arrival: Timestamp?
    public var departure: Timestamp?
    public var expectedArrival: Timestamp?
    public var expectedDeparture: Timestamp?
    public var delay: Int?
    public var uncertainty: Int?
    public var status: DepartureStatus
    public var source: DepartureSource
    public var scheduledStop: CallStop?
    public var isApproximate: Bool
    public var pickup: Boarding
    public var dropOff: Boarding
    public var headsign: String?

    public init(
        sequence: Int, stop: CallStop, arrival: Timestamp?, departure: Timestamp?, expectedArrival: Timestamp? = nil,
        expectedDeparture: Timestamp? = nil, delay: Int? = nil, uncertainty: Int? = nil,
        status: DepartureStatus = .scheduled, source: DepartureSource = .scheduled, scheduledStop: CallStop? = nil,
        isApproximate: Bool, pickup: Boarding, dropOff: Boarding, headsign: String? = nil
    ) {
        self.sequence = sequence
        self.stop = stop
        self.arrival = arrival
        self.departure = departure
        self.expectedArrival = expectedArrival
        self.expectedDeparture = expectedDeparture
        self.delay = delay
        self.uncertainty = uncertainty
        self.status = status
        self.source = source
        self.scheduledStop = scheduledStop
        self.isApproximate = isApproximate
        self.pickup = pickup
        self.dropOff = dropOff
        self.headsign = headsign
    }

    public static let wireSchema = WireSchema(
        "TripCall", "A call of a trip at a stop.", Self.init,
        Field("sequence", \.sequence, "The position of the call in the trip (`stop_sequence`)."),
        Field("stop", \.stop, "The stop."),
        Field(
            "arrival", \.arrival, "The arrival in the timetable; null when the trip is not in the timetable."),
        Field("departure", \.departure, "The departure in the timetable; null when the trip is not in the timetable."),
        Field("expected_arrival", \.expectedArrival, "The predicted or actual arrival."),
        Field("expected_departure", \.expectedDeparture, "The predicted or actual departure."),
        Field("delay", \.delay, "The delay; negative when early, null when unknown.", unit: .seconds),
        Field("uncertainty", \.uncertainty, "The uncertainty of the expected times.", unit: .seconds),
        Field("status", \.status, "The status of the call. More values may be added.", default: .scheduled),
        Field("source", \.source, "The source of the times, as in a departure.", default: .scheduled),
        Field(
            "scheduled_stop", \.scheduledStop,
            "The stop in the timetable, if the vehicle calls at another stop instead."),
        Field("is_approximate", \.isApproximate, "Whether the times in the timetable are approximate."),
        Field("pickup", \.pickup, "Whether and how riders can board."),
        Field("drop_off", \.dropOff, "Whether and how riders can get off."),
        Field("headsign", \.headsign, "The destination shown at this stop, if it differs from the trip's."))
}

/// Returns a trip with its calls on a service date.
public struct TripShowParameters: ControlParameters {
    public typealias Reply = TripShowResult
    public static let method = ControlMethod.tripShow

    public var trip: String
    public var feed: FeedID?
    public var date: ServiceDate?
    public var language: String?

    public init(trip: String, feed: FeedID? = nil, date: ServiceDate? = nil, language: String? = nil) {
        self.trip = trip
        self.feed = feed
        self.date = date
        self.language = language
    }

    public static let wireSchema = WireSchema(
        "TripShowParameters", "Returns a trip with its calls on a service date.", Self.init,
        Field("trip", \.trip, "The trip: `FEED:TRIP_ID`, a trip ID, or a departure's `id`.", in: 1...300),
        Field("feed", \.feed, "Limits the search to this feed."),
        Field("date", \.date, "The service date. The default is the date of the trip's current or next run."),
        Field(
            "language", \.language,
            """
            The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed \
            has translations.txt.
            """,
            in: 1...35))
}

/// A trip on a service date.
public struct TripShowResult: WireObject {
    public var at: Timestamp
    public var feed: FeedID
    public var trip: TripSummary
    public var route: RouteSummary
    public var serviceDate: ServiceDate
    public var runs: Bool
    public var status: DepartureStatus
    public var source: DepartureSource
    public var confidence: Confidence?
    public var realtimeState: RealtimeState
    public var age: Int?
    public var vehicle: DepartureVehicle?
    public var alerts: [String]
    public var headway: Headway?
    public var calls: [TripCall]
    public var notices: [Notice]

    public init(
        at: Timestamp, feed: FeedID, trip: TripSummary, route: RouteSummary, serviceDate: ServiceDate, runs: Bool,
        status: DepartureStatus = .scheduled, source: DepartureSource = .scheduled, confidence: Confidence? = nil,
        realtimeState: RealtimeState = .notExpected, age: Int? = nil, vehicle: DepartureVehicle? = nil,
        alerts: [String] = [],
        headway: Headway? = nil, calls: [TripCall], notices: [Notice] = []
    ) {
        self.at = at
        self.feed = feed
        self.trip = trip
        self.route = route
        self.serviceDate = serviceDate
        self.runs = runs
        self.status = status
        self.source = source
        self.confidence = confidence
        self.realtimeState = realtimeState
        self.age = age
        self.vehicle = vehicle
        self.alerts = alerts
        self.headway = headway
        self.calls = calls
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "TripShowResult", "A trip on a service date.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("feed", \.feed, "The feed of the trip."),
        Field("trip", \.trip, "The trip."),
        Field("route", \.route, "The route."),
        Field("service_date", \.serviceDate, "The service date of the calls."),
        Field("runs", \.runs, "Whether the trip runs on that date according to the timetable."),
        Field("status", \.status, "The status of the trip, as in a departure.", default: .scheduled),
        Field("source", \.source, "The source of the expected times.", default: .scheduled),
        Field("confidence", \.confidence, "How reliable the expected times are."),
        Field(
            "realtime_state", \.realtimeState, "The state of the trip's realtime data, as in a departure.",
            default: .notExpected),
        Field("age", \.age, "The age of the data behind the expected times.", unit: .seconds),
        Field("vehicle", \.vehicle, "The vehicle that runs the trip; null when unknown."),
        Field("alerts", \.alerts, "The `id` of each alert that affects the trip.", default: []),
        Field(
            "headway", \.headway, "The interval of frequency-based service. The calls are then those of a single run."),
        Field("calls", \.calls, "The calls in the order of travel."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
