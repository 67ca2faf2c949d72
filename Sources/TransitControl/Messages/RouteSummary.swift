public import TransitModel
public import TransitWire

/// A route.
public struct RouteSummary: WireObject {
    public var id: RouteID
    public var shortName: String?
    public var longName: String?
    public var type: Int
    public var color: String?
    public var textColor: String?

    public init(
        id: RouteID, shortName: String? = nil, longName: String? = nil, type: Int, color: String? = nil,
        textColor: String? = nil
    ) {
        self.id = id
        self.shortName = shortName
        self.longName = longName
        self.type = type
        self.color = color
        self.textColor = textColor
    }

    public static let wireSchema = WireSchema(
        "RouteSummary", "A route.", Self.init,
        Field("id", \.id, "The route's identifier (`route_id`)."),
        Field("short_name", \.shortName, "The number or letter shown on the vehicle."),
        Field("long_name", \.longName, "The full name."),
        Field(
            "type", \.type,
            """
            The mode of transport (GTFS `route_type`): 0 tram, 1 metro, 2 rail, 3 bus, 4 ferry; also the extended \
            types 100 to 1799.
            """),
        Field("color", \.color, "The route's color, six uppercase hexadecimal digits."),
        Field("text_color", \.textColor, "A color that is legible on `color`, in the same format."))
}

extension RouteSummary {
    /// The name to display: the short name; if there is none, the long name; if there is neither, the identifier.
    public var displayName: String {
        [shortName, longName].compactMap { $0 }.first { !$0.isEmpty } ?? id.rawValue
    }
}

/// A route that a search found.
public struct RouteMatch: WireObject {
    public var feed: FeedID
    public var agency: String?
    public var rank: MatchRank
    public var route: RouteSummary
    public var directions: [RouteDirectionOption]?

    public init(
        feed: FeedID, agency: String? = nil, rank: MatchRank, route: RouteSummary,
        directions: [RouteDirectionOption]? = nil
    ) {
        self.feed = feed
        self.agency = agency
        self.rank = rank
        self.route = route
        self.directions = directions
    }

    /// The route as `FEED:ROUTE_ID`.
    public var reference: String { "\(feed):\(route.id)" }

    public static let wireSchema = WireSchema(
        "RouteMatch", "A route that a search found.", Self.init,
        Field("feed", \.feed, "The feed of the route."),
        Field("agency", \.agency, "The name of the agency that runs the route."),
        Field("rank", \.rank, "How well the route matches."),
        Field("route", \.route, "The route."),
        Field(
            "directions", \.directions,
            "The directions that a user can choose; empty when there is only one, null unless requested."))
}
