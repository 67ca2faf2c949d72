internal import TransitModel

/// The least time from each node to the destination by the number of vehicles, if every vehicle came immediately and were as
/// fast as the fastest trip. A search leaves out what cannot arrive earlier than a journey that it has found.
final class JourneyBounds {
    /// For each node and number of vehicles less one, at the index `node * rounds + vehicles - 1`: the least time from
    /// boarding to the destination; ``unreachable`` if that many vehicles do not lead there.
    let boarding: UnsafeMutablePointer<Int32>
    /// The same from an arrival with a vehicle, after which riders change.
    let alighting: UnsafeMutablePointer<Int32>

    static let unreachable = Int32.max / 4
    /// The number of trips as which a vehicle may continue.
    private static let maximumContinuations = 16

    init(
        feeds: [SearchedFeed], nodes: Int, rounds: Int, egress: [Int32: Int32],
        between: [Int: [(node: Int, seconds: Int32)]], walkingSpeed: Double
    ) {
        boarding = .allocate(capacity: max(1, nodes * rounds))
        boarding.initialize(repeating: Self.unreachable, count: nodes * rounds)
        alighting = .allocate(capacity: max(1, nodes * rounds))
        alighting.initialize(repeating: Self.unreachable, count: nodes * rounds)
        // The least time from an arrival to the destination with the vehicles of the previous round.
        let previous = UnsafeMutablePointer<Int32>.allocate(capacity: max(1, nodes))
        defer { previous.deallocate() }
        previous.initialize(repeating: Self.unreachable, count: nodes)
        for (node, walk) in egress { previous[Int(node)] = walk }
        for round in 0..<rounds {
            for feed in feeds { addVehicles(of: feed, round, rounds, previous) }
            for feed in feeds { addChanges(in: feed, round, rounds, walkingSpeed) }
            for (node, changes) in between {
                for (target, seconds) in changes {
                    let time = seconds &+ boarding[target * rounds + round]
                    alighting[node * rounds + round] = min(alighting[node * rounds + round], time)
                }
            }
            for node in 0..<nodes { previous[node] = alighting[node * rounds + round] }
        }
    }

    deinit {
        boarding.deallocate()
        alighting.deallocate()
    }

    private func addVehicles(
        of feed: SearchedFeed, _ round: Int, _ rounds: Int, _ previous: UnsafeMutablePointer<Int32>
    ) {
        let network = feed.network
        // For each route, the least time from its end in the same vehicle.
        var ends = [Int32](repeating: Self.unreachable, count: network.routeContinuations.isEmpty ? 0 : network.routeCount)
        var starts = ends
        func pass() -> Bool {
            var hasChanged = false
            for route in 0..<network.routeCount {
                let calls = network.calls(of: route)
                var least = ends.isEmpty ? Self.unreachable : ends[route]
                for call in calls.reversed() {
                    least = least &+ network.fastest[call]
                    let node = feed.firstNode + network.calls[call].node
                    let row = node * rounds + round
                    if network.calls[call].canBoard, least < boarding[row] { boarding[row] = least }
                    if !ends.isEmpty, call == calls.lowerBound, least < starts[route] {
                        starts[route] = least
                        hasChanged = true
                    }
                    if network.calls[call].canAlight { least = min(least, previous[node]) }
                    least = min(least, Self.unreachable)
                }
            }
            return hasChanged
        }
        var remaining = Self.maximumContinuations
        while pass(), remaining > 0 {
            var hasChanged = false
            for continuation in network.routeContinuations {
                let (route, next) = (Int(continuation.route), Int(continuation.next))
                if starts[next] < ends[route] {
                    ends[route] = starts[next]
                    hasChanged = true
                }
            }
            guard hasChanged else { break }
            remaining -= 1
        }
        if let realtime = feed.realtime { addLines(of: realtime, feed, ends, round, rounds, previous) }
    }

    private func addLines(
        of realtime: JourneyRealtime, _ feed: SearchedFeed, _ ends: [Int32], _ round: Int, _ rounds: Int,
        _ previous: UnsafeMutablePointer<Int32>
    ) {
        for line in realtime.lines {
            let first = line.route.map { feed.network.calls(of: $0).lowerBound } ?? 0
            // A vehicle that continues may do so as a line as well, whose time is not known here.
            let mayContinue = line.route.map { feed.hasContinuations($0) } ?? false
            var least = mayContinue ? 0 : Self.unreachable
            for position in (0..<line.callCount).reversed() {
                least = least &+ line.fastest[position]
                let call = line.route == nil ? line.calls[position] : feed.network.calls[first + position]
                let node = feed.firstNode + call.node
                if call.canBoard { boarding[node * rounds + round] = min(boarding[node * rounds + round], least) }
                if call.canAlight { least = min(least, previous[node]) }
                least = min(least, Self.unreachable)
            }
        }
    }

    private func addChanges(in feed: SearchedFeed, _ round: Int, _ rounds: Int, _ walkingSpeed: Double) {
        let network = feed.network
        for node in 0..<network.nodeCount {
            let row = (feed.firstNode + node) * rounds + round
            var least = boarding[row]
            for number in network.footpaths(of: node) {
                let footpath = network.footpaths[number]
                let target = boarding[(feed.firstNode + footpath.node) * rounds + round]
                if target < least { least = min(least, target &+ feed.seconds(footpath, walkingSpeed)) }
            }
            alighting[row] = least
        }
    }
}
