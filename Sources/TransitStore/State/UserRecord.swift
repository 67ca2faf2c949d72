public import TransitModel

/// The data of one user: commutes, places, favorites, recent searches and settings.
public struct UserRecord: Hashable, Sendable {
    /// In the order in which they were added.
    public var commutes: [SavedCommute] = []
    /// In alphabetical order of the names.
    public var places: [SavedPlace] = []
    /// In the user's order.
    public var favorites: [SavedFavorite] = []
    /// Newest first.
    public var searches: [SavedSearch] = []
    /// The name of the commute in use. It may be a commute from the configuration.
    public var commuteInUse: String?
    /// Pinned departures first, then those that were learned.
    public var usualDepartures: [SavedUsualDeparture] = []
    /// In the order of their departures. Those that are over may be among them.
    public var journeys: [SavedJourney] = []
    /// The user's settings of notifications, without ``StateStore/notificationPrefix``.
    public var notificationSettings: [String: String] = [:]
    /// The language of the program that last subscribed to the user's notifications, as a BCP 47 language tag; `nil` if
    /// none has reported one.
    public var agentLanguage: String?
    /// The units that the user chose; `nil` if none.
    public var units: String?
}

/// The records of all users, held in memory while the store is open.
struct UserRecordCache {
    var records: [UInt32: UserRecord]
    /// Users whose searches differ from those in the file.
    var unsavedSearches: Set<UInt32> = []
    /// The requests that are not in the file yet.
    var unsavedAsks: [UInt32: [SavedLookup]] = [:]
    /// The requests of the last minutes, by which repeated ones are recognized.
    var recentAsks: [UInt32: [SavedLookup]] = [:]
}

/// A commute that a user added.
public struct SavedCommute: Hashable, Sendable {
    /// Unique for each user.
    public var name: String
    /// The origin as the user wrote it: the name of a place, or `feed:stop_id`.
    public var from: String
    /// The destination, in the same notation.
    public var to: String
    /// The time windows as the user wrote them, such as `07:00-09:00`. They contain no commas.
    public var windows: [String]
    /// The days on which the windows begin, as the user wrote them. Empty for all days.
    public var days: [String]

    public init(name: String, from: String, to: String, windows: [String] = [], days: [String] = []) {
        self.name = name
        self.from = from
        self.to = to
        self.windows = windows
        self.days = days
    }
}

/// A place that a user saved.
public struct SavedPlace: Hashable, Sendable {
    public enum Location: Hashable, Sendable {
        case coordinate(Coordinate)
        case stop(feed: FeedID, stop: StopID)
    }

    /// Unique for each user.
    public var name: String
    public var location: Location
    /// The walking time to the nearest stop in seconds, if the user has set it.
    public var walk: Int?

    public init(name: String, location: Location, walk: Int? = nil) {
        self.name = name
        self.location = location
        self.walk = walk
    }
}

/// A favorite of a user: a stop, a route, or a route at a stop.
public struct SavedFavorite: Hashable, Sendable {
    /// The departures that a favorite shows.
    public enum Target: Hashable, Sendable {
        /// All departures from a stop. `bothSides` includes the stops with the same name across the road.
        case stop(StopID, bothSides: Bool)
        case route(RouteID)
        case routeAtStop(RouteID, StopID, bothSides: Bool)
    }

    /// Unique per user.
    public var name: String
    /// `nil` if the favorite has no category.
    public var category: String?
    public var feed: FeedID
    public var target: Target

    public init(name: String, category: String? = nil, feed: FeedID, target: Target) {
        self.name = name
        self.category = category
        self.feed = feed
        self.target = target
    }
}

extension SavedFavorite.Target {
    public var stop: StopID? {
        switch self {
        case .stop(let stop, _), .routeAtStop(_, let stop, _): stop
        case .route: nil
        }
    }

    public var route: RouteID? {
        switch self {
        case .route(let route), .routeAtStop(let route, _, _): route
        case .stop: nil
        }
    }

    public var hasBothSides: Bool {
        switch self {
        case .stop(_, let bothSides), .routeAtStop(_, _, let bothSides): bothSides
        case .route: false
        }
    }
}

/// A search that a user made.
public struct SavedSearch: Hashable, Sendable {
    /// The kind of objects that were searched.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case stops, routes
    }

    public var kind: Kind
    /// The text that the user typed.
    public var text: String
    public var at: Instant

    public init(kind: Kind, text: String, at: Instant) {
        self.kind = kind
        self.text = text
        self.at = at
    }
}

/// A commute or a list of favorites that a user viewed.
public struct SavedRecentView: Hashable, Sendable {
    public var uid: UInt32
    /// The name of the commute; `nil` for the user's favorites.
    public var commute: String?
    public var at: Instant

    public init(uid: UInt32, commute: String?, at: Instant) {
        self.uid = uid
        self.commute = commute
        self.at = at
    }
}
