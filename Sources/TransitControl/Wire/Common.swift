public import TransitModel

/// What a notice is about.
public enum NoticeKind: String, WireEnum {
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
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// Something that a reader of a result must know: what is missing, failed, partial, malformed, stale or expired, and
/// since when.
public struct Notice: WireObject {
    public var kind: NoticeKind
    public var feed: FeedID?
    public var message: String
    public var since: Timestamp?

    public init(kind: NoticeKind, feed: FeedID? = nil, message: String, since: Timestamp? = nil) {
        self.kind = kind
        self.feed = feed
        self.message = message
        self.since = since
    }

    public static let wireSchema = WireSchema(
        "Notice",
        """
        Something that a reader of a result must know: what is missing, failed, partial, malformed, \
        stale or expired, and since when.
        """, Self.init,
        Field(
            "kind", \.kind,
            """
            missing: nothing is known; failed: the source could not be asked; partial: a part is \
            missing; malformed: the source was wrong; stale: older than it should be; expired: the \
            timetable's dates are over; expiring: they are over soon; importing: a new version is on its way; \
            no_service: all is known, and nothing runs; no_timetable: the source tells no times, so that only \
            live data tell of departures; offline: there is no network; damaged: a file was \
            found damaged; fetching: it is being asked for right now; suspended: the operator tells \
            nothing. More may follow.
            """),
        Field("feed", \.feed, "The feed that it is about; null when it is about all."),
        Field("message", \.message, "A sentence for people."),
        Field("since", \.since, "Since when."))
}

/// A place on the Earth, WGS 84.
public struct Position: WireObject {
    public var lat: Double
    public var lon: Double

    public init(lat: Double, lon: Double) {
        self.lat = lat
        self.lon = lon
    }

    public static let wireSchema = WireSchema(
        "Position", "A place on the Earth, WGS 84.", Self.init,
        Field("lat", \.lat, "Degrees north.", unit: .degrees, in: -90...90),
        Field("lon", \.lon, "Degrees east.", unit: .degrees, in: -180...180))
}

/// Service dates from the first to the last, both included.
public struct DateSpan: WireObject {
    public var first: ServiceDate
    public var last: ServiceDate

    public init(first: ServiceDate, last: ServiceDate) {
        self.first = first
        self.last = last
    }

    public static let wireSchema = WireSchema(
        "DateSpan", "Service dates from the first to the last, both included.", Self.init,
        Field("first", \.first, "The first date on which anything runs."),
        Field("last", \.last, "The last date on which anything runs."))
}

/// How well a name fits what was searched for, best first.
public enum MatchRank: String, WireEnum {
    case exact
    case prefix
    case word
    case substring
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// What a publisher says about wheelchairs or bicycles.
public enum AccessPermission: String, WireEnum {
    case unknown
    case possible
    case notPossible = "not_possible"
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}
