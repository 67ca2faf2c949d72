public import TransitModel
public import TransitWire

/// The status of a departure or call.
public enum DepartureStatus: String, WireEnum {
    case scheduled
    case canceled
    case skipped
    case added
    case unscheduled
    case duplicated
    case replaced
    case departed
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// The source of a departure or arrival time.
public enum DepartureSource: String, WireEnum {
    case live
    case scheduled
    case estimated
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// How reliable a time is.
public enum Confidence: String, WireEnum {
    case high
    case medium
    case low
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// Whether and how riders can board or get off (`pickup_type` and `drop_off_type` of GTFS).
public enum Boarding: String, WireEnum {
    case regular
    case none
    case phone
    case driver
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// The stop of a call.
public struct CallStop: WireObject {
    public var id: StopID
    public var name: String
    public var platform: String?

    public init(id: StopID, name: String, platform: String? = nil) {
        self.id = id
        self.name = name
        self.platform = platform
    }

    public static let wireSchema = WireSchema(
        "CallStop", "The stop of a call.", Self.init,
        Field("id", \.id, "The stop's identifier (`stop_id`)."),
        Field("name", \.name, "The stop's name for riders."),
        Field("platform", \.platform, "The platform's number or letter."))
}

/// Service that repeats at an interval (frequencies.txt).
public struct Headway: WireObject {
    public var seconds: Int
    public var exact: Bool

    public init(seconds: Int, exact: Bool) {
        self.seconds = seconds
        self.exact = exact
    }

    public static let wireSchema = WireSchema(
        "Headway", "Service that repeats at an interval (frequencies.txt).", Self.init,
        Field("seconds", \.seconds, "The interval.", unit: .seconds),
        Field(
            "exact", \.exact,
            "Whether departures follow exact times; false when only the interval is given."))
}

/// The arrival at the destination of a direct trip.
public struct Arrival: WireObject {
    public var stop: CallStop
    public var scheduled: Timestamp?
    public var expected: Timestamp?
    public var delay: Int?
    public var uncertainty: Int?
    public var status: DepartureStatus
    public var scheduledStop: CallStop?
    public var walk: Int?
    public var dropOff: Boarding

    public init(
        stop: CallStop, scheduled: Timestamp?, expected: Timestamp? = nil, delay: Int? = nil, uncertainty: Int? = nil,
        status: DepartureStatus = .scheduled, scheduledStop: CallStop? = nil, walk: Int? = nil, dropOff: Boarding
    ) {
        self.stop = stop
        self.scheduled = scheduled
        self.expected = expected
        self.delay = delay
        self.uncertainty = uncertainty
        self.status = status
        self.scheduledStop = scheduledStop
        self.walk = walk
        self.dropOff = dropOff
    }

    public static let wireSchema = WireSchema(
        "Arrival", "The arrival at the destination of a direct trip.", Self.init,
        Field("stop", \.stop, "The stop."),
        Field("scheduled", \.scheduled, "The time in the timetable; null when the trip is not in the timetable."),
        Field("expected", \.expected, "The current prediction."),
        Field("delay", \.delay, "The delay; negative when early, null when unknown.", unit: .seconds),
        Field("uncertainty", \.uncertainty, "The uncertainty of `expected`; null when unknown.", unit: .seconds),
        Field(
            "status", \.status, "The status of this call; skipped when the vehicle does not stop there.",
            default: .scheduled),
        Field(
            "scheduled_stop", \.scheduledStop,
            "The stop in the timetable, if the vehicle calls at another stop instead."),
        Field(
            "walk", \.walk,
            "The walk from the stop to the destination; null when the stop is the destination.", unit: .seconds),
        Field("drop_off", \.dropOff, "Whether and how riders can get off."))
}

/// A departure of a trip from a stop, with the arrival if the query has a destination.
public struct Departure: WireObject {
    public var id: String
    public var feed: FeedID
    public var trip: TripID
    public var tripShortName: String?
    public var serviceDate: ServiceDate
    public var route: RouteSummary
    public var headsign: String?
    public var direction: String?
    public var directionId: Int?
    public var stop: CallStop
    public var scheduledStop: CallStop?
    public var scheduled: Timestamp?
    public var expected: Timestamp?
    public var delay: Int?
    public var uncertainty: Int?
    public var status: DepartureStatus
    public var source: DepartureSource
    public var confidence: Confidence
    public var realtimeState: RealtimeState
    public var age: Int?
    public var isApproximate: Bool
    public var pickup: Boarding
    public var headway: Headway?
    public var wheelchair: AccessibilityLevel
    public var bikes: AccessibilityLevel
    public var walk: Int?
    public var leaveBy: Timestamp?
    public var vehicle: DepartureVehicle?
    public var alerts: [String]
    public var remark: String?
    public var confirmedBy: ConfirmingDeparture?
    public var arrival: Arrival?

    public init(
        id: String, feed: FeedID, trip: TripID, tripShortName: String? = nil, serviceDate: ServiceDate,
        route: RouteSummary, headsign: String? = nil, direction: String? = nil, directionId: Int? = nil,
        stop: CallStop, scheduledStop: CallStop? = nil, scheduled: Timestamp?, expected: Timestamp? = nil,
        delay: Int? = nil, uncertainty: Int? = nil, status: DepartureStatus, source: DepartureSource,
        confidence: Confidence,
        realtimeState: RealtimeState = .notExpected, age: Int? = nil, isApproximate: Bool,
        pickup: Boarding, headway: Headway? = nil, wheelchair: AccessibilityLevel, bikes: AccessibilityLevel,
        walk: Int? = nil,
        leaveBy: Timestamp? = nil, vehicle: DepartureVehicle? = nil, alerts: [String] = [], remark: String? = nil,
        confirmedBy: ConfirmingDeparture? = nil, arrival: Arrival? = nil
    ) {
        self.id = id
        self.feed = feed
        self.trip = trip
        self.tripShortName = tripShortName
        self.serviceDate = serviceDate
        self.route = route
        self.headsign = headsign
        self.direction = direction
        self.directionId = directionId
        self.stop = stop
        self.scheduledStop = scheduledStop
        self.scheduled = scheduled
        self.expected = expected
        self.delay = delay
        self.uncertainty = uncertainty
        self.status = status
        self.source = source
        self.confidence = confidence
        self.realtimeState = realtimeState
        self.age = age
        self.isApproximate = isApproximate
        self.pickup = pickup
        self.headway = headway
        self.wheelchair = wheelchair
        self.bikes = bikes
        self.walk = walk
        self.leaveBy = leaveBy
        self.vehicle = vehicle
        self.alerts = alerts
        self.remark = remark
        self.confirmedBy = confirmedBy
        self.arrival = arrival
    }

    public static let wireSchema = WireSchema(
        "Departure", "A departure of a trip from a stop, with the arrival if the query has a destination.", Self.init,
        Field(
            "id", \.id,
            """
            Identifies the departure. The same trip on the same date from the same stop always has the same value.
            """),
        Field("feed", \.feed, "The feed of the departure."),
        Field("trip", \.trip, "The trip's identifier (`trip_id`)."),
        Field(
            "trip_short_name", \.tripShortName,
            "The number by which riders know the trip, such as a train number."),
        Field(
            "service_date", \.serviceDate,
            "The trip's service date; after midnight it is often the previous date."),
        Field("route", \.route, "The route."),
        Field("headsign", \.headsign, "The destination shown on the vehicle."),
        Field(
            "direction", \.direction,
            """
            The caller's direction of travel, "home" or "work"; null when unknown. For a trip that serves neither \
            place, the direction is taken from the name or platform of the stop if that indicates a direction of \
            travel ("NB", "towards X"). Otherwise, the direction is inferred from the place nearer to the stop: a trip \
            from a stop near home goes to work, and vice versa, if the trip ends nearer to that destination.
            """),
        Field("direction_id", \.directionId, "The direction (`direction_id`), 0 or 1."),
        Field("stop", \.stop, "The stop from which the trip is currently expected to leave."),
        Field(
            "scheduled_stop", \.scheduledStop,
            "The stop in the timetable, if the trip leaves from another one, such as another platform."),
        Field("scheduled", \.scheduled, "The time in the timetable; null when the trip is not in the timetable."),
        Field("expected", \.expected, "The current prediction."),
        Field(
            "delay", \.delay,
            "The delay; negative when early. Null means unknown, which is not \"on time\".", unit: .seconds),
        Field("uncertainty", \.uncertainty, "The uncertainty of `expected`; null when unknown.", unit: .seconds),
        Field(
            "status", \.status,
            """
            The status of the departure. canceled and skipped departures are listed too; added and duplicated: \
            trips in addition to the timetable; unscheduled: a trip of a frequency-based service without fixed \
            times; replaced: stops or times differ from the timetable. More values may be added.
            """),
        Field(
            "source", \.source,
            """
            The source of the time. live: predicted by the publisher; estimated: computed from the vehicle's \
            position; scheduled: taken from the timetable, or from a plan that the publisher sends in its place.
            """),
        Field("confidence", \.confidence, "How reliable the time is."),
        Field(
            "realtime_state", \.realtimeState,
            """
            The state of the departure's realtime data. fresh: up to date; aging: older than it should be, but still \
            used; expired: too old to rely on; missing: the feed's realtime data is fresh, but does not contain this \
            trip although it should; not_expected: no realtime data exists, and none was expected. While a source \
            sends no data, `status` and `expected` of an expired departure keep its last prediction, with low \
            confidence, until the trip is over; without a predicted time, the timetable's time is used. More values \
            may be added.
            """, default: .notExpected),
        Field("age", \.age, "The age of the data behind the departure.", unit: .seconds),
        Field(
            "is_approximate", \.isApproximate,
            """
            Whether the time in the timetable is approximate (`timepoint` is 0, or the time is interpolated).
            """),
        Field("pickup", \.pickup, "Whether and how riders can board."),
        Field("headway", \.headway, "The interval of frequency-based service."),
        Field("wheelchair", \.wheelchair, "Whether the vehicle accommodates wheelchairs."),
        Field("bikes", \.bikes, "Whether the vehicle accommodates bicycles."),
        Field("walk", \.walk, "The walk to the stop; null when the query starts at the stop.", unit: .seconds),
        Field("leave_by", \.leaveBy, "When to start walking."),
        Field("vehicle", \.vehicle, "The vehicle that runs the trip; null when unknown."),
        Field(
            "alerts", \.alerts, "The `id` of each alert that affects the departure; see the method `alerts`.",
            default: []),
        Field("remark", \.remark, "A remark from the operator, verbatim, such as \"Last bus\"."),
        Field(
            "confirmed_by", \.confirmedBy,
            "The same departure in the agency's other feed, and whether the feeds agree; null when there is none."),
        Field("arrival", \.arrival, "The arrival at the destination; null when the query has none."))
}

extension Departure {
    /// The expected departure or, without a prediction, the scheduled departure. At least one of these times is set.
    public var time: Timestamp? { expected ?? scheduled }
}

extension Arrival {
    /// The expected arrival or, without a prediction, the scheduled arrival.
    public var time: Timestamp? { expected ?? scheduled }
}
