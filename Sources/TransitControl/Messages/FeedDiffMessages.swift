public import TransitModel
public import TransitWire

/// The kind of change between two timetable versions.
public enum ChangeKind: String, WireEnum {
    case added
    case removed
    case changed
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// The kind of object that changed between two timetable versions.
public enum ChangeSubject: String, WireEnum {
    case stop
    case route
    case trip
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// A difference between two timetable versions.
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
        "FeedChange", "A difference between two timetable versions.", Self.init,
        Field("subject", \.subject, "The kind of object that changed."),
        Field("change", \.change, "The kind of change."),
        Field("id", \.id, "The identifier of the stop, route or trip."),
        Field("name", \.name, "The name for riders."),
        Field("message", \.message, "A human-readable description of the change, such as \"8:12 leaves at 8:09\"."))
}

/// The number of differences by kind.
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
        "ChangeCounts", "The number of differences by kind.", Self.init,
        Field("added", \.added, "Objects that are only in the newer version."),
        Field("removed", \.removed, "Objects that are only in the older version."),
        Field("changed", \.changed, "Objects that are in both versions but differ."))
}

/// The changes that affect one commute.
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
        "CommuteChanges", "The changes that affect one commute.", Self.init,
        Field("commute", \.commute, "The commute's name."),
        Field("changes", \.changes, "Changes to the commute's stops, routes and trips."),
        Field("is_truncated", \.isTruncated, "Whether there are more changes than are listed."))
}

/// Compares two timetable versions of a feed and lists the changes that affect the caller's commutes.
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
        Compares two timetable versions of a feed and lists the changes that affect the caller's commutes.
        """, Self.init,
        Field("feed", \.feed, "The feed.", in: 1...64),
        Field("from", \.from, "The older version. The default is the version before `to`.", in: 1...1_000_000_000),
        Field("to", \.to, "The newer version. The default is the current version.", in: 1...1_000_000_000),
        Field("count", \.count, "The maximum number of changes for each commute.", in: 1...500, default: 50))
}

/// The differences between two timetable versions.
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
        "FeedDiffResult", "The differences between two timetable versions.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("feed", \.feed, "The feed."),
        Field("from", \.from, "The older version."),
        Field("to", \.to, "The newer version."),
        Field("stops", \.stops, "The changes to stops in the whole feed."),
        Field("routes", \.routes, "The changes to routes in the whole feed."),
        Field("trips", \.trips, "The changes to trips in the whole feed."),
        Field("commutes", \.commutes, "The changes for each of the caller's commutes that uses this feed."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
