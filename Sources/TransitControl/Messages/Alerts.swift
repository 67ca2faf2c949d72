public import TransitModel
public import TransitWire

/// The cause of an alert (GTFS-Realtime reference, *Cause*).
public enum AlertCauseName: String, OpenWireEnum {
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
}

/// The effect of an alert on service (GTFS-Realtime reference, *Effect*).
public enum AlertEffectName: String, OpenWireEnum {
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
}

/// The severity of an alert (GTFS-Realtime reference, *SeverityLevel*).
public enum AlertSeverityName: String, OpenWireEnum {
    case unknown
    case info
    case warning
    case severe
    /// A value that this version does not know.
    case other
}

/// A period during which an alert is in effect.
public struct AlertPeriod: WireObject {
    /// The start of the period; null when it has no start.
    public var start: Timestamp?
    /// The end of the period, exclusive; null when it has no end.
    public var end: Timestamp?
}

/// A part of the network that an alert affects. The alert applies only where all members that are present match.
public struct AlertSubject: WireObject {
    /// The agency (`agency_id`).
    public var agency: AgencyID?
    /// The route (`route_id`).
    public var route: RouteID?
    /// The route's name for riders.
    public var routeName: String?
    /// The mode of transport (`route_type`).
    public var routeType: Int?
    /// The direction (`direction_id`), 0 or 1.
    public var directionId: Int?
    /// The trip (`trip_id`).
    public var trip: TripID?
    /// The stop (`stop_id`).
    public var stop: StopID?
    /// The stop's name for riders.
    public var stopName: String?
    /// The kind of stop, since alerts can also apply to entrances and elevators; null when the stop is not in the
    /// timetable.
    public var stopKind: StopKind?
    /// The name of the station that the stop belongs to.
    public var stationName: String?
}

/// A service alert for riders.
public struct AlertSummary: WireObject {
    /// The feed that published the alert.
    public var feed: FeedID
    /// The alert's identifier in the feed, as listed in a departure's `alerts`.
    public var id: String
    /// The severity. More values may be added.
    public var severity: AlertSeverityName
    /// The cause. More values may be added.
    public var cause: AlertCauseName
    /// The effect on service. More values may be added.
    public var effect: AlertEffectName
    /// The headline, one line.
    public var header: String?
    /// The full text.
    public var description: String?
    /// The URL of a page with more information.
    public var url: String?
    /// Whether the alert is in effect at the requested time.
    public var isActive: Bool
    /// The periods during which the alert is in effect; it is always in effect when the list is empty. At most 100 of
    /// those that have not ended.
    public var activePeriods: [AlertPeriod]
    /// The parts of the network that the alert affects, at most 100. Those that match the request come first.
    public var informedEntities: [AlertSubject]
    /// The number of parts of the network that the alert affects, including those that are not listed.
    public var informedEntityCount: Int?
    /// The age of the feed's alerts.
    /// - Unit: seconds
    public var age: Int?
}

/// Lists service alerts.
public struct AlertsParameters: ControlParameters {
    public typealias Reply = AlertsResult
    public static let method = ControlMethod.alerts
    public static let personalMembers = PersonalMembers(["commute"])
    public static let formerNames: KeyValuePairs<String, String> = ["active_at": "at"]

    /// Limits the result to this feed.
    /// - Range: 1...64
    public var feed: FeedID?
    /// Limits the result to alerts for this route, given by identifier or name.
    /// - Range: 1...300
    public var route: String?
    /// Limits the result to alerts for this stop.
    /// - Range: 1...300
    public var stop: String?
    /// Limits the result to alerts for this commute of the caller.
    /// - Range: 1...64
    public var commute: String?
    /// Limits the result to alerts in effect at this time, in the format of `at` in `next`; for a day, at any time of it.
    /// When omitted, all alerts that have not ended are listed.
    /// - Range: 1...64
    public var at: String?
    /// The maximum number of alerts. A page with many long alerts has fewer.
    /// - Range: 1...500
    public var count: Int = 100
    /// The `next_cursor` of the previous page; omit it for the first page.
    /// - Range: 1...300
    public var cursor: String?
    /// The language for texts, as an IETF BCP 47 language tag such as "de". Texts are translated only if the feed has
    /// translations.
    /// - Range: 1...35
    public var language: String?
}

/// A list of service alerts.
public struct AlertsResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The time that `at` of the request means, or the beginning of its day; null without it.
    public var requestedTime: Timestamp?
    /// Alerts in effect now come first, then the most severe.
    public var alerts: [AlertSummary]
    /// The `cursor` of the next page; null on the last page.
    public var nextCursor: String?
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
