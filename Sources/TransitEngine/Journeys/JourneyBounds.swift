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
        var starts = zip(feeds, ends).map { feed, ends in
            [Int32](repeating: Self.unreachable, count: ends.isEmpty ? 0 : feed.network.routeCount)
        }
        let (reached, boardable) = (NodeSet(nodes), NodeSet(nodes))
        for node in walks.egress.keys { reached.insert(node) }
        for round in 0..<boardingRounds {
            let (current, previous) = (boarding + round * nodes, alighting + round * nodes)
            if round > 0 { current.initialize(from: current - nodes, count: nodes) }
            for (number, feed) in feeds.enumerated() {
                let routes = ends[number].isEmpty ? 0 : feed.network.routeCount
                let endsOfRound = UnsafeMutableBufferPointer(
                    rebasing: ends[number][round * routes..<(round + 1) * routes])
                if round > 0, routes > 0 {
                    _ = endsOfRound.update(fromContentsOf: ends[number][(round - 1) * routes..<round * routes])
                }
                addVehicles(of: feed, current, previous, endsOfRound, &starts[number], from: reached, to: boardable)
                for route in 0..<routes where isShared(route, feed.network) {
                    endsOfRound[route] = endsOfRound[route - 1]
                }
            }
            if round == alightingRounds { break }
            let next = previous + nodes
            next.initialize(from: previous, count: nodes)
            reached.removeAll()
            for feed in feeds { addChanges(in: feed, current, next, from: boardable, to: reached) }
            for (node, changes) in walks.between {
                for (target, seconds, _) in changes where seconds &+ current[target] < next[node] {
                    next[node] = seconds &+ current[target]
                    reached.insert(node)
                }
            }
            boardable.removeAll()
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

    /// Extends the times of one round backward along the routes and lines.
    ///
    /// - Parameters:
    ///   - ends: The least time from the end of each route in the same vehicle, from the round before; empty if no vehicle
    ///     continues.
    ///   - starts: For the first route that shares its calls with others, the least time from their start in the same vehicle,
    ///     from the round before.
    ///   - reached: The nodes whose time in `previous` is less than in the round before. Only routes there are visited.
    ///   - boardable: The nodes whose time in `boarding` becomes less are inserted.
    private func addVehicles(
        of feed: SearchedFeed, _ boarding: UnsafeMutablePointer<Int32>, _ previous: UnsafePointer<Int32>,
        _ ends: UnsafeMutableBufferPointer<Int32>, _ starts: inout [Int32], from reached: NodeSet,
        to boardable: NodeSet
    ) {
        let (network, tables) = (feed.network, feed.realtime?.tables)
        // The routes to visit, each standing for those that share its calls, and the last call of each that is extended.
        var (pending, last) = routes(at: reached, of: feed)
        var remaining = Self.maximumContinuations
        while true {
            for first in pending {
                let position = Int(last[Int(first)])
                last[Int(first)] = -1
                let first = Int(first)
                let range = network.calls(of: first)
                let calls = UnsafeBufferPointer(rebasing: feed.calls[range])
                // Riders do not stay on board from an earlier call than the last one.
                let end = ends.isEmpty || position < range.count - 1 ? Self.unreachable : ends[first]
                var route = first
                // A route leads where the one whose calls it shares leads, unless it has trips with realtime data.
                repeat {
                    let start: Int32
                    if let reported = tables?.fastest(of: route) {
                        start = addVehicles(
                            calls, UnsafeBufferPointer(start: reported, count: range.count), from: position, end: end,
                            firstNode: feed.firstNode, boarding, previous, to: boardable)
                    } else if route == first {
                        start = addVehicles(
                            calls, UnsafeBufferPointer(rebasing: network.fastest[range]), from: position, end: end,
                            firstNode: feed.firstNode, boarding, previous, to: boardable)
                    } else {
                        start = Self.unreachable
                    }
                    if !starts.isEmpty { starts[first] = min(starts[first], start) }
                    route += 1
                } while route < network.routeCount && isShared(route, network)
            }
            if let tables, remaining == Self.maximumContinuations {
                for line in tables.linesWithCalls {
                    let range = tables.calls(of: line)
                    let start = addVehicles(
                        UnsafeBufferPointer(rebasing: feed.reportedCalls[range]),
                        UnsafeBufferPointer(rebasing: tables.fastest[range]), from: range.count - 1,
                        end: Self.unreachable, firstNode: feed.firstNode, boarding, previous, to: boardable)
                    // A vehicle may continue as a trip that calls at other stops than scheduled.
                    guard !starts.isEmpty, let pattern = feed.pattern(ofLine: line) else { continue }
                    for route in network.routes(of: pattern.position) { starts[route] = min(starts[route], start) }
                }
            }
            // After the first pass, only routes that continue as one with a changed time are visited again.
            pending.removeAll(keepingCapacity: true)
            for continuation in network.routeContinuations {
                let (route, next) = (Int(continuation.route), Int(continuation.next))
                if starts[next] < ends[route] {
                    ends[route] = starts[next]
                    append(route)
                }
            }
            remaining -= 1
            guard !pending.isEmpty, remaining >= 0 else { return }
            if remaining > 0 { continue }
            for continuation in network.routeContinuations {
                ends[Int(continuation.route)] = 0
                append(Int(continuation.route))
            }
        }

        /// Visits all calls of a route.
        func append(_ route: Int) {
            if last[route] < 0 { pending.append(Int32(truncatingIfNeeded: route)) }
            last[route] = Int32(truncatingIfNeeded: network.routes[route].callCount) &- 1
        }
    }

    /// Returns the routes that call at nodes, as the first of those that share their calls, and the last such call by route;
    /// -1 for others. If there are many nodes, returns the last call of every route, which is quicker than to look for them.
    private func routes(at nodes: NodeSet, of feed: SearchedFeed) -> (routes: [Int32], last: [Int32]) {
        let (visits, visitsOfNodes) = (feed.network.visits, feed.network.visitsOfNodes)
        var routes: [Int32] = []
        var last = [Int32](repeating: -1, count: feed.network.routeCount)
        if nodes.count > feed.network.nodeCount / 4 {
            for route in 0..<feed.network.routeCount where !isShared(route, feed.network) {
                routes.append(Int32(truncatingIfNeeded: route))
                last[route] = Int32(truncatingIfNeeded: feed.network.routes[route].callCount) &- 1
            }
            return (routes, last)
        }
        last.withUnsafeMutableBufferPointer { last in
            for number in 0..<nodes.count where feed.contains(node: nodes[number]) {
                let node = nodes[number] &- feed.firstNode
                for number in Int(visitsOfNodes[node])..<Int(visitsOfNodes[node &+ 1]) {
                    let (route, position) = (visits[number].route, Int32(truncatingIfNeeded: visits[number].position))
                    if position <= last[route] { continue }
                    if last[route] < 0 { routes.append(Int32(truncatingIfNeeded: route)) }
                    last[route] = position
                }
            }
        }
        return (routes, last)
    }

    /// Whether a route shares its calls with the route before.
    private func isShared(_ route: Int, _ network: JourneyNetwork) -> Bool {
        guard route > 0 else { return false }
        let (one, previous) = (network.routes[route], network.routes[route - 1])
        return one.firstCall == previous.firstCall && one.pattern == previous.pattern
    }

    /// Extends the times of one round backward along the calls of a route.
    ///
    /// - Parameters:
    ///   - last: The position of the last call where the time of the round before was improved.
    ///   - end: The least time from the last call in the same vehicle.
    /// - Returns: The least time from the first call in this vehicle.
    @inline(__always)
    private func addVehicles(
        _ calls: UnsafeBufferPointer<JourneyNetwork.Call>, _ fastest: UnsafeBufferPointer<some FixedWidthInteger>,
        from last: Int, end: Int32, firstNode: Int, _ boarding: UnsafeMutablePointer<Int32>,
        _ previous: UnsafePointer<Int32>, to boardable: NodeSet
    ) -> Int32 {
        var least = end
        var position = last
        while position >= 0 {
            let call = calls[position]
            let node = firstNode &+ call.node
            least = least &+ Int32(truncatingIfNeeded: fastest[position])
            if least < boarding[node], call.canBoard {
                boarding[node] = least
                boardable.insert(node)
            }
            if position > 0, call.canAlight { least = min(least, previous[node]) }
            least = min(least, Self.unreachable)
            position -= 1
        }
        return least
    }

    /// Extends the times of one round backward along the footpaths.
    ///
    /// - Parameters:
    ///   - boardable: The nodes whose time in `boarding` is less than in the round before. Only footpaths there are visited.
    ///   - reached: The nodes whose time in `alighting` becomes less are inserted.
    private func addChanges(
        in feed: SearchedFeed, _ boarding: UnsafePointer<Int32>, _ alighting: UnsafeMutablePointer<Int32>,
        from boardable: NodeSet, to reached: NodeSet
    ) {
        let (footpaths, footpathsOfNodes) = (feed.network.footpaths, feed.network.footpathsOfNodes)
        let times = feed.changeTimes
        let (first, boarding, alighting) = (feed.firstNode, boarding + feed.firstNode, alighting + feed.firstNode)
        @inline(__always)
        func improve(_ node: Int, _ time: Int32) {
            if time >= alighting[node] { return }
            alighting[node] = time
            reached.insert(first &+ node)
        }
        for number in 0..<boardable.count where feed.contains(node: boardable[number]) {
            let node = boardable[number] &- first
            let time = boarding[node]
            improve(node, time)
            // The way back takes as long, unless it is among the others below; then its time here is possibly too short.
            for number in Int(footpathsOfNodes[node])..<Int(footpathsOfNodes[node &+ 1]) {
                improve(footpaths.node(number), time &+ times[number].seconds)
            }
        }
        for one in feed.network.footpathsWithoutReverse {
            improve(Int(one.from), boarding[footpaths.node(Int(one.footpath))] &+ times[Int(one.footpath)].seconds)
        }
    }
}

/// The nodes whose time a round has improved.
private final class NodeSet {
    private let nodes: UnsafeMutablePointer<Int32>
    private let isMember: UnsafeMutablePointer<Bool>
    private(set) var count = 0

    /// - Parameter limit: The number of nodes that there are.
    init(_ limit: Int) {
        nodes = .allocate(capacity: max(1, limit))
        isMember = .allocate(capacity: max(1, limit))
        isMember.initialize(repeating: false, count: limit)
    }

    @inline(__always)
    subscript(number: Int) -> Int { Int(nodes[number]) }

    @inline(__always)
    func insert(_ node: Int) {
        if isMember[node] { return }
        isMember[node] = true
        nodes[count] = Int32(truncatingIfNeeded: node)
        count &+= 1
    }

    func removeAll() {
        for number in 0..<count { isMember[self[number]] = false }
        count = 0
    }

    deinit {
        nodes.deallocate()
        isMember.deallocate()
    }
}
