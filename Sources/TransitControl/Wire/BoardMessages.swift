public import TransitModel

/// Tells the next departures of a commute.
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
        "NextParameters", "Tells the next departures of a commute.", Self.init,
        Field(
            "commute", \.commute,
            """
            The commute's name; the one in use when left out, else home-to-work before noon and \
            work-to-home after.
            """, in: 1...64),
        Field(
            "at", \.at,
            """
            For which time: RFC 3339, "08:00" (already past by more than 5 minutes: tomorrow), "tomorrow \
            08:00", "mon 08:00"; now when left out.
            """, in: 1...64),
        Field(
            "count", \.count, "How many departures at most; 3 when left out, or what the configuration says.",
            in: 1...100),
        Field(
            "language", \.language,
            "An IETF BCP 47 code, such as \"de\": names in it where the feed translates them (translations.txt).",
            in: 1...35))
}

/// The next departures of a commute.
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
        "NextResult", "The next departures of a commute.", Self.init,
        Field("at", \.at, "The time that the answer is for."),
        Field("commute", \.commute, "The commute that was meant."),
        Field("departures", \.departures, "In the order of leaving."),
        Field("notices", \.notices, "What to know about this answer."))
}

/// Tells the next departures of a stop or station.
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
        "DeparturesParameters", "Tells the next departures of a stop or station.", Self.init,
        Field(
            "stop", \.stop,
            "`FEED:STOP_ID`, a stop's identifier or code, or a name, or its first words, that fit one stop only.",
            in: 1...300),
        Field("feed", \.feed, "Only in this feed."),
        Field("route", \.route, "Only this route, by identifier or name.", in: 1...300),
        Field("at", \.at, "For which time, as in `next`; now when left out.", in: 1...64),
        Field(
            "count", \.count, "How many departures at most; 10 when left out, or what the configuration says.",
            in: 1...200),
        Field(
            "language", \.language,
            "An IETF BCP 47 code, such as \"de\": names in it where the feed translates them (translations.txt).",
            in: 1...35))
}

/// The next departures of a stop.
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
        "DeparturesResult", "The next departures of a stop.", Self.init,
        Field("at", \.at, "The time that the answer is for."),
        Field("stop", \.stop, "The stop that was meant."),
        Field("departures", \.departures, "In the order of leaving."),
        Field("notices", \.notices, "What to know about this answer."))
}
