public import TransitModel
public import TransitWire

/// The cause of an alert (GTFS-Realtime reference, *Cause*).
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
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// The effect of an alert on service (GTFS-Realtime reference, *Effect*).
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
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// The severity of an alert (GTFS-Realtime reference, *SeverityLevel*).
public enum AlertSeverityName: String, WireEnum {
    case unknown
    case info
    case warning
    case severe
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// A period during which an alert is in effect.
public struct AlertPeriod: WireObject {
    public var start: Timestamp?
    public var end: Timestamp?

    public init(start: Timestamp? = nil, end: Timestamp? = nil) {
        self.start = start
        self.end = end
    }

    public static let wireSchema = WireSchema(
        "AlertPeriod", "A period during which an alert is in effect.", Self.init,
        Field("start", \.start, "The start of the period; null when it has no start."),
        Field("end", \.end, "The end of the period, exclusive; null when it has no end."))
}

/// A part of the network that an alert affects. The alert applies only where all members that are present match.
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
        "AlertSubject",
        """
        A part of the network that an alert affects. The alert applies only where all members that are present match.
        """, Self.init,
        Field("agency", \.agency, "The agency (`agency_id`)."),
        Field("route", \.route, "The route (`route_id`)."),
        Field("route_name", \.routeName, "The route's name for riders."),
        Field("route_type", \.routeType, "The mode of transport (`route_type`)."),
        Field("direction_id", \.directionId, "The direction (`direction_id`), 0 or 1."),
        Field("trip", \.trip, "The trip (`trip_id`)."),
        Field("stop", \.stop, "The stop (`stop_id`)."),
        Field("stop_name", \.stopName, "The stop's name for riders."),
        Field(
            "stop_kind", \.stopKind,
            """
            The kind of stop, since alerts can also apply to entrances and elevators; null when the stop is not in the \
            timetable.
            """),
        Field("station_name", \.stationName, "The name of the station that the stop belongs to."))
}

/// A service alert for riders.
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
        "AlertSummary", "A service alert for riders.", Self.init,
        Field("feed", \.feed, "The feed that published the alert."),
        Field("id", \.id, "The alert's identifier in the feed, as listed in a departure's `alerts`."),
        Field("severity", \.severity, "The severity. More values may be added."),
        Field("cause", \.cause, "The cause. More values may be added."),
        Field("effect", \.effect, "The effect on service. More values may be added."),
        Field("header", \.header, "The headline, one line."),
        Field("description", \.description, "The full text."),
        Field("url", \.url, "The URL of a page with more information."),
        Field("is_active", \.isActive, "Whether the alert is in effect at the requested time."),
        Field(
            "active_periods", \.activePeriods,
            """
            The periods during which the alert is in effect; it is always in effect when the list is empty.
            """),
        Field("informed_entities", \.informedEntities, "The parts of the network that the alert affects."),
        Field("age", \.age, "The age of the feed's alerts.", unit: .seconds))
}

/// Lists service alerts.
public struct AlertsParameters: ControlParameters {
    public typealias Reply = AlertsResult
    public static let method = ControlMethod.alerts
    public static let formerNames: KeyValuePairs<String, String> = ["active_at": "at"]

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
        "AlertsParameters", "Lists service alerts.", Self.init,
        Field("feed", \.feed, "Limits the result to this feed.", in: 1...64),
        Field(
            "route", \.route, "Limits the result to alerts for this route, given by identifier or name.", in: 1...300),
        Field("stop", \.stop, "Limits the result to alerts for this stop.", in: 1...300),
        Field("commute", \.commute, "Limits the result to alerts for this commute of the caller.", in: 1...64),
        Field(
            "at", \.at,
            """
            Limits the result to alerts in effect at this time, in the format of `at` in `next`. When omitted, all \
            alerts that have not ended are listed.
            """, in: 1...64),
        Field("count", \.count, "The maximum number of alerts.", in: 1...500, default: 100),
        Field("cursor", \.cursor, "The `next_cursor` of the previous page; omit it for the first page.", in: 1...300),
        Field(
            "language", \.language,
            """
            The language for texts, as an IETF BCP 47 language tag such as "de". Texts are translated only if the feed \
            has translations.
            """,
            in: 1...35))
}

/// A list of service alerts.
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
        "AlertsResult", "A list of service alerts.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("alerts", \.alerts, "Alerts in effect now come first, then the most severe."),
        Field("next_cursor", \.nextCursor, "The `cursor` of the next page; null on the last page."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
