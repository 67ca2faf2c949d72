public import TransitModel

/// GTFS-Realtime reference, *Cause*.
public enum AlertCauseName: String, WireEnum {
    case unknown
    case technicalProblem = "technical_problem"
    case strike
    case demonstration
    case accident
    case holiday
    case weather
    case maintenance
    case construction
    case policeActivity = "police_activity"
    case medicalEmergency = "medical_emergency"
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// GTFS-Realtime reference, *Effect*.
public enum AlertEffectName: String, WireEnum {
    case unknown
    case noService = "no_service"
    case reducedService = "reduced_service"
    case significantDelays = "significant_delays"
    case detour
    case additionalService = "additional_service"
    case modifiedService = "modified_service"
    case stopMoved = "stop_moved"
    case noEffect = "no_effect"
    case accessibilityIssue = "accessibility_issue"
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// GTFS-Realtime reference, *SeverityLevel*.
public enum AlertSeverityName: String, WireEnum {
    case unknown
    case info
    case warning
    case severe
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// When an alert is to be shown.
public struct AlertPeriod: WireObject {
    public var start: Timestamp?
    public var end: Timestamp?

    public init(start: Timestamp? = nil, end: Timestamp? = nil) {
        self.start = start
        self.end = end
    }

    public static let wireSchema = WireSchema(
        "AlertPeriod", "When an alert is to be shown.", Self.init,
        Field("start", \.start, "From when; null: from the beginning."),
        Field("end", \.end, "Until when, not included; null: without end."))
}

/// A part of the network that an alert is about: what all its members say together.
public struct AlertSubject: WireObject {
    public var agency: AgencyID?
    public var route: RouteID?
    public var routeName: String?
    public var routeType: Int?
    public var directionId: Int?
    public var trip: TripID?
    public var stop: StopID?
    public var stopName: String?
    public var stopKind: StopKind?
    public var stationName: String?

    public init(
        agency: AgencyID? = nil, route: RouteID? = nil, routeName: String? = nil, routeType: Int? = nil,
        directionId: Int? = nil, trip: TripID? = nil, stop: StopID? = nil, stopName: String? = nil,
        stopKind: StopKind? = nil, stationName: String? = nil
    ) {
        self.agency = agency
        self.route = route
        self.routeName = routeName
        self.routeType = routeType
        self.directionId = directionId
        self.trip = trip
        self.stop = stop
        self.stopName = stopName
        self.stopKind = stopKind
        self.stationName = stationName
    }

    public static let wireSchema = WireSchema(
        "AlertSubject", "A part of the network that an alert is about: what all its members say together.", Self.init,
        Field("agency", \.agency, "`agency_id`."),
        Field("route", \.route, "`route_id`."),
        Field("route_name", \.routeName, "What riders call that route."),
        Field("route_type", \.routeType, "`route_type`."),
        Field("direction_id", \.directionId, "`direction_id`, 0 or 1."),
        Field("trip", \.trip, "`trip_id`."),
        Field("stop", \.stop, "`stop_id`."),
        Field("stop_name", \.stopName, "What riders call that stop."),
        Field(
            "stop_kind", \.stopKind,
            "What it is: also an entrance or an elevator may be told of; null: the timetable does not have it."),
        Field("station_name", \.stationName, "What riders call the station that it is part of."))
}

/// A message to riders.
public struct AlertSummary: WireObject {
    public var feed: FeedID
    public var id: String
    public var severity: AlertSeverityName
    public var cause: AlertCauseName
    public var effect: AlertEffectName
    public var header: String?
    public var description: String?
    public var url: String?
    public var isActive: Bool
    public var activePeriods: [AlertPeriod]
    public var informedEntities: [AlertSubject]
    public var age: Int?

    public init(
        feed: FeedID, id: String, severity: AlertSeverityName, cause: AlertCauseName, effect: AlertEffectName,
        header: String? = nil, description: String? = nil, url: String? = nil, isActive: Bool,
        activePeriods: [AlertPeriod],
        informedEntities: [AlertSubject], age: Int? = nil
    ) {
        self.feed = feed
        self.id = id
        self.severity = severity
        self.cause = cause
        self.effect = effect
        self.header = header
        self.description = description
        self.url = url
        self.isActive = isActive
        self.activePeriods = activePeriods
        self.informedEntities = informedEntities
        self.age = age
    }

    public static let wireSchema = WireSchema(
        "AlertSummary", "A message to riders.", Self.init,
        Field("feed", \.feed, "The feed that it comes from."),
        Field("id", \.id, "Its name there; departures name it in `alerts`."),
        Field("severity", \.severity, "How bad it is. More may follow."),
        Field("cause", \.cause, "Why. More may follow."),
        Field("effect", \.effect, "What it does to the service. More may follow."),
        Field("header", \.header, "What it says, a line."),
        Field("description", \.description, "What it says at length."),
        Field("url", \.url, "Where to read more."),
        Field("is_active", \.isActive, "Whether it is to be shown at the time that was asked for."),
        Field("active_periods", \.activePeriods, "When it is to be shown; always when there is none."),
        Field("informed_entities", \.informedEntities, "What it is about."),
        Field("age", \.age, "How old the alerts of the feed are.", unit: .seconds))
}

/// Lists the messages to riders.
public struct AlertsParameters: ControlParameters {
    public typealias Reply = AlertsResult
    public static let method = ControlMethod.alerts

    public var feed: FeedID?
    public var route: String?
    public var stop: String?
    public var commute: String?
    public var at: String?
    public var count: Int
    public var cursor: String?
    public var language: String?

    public init(
        feed: FeedID? = nil, route: String? = nil, stop: String? = nil, commute: String? = nil, at: String? = nil,
        count: Int = 100, cursor: String? = nil, language: String? = nil
    ) {
        self.feed = feed
        self.route = route
        self.stop = stop
        self.commute = commute
        self.at = at
        self.count = count
        self.cursor = cursor
        self.language = language
    }

    public static let wireSchema = WireSchema(
        "AlertsParameters", "Lists the messages to riders.", Self.init,
        Field("feed", \.feed, "Only in this feed.", in: 1...64),
        Field("route", \.route, "Only what is about this route, by identifier or name.", in: 1...300),
        Field("stop", \.stop, "Only what is about this stop.", in: 1...300),
        Field("commute", \.commute, "Only what is about this commute of the caller.", in: 1...64),
        Field(
            "at", \.at,
            "Only what is to be shown then, as `at` in `next`; all that is not over when left out.", in: 1...64),
        Field("count", \.count, "How many at most.", in: 1...500, default: 100),
        Field("cursor", \.cursor, "Where to go on: `next_cursor` of the answer before.", in: 1...300),
        Field(
            "language", \.language, "An IETF BCP 47 code, such as \"de\": texts in it where the feed has them.",
            in: 1...35))
}

/// The messages to riders.
public struct AlertsResult: WireObject {
    public var at: Timestamp
    public var alerts: [AlertSummary]
    public var nextCursor: String?
    public var notices: [Notice]

    public init(at: Timestamp, alerts: [AlertSummary], nextCursor: String? = nil, notices: [Notice] = []) {
        self.at = at
        self.alerts = alerts
        self.nextCursor = nextCursor
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "AlertsResult", "The messages to riders.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("alerts", \.alerts, "Those to be shown now first, then the worst first."),
        Field("next_cursor", \.nextCursor, "What to give as `cursor` for more; null at the end."),
        Field("notices", \.notices, "What to know about this answer."))
}
