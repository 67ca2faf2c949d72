internal import TransitModel

/// Chooses where riders of a found journey board, change and alight, if its vehicles leave a choice: with the least walking,
/// then with the most time in hand at the tightest change. The vehicles, the time to set out and the arrival stay the same.
struct JourneyRefinement {
    let feeds: [SearchedFeed]
    let walks: JourneyWalks
    /// The call from which riders are on board of the first vehicle; `nil` for riders who set out from an origin.
    let firstCall: Int?

    /// A vehicle of the journey.
    struct Vehicle {
        var feed: Int
        var vehicle: TransitEngine.Vehicle
        /// What is added to the vehicle's own times.
        var delay: Int32
        /// Whether riders stay in it from the vehicle before.
        var isContinuation: Bool
    }

    /// Where riders board and alight one vehicle, and the change before it.
    struct Ride {
        var board: Int
        var alight: Int
        var changeTime: Int32
        var kind: JourneyNetwork.FootpathKind
    }

    /// A way to a call.
    private struct Way {
        var walk: Int64
        /// The time in hand at the tightest change so far, in seconds.
        var inHand: Int64
        /// The call of the vehicle before where riders alight; for an alighting, the call where they boarded.
        var from: Int
        var changeTime: Int32 = 0
        var kind = JourneyNetwork.FootpathKind.walk

        func isBetter(than other: Way?) -> Bool {
            guard let other else { return true }
            return walk != other.walk ? walk < other.walk : inHand > other.inHand
        }
    }

    /// Returns the rides of the best way, and the walks before and after; `nil` if none keeps the times.
    ///
    /// - Parameters:
    ///   - leave: The time to set out, and `arrival` that at the destination, in seconds from the start of the search.
    func rides(
        _ vehicles: [Vehicle], leave: Int32, arrival: Int32
    ) -> (rides: [Ride], walkBefore: Int32, walkAfter: Int32)? {
        var boardings: [[Way?]] = []
        var alightings: [[Way?]] = []
        for (number, one) in vehicles.enumerated() {
            let feed = feeds[one.feed]
            let count = feed.callCount(of: one.vehicle)
            var ways: [Way?]
            if number == 0 {
                ways = firstBoardings(one, count, leave)
            } else if one.isContinuation {
                ways = [Way?](repeating: nil, count: count)
                let last = alightings[number - 1].count - 1
                if let way = alightings[number - 1][last] {
                    ways[0] = Way(walk: way.walk, inHand: way.inHand, from: last)
                }
            } else {
                ways = changes(from: vehicles[number - 1], alightings[number - 1], to: one, count)
            }
            boardings.append(ways)
            alightings.append(self.alightings(one, ways))
        }
        return best(vehicles, boardings, alightings, arrival)
    }

    private func firstBoardings(_ one: Vehicle, _ count: Int, _ leave: Int32) -> [Way?] {
        if let firstCall {
            return (0..<count).map { $0 == firstCall ? Way(walk: 0, inHand: .max, from: -1) : nil }
        }
        let feed = feeds[one.feed]
        return (0..<count).map { position in
            guard feed.canBoard(one.vehicle, at: position),
                let walk = walks.access[feed.node(one.vehicle, at: position)],
                feed.times(one.vehicle, position).departure &- walk == leave
            else { return nil }
            return Way(walk: Int64(walk), inHand: .max, from: -1)
        }
    }

    /// The best way to stay in a vehicle up to each call, whether or not riders can alight there.
    private func alightings(_ one: Vehicle, _ boardings: [Way?]) -> [Way?] {
        var best: Way?
        return boardings.indices.map { position in
            let before = best
            if let way = boardings[position], way.isBetter(than: best) {
                best = Way(walk: way.walk, inHand: way.inHand, from: position)
            }
            return before
        }
    }

    private func changes(
        from one: Vehicle, _ alightings: [Way?], to next: Vehicle, _ count: Int
    ) -> [Way?] {
        let (feed, other) = (feeds[one.feed], feeds[next.feed])
        var positions: [Int: [Int]] = [:]
        for position in 0..<count where other.canBoard(next.vehicle, at: position) {
            positions[other.node(next.vehicle, at: position), default: []].append(position)
        }
        var ways = [Way?](repeating: nil, count: count)
        for (alight, way) in alightings.enumerated() {
            // Nobody alights before the search begins, even riders who are on board then.
            guard let way, let (node, time) = feed.alighting(one.vehicle, at: alight), time &+ one.delay >= 0 else {
                continue
            }
            walks.forEachChange(from: node, in: feed) { target, seconds, kind in
                for position in positions[target] ?? [] {
                    let departure = Int64(other.times(next.vehicle, position).departure)
                    let inHand = departure - Int64(time) - Int64(one.delay) - Int64(seconds)
                    guard inHand >= 0 else { continue }
                    let candidate = Way(
                        walk: way.walk + (kind == .walk ? Int64(seconds) : 0), inHand: min(way.inHand, inHand),
                        from: alight, changeTime: seconds, kind: kind)
                    if candidate.isBetter(than: ways[position]) { ways[position] = candidate }
                }
            }
        }
        return ways
    }

    private func best(
        _ vehicles: [Vehicle], _ boardings: [[Way?]], _ alightings: [[Way?]], _ arrival: Int32
    ) -> (rides: [Ride], walkBefore: Int32, walkAfter: Int32)? {
        let last = vehicles[vehicles.count - 1]
        let feed = feeds[last.feed]
        var best: (way: Way, alight: Int, walk: Int32)?
        for (position, way) in alightings[vehicles.count - 1].enumerated() {
            guard var way, let (node, time) = feed.alighting(last.vehicle, at: position),
                let walk = walks.egress[node], time &+ last.delay >= 0, time &+ last.delay &+ walk <= arrival
            else { continue }
            way.walk += Int64(walk)
            if way.isBetter(than: best?.way) { best = (way, position, walk) }
        }
        guard let best else { return nil }
        var rides: [Ride] = []
        var alight = best.alight
        for number in vehicles.indices.reversed() {
            guard let staying = alightings[number][alight], let boarding = boardings[number][staying.from] else {
                return nil
            }
            rides.append(
                Ride(board: staying.from, alight: alight, changeTime: boarding.changeTime, kind: boarding.kind))
            alight = boarding.from
        }
        rides.reverse()
        let first = feeds[vehicles[0].feed].node(vehicles[0].vehicle, at: rides[0].board)
        return (rides, firstCall == nil ? walks.access[first] ?? 0 : 0, best.walk)
    }
}
