public import TransitModel
public import TransitWire

/// The status of a departure or call.
public enum DepartureStatus: String, OpenWireEnum {
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
}

/// The source of a departure or arrival time.
public enum DepartureSource: String, OpenWireEnum {
    case live
    case scheduled
    case estimated
    /// A value that this version does not know.
    case other
}

/// How reliable a time is.
public enum Confidence: String, OpenWireEnum {
    case high
    case medium
    case low
    /// A value that this version does not know.
    case other
}

/// Whether and how riders can board or get off (`pickup_type` and `drop_off_type` of GTFS).
public enum Boarding: String, OpenWireEnum {
    case regular
    case none
    case phone
    case driver
    /// A value that this version does not know.
    case other
}

/// The stop of a call.
public struct CallStop: WireObject {
    /// The stop's identifier (`stop_id`).
    public var id: StopID
    /// The stop's name for riders.
    public var name: String
    /// The platform's number or letter.
    public var platform: String?
}

/// Service that repeats at an interval (frequencies.txt).
public struct Headway: WireObject {
    /// The interval.
    /// - Unit: seconds
    public var seconds: Int
    /// Whether departures follow exact times; false when only the interval is given.
    public var exact: Bool
}

/// The arrival at the destination of a direct trip.
public struct Arrival: WireObject {
    /// The stop.
    public var stop: CallStop
    /// The time in the timetable; null when the trip is not in the timetable.
    public var scheduled: Timestamp?
    /// The current prediction.
    public var expected: Timestamp?
    /// The delay; negative when early, null when unknown.
    /// - Unit: seconds
    public var delay: Int?
    /// The uncertainty of `expected`; null when unknown.
    /// - Unit: seconds
    public var uncertainty: Int?
    /// The status of this call; skipped when the vehicle does not stop there.
    public var status: DepartureStatus = .scheduled
    /// The stop in the timetable, if the vehicle calls at another stop instead.
    public var scheduledStop: CallStop?
    /// The walk from the stop to the destination; null when the stop is the destination.
    /// - Unit: seconds
    public var walk: Int?
    /// Whether and how riders can get off.
    public var dropOff: Boarding
}

/// A departure of a trip from a stop, with the arrival if the query has a destination.
public struct Departure: WireObject {
    /// Identifies the departure. The same trip on the same date from the same stop always has the same value.
    public var id: String
    /// The feed of the departure.
    public var feed: FeedID
    /// The trip's identifier (`trip_id`).
    public var trip: TripID
    /// The number by which riders know the trip, such as a train number.
    public var tripShortName: String?
    /// The trip's service date; after midnight it is often the previous date.
    public var serviceDate: ServiceDate
    /// The route.
    public var route: RouteSummary
    /// The destination shown on the vehicle or, if the trip skips its last stops, the last stop that it serves.
    public var headsign: String?
    /// The destination shown on the vehicle, if the trip ends before it; null otherwise.
    public var scheduledHeadsign: String?
    /// The caller's direction of travel, "home" or "work"; null when unknown. For a trip that serves neither place, the
    /// direction is taken from the name or platform of the stop if that indicates a direction of travel ("NB", "towards
    /// X"). Otherwise, the direction is inferred from the place nearer to the stop: a trip from a stop near home goes
    /// to work, and vice versa, if the trip ends nearer to that destination.
    public var direction: String?
    /// The direction (`direction_id`), 0 or 1.
    public var directionId: Int?
    /// The stop from which the trip is currently expected to leave.
    public var stop: CallStop
    /// The stop in the timetable, if the trip leaves from another one, such as another platform.
    public var scheduledStop: CallStop?
    /// The time in the timetable; null when the trip is not in the timetable.
    public var scheduled: Timestamp?
    /// The current prediction.
    public var expected: Timestamp?
    /// The delay; negative when early. Null means unknown, which is not "on time".
    /// - Unit: seconds
    public var delay: Int?
    /// The uncertainty of `expected`; null when unknown. In nine of ten cases, an estimated departure is at most this
    /// much earlier or later.
    /// - Unit: seconds
    public var uncertainty: Int?
    /// The status of the departure. canceled and skipped departures are listed too; added and duplicated: trips in
    /// addition to the timetable; unscheduled: a trip of a frequency-based service without fixed times; replaced: stops
    /// or times differ from the timetable. More values may be added.
    public var status: DepartureStatus
    /// The source of the time. live: predicted by the publisher; estimated: computed from the vehicle's position;
    /// scheduled: taken from the timetable, or from a plan that the publisher sends in its place.
    public var source: DepartureSource
    /// How reliable the time is.
    public var confidence: Confidence
    /// The state of the departure's realtime data. fresh: up to date; aging: older than it should be, but still used;
    /// expired: too old to rely on; missing: the feed's realtime data is fresh, but does not contain this trip although
    /// it should; not_expected: no realtime data exists, and none was expected. While a source sends no data, `status`
    /// and `expected` of an expired departure keep its last prediction, with low confidence, until the trip is over;
    /// without a predicted time, the timetable's time is used. More values may be added.
    public var realtimeState: RealtimeState = .notExpected
    /// The age of the data behind the departure.
    /// - Unit: seconds
    public var age: Int?
    /// Whether the time in the timetable is approximate (`timepoint` is 0, or the time is interpolated).
    public var isApproximate: Bool
    /// Whether and how riders can board.
    public var pickup: Boarding
    /// The interval of frequency-based service.
    public var headway: Headway?
    /// Whether the vehicle accommodates wheelchairs.
    public var wheelchair: AccessibilityLevel
    /// Whether the vehicle accommodates bicycles.
    public var bikes: AccessibilityLevel
    /// The walk to the stop; null when the query starts at the stop, or when no place of the caller is near the stop of a
    /// board.
    /// - Unit: seconds
    public var walk: Int?
    /// When to start walking.
    public var leaveBy: Timestamp?
    /// The time from the reply until `leave_by` or, without a walk, until the departure, which is when to be at the stop;
    /// negative when it has passed. It counts from the time at which the daemon answers, even if the query names another
    /// time. A canceled departure counts at its scheduled time. Each departure has it; null only from earlier releases.
    /// - Unit: seconds
    public var leaveIn: Int?
    /// The vehicle that runs the trip; null when unknown.
    public var vehicle: DepartureVehicle?
    /// The `id` of each alert that affects the departure; see the method `alerts`.
    public var alerts: [String] = []
    /// A remark from the operator, verbatim, such as "Last bus".
    public var remark: String?
    /// The same departure in the agency's other feed, and whether the feeds agree; null when there is none.
    public var confirmedBy: ConfirmingDeparture?
    /// The arrival at the destination; null when the query has none.
    public var arrival: Arrival?
    /// When the departure usually leaves, from ten days of evidence on; null when too little is known. It never replaces
    /// `expected` or `scheduled`.
    public var usual: UsualDelay?
    /// The distribution of the departure's delays on earlier days; null unless `punctuality` is requested.
    public var punctuality: LearnedPunctuality?
}

extension Departure {
    /// The expected departure or, without a prediction, the scheduled departure. At least one of these times is set.
    public var time: Timestamp? { expected ?? scheduled }
}

extension Arrival {
    /// The expected arrival or, without a prediction, the scheduled arrival.
    public var time: Timestamp? { expected ?? scheduled }
}

/// The state of a trip's realtime data.
public enum RealtimeState: String, OpenWireEnum {
    /// The realtime data is up to date.
    case fresh
    /// The realtime data is older than it should be, but still used.
    case aging
    /// The realtime data is too old to rely on. The departure shows the last prediction or, if there is none, the time
    /// in the timetable.
    case expired
    /// The feed's realtime data is fresh, but does not contain this trip although it should.
    case missing
    /// No realtime data exists, and none was expected.
    case notExpected = "not_expected"
    /// A value that this version does not know.
    case other
}

/// The position of a vehicle relative to its next stop.
public enum VehicleStatus: String, OpenWireEnum {
    case atStop = "at_stop"
    case approaching
    case inTransit = "in_transit"
    /// A value that this version does not know.
    case other
}

/// How full a vehicle is (GTFS-Realtime reference, *OccupancyStatus*).
public enum OccupancyLevel: String, OpenWireEnum {
    case empty
    case manySeats = "many_seats"
    case fewSeats = "few_seats"
    case standingRoom = "standing_room"
    case crushed
    case full
    case notAccepting = "not_accepting"
    case notBoardable = "not_boardable"
    /// A value that this version does not know.
    case other
}

/// The vehicle that runs a trip.
public struct DepartureVehicle: WireObject {
    /// The publisher's identifier of the vehicle.
    public var id: String?
    /// The label visible on the vehicle.
    public var label: String?
    /// The vehicle's position relative to its next stop. More values may be added.
    public var status: VehicleStatus?
    /// The number of calls between the vehicle and the departure's stop: 0 when the stop is the current or next one,
    /// negative when the vehicle has passed it.
    public var stopsAway: Int?
    /// The vehicle's coordinates.
    public var position: Position?
    /// How full the vehicle is. More values may be added.
    public var occupancy: OccupancyLevel?
    /// The age of the position.
    /// - Unit: seconds
    public var age: Int?
}

/// The same departure in another feed of the same agency.
public struct ConfirmingDeparture: WireObject {
    /// The other feed.
    public var feed: FeedID
    /// The departure's `id` in the other feed.
    public var departure: String
    /// The departure time in the other feed.
    public var expected: Timestamp?
    /// The source of that time.
    public var source: DepartureSource
    /// The departure's status in the other feed.
    public var status: DepartureStatus
    /// The time in the other feed minus the time in the departure's own feed; negative when the other feed's time is
    /// earlier.
    /// - Unit: seconds
    public var difference: Int
    /// Whether the two feeds agree within three minutes. If at least one of them has current realtime data, the
    /// departure's `confidence` is raised one step. If the realtime data of both feeds contradicts each other,
    /// `confidence` is at most medium, and low if the times differ by more than ten minutes.
    public var agrees: Bool
    /// Whether the departure shows the other feed's data because that data is better; `explain` gives the reason.
    public var isUsed: Bool
}
