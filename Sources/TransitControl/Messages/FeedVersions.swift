public import TransitModel
public import TransitWire

/// Lists the stored timetable versions of a feed.
public struct FeedVersionsParameters: ControlParameters {
    public typealias Reply = FeedVersionsResult
    public static let method = ControlMethod.feedVersions

    /// The feed.
    /// - Range: 1...64
    public var feed: FeedID
}

/// The stored timetable versions of a feed.
public struct FeedVersionsResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The feed.
    public var feed: FeedID
    /// Newest first.
    public var versions: [FeedVersion]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// Makes an earlier timetable version of a feed current.
public struct FeedRollbackParameters: ControlParameters {
    public typealias Reply = FeedRollbackResult
    public static let method = ControlMethod.feedRollback

    /// The feed.
    /// - Range: 1...64
    public var feed: FeedID
    /// The version. The default is the version before the current one.
    /// - Range: 1...1_000_000_000
    public var version: Int?
}

/// The current timetable version after a rollback.
public struct FeedRollbackResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The feed.
    public var feed: FeedID
    /// The version that is current now.
    public var version: FeedVersion
    /// The number of the version that was current before.
    public var previous: Int
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// The kind of change between two timetable versions.
public enum ChangeKind: String, OpenWireEnum {
    case added
    case removed
    case changed
    /// A value that this version does not know.
    case other
}

/// The kind of object that changed between two timetable versions.
public enum ChangeSubject: String, OpenWireEnum {
    case stop
    case route
    case trip
    /// A value that this version does not know.
    case other
}

/// A difference between two timetable versions.
public struct FeedChange: WireObject {
    /// The kind of object that changed.
    public var subject: ChangeSubject
    /// The kind of change.
    public var change: ChangeKind
    /// The identifier of the stop, route or trip.
    public var id: String
    /// The name for riders.
    public var name: String?
    /// A human-readable description of the change, such as "8:12 leaves at 8:09".
    public var message: String
}

/// The number of differences by kind.
public struct ChangeCounts: WireObject {
    /// Objects that are only in the newer version.
    public var added: Int
    /// Objects that are only in the older version.
    public var removed: Int
    /// Objects that are in both versions but differ.
    public var changed: Int
}

/// The changes that affect one commute.
public struct CommuteChanges: WireObject {
    /// The commute's name.
    public var commute: String
    /// Changes to the commute's stops, routes and trips.
    public var changes: [FeedChange]
    /// Whether there are more changes than are listed.
    public var isTruncated: Bool
}

/// Compares two timetable versions of a feed and lists the changes that affect the caller's commutes.
public struct FeedDiffParameters: ControlParameters {
    public typealias Reply = FeedDiffResult
    public static let method = ControlMethod.feedDiff

    /// The feed.
    /// - Range: 1...64
    public var feed: FeedID
    /// The older version. The default is the version before `to`.
    /// - Range: 1...1_000_000_000
    public var from: Int?
    /// The newer version. The default is the current version.
    /// - Range: 1...1_000_000_000
    public var to: Int?
    /// The maximum number of changes for each commute.
    /// - Range: 1...500
    public var count: Int = 50
}

/// The differences between two timetable versions.
public struct FeedDiffResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The feed.
    public var feed: FeedID
    /// The older version.
    public var from: FeedVersion
    /// The newer version.
    public var to: FeedVersion
    /// The changes to stops in the whole feed.
    public var stops: ChangeCounts
    /// The changes to routes in the whole feed.
    public var routes: ChangeCounts
    /// The changes to trips in the whole feed.
    public var trips: ChangeCounts
    /// The changes for each of the caller's commutes that uses this feed.
    public var commutes: [CommuteChanges]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
