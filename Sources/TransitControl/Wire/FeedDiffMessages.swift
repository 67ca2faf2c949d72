public import TransitModel

/// What happened to something between two versions.
public enum ChangeKind: String, WireEnum {
    case added
    case removed
    case changed
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// What a change is about.
public enum ChangeSubject: String, WireEnum {
    case stop
    case route
    case trip
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// A difference between two versions.
public struct FeedChange: WireObject {
    public var subject: ChangeSubject
    public var change: ChangeKind
    public var id: String
    public var name: String?
    public var message: String

    public init(subject: ChangeSubject, change: ChangeKind, id: String, name: String? = nil, message: String) {
        self.subject = subject
        self.change = change
        self.id = id
        self.name = name
        self.message = message
    }

    public static let wireSchema = WireSchema(
        "FeedChange", "A difference between two versions.", Self.init,
        Field("subject", \.subject, "What it is about."),
        Field("change", \.change, "What happened to it."),
        Field("id", \.id, "The identifier of the stop, route or trip."),
        Field("name", \.name, "The name that riders know."),
        Field("message", \.message, "A sentence for people: \"8:12 leaves at 8:09\"."))
}

/// How many differences there are.
public struct ChangeCounts: WireObject {
    public var added: Int
    public var removed: Int
    public var changed: Int

    public init(added: Int, removed: Int, changed: Int) {
        self.added = added
        self.removed = removed
        self.changed = changed
    }

    public static let wireSchema = WireSchema(
        "ChangeCounts", "How many differences there are.", Self.init,
        Field("added", \.added, "Only in the newer version."),
        Field("removed", \.removed, "Only in the older version."),
        Field("changed", \.changed, "In both, but not alike."))
}

/// What changes for one commute.
public struct CommuteChanges: WireObject {
    public var commute: String
    public var changes: [FeedChange]
    public var isTruncated: Bool

    public init(commute: String, changes: [FeedChange], isTruncated: Bool) {
        self.commute = commute
        self.changes = changes
        self.isTruncated = isTruncated
    }

    public static let wireSchema = WireSchema(
        "CommuteChanges", "What changes for one commute.", Self.init,
        Field("commute", \.commute, "The commute's name."),
        Field("changes", \.changes, "The differences among its stops, routes and trips."),
        Field("is_truncated", \.isTruncated, "Whether there are more than are listed."))
}

/// Tells what differs between two versions of a feed, for the caller's commutes.
public struct FeedDiffParameters: ControlParameters {
    public typealias Reply = FeedDiffResult
    public static let method = ControlMethod.feedDiff

    public var feed: FeedID
    public var from: Int?
    public var to: Int?
    public var count: Int

    public init(feed: FeedID, from: Int? = nil, to: Int? = nil, count: Int = 50) {
        self.feed = feed
        self.from = from
        self.to = to
        self.count = count
    }

    public static let wireSchema = WireSchema(
        "FeedDiffParameters",
        """
        Tells what differs between two versions of a feed, for the caller's commutes.
        """, Self.init,
        Field("feed", \.feed, "The feed.", in: 1...64),
        Field("from", \.from, "The older version; the one before `to` when left out.", in: 1...1_000_000_000),
        Field("to", \.to, "The newer version; the live one when left out.", in: 1...1_000_000_000),
        Field("count", \.count, "How many differences per commute at most.", in: 1...500, default: 50))
}

/// The differences between two versions.
public struct FeedDiffResult: WireObject {
    public var at: Timestamp
    public var feed: FeedID
    public var from: FeedVersion
    public var to: FeedVersion
    public var stops: ChangeCounts
    public var routes: ChangeCounts
    public var trips: ChangeCounts
    public var commutes: [CommuteChanges]
    public var notices: [Notice]

    public init(
        at: Timestamp, feed: FeedID, from: FeedVersion, to: FeedVersion, stops: ChangeCounts, routes: ChangeCounts,
        trips: ChangeCounts, commutes: [CommuteChanges], notices: [Notice] = []
    ) {
        self.at = at
        self.feed = feed
        self.from = from
        self.to = to
        self.stops = stops
        self.routes = routes
        self.trips = trips
        self.commutes = commutes
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "FeedDiffResult", "The differences between two versions.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("feed", \.feed, "The feed."),
        Field("from", \.from, "The older version."),
        Field("to", \.to, "The newer version."),
        Field("stops", \.stops, "In the whole feed."),
        Field("routes", \.routes, "In the whole feed."),
        Field("trips", \.trips, "In the whole feed."),
        Field("commutes", \.commutes, "For each commute of the caller with anything in this feed."),
        Field("notices", \.notices, "What to know about this answer."))
}
