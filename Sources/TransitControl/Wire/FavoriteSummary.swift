public import TransitModel

/// What a favourite shows.
public enum FavoriteKind: String, WireEnum {
    case stop
    case route
    case routeAtStop = "route_at_stop"
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// A favourite of the caller.
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
        Field("number", \.number, "Its place among all, from 1; others may get it when the order changes."),
        Field("name", \.name, "Its name, unique for the caller."),
        Field("category", \.category, "What it is grouped under; null without one."),
        Field("kind", \.kind, "What it shows. More may follow."),
        Field("feed", \.feed, "The feed of its stop and route."),
        Field("stop", \.stop, "Its stop; null for a route alone. The name is the `stop_id` while it is not known."),
        Field("route", \.route, "Its route; null for a stop alone. Only `id` is true while it is not known."),
        Field("problem", \.problem, "Why it cannot be answered now, in words; null when it can."))
}

/// A favourite with what leaves next.
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
        "FavoriteBoard", "A favorite with what leaves next.", Self.init,
        Field("favorite", \.favorite, "The favorite."),
        Field("at", \.at, "The time that the departures are for."),
        Field(
            "boarding_stops", \.boardingStops,
            "Of a route alone: the stops, one a direction, that are nearest to where the caller's commute begins."),
        Field("departures", \.departures, "In the order of leaving."),
        Field("empty_reason", \.emptyReason, "Why there are no departures, a sentence; null when there are some."))
}
