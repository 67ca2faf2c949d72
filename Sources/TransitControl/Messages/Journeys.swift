public import TransitWire

/// Returns the next journeys between two places or stops, with changes of vehicle, over all feeds together.
public struct JourneysParameters: ControlParameters {
    public typealias Reply = JourneysResult
    public static let method = ControlMethod.journeys

    /// The origin: a place, a position such as "37.3942,-122.0764", or a stop given as `FEED:STOP_ID`, a stop ID, a stop
    /// code, or a name or its first words if they match a single stop. A space and a name may follow a position:
    /// "37.3942,-122.0764 Main Street 5". Either `from` or `on_board` is required.
    /// - Range: 1...300
    public var from: String?
    /// The `id` of a departure, for riders who are on board of its trip from there on, or will be. They alight at any later
    /// stop, also of the trips as which its vehicle continues, and change. It excludes `from`, `at` and `arrive_by`.
    /// - Range: 1...300
    public var onBoard: String?
    /// The destination, in the same format as `from`.
    /// - Range: 1...300
    public var to: String
    /// Where the journeys pass, in the same format as `from`. They pass a stop also if riders stay on
    /// board while the vehicle calls there, and a place if they walk there. The journeys are the best ones of those to
    /// `via`, continued by the best ones from there, and those that pass anyway. `if_missed` need not pass `via`, and
    /// `alternatives` is empty. It excludes `on_board`.
    /// - Range: 1...300
    public var via: String?
    /// The time to leave at the earliest or, with `arrive_by`, to arrive at the latest, in the format of `at` in `next`. The
    /// default is now.
    /// - Range: 1...64
    public var at: String?
    /// Whether `at` is the time of the arrival. The result then contains the last journeys that arrive by then and, unless
    /// `at` is in the past, do not begin before now.
    public var arriveBy: Bool = false
    /// The maximum number of journeys. The default is 5.
    /// - Range: 1...50
    public var count: Int?
    /// The maximum number of changes of vehicle. The default is 3.
    /// - Range: 0...7
    public var changes: Int?
    /// The modes of transport that riders use; empty for all. The modes are: tram, subway, train, bus, ferry, cable-tram,
    /// aerial-lift, funicular, trolleybus, monorail, coach, flight, taxi, service.
    /// - Range: 0...14
    public var modes: [String] = []
    /// Whether to leave out vehicles and stops that do not accommodate wheelchairs (`wheelchair_accessible` and
    /// `wheelchair_boarding` are 2, or the agency says so about the vehicle). Those about which nothing is stated remain; a
    /// notice says so. Changes and walks of places that cannot be made without steps (pathways.txt) are left out.
    public var wheelchair: Bool = false
    /// Whether to leave out vehicles that do not accommodate bicycles (`bikes_allowed` is 2, or the agency says so about the
    /// vehicle). Those about which nothing is stated remain; a notice says so.
    public var bicycles: Bool = false
    /// Whether each leg says in `explanation` why riders reach it. Explanations are in English.
    public var explain: Bool = false
    /// The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed has
    /// translations.txt.
    /// - Range: 1...35
    public var language: String?
}

/// Journeys between two places or stops.
public struct JourneysResult: WireObject {
    /// The time of the query.
    public var at: Timestamp
    /// The origin; with `on_board`, the stop of that departure.
    public var from: CommuteEndpoint
    /// The destination.
    public var to: CommuteEndpoint
    /// The `id` of the departure that riders are on board of, as in the request; null if they set out from `from`.
    public var onBoard: String?
    /// The journeys in order of the time to leave. With `on_board`, the first leg of each journey is the ride from that
    /// departure on, and they are in order of arrival. A journey that another one beats or equals in the time to leave, the
    /// arrival and the number of changes is left out.
    public var journeys: [Journey]
    /// The walk from the origin to the destination without a vehicle, estimated from the straight-line distance; null if it
    /// is farther than the usual walk to a stop (`walking_radius`).
    /// - Unit: seconds
    public var walk: Int?
    /// Conditions that affect the result, such as feeds that could not be searched.
    public var notices: [Notice] = []
}

/// Returns the last journeys of a day that still arrive, and the first one of the next day. A day ends at 04:00.
public struct LastJourneysParameters: ControlParameters {
    public typealias Reply = LastJourneysResult
    public static let method = ControlMethod.lastJourneys
    public static let personalMembers = PersonalMembers(["commute"], requiredOtherwise: ["from", "to"])

    /// The commute's name. The default is the commute that `next` uses.
    /// - Range: 1...64
    public var commute: String?
    /// As `from` in `next`.
    /// - Range: 1...300
    public var from: String?
    /// The destination, in the same format as `from`.
    /// - Range: 1...300
    public var to: String?
    /// As `via` in `journeys`.
    /// - Range: 1...300
    public var via: String?
    /// The earliest time to leave, in the format of `at` in `next`. The default is now.
    /// - Range: 1...64
    public var at: String?
    /// The maximum number of journeys. The default is 3.
    /// - Range: 1...50
    public var count: Int?
    /// The maximum number of changes of vehicle. The default is 3.
    /// - Range: 0...7
    public var changes: Int?
    /// As `modes` in `journeys`.
    /// - Range: 0...14
    public var modes: [String] = []
    /// As `wheelchair` in `journeys`.
    public var wheelchair: Bool = false
    /// As `bicycles` in `journeys`.
    public var bicycles: Bool = false
    /// As `explain` in `journeys`.
    public var explain: Bool = false
    /// As `language` in `journeys`.
    /// - Range: 1...35
    public var language: String?
}

/// The last journeys of a day.
public struct LastJourneysResult: WireObject {
    /// The time of the query.
    public var at: Timestamp
    /// The commute that the query used.
    public var commute: CommuteSummary
    /// The last journeys of the day in order of the time to leave. Journeys that later ones beat, and those that
    /// wait for the next morning, are left out.
    public var journeys: [Journey]
    /// The first journey of the next day, for riders who miss the last one; null if none is known.
    public var following: Journey?
    /// Conditions that affect the result, such as feeds that could not be searched.
    public var notices: [Notice] = []
}

/// A journey in one or more vehicles.
public struct Journey: WireObject {
    /// When to start walking, or to be at the first stop; with `on_board`, the time of that departure.
    public var leaveBy: Timestamp
    /// The number of seconds from now to `leave_by`.
    /// - Unit: seconds
    public var leaveIn: Int
    /// The expected arrival at the destination, after the walk.
    public var arrival: Timestamp
    /// The number of changes of vehicle.
    public var changes: Int
    /// The walk to the first stop; null when the journey starts at the requested stop.
    /// - Unit: seconds
    public var walkBefore: Int?
    /// The walk from the last stop; null when the journey ends at the requested stop.
    /// - Unit: seconds
    public var walkAfter: Int?
    /// The rides in order; never empty.
    public var legs: [JourneyLeg]
}

/// A ride in one vehicle.
public struct JourneyLeg: WireObject {
    /// The change before this leg; null for the first leg and if `stay_on_board` is true.
    public var change: JourneyChange?
    /// Whether riders stay in the vehicle of the previous leg, which continues as another trip.
    public var stayOnBoard: Bool = false
    /// The departure with its arrival. Its `walk` and `leave_by` are those of the first leg of the journey.
    public var departure: Departure
    /// The first departure of each other route that serves the leg as well: riders reach it, and it arrives at the same stop
    /// in time for what follows. In order of departure.
    public var alternatives: [LegAlternative] = []
    /// Why riders reach this leg or miss it, in facts such as `change_time`, `in_hand` and `judgment`, or `stay_on_board`. Empty
    /// for the first leg, and unless the request has `explain`.
    public var explanation: [ExplainedFact] = []
}

/// A departure of another route that serves a leg as well.
public struct LegAlternative: WireObject {
    /// The `id` of the departure.
    public var id: String
    /// The route.
    public var route: RouteSummary
    /// When it leaves.
    public var departure: Timestamp
}

/// Whether riders reach the next vehicle.
public enum ChangeJudgment: String, OpenWireEnum {
    case safe
    case tight
    case missed
    /// A value that this version does not know.
    case other
}

/// A change from one vehicle to the next.
public struct JourneyChange: WireObject {
    /// Where riders get off.
    public var fromStop: CallStop
    /// Where they board.
    public var toStop: CallStop
    /// The time that the change needs: the walk, or what transfers.txt states.
    /// - Unit: seconds
    public var walk: Int
    /// The straight-line distance between the stops; null if it is not known.
    /// - Unit: meters
    public var distance: Int?
    /// The time that is left: the expected departure minus the expected arrival minus `walk`.
    /// - Unit: seconds
    public var inHand: Int
    /// safe: the time suffices even if both times are wrong by their uncertainties, or the vehicle waits; missed: it does not
    /// suffice even if both are wrong in the rider's favor; tight: otherwise. A time without a stated uncertainty is uncertain
    /// by 60 seconds (`change_uncertainty`), and a prediction by more if it is far ahead or the vehicle is late. A departure
    /// without a prediction is missed only if it would also be missed half an hour late.
    public var judgment: ChangeJudgment
    /// Whether the departing vehicle waits (`transfer_type` 1).
    public var isTimed: Bool = false
    /// The connection with the earliest arrival for riders who do not reach the next vehicle; null if the change is safe, and
    /// if nothing follows within a day.
    public var ifMissed: NextConnection?
}

/// The connection that follows when a change breaks.
public struct NextConnection: WireObject {
    /// The `id` of its first departure.
    public var id: String
    /// The route of the next vehicle.
    public var route: RouteSummary
    /// When it leaves.
    public var departure: Timestamp
    /// The expected arrival at the destination, after the walk.
    public var arrival: Timestamp
}
