public import TransitModel
public import TransitWire

/// The kind of favorite.
public enum FavoriteKind: String, OpenWireEnum {
    case stop
    case route
    case routeAtStop = "route_at_stop"
    /// A value that this version does not know.
    case other
}

/// A favorite of the caller.
public struct FavoriteSummary: WireObject {
    /// The position in the list, from 1. It can change when the list is reordered.
    public var number: Int
    /// The favorite's name, unique for the caller.
    public var name: String
    /// The category; null when there is none.
    public var category: String?
    /// The kind of favorite. More values may be added.
    public var kind: FavoriteKind
    /// The feed of the stop and route.
    public var feed: FeedID
    /// The stop; null for a favorite route. While the stop is unknown, its name is the `stop_id`.
    public var stop: StopReference?
    /// The route; null for a favorite stop. While the route is unknown, only `id` is valid.
    public var route: RouteSummary?
    /// A sentence that explains why the favorite cannot be queried now; null when it can be queried.
    public var problem: String?
}

/// A favorite and its next departures.
public struct FavoriteBoard: WireObject {
    /// The favorite.
    public var favorite: FavoriteSummary
    /// The time of the query.
    public var at: Timestamp
    /// For a favorite route, the stop in each direction that is nearest to the origin of the caller's commute.
    public var boardingStops: [StopReference] = []
    /// The departures in order of departure time.
    public var departures: [Departure] = []
    /// A sentence that explains why there are no departures; null when there are departures.
    public var emptyReason: String?
}

/// Lists the caller's favorites.
public struct FavoriteListParameters: ControlParameters {
    public typealias Reply = FavoriteListResult
    public static let method = ControlMethod.favoriteList
}

/// The caller's favorites.
public struct FavoriteListResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// In the caller's order, grouped by category.
    public var favorites: [FavoriteSummary]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// Returns the next departures for each favorite.
public struct FavoriteShowParameters: ControlParameters {
    public typealias Reply = FavoriteShowResult
    public static let method = ControlMethod.favoriteShow

    /// Limits the result to this favorite, given by name or number.
    /// - Range: 1...64
    public var favorite: String?
    /// Limits the result to favorites in this category.
    /// - Range: 1...64
    public var category: String?
    /// The time to query, in the format of `at` in `next`. The default is now.
    /// - Range: 1...64
    public var at: String?
    /// The maximum number of departures for each favorite.
    /// - Range: 1...20
    public var count: Int = 3
    /// The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed has
    /// translations.txt.
    /// - Range: 1...35
    public var language: String?
    /// Whether a person made the request by hand. Usual departures are learned from such requests. A program that
    /// repeats requests, such as a status bar, leaves it false.
    public var interactive: Bool = false
}

/// The next departures for each favorite.
public struct FavoriteShowResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The boards in the order of `favorite.list`.
    public var boards: [FavoriteBoard]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// Adds a favorite at the end of the list. Requires `stop`, `route` or both.
public struct FavoriteAddParameters: ControlParameters {
    public typealias Reply = FavoriteResult
    public static let method = ControlMethod.favoriteAdd

    /// The stop: `FEED:STOP_ID`, a stop ID, a stop code, or a name or its first words if they match a single stop.
    /// - Range: 1...300
    public var stop: String?
    /// The route: `FEED:ROUTE_ID`, a route ID or a name.
    /// - Range: 1...300
    public var route: String?
    /// Limits the search to this feed.
    public var feed: FeedID?
    /// The favorite's name. The default is the name of the stop, the route or both.
    /// - Range: 1...64
    public var name: String?
    /// The category under which the favorite is listed.
    /// - Range: 1...64
    public var category: String?
}

/// Renames a favorite.
public struct FavoriteRenameParameters: ControlParameters {
    public typealias Reply = FavoriteResult
    public static let method = ControlMethod.favoriteRename

    /// The favorite's current name or number.
    /// - Range: 1...64
    public var favorite: String
    /// The new name.
    /// - Range: 1...64
    public var name: String
}

/// Sets or clears the category of a favorite.
public struct FavoriteCategoryParameters: ControlParameters {
    public typealias Reply = FavoriteResult
    public static let method = ControlMethod.favoriteCategory

    /// The favorite's name or number.
    /// - Range: 1...64
    public var favorite: String
    /// The new category. When omitted, the category is cleared.
    /// - Range: 1...64
    public var category: String?
}

/// Moves favorites to the beginning of the list, in the given order. The remaining favorites keep their order.
public struct FavoriteOrderParameters: ControlParameters {
    public typealias Reply = FavoriteListResult
    public static let method = ControlMethod.favoriteOrder

    /// The names or numbers of the favorites.
    /// - Range: 1...200
    public var favorites: [String]
}

/// Removes a favorite.
public struct FavoriteRemoveParameters: ControlParameters {
    public typealias Reply = FavoriteResult
    public static let method = ControlMethod.favoriteRemove

    /// The favorite's name or number.
    /// - Range: 1...64
    public var favorite: String
}

/// The favorite that was changed.
public struct FavoriteResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The favorite after the change, or before its removal.
    public var favorite: FavoriteSummary
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// The kind of object that a search was for.
public enum SearchKind: String, OpenWireEnum {
    case stops
    case routes
    /// A value that this version does not know.
    case other
}

/// A recent search of the caller.
public struct RecentSearch: WireObject {
    /// The kind of object that the search was for. More values may be added.
    public var kind: SearchKind
    /// The text as entered.
    public var text: String
    /// When the search was last made.
    public var at: Timestamp
}

/// Lists the caller's recent `stops.search` and `routes.search` requests.
public struct RecentListParameters: ControlParameters {
    public typealias Reply = RecentListResult
    public static let method = ControlMethod.recentList

    /// The maximum number of searches.
    /// - Range: 1...30
    public var count: Int = 10
}

/// Clears the caller's search history.
public struct RecentClearParameters: ControlParameters {
    public typealias Reply = RecentListResult
    public static let method = ControlMethod.recentClear
}

/// The caller's recent searches.
public struct RecentListResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// Newest first. Up to 30 searches are stored for each user, and only searches that found something.
    public var searches: [RecentSearch]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
