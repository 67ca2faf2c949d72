public import TransitModel

/// A call at which a rider could board, and for which departures can be fetched.
public struct BoardingCall: Sendable {
    public var stop: StopIndex
    public var pattern: Pattern
    /// The index in ``Pattern/calls``.
    public var position: Int
    /// The walking time in seconds; 0 at the rider's stop.
    public var walk: Int
    /// Whether the journey ends here. Calls where the journey begins are queried first.
    public var isDestination = false

    public init(stop: StopIndex, pattern: Pattern, position: Int, walk: Int) {
        self.stop = stop
        self.pattern = pattern
        self.position = position
        self.walk = walk
    }

    /// Returns the boarding calls of a board: all visits except the last stops of patterns.
    public static func all(of visits: [PatternCallPosition]) -> [BoardingCall] {
        visits.compactMap { visit in
            let pattern = visit.pattern
            guard visit.position + 1 < pattern.callCount, pattern.pickup(at: visit.position) != .none
            else { return nil }
            return BoardingCall(
                stop: pattern.stop(at: visit.position), pattern: pattern, position: visit.position, walk: 0)
        }
    }

    /// Returns the boarding calls of a journey, nearest first: for each pattern from an origin to a destination, the
    /// nearest stop. The next stop is served by the same vehicle.
    ///
    /// - Parameters:
    ///   - origins: The walking time to each stop in seconds.
    ///   - destinations: The walking time from each stop in seconds.
    public static func between(
        _ origins: [StopIndex: Int], _ destinations: [StopIndex: Int], patterns: [Pattern]
    ) -> [BoardingCall] {
        nearest(directPatterns(origins, destinations, patterns)) { ($0.boardings, 1) }
    }

    /// Returns the boarding calls of a journey for sources whose responses contain trip identifiers: for each pattern,
    /// the two nearest stops at either end. A pattern may call on both sides of a street, and only the trips show which
    /// side leads to the destination.
    public static func nearBothEnds(
        _ origins: [StopIndex: Int], _ destinations: [StopIndex: Int], patterns: [Pattern]
    ) -> [BoardingCall] {
        let directPatterns = directPatterns(origins, destinations, patterns)
        let ends = nearest(directPatterns) { ($0.alightings, 2) }.map { call in
            var end = call
            end.isDestination = true
            return end
        }
        return nearest(directPatterns) { ($0.boardings, 2) } + ends
    }

    private static func directPatterns(
        _ origins: [StopIndex: Int], _ destinations: [StopIndex: Int], _ patterns: [Pattern]
    ) -> [DirectPattern] {
        let (from, to) = (StopWalkTimes(origins), StopWalkTimes(destinations))
        return patterns.compactMap { DirectPattern(pattern: $0, origins: from, destinations: to) }
    }

    private static func nearest(
        _ directPatterns: [DirectPattern], _ ends: (DirectPattern) -> (ends: [DirectPattern.Endpoint], count: Int)
    ) -> [BoardingCall] {
        directPatterns.flatMap { directPattern -> [BoardingCall] in
            let (ends, count) = ends(directPattern)
            return ends.sorted { ($0.walk, -$0.position) < ($1.walk, -$1.position) }.prefix(count).map { end in
                BoardingCall(
                    stop: directPattern.pattern.stop(at: end.position), pattern: directPattern.pattern,
                    position: end.position,
                    walk: end.walk)
            }
        }.sorted { ($0.walk, $0.pattern.index) < ($1.walk, $1.pattern.index) }
    }

    /// Returns the trips of the pattern, up to a limit. In a network without times, the trips are the variants of the
    /// pattern.
    public func trips(atMost count: Int) -> [TripIndex] {
        var trips: [TripIndex] = []
        for timingGroup in 0..<pattern.timingGroupCount {
            for position in 0..<pattern.tripRange(ofTimingGroup: timingGroup).count {
                guard trips.count < count else { return trips }
                trips.append(pattern.trip(timingGroup: timingGroup, position: position))
            }
        }
        return trips
    }
}
