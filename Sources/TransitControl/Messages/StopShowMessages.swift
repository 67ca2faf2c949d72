public import TransitModel
public import TransitWire

/// Returns a stop with its platforms, routes and transfers.
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
        "StopsShowParameters", "Returns a stop with its platforms, routes and transfers.", Self.init,
        Field(
            "stop", \.stop,
            """
            The stop: `FEED:STOP_ID`, a stop ID, a stop code, or a name or its first words if they match a single \
            stop.
            """,
            in: 1...300),
        Field("feed", \.feed, "Limits the search to this feed."),
        Field(
            "language", \.language,
            """
            The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed \
            has translations.txt.
            """,
            in: 1...35))
}

/// A stop with its platforms, routes and transfers.
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
        "StopsShowResult", "A stop with its platforms, routes and transfers.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("stop", \.stop, "The stop."),
        Field("timezone", \.timezone, "The IANA name of the stop's time zone."),
        Field("children", \.children, "The platforms, entrances and other parts of a station."),
        Field(
            "routes", \.routes,
            """
            The routes that serve the stop. Routes that only the agency's other feed or the provider lists come \
            last.
            """),
        Field("transfers", \.transfers, "The transfers from the stop (transfers.txt)."),
        Field("same_as", \.sameAs, StopSummary.sameAsMeaning),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
