public import TransitModel
public import TransitWire

/// The kind of favorite.
public enum FavoriteKind: String, WireEnum {
    case stop
    case route
    case routeAtStop = "route_at_stop"
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// A favorite of the caller.
public struct FavoriteSummary: WireObject {
    public var number: Int
    public var name: String
    public var category: String?
    public var kind: FavoriteKind
    public var feed: FeedID
    public var stop: StopReference?
    public var route: RouteSummary?
    public var problem: String?

    public init(
        number: Int, name: String, category: String? = nil, kind: FavoriteKind, feed: FeedID,
        stop: StopReference? = nil, route: RouteSummary? = nil, problem: String? = nil
    ) {
        self.number = number
        self.name = name
        self.category = category
        self.kind = kind
        self.feed = feed
        self.stop = stop
        self.route = route
        self.problem = problem
    }

    public static let wireSchema = WireSchema(
        "FavoriteSummary", "A favorite of the caller.", Self.init,
        Field("number", \.number, "The position in the list, from 1. It can change when the list is reordered."),
        Field("name", \.name, "The favorite's name, unique for the caller."),
        Field("category", \.category, "The category; null when there is none."),
        Field("kind", \.kind, "The kind of favorite. More values may be added."),
        Field("feed", \.feed, "The feed of the stop and route."),
        Field(
            "stop", \.stop, "The stop; null for a favorite route. While the stop is unknown, its name is the `stop_id`."
        ),
        Field("route", \.route, "The route; null for a favorite stop. While the route is unknown, only `id` is valid."),
        Field(
            "problem", \.problem,
            "A sentence that explains why the favorite cannot be queried now; null when it can be queried."))
}

/// A favorite and its next departures.
public struct FavoriteBoard: WireObject {
    public var favorite: FavoriteSummary
    public var at: Timestamp
    public var boardingStops: [StopReference]
    public var departures: [Departure]
    public var emptyReason: String?

    public init(
        favorite: FavoriteSummary, at: Timestamp, boardingStops: [StopReference] = [], departures: [Departure] = [],
        emptyReason: String? = nil
    ) {
        self.favorite = favorite
        self.at = at
        self.boardingStops = boardingStops
        self.departures = departures
        self.emptyReason = emptyReason
    }

    public static let wireSchema = WireSchema(
        "FavoriteBoard", "A favorite and its next departures.", Self.init,
        Field("favorite", \.favorite, "The favorite."),
        Field("at", \.at, "The time of the query."),
        Field(
            "boarding_stops", \.boardingStops,
            """
            For a favorite route, the stop in each direction that is nearest to the origin of the caller's \
            commute.
            """),
        Field("departures", \.departures, "The departures in order of departure time."),
        Field(
            "empty_reason", \.emptyReason,
            "A sentence that explains why there are no departures; null when there are departures."))
}
