internal import TransitModel

/// The least time from each node to the destination by the number of vehicles, if every vehicle came immediately and were as
/// fast as the fastest trip. A search leaves out what cannot arrive earlier than a journey that it has found.
final class JourneyBounds {
    /// For each number of vehicles less one and each node, at the index `(vehicles - 1) * nodes + node`: the least time from
    /// boarding to the destination with at most that many vehicles; ``unreachable`` if they do not lead there.
    private let boarding: UnsafeMutablePointer<Int32>
    /// The same from an arrival with a vehicle, after which riders change. At nodes of the destination, also without a vehicle.
    private let alighting: UnsafeMutablePointer<Int32>

    /// For each feed, the least time from the end of each route or of those that share its calls, in the same vehicle, at the
    /// index `(vehicles - 1) * routes + route`, where the vehicles include that one; empty if no vehicle continues.
    private let ends: [UnsafeMutableBufferPointer<Int32>]

    private let nodes: Int
    /// The greatest number of vehicles of a journey.
    private let rounds: Int
    /// The greatest numbers of vehicles with which the times are computed. With more vehicles, no least time is known.
    private let boardingRounds: Int
    private let alightingRounds: Int

    static let unreachable = Int32.max / 4
    /// The number of trips as which a vehicle continues until the time after it counts as 0, so that the work is bounded.
    private static let maximumContinuations = 16

    /// - Parameter isWindow: Whether the bounds are used for many times to set out. Otherwise those for the first vehicle take
    ///   longer to compute than they save.
    init(feeds: [SearchedFeed], nodes: Int, rounds: Int, walks: JourneyWalks, isWindow: Bool) {
        self.nodes = nodes
        self.rounds = rounds
        boardingRounds = isWindow ? rounds : max(1, rounds - 1)
        alightingRounds = boardingRounds - 1
        boarding = .allocate(capacity: max(1, nodes * boardingRounds))
        boarding.initialize(repeating: Self.unreachable, count: nodes)
        // The first part is the walk to the destination, without a vehicle.
        alighting = .allocate(capacity: max(1, nodes * boardingRounds))
        alighting.initialize(repeating: Self.unreachable, count: nodes)
        for (node, walk) in walks.egress { alighting[node] = walk }
        let boardingRounds = boardingRounds
        ends = feeds.map { feed in
            let ends = UnsafeMutableBufferPointer<Int32>.allocate(
                capacity: feed.network.routeContinuations.isEmpty ? 0 : boardingRounds * feed.network.routeCount)
            ends.initialize(repeating: Self.unreachable)
            return ends
        }
        for round in 0..<boardingRounds {
            let (current, previous) = (boarding + round * nodes, alighting + round * nodes)
            if round > 0 { current.initialize(from: current - nodes, count: nodes) }
            for (number, feed) in feeds.enumerated() {
                let routes = ends[number].isEmpty ? 0 : feed.network.routeCount
                let endsOfRound = UnsafeMutableBufferPointer(
                    rebasing: ends[number][round * routes..<(round + 1) * routes])
                addVehicles(of: feed, current, previous, endsOfRound)
                for route in 0..<routes where isShared(route, feed.network) {
                    endsOfRound[route] = endsOfRound[route - 1]
                }
            }
            if round == alightingRounds { break }
            let next = previous + nodes
            next.initialize(from: previous, count: nodes)
            for feed in feeds { addChanges(in: feed, current, next, walks.speed) }
            for (node, changes) in walks.between {
                for (target, seconds, _) in changes { next[node] = min(next[node], seconds &+ current[target]) }
            }
        }
    }

    /// Whether boarding at a node at a time can lead to an earlier arrival than the best so far.
    ///
    /// - Parameters:
    ///   - best: The earliest arrival by the number of vehicles.
    ///   - vehicles: The number of vehicles before.
    @inline(__always)
    func mayImprove(_ best: UnsafePointer<Int32>, boardingAt node: Int, _ time: Int32, after vehicles: Int) -> Bool {
        if rounds &- vehicles > boardingRounds { return true }
        var (more, index) = (1, node)
        while vehicles &+ more <= rounds {
            if Int64(time) &+ Int64(boarding[index]) < Int64(best[vehicles &+ more]) { return true }
            more &+= 1
            index &+= nodes
        }
        return false
    }

    /// Whether a change after an arrival at a node can lead to an earlier arrival than the best so far.
    @inline(__always)
    func mayImprove(_ best: UnsafePointer<Int32>, changingAt node: Int, _ time: Int32, after vehicles: Int) -> Bool {
        if rounds &- vehicles > alightingRounds { return true }
        var (more, index) = (1, node &+ nodes)
        while vehicles &+ more <= rounds {
            if Int64(time) &+ Int64(alighting[index]) < Int64(best[vehicles &+ more]) { return true }
            more &+= 1
            index &+= nodes
        }
        return false
    }

    /// Whether staying in a vehicle after the end of its route can lead to an earlier arrival than the best so far.
    ///
    /// - Parameter vehicles: The number of vehicles, including that one.
    func mayImprove(
        _ best: UnsafePointer<Int32>, stayingAfter route: Int, of feed: Int, routes: Int, _ time: Int32,
        with vehicles: Int
    ) -> Bool {
        if rounds - vehicles >= boardingRounds { return time < best[vehicles] }
        for more in 0...(rounds - vehicles)
        where Int64(time) + Int64(ends[feed][more * routes + route]) < Int64(best[vehicles + more]) { return true }
        return false
    }

    /// Returns the least time after a walk and from boarding at a node to the destination, with at most that many vehicles.
    ///
    /// For more vehicles than the times are computed with, the time may be less.
    func least(from node: Int, _ walk: Int32, _ vehicles: Int) -> Int32 {
        let time = boarding[(min(vehicles, boardingRounds) - 1) * nodes + node]
        return time < Self.unreachable && walk < Self.unreachable ? walk + time : Self.unreachable
    }

    deinit {
        boarding.deallocate()
        alighting.deallocate()
        for ends in ends { ends.deallocate() }
    }

    /// Extends the times of one round backward along all routes.
    ///
    /// - Parameter ends: The least time from the end of each route in the same vehicle, which is computed; empty if no
    ///   vehicle continues.
    private func addVehicles(
        of feed: SearchedFeed, _ boarding: UnsafeMutablePointer<Int32>, _ previous: UnsafePointer<Int32>,
        _ ends: UnsafeMutableBufferPointer<Int32>
    ) {
        let (network, tables) = (feed.network, feed.realtime?.tables)
        // For the first route that shares its calls with others, the least time from their start in the same vehicle.
        var starts = [Int32](repeating: Self.unreachable, count: ends.count)
        // After the first pass, only routes that continue as one with a changed time are visited again.
        var isPending = [Bool](repeating: true, count: network.routeCount)
        var remaining = Self.maximumContinuations
        while true {
            var first = 0
            for route in 0..<network.routeCount {
                if !isShared(route, network) { first = route }
                guard isPending[first] else { continue }
                // A route leads where the one whose calls it shares leads, unless it has trips with realtime data.
                let reported = tables?.fastest(of: route)
                if reported == nil, first != route { continue }
                let range = network.calls(of: route)
                let calls = UnsafeBufferPointer(rebasing: feed.calls[range])
                let end = ends.isEmpty ? Self.unreachable : ends[first]
                let start: Int32
                if let reported {
                    let fastest = UnsafeBufferPointer(start: reported, count: range.count)
                    start = addVehicles(calls, fastest, end: end, firstNode: feed.firstNode, boarding, previous)
                } else {
                    let fastest = UnsafeBufferPointer(rebasing: network.fastest[range])
                    start = addVehicles(calls, fastest, end: end, firstNode: feed.firstNode, boarding, previous)
                }
                if !starts.isEmpty { starts[first] = min(starts[first], start) }
            }
            if let tables, remaining == Self.maximumContinuations {
                for line in tables.linesWithCalls {
                    let range = tables.calls(of: line)
                    let start = addVehicles(
                        UnsafeBufferPointer(rebasing: feed.reportedCalls[range]),
                        UnsafeBufferPointer(rebasing: tables.fastest[range]), end: Self.unreachable,
                        firstNode: feed.firstNode, boarding, previous)
                    // A vehicle may continue as a trip that calls at other stops than scheduled.
                    guard !starts.isEmpty, let pattern = feed.pattern(ofLine: line) else { continue }
                    for route in network.routes(of: pattern.position) { starts[route] = min(starts[route], start) }
                }
            }
            var hasChanged = false
            for route in isPending.indices { isPending[route] = false }
            for continuation in network.routeContinuations {
                let (route, next) = (Int(continuation.route), Int(continuation.next))
                if starts[next] < ends[route] {
                    ends[route] = starts[next]
                    isPending[route] = true
                    hasChanged = true
                }
            }
            remaining -= 1
            guard hasChanged, remaining >= 0 else { return }
            if remaining > 0 { continue }
            for continuation in network.routeContinuations {
                ends[Int(continuation.route)] = 0
                isPending[Int(continuation.route)] = true
            }
        }
    }

    /// Whether a route shares its calls with the route before.
    private func isShared(_ route: Int, _ network: JourneyNetwork) -> Bool {
        guard route > 0 else { return false }
        let (one, previous) = (network.routes[route], network.routes[route - 1])
        return one.firstCall == previous.firstCall && one.pattern == previous.pattern
    }

    /// Extends the times of one round backward along the calls of a route.
    ///
    /// - Parameter end: The least time from the last call in the same vehicle.
    /// - Returns: The least time from the first call in this vehicle.
    @inline(__always)
    private func addVehicles(
        _ calls: UnsafeBufferPointer<JourneyNetwork.Call>, _ fastest: UnsafeBufferPointer<some FixedWidthInteger>,
        end: Int32, firstNode: Int, _ boarding: UnsafeMutablePointer<Int32>, _ previous: UnsafePointer<Int32>
    ) -> Int32 {
        var least = end
        var position = calls.count - 1
        while position >= 0 {
            let call = calls[position]
            let node = firstNode &+ call.node
            least = least &+ Int32(truncatingIfNeeded: fastest[position])
            if least < boarding[node], call.canBoard { boarding[node] = least }
            if position > 0, call.canAlight { least = min(least, previous[node]) }
            least = min(least, Self.unreachable)
            position -= 1
        }
        return least
    }

    /// Extends the times of one round backward along all footpaths.
    private func addChanges(
        in feed: SearchedFeed, _ boarding: UnsafePointer<Int32>, _ alighting: UnsafeMutablePointer<Int32>,
        _ walkingSpeed: WalkingSpeed
    ) {
        let (footpaths, footpathsOfNodes) = (feed.network.footpaths, feed.network.footpathsOfNodes)
        let (boarding, alighting) = (boarding + feed.firstNode, alighting + feed.firstNode)
        var number = 0
        for node in 0..<feed.network.nodeCount {
            var least = min(alighting[node], boarding[node])
            let end = Int(footpathsOfNodes[node + 1])
            while number < end {
                let target = boarding[footpaths.node(number)]
                if target < least { least = min(least, target &+ footpaths[number].seconds(at: walkingSpeed)) }
                number &+= 1
            }
            alighting[node] = least
        }
    }
}
