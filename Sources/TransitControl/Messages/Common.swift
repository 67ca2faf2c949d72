public import TransitModel
public import TransitWire

/// The kind of condition that a notice reports.
public enum NoticeKind: String, OpenWireEnum {
    case missing
    case failed
    case partial
    case malformed
    case stale
    case expired
    case expiring
    case importing
    case noService = "no_service"
    case noTimetable = "no_timetable"
    case offline
    case damaged
    case fetching
    case suspended
    case quiet
    case lastService = "last_service"
    /// A value that this version does not know.
    case other
}

/// A condition that affects a result, such as missing, partial or stale data, and when it began.
public struct Notice: WireObject {
    /// The kind of condition. missing: no data is available; failed: the source could not be reached; partial: part of
    /// the data is missing; malformed: the source sent invalid data; stale: the data is older than it should be;
    /// expired: the timetable's service dates have passed; expiring: the timetable's service dates end soon; importing:
    /// a new version is being imported; no_service: the data is complete, but no trips run; no_timetable: the source
    /// publishes no times, so departures come from realtime data only; offline: there is no network connection;
    /// damaged: a file was corrupt; fetching: the data is being fetched now; suspended: the operator reports that it
    /// provides no data; quiet: notifications are not shown at some times; last_service: fewer than two journeys are left on
    /// the day. More values may be added.
    public var kind: NoticeKind
    /// The affected feed; null when the notice applies to all feeds.
    public var feed: FeedID?
    /// A human-readable sentence.
    public var message: String
    /// When the condition began.
    public var since: Timestamp?
}

/// A position on the Earth (WGS 84).
public struct Position: WireObject {
    /// The latitude; north is positive.
    /// - Unit: degrees
    /// - Range: -90...90
    public var lat: Double
    /// The longitude; east is positive.
    /// - Unit: degrees
    /// - Range: -180...180
    public var lon: Double
}

/// A range of service dates, both ends included.
public struct DateSpan: WireObject {
    /// The first date with service.
    public var first: ServiceDate
    /// The last date with service.
    public var last: ServiceDate
}

/// How well a name matches the search text, best match first.
public enum MatchRank: String, OpenWireEnum {
    case exact
    case prefix
    case word
    case substring
    case similar
    /// A value that this version does not know.
    case other
}

/// Whether wheelchairs or bicycles are accommodated, according to the publisher.
public enum AccessibilityLevel: String, OpenWireEnum {
    case unknown
    case possible
    case notPossible = "not_possible"
    /// A value that this version does not know.
    case other
}
