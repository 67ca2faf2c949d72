public import TransitModel

/// Lists the caller's favourites.
public struct FavoriteListParameters: ControlParameters {
    public typealias Reply = FavoriteListResult
    public static let method = ControlMethod.favoriteList

    public init() {}

    public static let wireSchema = WireSchema("FavoriteListParameters", "Lists the caller's favorites.", Self.init)
}

/// The caller's favourites.
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
        Field("at", \.at, "When this was true."),
        Field("favorites", \.favorites, "In the caller's order, those of one category together."),
        Field("notices", \.notices, "What to know about this answer."))
}

/// Tells what leaves next of each favourite.
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
        "FavoriteShowParameters", "Tells what leaves next of each favorite.", Self.init,
        Field("favorite", \.favorite, "Only this one: its name or its number.", in: 1...64),
        Field("category", \.category, "Only those of this category.", in: 1...64),
        Field("at", \.at, "For which time, as in `next`; now when left out.", in: 1...64),
        Field("count", \.count, "How many departures of each at most.", in: 1...20, default: 3),
        Field(
            "language", \.language,
            "An IETF BCP 47 code, such as \"de\": names in it where the feed translates them (translations.txt).",
            in: 1...35))
}

/// What leaves next of each favourite.
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
        "FavoriteShowResult", "What leaves next of each favorite.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("boards", \.boards, "In the order of `favorite.list`."),
        Field("notices", \.notices, "What to know about this answer."))
}

/// Adds a favourite behind the others. `stop`, `route` or both are given.
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
        "FavoriteAddParameters", "Adds a favorite behind the others. `stop`, `route` or both are given.", Self.init,
        Field(
            "stop", \.stop,
            "A stop: `FEED:STOP_ID`, an identifier or code, or a name, or its first words, that fit one stop only.",
            in: 1...300),
        Field("route", \.route, "A route: `FEED:ROUTE_ID`, an identifier or a name.", in: 1...300),
        Field("feed", \.feed, "Only in this feed."),
        Field("name", \.name, "Its name; that of the stop and route when left out.", in: 1...64),
        Field("category", \.category, "What to group it under.", in: 1...64))
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
        Field("favorite", \.favorite, "Its current name or its number.", in: 1...64),
        Field("name", \.name, "Its new name.", in: 1...64))
}

/// Puts a favorite into a category, or into none.
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
        "FavoriteCategoryParameters", "Puts a favorite into a category, or into none.", Self.init,
        Field("favorite", \.favorite, "Its name or its number.", in: 1...64),
        Field("category", \.category, "Its new category; none when left out.", in: 1...64))
}

/// Puts favourites first, in the order in which they are given; the others follow as they stood.
public struct FavoriteOrderParameters: ControlParameters {
    public typealias Reply = FavoriteListResult
    public static let method = ControlMethod.favoriteOrder

    public var favorites: [String]

    public init(favorites: [String]) {
        self.favorites = favorites
    }

    public static let wireSchema = WireSchema(
        "FavoriteOrderParameters",
        "Puts favorites first, in the order in which they are given; the others follow as they stood.", Self.init,
        Field("favorites", \.favorites, "Their names or numbers.", in: 1...200))
}

/// Removes a favourite.
public struct FavoriteRemoveParameters: ControlParameters {
    public typealias Reply = FavoriteResult
    public static let method = ControlMethod.favoriteRemove

    public var favorite: String

    public init(favorite: String) {
        self.favorite = favorite
    }

    public static let wireSchema = WireSchema(
        "FavoriteRemoveParameters", "Removes a favorite.", Self.init,
        Field("favorite", \.favorite, "Its name or its number.", in: 1...64))
}

/// The favourite that was changed.
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
        Field("at", \.at, "When this was true."),
        Field("favorite", \.favorite, "As it is now, or as it was when it was removed."),
        Field("notices", \.notices, "What to know about this answer."))
}
