public import TransitModel
public import TransitWire

/// The state of a feed's timetable.
public enum FeedState: String, OpenWireEnum {
    case ready
    case empty
    case importing
    case expired
    /// A value that this version does not know.
    case other
}

/// The outcome of an attempt to update a feed.
public enum AttemptOutcome: String, OpenWireEnum {
    case updated
    case unchanged
    case refused
    case failed
    case canceled
    /// A value that this version does not know.
    case other
}

/// The number of objects in a timetable version.
public struct FeedCounts: WireObject {
    /// The rows of agency.txt.
    public var agencies: Int
    /// The rows of stops.txt.
    public var stops: Int
    /// The rows of routes.txt.
    public var routes: Int
    /// The rows of trips.txt.
    public var trips: Int
    /// The rows of stop_times.txt.
    public var stopTimes: Int
    /// The distinct values of `service_id`.
    public var services: Int
    /// The distinct values of `shape_id`.
    public var shapes: Int
}

/// The part of a feed that the configuration keeps (`[feed.keep]`).
public struct KeptPart: WireObject {
    /// The rule in words, such as "stops within 10000 m of 37.3942,-122.0764".
    public var rule: String
    /// The rows of stops.txt that are kept. Stops outside at which kept trips call are not counted.
    public var stops: Int
    /// The rows of stops.txt in the source.
    public var stopsInSource: Int
    /// The trips that are kept.
    public var trips: Int
    /// The trips in the source.
    public var tripsInSource: Int
}

/// The number of validation findings by severity.
public struct FindingCounts: WireObject {
    /// Findings that make the feed unusable.
    public var fatal: Int
    /// Rows that were skipped or only partly used.
    public var error: Int
    /// Questionable data.
    public var warning: Int
    /// Information.
    public var info: Int
}

/// The last attempt to update a feed.
public struct FeedAttempt: WireObject {
    /// When the attempt ended.
    public var at: Timestamp
    /// The outcome. More values may be added.
    public var outcome: AttemptOutcome
    /// A human-readable sentence.
    public var message: String
    /// The duration of the attempt.
    /// - Unit: seconds
    public var seconds: Double
}

/// The status of a feed.
public struct FeedStatus: WireObject {
    /// The feed's identifier in the configuration.
    public var id: FeedID
    /// The provider, as named in the configuration, such as "gtfs".
    public var provider: String
    /// The state of the timetable. ready: available for queries; empty: no timetable yet; importing: the first
    /// timetable is being imported; expired: the timetable's service dates have passed. More values may be added.
    public var state: FeedState
    /// The number of the current version.
    public var version: Int?
    /// The publisher's name for the version.
    public var feedVersion: String?
    /// The publisher's name.
    public var publisher: String?
    /// The names of agencies in the timetable, at most 3.
    public var agencies: [String] = []
    /// The names of stops in the timetable, at most 3, to show its region.
    public var exampleStops: [String] = []
    /// The time zone of the timetable, such as "Europe/Berlin"; null without a timetable.
    public var timeZone: String?
    /// The dates with service; null without a timetable, and when the source publishes no times.
    public var serviceDates: DateSpan?
    /// The time until the last service date; negative when it has passed.
    /// - Unit: days
    public var daysLeft: Int?
    /// When the current version was imported.
    public var imported: Timestamp?
    /// The time since the source last confirmed that the current version is its newest.
    /// - Unit: seconds
    public var age: Int?
    /// The last attempt to update the feed.
    public var lastAttempt: FeedAttempt?
    /// When the next attempt is due; null when none is planned.
    public var nextAttempt: Timestamp?
    /// The progress of a running update; null when none is running.
    public var progress: RequestProgress?
    /// The number of objects in the current version.
    public var counts: FeedCounts?
    /// The area of the stops; null without a timetable, and if stops are far outside the area of the others.
    public var area: StopArea?
    /// The part of the source that the current version contains; null when it contains all of it.
    public var kept: KeptPart?
    /// The size of the current timetable file.
    /// - Unit: bytes
    public var bytes: Int?
    /// The number of stored versions.
    public var versions: Int
    /// The number of validation findings in the current version.
    public var findings: FindingCounts?
    /// The datasets of the feed, each with its own refresh schedule.
    public var datasets: [DatasetStatus] = []
    /// How well the realtime data matches the timetable; null without realtime data.
    public var realtime: RealtimeCounts?
    /// What has been learned about the feed's delays; null when nothing has.
    public var delays: LearnedDelayStatus?
    /// The attribution that the provider requires applications to display.
    public var attribution: String?
    /// The limitations of the data.
    public var disclaimer: String?
}

/// The area of the stops of a feed.
public struct StopArea: WireObject {
    /// The southwestern corner.
    public var southwest: Position
    /// The northeastern corner. Its longitude is less than that of the other corner if the area crosses the date line.
    public var northeast: Position
    /// The distance between the corners.
    /// - Unit: meters
    public var diagonal: Int
}

/// A timetable version of a feed.
public struct FeedVersion: WireObject {
    /// The version's number. Newer versions have higher numbers.
    public var number: Int
    /// Whether queries use this version.
    public var isCurrent: Bool
    /// The publisher's name for the version.
    public var feedVersion: String?
    /// The publisher's name.
    public var publisher: String?
    /// The dates with service.
    public var serviceDates: DateSpan?
    /// When the version was imported.
    public var imported: Timestamp
    /// The URL of the source, without credentials.
    public var url: String
    /// The `ETag` header of the response.
    public var etag: String?
    /// The `Last-Modified` header of the response, verbatim.
    public var lastModified: String?
    /// The SHA-256 of the contents in hexadecimal. It does not change when the same files are compressed again.
    public var digest: String
    /// The number of objects in the version.
    public var counts: FeedCounts
    /// The size of the timetable file.
    /// - Unit: bytes
    public var bytes: Int
    /// The number of validation findings in the version.
    public var findings: FindingCounts
}

/// Lists the feeds.
public struct FeedListParameters: ControlParameters {
    public typealias Reply = FeedListResult
    public static let method = ControlMethod.feedList
}

/// The feeds.
public struct FeedListResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// In configuration order.
    public var feeds: [FeedStatus]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// Checks a feed's source for a new version, imports it and waits for the outcome.
public struct FeedUpdateParameters: ControlParameters {
    public typealias Reply = FeedUpdateResult
    public static let method = ControlMethod.feedUpdate

    /// The feed.
    /// - Range: 1...64
    public var feed: FeedID
    /// Whether to import the feed even if it has not changed.
    public var force: Bool = false
    /// Whether to send `progress` notifications.
    public var progress: Bool = false
}

/// The outcome of an update.
public struct FeedUpdateResult: WireObject {
    /// When the update ended.
    public var at: Timestamp
    /// The feed.
    public var feed: FeedID
    /// The outcome: updated or unchanged. A refused or failed update is reported as an error.
    public var outcome: AttemptOutcome
    /// A human-readable sentence.
    public var message: String
    /// The version that is current now.
    public var version: FeedVersion?
    /// The number of the previous version, if the current version changed.
    public var previous: Int?
    /// The amount of data downloaded or read from a file.
    /// - Unit: bytes
    public var downloaded: Int
    /// The duration of the update.
    /// - Unit: seconds
    public var seconds: Double
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// The severity of a validation finding.
public enum FindingSeverity: String, OpenWireEnum {
    case info
    case warning
    case error
    case fatal
    /// A value that this version does not know.
    case other
}

/// A location where a validation rule failed.
public struct FindingExample: WireObject {
    /// The table or dataset, such as "stops.txt" or "trip_updates".
    public var file: String
    /// The line number, from 1.
    public var line: Int?
    /// The position of the field in the row, from 1.
    public var column: Int?
    /// The field's name.
    public var field: String?
    /// A description of the problem at this location.
    public var message: String
}

/// The findings of one validation rule in one file.
public struct Finding: WireObject {
    /// The stable name of the rule, such as "foreign_key_violation" or "E003".
    public var rule: String
    /// The severity.
    public var severity: FindingSeverity
    /// The number of occurrences.
    public var count: Int
    /// The first occurrences, at most 5.
    public var examples: [FindingExample]
}

/// Returns the validation report of a timetable version or of a feed's realtime data.
public struct FeedValidateParameters: ControlParameters {
    public typealias Reply = FeedValidateResult
    public static let method = ControlMethod.feedValidate

    /// The feed.
    /// - Range: 1...64
    public var feed: FeedID
    /// The version. The default is the current version.
    /// - Range: 1...1_000_000_000
    public var version: Int?
    /// Whether to return the report of the last import attempt instead, even if the import was refused.
    public var attempt: Bool = false
    /// Whether to return the findings in the realtime data instead, according to the rules of the GTFS-Realtime
    /// validator, such as "E003".
    public var realtime: Bool = false
}

/// A validation report.
public struct FeedValidateResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The feed.
    public var feed: FeedID
    /// The version; null for a refused import.
    public var version: Int?
    /// Whether the import was refused.
    public var isRefused: Bool
    /// The number of findings by severity.
    public var counts: FindingCounts
    /// Most severe first.
    public var findings: [Finding]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
