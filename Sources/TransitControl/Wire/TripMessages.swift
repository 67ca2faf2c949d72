public import TransitModel

/// A trip.
public struct TripSummary: WireObject {
    public var id: TripID
    public var shortName: String?
    public var headsign: String?
    public var block: String?
    public var service: ServiceID
    public var wheelchair: AccessPermission
    public var bikes: AccessPermission
    public var directionId: Int?

    public init(
        id: TripID, shortName: String? = nil, headsign: String? = nil, block: String? = nil, service: ServiceID,
        wheelchair: AccessPermission, bikes: AccessPermission, directionId: Int? = nil
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
        "TripSummary", "A trip.", Self.init,
        Field("id", \.id, "`trip_id`."),
        Field("short_name", \.shortName, "The number that riders know it by."),
        Field("headsign", \.headsign, "Where it says that it goes."),
        Field("block", \.block, "`block_id`: trips that one vehicle runs after another."),
        Field("service", \.service, "`service_id`."),
        Field("wheelchair", \.wheelchair, "Whether the vehicle takes wheelchairs."),
        Field("bikes", \.bikes, "Whether the vehicle takes bicycles."),
        Field("direction_id", \.directionId, "`direction_id`, 0 or 1."))
}

/// A call of a trip.
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
        "TripCall", "A call of a trip.", Self.init,
        Field("sequence", \.sequence, "`stop_sequence`."),
        Field("stop", \.stop, "The stop."),
        Field(
            "arrival", \.arrival, "When it arrives by the timetable; null when the timetable does not have the trip."),
        Field("departure", \.departure, "When it leaves by the timetable."),
        Field("expected_arrival", \.expectedArrival, "When it is expected to arrive, or arrived."),
        Field("expected_departure", \.expectedDeparture, "When it is expected to leave, or left."),
        Field("delay", \.delay, "How late it is; negative when it is early, null when not known.", unit: .seconds),
        Field("uncertainty", \.uncertainty, "How far off the expected times may be.", unit: .seconds),
        Field("status", \.status, "What happens to this call. More may follow.", default: .scheduled),
        Field("source", \.source, "Where its times come from, as in a departure.", default: .scheduled),
        Field("scheduled_stop", \.scheduledStop, "The stop in the timetable, when the vehicle uses another one."),
        Field("is_approximate", \.isApproximate, "Whether the timetable gives the times only roughly."),
        Field("pickup", \.pickup, "How to board."),
        Field("drop_off", \.dropOff, "How to get off."),
        Field("headsign", \.headsign, "What the vehicle shows there, where it differs."))
}

/// Shows a trip with its calls on a service date.
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
        "TripShowParameters", "Shows a trip with its calls on a service date.", Self.init,
        Field("trip", \.trip, "`FEED:TRIP_ID`, a trip's identifier, or a departure's `id`.", in: 1...300),
        Field("feed", \.feed, "Only in this feed."),
        Field("date", \.date, "The service date; when left out, the one that runs now or next."),
        Field(
            "language", \.language,
            "An IETF BCP 47 code, such as \"de\": names in it where the feed translates them (translations.txt).",
            in: 1...35))
}

/// A trip on a date.
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
        "TripShowResult", "A trip on a date.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("feed", \.feed, "The feed that it belongs to."),
        Field("trip", \.trip, "The trip."),
        Field("route", \.route, "Its route."),
        Field("service_date", \.serviceDate, "The date that the calls are for."),
        Field("runs", \.runs, "Whether it runs on that date, by the timetable."),
        Field("status", \.status, "What happens to it, as in a departure.", default: .scheduled),
        Field("source", \.source, "Where the expected times come from.", default: .scheduled),
        Field("confidence", \.confidence, "How far they can be trusted."),
        Field("realtime_state", \.realtimeState, "How its live data stands, as in a departure.", default: .notExpected),
        Field("age", \.age, "How old the data behind it is.", unit: .seconds),
        Field("vehicle", \.vehicle, "The vehicle that runs it; null when not known."),
        Field("alerts", \.alerts, "The `id` of each message to riders that concerns it.", default: []),
        Field("headway", \.headway, "The interval, for service that repeats; the calls are then those of one run."),
        Field("calls", \.calls, "In the order of travel."),
        Field("notices", \.notices, "What to know about this answer."))
}
