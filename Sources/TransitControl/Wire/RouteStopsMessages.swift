public import TransitModel

/// A stop along a route.
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
        "RouteStop", "A stop along a route.", Self.init,
        Field("sequence", \.sequence, "The position along the direction, from 1."),
        Field("stop", \.stop, "The stop."),
        Field("is_on_every_trip", \.isOnEveryTrip, "Whether all trips of the direction call there."))
}

/// The stops of one direction of a route, in order.
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
        "RouteStopList", "The stops of one direction of a route, in order.", Self.init,
        Field("direction_id", \.directionId, "`direction_id`."),
        Field("headsign", \.headsign, "Where most of its trips say that they go."),
        Field("stops", \.stops, "In the order of travel."))
}

/// Lists the stops of a route in order, per direction.
public struct RoutesStopsParameters: ControlParameters {
    public typealias Reply = RoutesStopsResult
    public static let method = ControlMethod.routesStops

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
        "RoutesStopsParameters", "Lists the stops of a route in order, per direction.", Self.init,
        Field(
            "route", \.route,
            "`FEED:ROUTE_ID`, a route's identifier, or a name that fits one route only.", in: 1...300),
        Field("feed", \.feed, "Only in this feed."),
        Field("direction_id", \.directionId, "Only this `direction_id`.", in: 0...1),
        Field(
            "language", \.language,
            "An IETF BCP 47 code, such as \"de\": names in it where the feed translates them (translations.txt).",
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
        Field("at", \.at, "When this was true."),
        Field("feed", \.feed, "The feed that it belongs to."),
        Field("route", \.route, "The route."),
        Field("directions", \.directions, "One list per direction."),
        Field("notices", \.notices, "What to know about this answer."))
}
