/// The path that a vehicle travels: the rows of shapes.txt with one `shape_id`, in sequence order.
public struct Shape: Hashable, Sendable {
    public var id: ShapeID
    public var points: [Coordinate]

    public init(id: ShapeID, points: [Coordinate]) {
        self.id = id
        self.points = points
    }
}

/// One row of transfers.txt (GTFS reference, transfers.txt). Empty columns are `nil`.
public struct Transfer: Hashable, Sendable {
    public enum Kind: UInt8, Hashable, Sendable {
        case recommended = 0
        case timed = 1
        case minimumTime = 2
        case notPossible = 3
        /// Riders stay on board while the vehicle continues as another trip.
        case inSeat = 4
        case inSeatNotAllowed = 5
    }

    public var fromStop: StopIndex?
    public var toStop: StopIndex?
    public var fromRoute: RouteIndex?
    public var toRoute: RouteIndex?
    public var fromTrip: TripID?
    public var toTrip: TripID?
    public var kind: Kind
    /// Seconds.
    public var minimumTime: Int?

    public init(
        fromStop: StopIndex?, toStop: StopIndex?, fromRoute: RouteIndex? = nil, toRoute: RouteIndex? = nil,
        fromTrip: TripID? = nil, toTrip: TripID? = nil, kind: Kind, minimumTime: Int? = nil
    ) {
        self.fromStop = fromStop
        self.toStop = toStop
        self.fromRoute = fromRoute
        self.toRoute = toRoute
        self.fromTrip = fromTrip
        self.toTrip = toTrip
        self.kind = kind
        self.minimumTime = minimumTime
    }
}

/// One row of translations.txt (GTFS reference, translations.txt): a translation of a text in another table.
public struct Translation: Hashable, Sendable {
    /// `table_name`: "stops", "routes", "trips", "stop_times", "agency", …
    public var table: String
    /// `field_name`: "stop_name", "trip_headsign", …
    public var field: String
    public var language: String
    public var text: String
    /// The translated text, given by `record_id` (with `record_sub_id` for stop_times) or by `field_value`.
    public var subject: Subject

    public enum Subject: Hashable, Sendable {
        case record(id: String, subID: String?)
        case value(String)
    }

    public init(table: String, field: String, language: String, text: String, subject: Subject) {
        self.table = table
        self.field = field
        self.language = language
        self.text = text
        self.subject = subject
    }
}

/// The row of feed_info.txt.
public struct FeedInfo: Hashable, Sendable {
    public var publisher: String?
    public var publisherURL: String?
    public var language: String?
    public var startDate: ServiceDate?
    public var endDate: ServiceDate?
    public var version: String?

    public init(
        publisher: String? = nil, publisherURL: String? = nil, language: String? = nil,
        startDate: ServiceDate? = nil, endDate: ServiceDate? = nil, version: String? = nil
    ) {
        self.publisher = publisher
        self.publisherURL = publisherURL
        self.language = language
        self.startDate = startDate
        self.endDate = endDate
        self.version = version
    }
}
