internal import TransitModel

/// The least time from each node to the destination by the number of vehicles, if every vehicle came immediately and were as
/// fast as the fastest trip. A search leaves out what cannot arrive earlier than a journey that it has found.
final class JourneyBounds {
    /// For each node and number of vehicles less one, at the index `node * rounds + vehicles - 1`: the least time from
    /// boarding to the destination; ``unreachable`` if that many vehicles do not lead there.
    let boarding: UnsafeMutablePointer<Int32>
    /// The same from an arrival with a vehicle, after which riders change.
    let alighting: UnsafeMutablePointer<Int32>

    /// For each feed, the least time from the end of each route or of those that share its calls, in the same vehicle, at the
    /// index `(vehicles - 1) * routes + route`, where the vehicles include that one; empty if no vehicle continues.
    private let ends: [UnsafeMutableBufferPointer<Int32>]

    private let rounds: Int

    static let unreachable = Int32.max / 4
    /// The number of trips as which a vehicle continues until the time after it counts as 0, so that the work is bounded.
    private static let maximumContinuations = 16

    init(
        feeds: [SearchedFeed], nodes: Int, rounds: Int, walks: JourneyWalks
    ) {
        self.rounds = rounds
        boarding = .allocate(capacity: max(1, nodes * rounds))
        boarding.initialize(repeating: Self.unreachable, count: nodes * rounds)
        alighting = .allocate(capacity: max(1, nodes * rounds))
        alighting.initialize(repeating: Self.unreachable, count: nodes * rounds)
        // The least time from an arrival to the destination with the vehicles of the previous round.
        let previous = UnsafeMutablePointer<Int32>.allocate(capacity: max(1, nodes))
        defer { previous.deallocate() }
        previous.initialize(repeating: Self.unreachable, count: nodes)
        for (node, walk) in walks.egress { previous[node] = walk }
        ends = feeds.map { feed in
            let ends = UnsafeMutableBufferPointer<Int32>.allocate(
                capacity: feed.network.routeContinuations.isEmpty ? 0 : rounds * feed.network.routeCount)
            ends.initialize(repeating: Self.unreachable)
            return ends
        }
        for round in 0..<rounds {
            for (number, feed) in feeds.enumerated() {
                let routes = ends[number].isEmpty ? 0 : feed.network.routeCount
                let endsOfRound = UnsafeMutableBufferPointer(
                    rebasing: ends[number][round * routes..<(round + 1) * routes])
                addVehicles(of: feed, round, rounds, previous, endsOfRound)
                for route in 0..<routes where isShared(route, feed.network) {
                    endsOfRound[route] = endsOfRound[route - 1]
                }
            }
            for feed in feeds { addChanges(in: feed, round, rounds, walks.speed) }
            for (node, changes) in walks.between {
                for (target, seconds, _) in changes {
                    let time = seconds &+ boarding[target * rounds + round]
                    alighting[node * rounds + round] = min(alighting[node * rounds + round], time)
                }
            }
            for node in 0..<nodes { previous[node] = alighting[node * rounds + round] }
        }
    }

    /// Whether boarding at a node at a time can lead to an earlier arrival than the best so far.
    ///
    /// - Parameters:
    ///   - best: The earliest arrival by the number of vehicles.
    ///   - vehicles: The number of vehicles before.
    @inline(__always)
    func mayImprove(_ best: [Int32], boardingAt node: Int, _ time: Int32, after vehicles: Int) -> Bool {
        let row = node * rounds - 1
        for more in 1...(rounds - vehicles)
        where Int64(time) + Int64(boarding[row + more]) < Int64(best[vehicles + more]) { return true }
        return false
    }

    /// Whether a change after an arrival at a node can lead to an earlier arrival than the best so far.
    @inline(__always)
    func mayImprove(_ best: [Int32], changingAt node: Int, _ time: Int32, after vehicles: Int) -> Bool {
        let row = node * rounds - 1
        var more = 1
        while vehicles + more <= rounds {
            if Int64(time) + Int64(alighting[row + more]) < Int64(best[vehicles + more]) { return true }
            more += 1
        }
        return false
    }

    /// Whether staying in a vehicle after the end of its route can lead to an earlier arrival than the best so far.
    ///
    /// - Parameter vehicles: The number of vehicles, including that one.
    func mayImprove(
        _ best: [Int32], stayingAfter route: Int, of feed: Int, routes: Int, _ time: Int32, with vehicles: Int
    ) -> Bool {
        for more in 0...(rounds - vehicles)
        where Int64(time) + Int64(ends[feed][more * routes + route]) < Int64(best[vehicles + more]) { return true }
        return false
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
        of feed: SearchedFeed, _ round: Int, _ rounds: Int, _ previous: UnsafeMutablePointer<Int32>,
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
                    start = addVehicles(calls, fastest, end: end, feed, round, rounds, previous)
                } else {
                    let fastest = UnsafeBufferPointer(rebasing: network.fastest[range])
                    start = addVehicles(calls, fastest, end: end, feed, round, rounds, previous)
                }
                if !starts.isEmpty { starts[first] = min(starts[first], start) }
            }
            if let tables, remaining == Self.maximumContinuations {
                for line in tables.linesWithCalls {
                    let range = tables.calls(of: line)
                    let start = addVehicles(
                        UnsafeBufferPointer(rebasing: feed.reportedCalls[range]),
                        UnsafeBufferPointer(rebasing: tables.fastest[range]), end: Self.unreachable, feed, round,
                        rounds, previous)
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
        end: Int32,
        _ feed: SearchedFeed, _ round: Int, _ rounds: Int, _ previous: UnsafeMutablePointer<Int32>
    ) -> Int32 {
        var least = end
        var position = calls.count - 1
        while position >= 0 {
            let call = calls[position]
            let node = feed.firstNode &+ call.node
            least = least &+ Int32(truncatingIfNeeded: fastest[position])
            if least < Self.unreachable, call.canBoard {
                let row = node &* rounds &+ round
                if least < boarding[row] { boarding[row] = least }
            }
            if position > 0, call.canAlight { least = min(least, previous[node]) }
            least = min(least, Self.unreachable)
            position -= 1
        }
        return least
    }

    private func addChanges(in feed: SearchedFeed, _ round: Int, _ rounds: Int, _ walkingSpeed: WalkingSpeed) {
        let network = feed.network
        for node in 0..<network.nodeCount {
            let row = (feed.firstNode + node) * rounds + round
            var least = boarding[row]
            for number in network.footpaths(of: node) {
                let target = boarding[(feed.firstNode + network.footpaths.node(number)) * rounds + round]
                if target < least {
                    least = min(least, target &+ network.footpaths[number].seconds(at: walkingSpeed))
                }
            }
            alighting[row] = least
        }
    }
}
