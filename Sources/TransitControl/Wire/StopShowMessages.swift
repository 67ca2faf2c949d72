public import TransitModel

/// Shows one stop with its platforms, routes and transfers.
public struct StopsShowParameters: ControlParameters {
    public typealias Reply = StopsShowResult
    public static let method = ControlMethod.stopsShow

    public var stop: String
    public var feed: FeedID?
    public var language: String?

    public init(stop: String, feed: FeedID? = nil, language: String? = nil) {
        self.stop = stop
        self.feed = feed
        self.language = language
    }

    public static let wireSchema = WireSchema(
        "StopsShowParameters", "Shows one stop with its platforms, routes and transfers.", Self.init,
        Field(
            "stop", \.stop,
            "`FEED:STOP_ID`, a stop's identifier or code, or a name, or its first words, that fit one stop only.",
            in: 1...300),
        Field("feed", \.feed, "Only in this feed."),
        Field(
            "language", \.language,
            "An IETF BCP 47 code, such as \"de\": names in it where the feed translates them (translations.txt).",
            in: 1...35))
}

/// One stop.
public struct StopsShowResult: WireObject {
    public var at: Timestamp
    public var stop: StopSummary
    public var timezone: String
    public var children: [StopSummary]
    public var routes: [RouteSummary]
    public var transfers: [TransferSummary]
    public var sameAs: StopSummary?
    public var notices: [Notice]

    public init(
        at: Timestamp, stop: StopSummary, timezone: String, children: [StopSummary], routes: [RouteSummary],
        transfers: [TransferSummary], sameAs: StopSummary? = nil, notices: [Notice] = []
    ) {
        self.at = at
        self.stop = stop
        self.timezone = timezone
        self.children = children
        self.routes = routes
        self.transfers = transfers
        self.sameAs = sameAs
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "StopsShowResult", "One stop.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("stop", \.stop, "The stop."),
        Field("timezone", \.timezone, "The IANA name of the zone in which its times are told."),
        Field("children", \.children, "Platforms, entrances and others of a station."),
        Field(
            "routes", \.routes,
            "The routes that call there; last those that only the agency's other feed or the provider knows."),
        Field("transfers", \.transfers, "What transfers.txt says about changing there."),
        Field("same_as", \.sameAs, StopSummary.sameAsMeaning),
        Field("notices", \.notices, "What to know about this answer."))
}
