public import TransitModel
public import TransitWire

/// Returns the next departures for a commute, or between two places or stops.
public struct NextParameters: ControlParameters {
    public typealias Reply = NextResult
    public static let method = ControlMethod.next
    public static let personalMembers = PersonalMembers(["commute"], requiredOtherwise: ["from", "to"])

    /// The commute's name. The default is the commute in use or, if none is in use, home-to-work before noon and
    /// work-to-home after noon.
    /// - Range: 1...64
    public var commute: String?
    /// The origin of a journey that is not a commute, in the format of `from` in `journeys`. It needs `to` and excludes
    /// `commute`.
    /// - Range: 1...300
    public var from: String?
    /// The destination, in the same format as `from`.
    /// - Range: 1...300
    public var to: String?
    /// The time to query: RFC 3339, "8:15", "8am", "0815", "8", "noon", "+20m", "in 1h", "tomorrow 8:15" or "mon 8:15". A
    /// time of day more than 5 minutes in the past means tomorrow. A day alone, such as "tomorrow", "friday" or
    /// "2026-03-28", means the whole day, and "today" the rest of the day; `count` then has its maximum as the default.
    /// The default is now.
    /// - Range: 1...64
    public var at: String?
    /// The maximum number of departures. The default is 3, unless the configuration sets another default.
    /// - Range: 1...100
    public var count: Int?
    /// Limits the result to departures within this time after `at`, at most `count` of them. The default is no limit.
    /// - Unit: seconds
    /// - Range: 60...604800
    public var within: Int?
    /// Whether to leave out departures that cannot be caught any more: those that are canceled, do not stop, or leave before
    /// a person who sets out at `at` has walked to the stop.
    public var reachable: Bool = false
    /// The maximum number of changes of the `journeys` that are returned with the direct trips. The default is 0: only
    /// direct trips. With changes, the request can take longer.
    /// - Range: 0...7
    public var changes: Int = 0
    /// As `modes` in `journeys`. It holds for direct trips, too, and so do `wheelchair` and `bicycles`.
    /// - Range: 0...14
    public var modes: [String] = []
    /// As `wheelchair` in `journeys`.
    public var wheelchair: Bool = false
    /// As `bicycles` in `journeys`.
    public var bicycles: Bool = false
    /// The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed has
    /// translations.txt.
    /// - Range: 1...35
    public var language: String?
    /// Whether a person made the request by hand. Usual departures are learned from such requests. A program that
    /// repeats requests, such as a status bar, leaves it false.
    public var interactive: Bool = false
}

extension NextParameters {
    /// Journeys are searched in all feeds.
    public var responseTime: ResponseTime { changes > 0 ? .lengthy : Self.method.responseTime }
}

/// The next departures for a commute.
public struct NextResult: WireObject {
    /// The time of the query.
    public var at: Timestamp
    /// The commute that the query used.
    public var commute: CommuteSummary
    /// The departures in order of departure time.
    public var departures: [Departure]
    /// Journeys with changes, in order of the time to leave, at most `count`; empty unless `changes` is more than 0. A
    /// journey that a direct trip or another journey beats or equals in the time to leave, the arrival and the number of
    /// changes is left out, and so are journeys after the last of `count` direct trips.
    public var journeys: [Journey] = []
    /// The direct trips in `departures` that one of the `journeys` beats: it arrives earlier and does not leave earlier, or
    /// leaves later and arrives no later.
    public var beaten: [BeatenDeparture] = []
    /// The weather when the first departure that is not canceled arrives; null without a forecast.
    public var weather: ArrivalWeather?
    /// The units to show. The members of this result are in metric units.
    public var units: MeasurementUnits = .automatic
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// A direct trip that a journey with changes beats.
public struct BeatenDeparture: WireObject {
    /// The `id` of the departure.
    public var departure: String
    /// The position of the journey in `journeys`, from 0.
    public var journey: Int
}

/// Returns the next departures from a stop or station.
public struct DeparturesParameters: ControlParameters {
    public typealias Reply = DeparturesResult
    public static let method = ControlMethod.departures
    public static let personalMembers = PersonalMembers(["from"])

    /// The stop: `FEED:STOP_ID`, a stop ID, a stop code, or a name or its first words if they match a single stop.
    /// - Range: 1...300
    public var stop: String
    /// Limits the search to this feed.
    public var feed: FeedID?
    /// Limits the result to this route, given by identifier or name.
    /// - Range: 1...300
    public var route: String?
    /// The time to query, in the format of `at` in `next`. The default is now.
    /// - Range: 1...64
    public var at: String?
    /// The maximum number of departures. The default is 10, unless the configuration sets another default.
    /// - Range: 1...200
    public var count: Int?
    /// As `within` in `next`.
    /// - Unit: seconds
    /// - Range: 60...604800
    public var within: Int?
    /// The maximum number of departures in each direction (`direction_id` or, without directions, the destination shown on
    /// the vehicle), among the next 200.
    /// - Range: 1...50
    public var countPerDirection: Int?
    /// The place of the caller where the walk to the stop begins. The default is the place with the shortest walk. Without
    /// `from`, `walk` and `reachable`, only a place within walking distance counts, as in `next`.
    /// - Range: 1...64
    public var from: String?
    /// The walk to the stop, if the caller is not at a place. It excludes `from`.
    /// - Unit: seconds
    /// - Range: 0...10_800
    public var walk: Int?
    /// Whether to leave out departures that cannot be caught any more, as in `next`. It is an error if no walk is known.
    public var reachable: Bool = false
    /// Whether to return the distribution of each departure's delays on earlier days.
    public var punctuality: Bool = false
    /// As `language` in `next`.
    /// - Range: 1...35
    public var language: String?
    /// Whether a person made the request by hand. Usual departures are learned from such requests. A program that
    /// repeats requests, such as a status bar, leaves it false.
    public var interactive: Bool = false
}

/// The next departures from a stop.
public struct DeparturesResult: WireObject {
    /// The time of the query.
    public var at: Timestamp
    /// The stop that the query found.
    public var stop: StopSummary
    /// The caller's place where the walks to the stop begin; null when the request states the walk or none is known.
    public var from: String?
    /// The departures in order of departure time.
    public var departures: [Departure]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// Explains a departure: where its times come from and why they are trusted.
public struct ExplainParameters: ControlParameters {
    public typealias Reply = ExplainResult
    public static let method = ControlMethod.explain

    /// The departure's `id`, or a description: a time of day such as "08:22", a route with a time such as "Tram 1 08:22",
    /// or the number of a trip such as "435". "from STOP" and "to HEADSIGN" can follow. Without "from", the caller's
    /// commutes, favorites and usual departures are searched, and for the number of a trip, all trips.
    /// - Range: 1...300
    public var departure: String
    /// The ride before `departure` in a journey, to explain the change as well.
    public var after: PreviousRide?
    /// The language for texts, as an IETF BCP 47 language tag such as "de". Texts are translated only if the feed has
    /// translations.
    /// - Range: 1...35
    public var language: String?
}

extension ExplainParameters {
    /// A change is explained with the networks in which journeys are searched.
    public var responseTime: ResponseTime { after == nil ? Self.method.responseTime : .lengthy }
}

/// The ride before a change, as a reply to `journeys` has it.
public struct PreviousRide: WireObject {
    /// The `id` of the departure.
    public var departure: String
    /// The `id` of the stop where riders get off (`departure.arrival.stop`).
    public var to: StopID
    /// The `walk` of the change; by default that of the quickest one.
    /// - Unit: seconds
    /// - Range: 0...86400
    public var changeTime: Int?
    /// `stay_on_board` of the next leg.
    public var stayOnBoard: Bool = false
}

/// One step of an explanation.
public struct ExplainedFact: WireObject {
    /// The stable name of the fact: "feed", "timetable", "match", "delay", "usual", "correction", "age",
    /// "confidence". More names may be added.
    public var fact: String
    /// The fact as human-readable text.
    public var value: String
    /// The evidence: a file, or a rule of a specification.
    public var source: String?
}

/// The explanation of a departure.
public struct ExplainResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The departure as currently returned by queries.
    public var departure: Departure
    /// The facts in order, from the source to the displayed time.
    public var facts: [ExplainedFact]
    /// The change from the ride `after`, without `if_missed`; null if there is none.
    public var change: JourneyChange?
    /// Why riders reach the departure after that ride, as `explanation` in `journeys`.
    public var changeFacts: [ExplainedFact] = []
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
