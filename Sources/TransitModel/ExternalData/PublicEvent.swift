/// A public event at a venue, such as a concert or a game, as its source describes it.
public struct PublicEvent: Hashable, Sendable {
    public var id: String
    public var name: String
    /// A page about the event: an `https` or `http` URL.
    public var url: String?
    /// The kind of event, such as "Sports".
    public var category: String?
    /// A more specific kind, such as "Basketball".
    public var genre: String?
    public var status: EventStatus
    /// `nil` if the date or the time of day has not been announced.
    public var start: Instant?
    /// The local date; `nil` if it has not been announced.
    public var date: ServiceDate?
    /// The local time of day in seconds; `nil` if it has not been announced.
    public var secondsOfDay: Int?
    /// `nil` if the source does not give it, which is usual.
    public var end: Instant?
    public var venue: EventVenue?

    public init(
        id: String, name: String, url: String? = nil, category: String? = nil, genre: String? = nil,
        status: EventStatus = .scheduled, start: Instant? = nil, date: ServiceDate? = nil, secondsOfDay: Int? = nil,
        end: Instant? = nil, venue: EventVenue? = nil
    ) {
        self.id = id
        self.name = name
        self.url = url
        self.category = category
        self.genre = genre
        self.status = status
        self.start = start
        self.date = date
        self.secondsOfDay = secondsOfDay
        self.end = end
        self.venue = venue
    }
}

/// Whether an event takes place as announced. The raw values are used on the wire.
public enum EventStatus: String, Hashable, Sendable, CaseIterable {
    case scheduled
    /// The event has a new date, which ``PublicEvent/start`` gives.
    case rescheduled
    case postponed
    case canceled

    /// Whether the event takes place at the given time.
    public var takesPlace: Bool { self == .scheduled || self == .rescheduled }
}

/// The venue of an event.
public struct EventVenue: Hashable, Sendable {
    public var name: String
    public var city: String?
    /// `nil` if the source does not give it.
    public var coordinate: Coordinate?

    public init(name: String, city: String? = nil, coordinate: Coordinate? = nil) {
        self.name = name
        self.city = city
        self.coordinate = coordinate
    }
}
