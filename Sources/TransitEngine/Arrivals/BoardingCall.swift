public import TransitModel

/// A call at which somebody could board: where to ask for what leaves next.
public struct BoardingCall: Sendable {
    public var stop: StopIndex
    public var pattern: Pattern
    /// Where in ``Pattern/calls``.
    public var position: Int
    /// Seconds on foot; 0 where somebody is at the stop already.
    public var walk: Int
    /// Whether a journey ends here: what begins one is asked first.
    public var isEnd = false

    public init(stop: StopIndex, pattern: Pattern, position: Int, walk: Int) {
        self.stop = stop
        self.pattern = pattern
        self.position = position
        self.walk = walk
    }

    /// The places of a board: every visit that is not the end of its way.
    public static func all(of visits: [PatternVisit]) -> [BoardingCall] {
        visits.compactMap { visit in
            let pattern = visit.pattern
            guard visit.position + 1 < pattern.callCount, pattern.pickup(at: visit.position) != .none
            else { return nil }
            return BoardingCall(
                stop: pattern.stop(at: visit.position), pattern: pattern, position: visit.position, walk: 0)
        }
    }

    /// The places of a journey, nearest first: of each pattern that leads from an origin to a destination the nearest stop,
    /// for whoever waits at the next one waits for the same vehicle.
    ///
    /// - Parameters:
    ///   - origins: seconds on foot to each stop.
    ///   - destinations: seconds on foot from each stop.
    public static func between(
        _ origins: [StopIndex: Int], _ destinations: [StopIndex: Int], patterns: [Pattern]
    ) -> [BoardingCall] {
        nearest(ways(origins, destinations, patterns)) { ($0.boardings, 1) }
    }

    /// The same where answers name trips: of each pattern the two nearest stops at either end. Both sides of a street may
    /// be on one pattern, and only the trips tell which of them leads there.
    public static func nearBothEnds(
        _ origins: [StopIndex: Int], _ destinations: [StopIndex: Int], patterns: [Pattern]
    ) -> [BoardingCall] {
        let ways = ways(origins, destinations, patterns)
        let ends = nearest(ways) { ($0.alightings, 2) }.map { place in
            var end = place
            end.isEnd = true
            return end
        }
        return nearest(ways) { ($0.boardings, 2) } + ends
    }

    private static func ways(
        _ origins: [StopIndex: Int], _ destinations: [StopIndex: Int], _ patterns: [Pattern]
    ) -> [DirectPattern] {
        let (from, to) = (StopWalkTimes(origins), StopWalkTimes(destinations))
        return patterns.compactMap { DirectPattern(pattern: $0, origins: from, destinations: to) }
    }

    private static func nearest(
        _ ways: [DirectPattern], _ ends: (DirectPattern) -> (ends: [DirectPattern.Endpoint], count: Int)
    ) -> [BoardingCall] {
        ways.flatMap { way -> [BoardingCall] in
            let (ends, count) = ends(way)
            return ends.sorted { ($0.walk, -$0.position) < ($1.walk, -$1.position) }.prefix(count).map { end in
                BoardingCall(
                    stop: way.pattern.stop(at: end.position), pattern: way.pattern, position: end.position,
                    walk: end.walk)
            }
        }.sorted { ($0.walk, $0.pattern.index) < ($1.walk, $1.pattern.index) }
    }

    /// The trips that go this way, at most so many: in a network without times they are its variants.
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
