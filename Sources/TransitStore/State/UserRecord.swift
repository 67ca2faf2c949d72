public import TransitModel

/// What a user has told the daemon: their own commutes, places and favourites.
public struct UserRecord: Hashable, Sendable {
    /// In the order in which they were added.
    public var commutes: [SavedCommute] = []
    /// By name.
    public var places: [SavedPlace] = []
    /// In the user's order.
    public var favorites: [SavedFavorite] = []
    /// What they looked for, newest first.
    public var searches: [SavedSearch] = []
    /// The name of the commute in use. It may be one that only the configuration has.
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
    /// Unique for the user.
    public var name: String
    /// Where it begins, as written: a place's name, or `feed:stop_id`.
    public var from: String
    /// Where it ends, in the same form.
    public var to: String
    /// When it is made, as written: `07:00-09:00`. Without commas.
    public var windows: [String]
    /// The days on which the windows begin, as written; empty: all.
    public var days: [String]

    public init(name: String, from: String, to: String, windows: [String] = [], days: [String] = []) {
        self.name = name
        self.from = from
        self.to = to
        self.windows = windows
        self.days = days
    }
}

/// A place that a user set.
public struct SavedPlace: Hashable, Sendable {
    public enum Location: Hashable, Sendable {
        case coordinate(Coordinate)
        case stop(feed: FeedID, stop: StopID)
    }

    /// Unique for the user.
    public var name: String
    public var location: Location
    /// The walk to the nearest stop in seconds, where the user knows it better.
    public var walk: Int?

    public init(name: String, location: Location, walk: Int? = nil) {
        self.name = name
        self.location = location
        self.walk = walk
    }
}
