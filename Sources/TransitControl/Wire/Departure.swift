public import TransitModel

/// What is known about a departure.
public enum DepartureStatus: String, WireEnum {
    case scheduled
    case canceled
    case skipped
    case added
    case unscheduled
    case duplicated
    case replaced
    case departed
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// Where a time comes from.
public enum DepartureSource: String, WireEnum {
    case live
    case scheduled
    case estimated
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// How far a time can be trusted.
public enum Confidence: String, WireEnum {
    case high
    case medium
    case low
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// `pickup_type` and `drop_off_type` of GTFS.
public enum Boarding: String, WireEnum {
    case regular
    case none
    case phone
    case driver
    /// A word that this reader does not know.
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
        Field("id", \.id, "`stop_id`."),
        Field("name", \.name, "The name that riders know."),
        Field("platform", \.platform, "The platform's number or letter."))
}

/// A service that repeats at an interval (frequencies.txt).
public struct Headway: WireObject {
    public var seconds: Int
    public var exact: Bool

    public init(seconds: Int, exact: Bool) {
        self.seconds = seconds
        self.exact = exact
    }

    public static let wireSchema = WireSchema(
        "Headway", "A service that repeats at an interval (frequencies.txt).", Self.init,
        Field("seconds", \.seconds, "The interval.", unit: .seconds),
        Field(
            "exact", \.exact,
            "Whether the departures keep to the times; false when only the interval is promised."))
}

/// Where and when a journey ends.
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
        "Arrival", "Where and when a journey ends.", Self.init,
        Field("stop", \.stop, "The stop."),
        Field("scheduled", \.scheduled, "The time in the timetable; null when the timetable does not have the trip."),
        Field("expected", \.expected, "The time that is expected now."),
        Field("delay", \.delay, "How late it is; negative when it is early, null when not known.", unit: .seconds),
        Field("uncertainty", \.uncertainty, "How far off `expected` may be; null when not known.", unit: .seconds),
        Field(
            "status", \.status, "What happens to this call: skipped when the vehicle does not stop there.",
            default: .scheduled),
        Field("scheduled_stop", \.scheduledStop, "The stop in the timetable, when the vehicle uses another one."),
        Field(
            "walk", \.walk,
            "The walk from there to the destination; null when the stop is the destination.", unit: .seconds),
        Field("drop_off", \.dropOff, "How to get off."))
}

/// A departure of a trip from a stop; in a journey also where it arrives.
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
    public var wheelchair: AccessPermission
    public var bikes: AccessPermission
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
        pickup: Boarding, headway: Headway? = nil, wheelchair: AccessPermission, bikes: AccessPermission,
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
        "Departure", "A departure of a trip from a stop; in a journey also where it arrives.", Self.init,
        Field("id", \.id, "Names this departure: the same trip on the same date from the same stop has the same."),
        Field("feed", \.feed, "The feed that it comes from."),
        Field("trip", \.trip, "`trip_id`."),
        Field(
            "trip_short_name", \.tripShortName,
            "The number that riders know the trip by, such as a train number."),
        Field(
            "service_date", \.serviceDate,
            "The date that the trip belongs to; after midnight often the day before."),
        Field("route", \.route, "Its route."),
        Field("headsign", \.headsign, "Where it says that it goes."),
        Field(
            "direction", \.direction,
            """
            What this direction is for the caller, such as "work"; null when that is not known. Of a trip that serves \
            neither home nor work the stop tells whose name or platform says where its vehicles go ("NB", "towards X"); \
            else the place that is nearer to the stop: from near home it goes to work, and the reverse, where the trip \
            ends nearer to that place.
            """),
        Field("direction_id", \.directionId, "`direction_id`, 0 or 1."),
        Field("stop", \.stop, "Where it leaves, by what is known now."),
        Field(
            "scheduled_stop", \.scheduledStop,
            "The stop in the timetable, when it leaves from another one, such as another platform."),
        Field("scheduled", \.scheduled, "The time in the timetable; null when the timetable does not have the trip."),
        Field("expected", \.expected, "The time that is expected now."),
        Field(
            "delay", \.delay,
            """
            How late it is; negative when it is early. Null when not known, which is not "on time".
            """, unit: .seconds),
        Field("uncertainty", \.uncertainty, "How far off `expected` may be; null when not known.", unit: .seconds),
        Field(
            "status", \.status,
            """
            What happens to it. canceled and skipped departures are listed too; added, duplicated: beside the \
            timetable; unscheduled: a run of a trip that repeats; replaced: with other stops or times than in the \
            timetable. More may follow.
            """),
        Field(
            "source", \.source,
            """
            Where its time comes from. live: the publisher predicts it; estimated: computed from where the vehicle is; \
            scheduled: the timetable, or a plan that the publisher gives instead.
            """),
        Field("confidence", \.confidence, "How far it can be trusted."),
        Field(
            "realtime_state", \.realtimeState,
            """
            How its live data stands. fresh; aging: older than it should be, and still used; expired: too old to \
            rely on: while the source is silent, `status` and `expected` are its last word, with low confidence, until \
            the trip is over; where that gives no time, the time is the timetable's; missing: the feed's live data is fresh and does not \
            have this trip, although it should; not_expected: there is none, and none was to be expected. More may follow.
            """, default: .notExpected),
        Field("age", \.age, "How old the data behind it is.", unit: .seconds),
        Field(
            "is_approximate", \.isApproximate,
            "Whether the timetable itself gives this time only roughly (`timepoint` 0, or interpolated)."),
        Field("pickup", \.pickup, "How to board."),
        Field("headway", \.headway, "The interval, for service that repeats."),
        Field("wheelchair", \.wheelchair, "Whether the vehicle takes wheelchairs."),
        Field("bikes", \.bikes, "Whether the vehicle takes bicycles."),
        Field("walk", \.walk, "The walk to the stop; null when the journey starts there.", unit: .seconds),
        Field("leave_by", \.leaveBy, "When to start walking."),
        Field("vehicle", \.vehicle, "The vehicle that runs it; null when not known."),
        Field("alerts", \.alerts, "The `id` of each message to riders that concerns it; see `alerts`.", default: []),
        Field("remark", \.remark, "What the operator says about it, in words of its own, such as \"Last bus\"."),
        Field(
            "confirmed_by", \.confirmedBy,
            "The same departure in the other feed of the agency, and whether that agrees; null without one."),
        Field("arrival", \.arrival, "Where and when the journey ends; null when only a stop was asked about."))
}

extension Departure {
    /// When it leaves by what is known now: `expected`, else `scheduled`. One of both is always there.
    public var time: Timestamp? { expected ?? scheduled }
}

extension Arrival {
    /// When it arrives by what is known now: `expected`, else `scheduled`.
    public var time: Timestamp? { expected ?? scheduled }
}
