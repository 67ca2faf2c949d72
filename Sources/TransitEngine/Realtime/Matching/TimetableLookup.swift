public import TransitModel

/// The queries to a timetable version that are needed to apply realtime data.
///
/// There are two conforming types: the daemon's open timetable, and an in-memory timetable for tests. A query takes
/// microseconds, so ``TripMatcher`` caches the results between messages. Errors that an implementation throws are
/// passed on to the caller.
public protocol TimetableLookup: Sendable {
    /// The services, the time zones and the latest call.
    var context: TimetableCalendar { get }
    /// Returns the position of each trip, in the order of `ids`; `nil` if the version lacks the trip or the trip has no
    /// calls.
    func patternPositions(ofTrips ids: [TripID]) throws -> [TripPatternPosition?]
    /// Returns `nil` if the version lacks the stop.
    func stop(id: StopID) throws -> StopIndex?
    func stop(_ index: StopIndex) throws -> Stop
    /// Returns the existing stops of a range of indexes, in order.
    func stopLocations(ofStops range: Range<Int>) throws -> [StopLocation]
    /// Returns `nil` if the version lacks the route.
    func route(id: RouteID) -> RouteIndex?
    /// The number of routes. Routes have the indexes from 0.
    var routeCount: Int { get }
    /// Returns the publisher's identifier of a route; `nil` if the version lacks the route.
    func routeID(_ index: RouteIndex) -> RouteID?
    /// Returns all patterns of the route.
    func patterns(of route: RouteIndex) throws -> [Pattern]
    /// Returns all calls at the stop itself, without those at its platforms.
    func patterns(at stop: StopIndex) throws -> [PatternCallPosition]
    /// Returns the points of the trip's shape, in travel order; empty if the trip has no shape.
    func path(of trip: TripIndex) throws -> [Coordinate]
    /// Whether the version has only a part of its source (`FeedSubset`).
    var isPartial: Bool { get }
    /// Returns whether a trip is in the source but outside of the kept part.
    func isOutside(_ trip: TripID) throws -> Bool
}

extension TimetableLookup {
    public var isPartial: Bool { false }
    public func isOutside(_ trip: TripID) throws -> Bool { false }
}

/// The position of a trip in a timetable.
public struct TripPatternPosition: Sendable {
    public var pattern: Pattern
    /// Index of the timing group in the pattern.
    public var timingGroup: Int
    /// Index of the trip in its timing group.
    public var position: Int

    public init(pattern: Pattern, timingGroup: Int, position: Int) {
        self.pattern = pattern
        self.timingGroup = timingGroup
        self.position = position
    }
}
