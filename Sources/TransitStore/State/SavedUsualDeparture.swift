public import TransitModel

/// A departure that a user pinned or usually takes: a scheduled time of day on some days of the week.
public struct SavedUsualDeparture: Hashable, Sendable {
    public var feed: FeedID
    public var route: RouteID
    /// `nil` if the feed has no directions.
    public var direction: Direction?
    /// The stop in the timetable.
    public var stop: StopID
    /// The scheduled departure in the service time of its date; it may pass 24:00:00.
    public var time: ServiceTime
    /// The service days on which the user takes it.
    public var days: Set<Weekday>
    /// The only service date of a departure that is pinned for one date; `nil` otherwise.
    public var date: ServiceDate?
    /// The commute on which the user takes it; `nil` if unknown.
    public var commute: String?
    /// Whether the user pinned it. Otherwise it was learned from what the user asked for and took.
    public var isPinned: Bool

    public init(
        feed: FeedID, route: RouteID, direction: Direction?, stop: StopID, time: ServiceTime, days: Set<Weekday>,
        date: ServiceDate? = nil, commute: String? = nil, isPinned: Bool
    ) {
        self.feed = feed
        self.route = route
        self.direction = direction
        self.stop = stop
        self.time = time
        self.days = days
        self.date = date
        self.commute = commute
        self.isPinned = isPinned
    }
}
