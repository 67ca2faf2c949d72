public import TransitModel

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
        Field("id", \.id, "`route_id`."),
        Field("short_name", \.shortName, "The number or letter on the vehicle."),
        Field("long_name", \.longName, "The long name."),
        Field(
            "type", \.type,
            "`route_type` of GTFS: 0 tram, 1 metro, 2 rail, 3 bus, 4 ferry; also the extended types 100 to 1799."),
        Field("color", \.color, "Six hexadecimal digits, upper case."),
        Field("text_color", \.textColor, "A color that can be read on `color`, in the same form."))
}

extension RouteSummary {
    /// What riders call it: the short name, else the long one, else the identifier.
    public var displayName: String {
        [shortName, longName].compactMap { $0 }.first { !$0.isEmpty } ?? id.rawValue
    }
}

/// A route that was found.
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

    /// `feed:route_id`.
    public var reference: String { "\(feed):\(route.id)" }

    public static let wireSchema = WireSchema(
        "RouteMatch", "A route that was found.", Self.init,
        Field("feed", \.feed, "The feed that it belongs to."),
        Field("agency", \.agency, "Who runs it."),
        Field("rank", \.rank, "How well it fits."),
        Field("route", \.route, "The route."),
        Field(
            "directions", \.directions,
            "The directions to choose from; empty where there is a single one, null when they were not asked for."))
}
