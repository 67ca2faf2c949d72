public import TransitModel

/// The data of one user: commutes, places, favorites and recent searches.
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

    public init() {}
}

/// The records of all users, held in memory while the store is open.
struct UserRecordCache {
    var records: [UInt32: UserRecord]
    /// Users whose searches differ from those in the file.
    var unsavedSearches: Set<UInt32> = []
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
