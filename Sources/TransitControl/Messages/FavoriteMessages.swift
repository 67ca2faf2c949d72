public import TransitModel
public import TransitWire

/// Lists the caller's favorites.
public struct FavoriteListParameters: ControlParameters {
    public typealias Reply = FavoriteListResult
    public static let method = ControlMethod.favoriteList

    public init() {}

    public static let wireSchema = WireSchema("FavoriteListParameters", "Lists the caller's favorites.", Self.init)
}

/// The caller's favorites.
public struct FavoriteListResult: WireObject {
    public var at: Timestamp
    public var favorites: [FavoriteSummary]
    public var notices: [Notice]

    public init(at: Timestamp, favorites: [FavoriteSummary], notices: [Notice] = []) {
        self.at = at
        self.favorites = favorites
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "FavoriteListResult", "The caller's favorites.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("favorites", \.favorites, "In the caller's order, grouped by category."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}

/// Returns the next departures for each favorite.
public struct FavoriteShowParameters: ControlParameters {
    public typealias Reply = FavoriteShowResult
    public static let method = ControlMethod.favoriteShow

    public var favorite: String?
    public var category: String?
    public var at: String?
    public var count: Int
    public var language: String?

    public init(
        favorite: String? = nil, category: String? = nil, at: String? = nil, count: Int = 3, language: String? = nil
    ) {
        self.favorite = favorite
        self.category = category
        self.at = at
        self.count = count
        self.language = language
    }

    public static let wireSchema = WireSchema(
        "FavoriteShowParameters", "Returns the next departures for each favorite.", Self.init,
        Field("favorite", \.favorite, "Limits the result to this favorite, given by name or number.", in: 1...64),
        Field("category", \.category, "Limits the result to favorites in this category.", in: 1...64),
        Field("at", \.at, "The time to query, in the format of `at` in `next`. The default is now.", in: 1...64),
        Field("count", \.count, "The maximum number of departures for each favorite.", in: 1...20, default: 3),
        Field(
            "language", \.language,
            """
            The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed \
            has translations.txt.
            """,
            in: 1...35))
}

/// The next departures for each favorite.
public struct FavoriteShowResult: WireObject {
    public var at: Timestamp
    public var boards: [FavoriteBoard]
    public var notices: [Notice]

    public init(at: Timestamp, boards: [FavoriteBoard], notices: [Notice] = []) {
        self.at = at
        self.boards = boards
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "FavoriteShowResult", "The next departures for each favorite.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("boards", \.boards, "The boards in the order of `favorite.list`."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}

/// Adds a favorite at the end of the list. Requires `stop`, `route` or both.
public struct FavoriteAddParameters: ControlParameters {
    public typealias Reply = FavoriteResult
    public static let method = ControlMethod.favoriteAdd

    public var stop: String?
    public var route: String?
    public var feed: FeedID?
    public var name: String?
    public var category: String?

    public init(
        stop: String? = nil, route: String? = nil, feed: FeedID? = nil, name: String? = nil, category: String? = nil
    ) {
        self.stop = stop
        self.route = route
        self.feed = feed
        self.name = name
        self.category = category
    }

    public static let wireSchema = WireSchema(
        "FavoriteAddParameters", "Adds a favorite at the end of the list. Requires `stop`, `route` or both.", Self.init,
        Field(
            "stop", \.stop,
            """
            The stop: `FEED:STOP_ID`, a stop ID, a stop code, or a name or its first words if they match a single \
            stop.
            """,
            in: 1...300),
        Field("route", \.route, "The route: `FEED:ROUTE_ID`, a route ID or a name.", in: 1...300),
        Field("feed", \.feed, "Limits the search to this feed."),
        Field(
            "name", \.name, "The favorite's name. The default is the name of the stop, the route or both.", in: 1...64),
        Field("category", \.category, "The category under which the favorite is listed.", in: 1...64))
}

/// Renames a favorite.
public struct FavoriteRenameParameters: ControlParameters {
    public typealias Reply = FavoriteResult
    public static let method = ControlMethod.favoriteRename

    public var favorite: String
    public var name: String

    public init(favorite: String, name: String) {
        self.favorite = favorite
        self.name = name
    }

    public static let wireSchema = WireSchema(
        "FavoriteRenameParameters", "Renames a favorite.", Self.init,
        Field("favorite", \.favorite, "The favorite's current name or number.", in: 1...64),
        Field("name", \.name, "The new name.", in: 1...64))
}

/// Sets or clears the category of a favorite.
public struct FavoriteCategoryParameters: ControlParameters {
    public typealias Reply = FavoriteResult
    public static let method = ControlMethod.favoriteCategory

    public var favorite: String
    public var category: String?

    public init(favorite: String, category: String? = nil) {
        self.favorite = favorite
        self.category = category
    }

    public static let wireSchema = WireSchema(
        "FavoriteCategoryParameters", "Sets or clears the category of a favorite.", Self.init,
        Field("favorite", \.favorite, "The favorite's name or number.", in: 1...64),
        Field("category", \.category, "The new category. When omitted, the category is cleared.", in: 1...64))
}

/// Moves favorites to the beginning of the list, in the given order. The remaining favorites keep their order.
public struct FavoriteOrderParameters: ControlParameters {
    public typealias Reply = FavoriteListResult
    public static let method = ControlMethod.favoriteOrder

    public var favorites: [String]

    public init(favorites: [String]) {
        self.favorites = favorites
    }

    public static let wireSchema = WireSchema(
        "FavoriteOrderParameters",
        """
        Moves favorites to the beginning of the list, in the given order. The remaining favorites keep their \
        order.
        """, Self.init,
        Field("favorites", \.favorites, "The names or numbers of the favorites.", in: 1...200))
}

/// Removes a favorite.
public struct FavoriteRemoveParameters: ControlParameters {
    public typealias Reply = FavoriteResult
    public static let method = ControlMethod.favoriteRemove

    public var favorite: String

    public init(favorite: String) {
        self.favorite = favorite
    }

    public static let wireSchema = WireSchema(
        "FavoriteRemoveParameters", "Removes a favorite.", Self.init,
        Field("favorite", \.favorite, "The favorite's name or number.", in: 1...64))
}

/// The favorite that was changed.
public struct FavoriteResult: WireObject {
    public var at: Timestamp
    public var favorite: FavoriteSummary
    public var notices: [Notice]

    public init(at: Timestamp, favorite: FavoriteSummary, notices: [Notice] = []) {
        self.at = at
        self.favorite = favorite
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "FavoriteResult", "The favorite that was changed.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("favorite", \.favorite, "The favorite after the change, or before its removal."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
