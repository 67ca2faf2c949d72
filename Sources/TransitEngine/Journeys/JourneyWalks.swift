public import TransitModel

/// The walks of a search that do not belong to the network of a feed, in seconds, by node.
struct JourneyWalks {
    /// From the origin.
    private(set) var access: [Int: Int32] = [:]
    /// To the destination.
    private(set) var egress: [Int: Int32] = [:]
    /// Between stops of different feeds.
    private(set) var between: [Int: [(node: Int, seconds: Int32, meters: Double)]] = [:]
    let speed: WalkingSpeed
    /// Whether changes that have steps according to pathways.txt are left out.
    private let isStepFree: Bool

    init(_ query: JourneyQuery, in feeds: [SearchedFeed]) {
        (speed, isStepFree) = (query.walkingSpeed, query.isStepFree)
        for end in query.origins {
            for node in feeds[end.feed].nodes(of: end.stop) {
                access[node] = min(access[node] ?? .max, Int32(clamping: end.walk))
            }
        }
        for end in query.destinations {
            for node in feeds[end.feed].nodes(of: end.stop) {
                egress[node] = min(egress[node] ?? .max, Int32(clamping: end.walk))
            }
        }
        for footpath in query.footpathsBetweenFeeds {
            for from in feeds[footpath.from.feed].nodes(of: footpath.from.stop) {
                for to in feeds[footpath.to.feed].nodes(of: footpath.to.stop) {
                    between[from, default: []].append((to, Int32(clamping: footpath.to.walk), footpath.meters))
                }
            }
        }
    }

    /// Calls `body` with each node to which riders who alight at a node can change, and with the time that they need.
    @inline(__always)
    func forEachChange(
        from node: Int, in feed: SearchedFeed, _ body: (Int, Int32, JourneyNetwork.FootpathKind) -> Void
    ) {
        feed.network.forEachChange(
            from: node - feed.firstNode, at: speed, stepFree: isStepFree
        ) { target, seconds, kind in
            body(feed.firstNode + target, seconds, kind)
        }
        if between.isEmpty { return }
        for (target, seconds, _) in between[node] ?? [] { body(target, seconds, .walk) }
    }

    /// Returns the straight-line distance of a walk between two nodes in meters, rounded up; `nil` if riders do not walk.
    func meters(from node: Int, to other: Int, in feed: SearchedFeed) -> Int? {
        for number in feed.network.footpaths(of: node - feed.firstNode) {
            let footpath = feed.network.footpaths[number]
            if feed.firstNode + footpath.node == other, footpath.kind == .walk { return Int(footpath.value) }
        }
        return between[node]?.first { $0.node == other }.map { Int($0.meters.rounded(.up)) }
    }
}

extension JourneyNetwork {
    /// Calls `body` with each node to which riders who alight at a node can change, the node itself as the last one, and with
    /// the seconds that they need.
    ///
    /// - Parameter stepFree: Whether riders use no stairs and no escalators, as far as pathways.txt says.
    @inline(__always)
    public func forEachChange(
        from node: Int, at speed: WalkingSpeed, stepFree: Bool = false, _ body: (Int, Int32, FootpathKind) -> Void
    ) {
        var here: (seconds: Int32, kind: FootpathKind)? = (0, .stated)
        for number in footpaths(of: node) {
            var footpath = footpaths[number]
            if stepFree {
                if let value = footpath.wheelchairValue {
                    footpath.value = value
                } else {
                    if footpath.node == node { here = nil }
                    continue
                }
            }
            let seconds = footpath.seconds(at: speed)
            if footpath.node == node {
                here = footpath.kind == .notPossible ? nil : (seconds, footpath.kind)
            } else {
                body(footpath.node, seconds, footpath.kind)
            }
        }
        if let here { body(node, here.seconds, here.kind) }
    }
}

extension JourneyNetwork.Footpath {
    /// Returns the time of the change in seconds. For one that is not possible, this is longer than any search.
    @inline(__always)
    public func seconds(at speed: WalkingSpeed) -> Int32 {
        switch kind {
        case .walk: Int32(truncatingIfNeeded: speed.seconds(meters: Double(value)))
        case .stated, .timed: Int32(truncatingIfNeeded: value)
        case .notPossible: .max / 4
        }
    }
}
