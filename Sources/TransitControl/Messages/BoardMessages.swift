public import TransitModel
public import TransitWire

/// Returns the next departures for a commute.
public struct NextParameters: ControlParameters {
    public typealias Reply = NextResult
    public static let method = ControlMethod.next

    public var commute: String?
    public var at: String?
    public var count: Int?
    public var language: String?

    public init(commute: String? = nil, at: String? = nil, count: Int? = nil, language: String? = nil) {
        self.commute = commute
        self.at = at
        self.count = count
        self.language = language
    }

    public static let wireSchema = WireSchema(
        "NextParameters", "Returns the next departures for a commute.", Self.init,
        Field(
            "commute", \.commute,
            """
            The commute's name. The default is the commute in use or, if none is in use, home-to-work before noon and \
            work-to-home after noon.
            """, in: 1...64),
        Field(
            "at", \.at,
            """
            The time to query: RFC 3339, "08:00", "tomorrow 08:00" or "mon 08:00". A time of day more than 5 \
            minutes in the past means tomorrow. The default is now.
            """, in: 1...64),
        Field(
            "count", \.count,
            "The maximum number of departures. The default is 3, unless the configuration sets another default.",
            in: 1...100),
        Field(
            "language", \.language,
            """
            The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed \
            has translations.txt.
            """,
            in: 1...35))
}

/// The next departures for a commute.
public struct NextResult: WireObject {
    public var at: Timestamp
    public var commute: CommuteSummary
    public var departures: [Departure]
    public var notices: [Notice]

    public init(at: Timestamp, commute: CommuteSummary, departures: [Departure], notices: [Notice] = []) {
        self.at = at
        self.commute = commute
        self.departures = departures
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "NextResult", "The next departures for a commute.", Self.init,
        Field("at", \.at, "The time of the query."),
        Field("commute", \.commute, "The commute that the query used."),
        Field("departures", \.departures, "The departures in order of departure time."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}

/// Returns the next departures from a stop or station.
public struct DeparturesParameters: ControlParameters {
    public typealias Reply = DeparturesResult
    public static let method = ControlMethod.departures

    public var stop: String
    public var feed: FeedID?
    public var route: String?
    public var at: String?
    public var count: Int?
    public var language: String?

    public init(
        stop: String, feed: FeedID? = nil, route: String? = nil, at: String? = nil, count: Int? = nil,
        language: String? = nil
    ) {
        self.stop = stop
        self.feed = feed
        self.route = route
        self.at = at
        self.count = count
        self.language = language
    }

    public static let wireSchema = WireSchema(
        "DeparturesParameters", "Returns the next departures from a stop or station.", Self.init,
        Field(
            "stop", \.stop,
            """
            The stop: `FEED:STOP_ID`, a stop ID, a stop code, or a name or its first words if they match a single \
            stop.
            """,
            in: 1...300),
        Field("feed", \.feed, "Limits the search to this feed."),
        Field("route", \.route, "Limits the result to this route, given by identifier or name.", in: 1...300),
        Field("at", \.at, "The time to query, in the format of `at` in `next`. The default is now.", in: 1...64),
        Field(
            "count", \.count,
            "The maximum number of departures. The default is 10, unless the configuration sets another default.",
            in: 1...200),
        Field(
            "language", \.language,
            """
            The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed \
            has translations.txt.
            """,
            in: 1...35))
}

/// The next departures from a stop.
public struct DeparturesResult: WireObject {
    public var at: Timestamp
    public var stop: StopSummary
    public var departures: [Departure]
    public var notices: [Notice]

    public init(at: Timestamp, stop: StopSummary, departures: [Departure], notices: [Notice] = []) {
        self.at = at
        self.stop = stop
        self.departures = departures
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "DeparturesResult", "The next departures from a stop.", Self.init,
        Field("at", \.at, "The time of the query."),
        Field("stop", \.stop, "The stop that the query found."),
        Field("departures", \.departures, "The departures in order of departure time."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
