public import TransitModel
public import TransitWire

/// A stop of a route.
public struct RouteStop: WireObject {
    public var sequence: Int
    public var stop: StopSummary
    public var isOnEveryTrip: Bool

    public init(sequence: Int, stop: StopSummary, isOnEveryTrip: Bool) {
        self.sequence = sequence
        self.stop = stop
        self.isOnEveryTrip = isOnEveryTrip
    }

    public static let wireSchema = WireSchema(
        "RouteStop", "A stop of a route.", Self.init,
        Field("sequence", \.sequence, "The position along the direction, from 1."),
        Field("stop", \.stop, "The stop."),
        Field("is_on_every_trip", \.isOnEveryTrip, "Whether every trip in the direction calls at the stop."))
}

/// The stops of one direction of a route.
public struct RouteStopList: WireObject {
    public var directionId: Int?
    public var headsign: String?
    public var stops: [RouteStop]

    public init(directionId: Int? = nil, headsign: String? = nil, stops: [RouteStop]) {
        self.directionId = directionId
        self.headsign = headsign
        self.stops = stops
    }

    public static let wireSchema = WireSchema(
        "RouteStopList", "The stops of one direction of a route.", Self.init,
        Field("direction_id", \.directionId, "The direction (`direction_id`)."),
        Field("headsign", \.headsign, "The headsign of most trips in the direction."),
        Field("stops", \.stops, "The stops in the order of travel."))
}

/// Lists the stops of a route in order, by direction.
public struct RoutesStopsParameters: ControlParameters {
    public typealias Reply = RoutesStopsResult
    public static let method = ControlMethod.routesStops
    public static let formerNames: KeyValuePairs<String, String> = ["direction": "direction_id"]

    public var route: String
    public var feed: FeedID?
    public var directionId: Int?
    public var language: String?

    public init(route: String, feed: FeedID? = nil, directionId: Int? = nil, language: String? = nil) {
        self.route = route
        self.feed = feed
        self.directionId = directionId
        self.language = language
    }

    public static let wireSchema = WireSchema(
        "RoutesStopsParameters", "Lists the stops of a route in order, by direction.", Self.init,
        Field(
            "route", \.route,
            "The route: `FEED:ROUTE_ID`, a route ID, or a name that matches a single route.", in: 1...300),
        Field("feed", \.feed, "Limits the search to this feed."),
        Field("direction_id", \.directionId, "Limits the result to this direction (`direction_id`).", in: 0...1),
        Field(
            "language", \.language,
            """
            The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed \
            has translations.txt.
            """,
            in: 1...35))
}

/// The stops of a route.
public struct RoutesStopsResult: WireObject {
    public var at: Timestamp
    public var feed: FeedID
    public var route: RouteSummary
    public var directions: [RouteStopList]
    public var notices: [Notice]

    public init(
        at: Timestamp, feed: FeedID, route: RouteSummary, directions: [RouteStopList], notices: [Notice] = []
    ) {
        self.at = at
        self.feed = feed
        self.route = route
        self.directions = directions
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "RoutesStopsResult", "The stops of a route.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("feed", \.feed, "The feed of the route."),
        Field("route", \.route, "The route."),
        Field("directions", \.directions, "One list for each direction."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
