public import TransitModel

/// What the merging of live data needs to know of one version of a timetable.
///
/// Two conformers: the daemon's opened timetable, and a table in memory that tests use. A question costs microseconds, so
/// ``TripMatcher`` remembers the answers from one message to the next. What an implementation throws is thrown on.
public protocol TimetableLookup: Sendable {
    /// Services, zones and the latest call.
    var context: TimetableContext { get }
    /// Where trips run, one for each, in their order; `nil` where the version does not have the trip, or it calls nowhere.
    func places(ofTrips ids: [TripID]) throws -> [TripPatternPosition?]
    /// `nil` when the version has no such stop.
    func stop(id: StopID) throws -> StopIndex?
    func stop(_ index: StopIndex) throws -> Stop
    /// The stops of a range of indexes, in their order, as far as there are any.
    func stopLocations(ofStops range: Range<Int>) throws -> [StopLocation]
    /// `nil` when the version has no such route.
    func route(id: RouteID) -> RouteIndex?
    /// Every pattern of the route.
    func patterns(of route: RouteIndex) throws -> [Pattern]
    /// Every call at that stop itself, not at its platforms.
    func patterns(at stop: StopIndex) throws -> [PatternVisit]
    /// The points of the trip's shape, in its direction; empty when it has none.
    func path(of trip: TripIndex) throws -> [Coordinate]
}

/// Where a trip of a timetable runs.
public struct TripPatternPosition: Sendable {
    public var pattern: Pattern
    /// Position in ``Pattern/lanes``.
    public var timingGroup: Int
    /// Position of the trip in its lane.
    public var position: Int

    public init(pattern: Pattern, timingGroup: Int, position: Int) {
        self.pattern = pattern
        self.timingGroup = timingGroup
        self.position = position
    }
}
