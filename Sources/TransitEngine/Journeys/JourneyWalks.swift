internal import TransitModel

/// The walks of a search that do not belong to the network of a feed, in seconds, by node.
struct JourneyWalks {
    /// From the origin.
    private(set) var access: [Int: Int32] = [:]
    /// To the destination.
    private(set) var egress: [Int: Int32] = [:]
    /// Between stops of different feeds.
    private(set) var between: [Int: [(node: Int, seconds: Int32)]] = [:]
    /// Meters per second.
    let speed: Double

    init(_ query: JourneyQuery, in feeds: [SearchedFeed]) {
        speed = query.walkingSpeed
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
                    between[from, default: []].append((to, Int32(clamping: footpath.to.walk)))
                }
            }
        }
    }

    /// Calls `body` with each node to which riders who alight at a node can change, and with the time that they need.
    @inline(__always)
    func forEachChange(
        from node: Int, in feed: SearchedFeed, _ body: (Int, Int32, JourneyNetwork.FootpathKind) -> Void
    ) {
        var here: (seconds: Int32, kind: JourneyNetwork.FootpathKind)? = (0, .stated)
        for number in feed.network.footpaths(of: node - feed.firstNode) {
            let footpath = feed.network.footpaths[number]
            let seconds = feed.seconds(footpath, speed)
            let target = feed.firstNode + footpath.node
            if target == node {
                here = footpath.kind == .notPossible ? nil : (seconds, footpath.kind)
            } else {
                body(target, seconds, footpath.kind)
            }
        }
        if let here { body(node, here.seconds, here.kind) }
        if between.isEmpty { return }
        for (target, seconds) in between[node] ?? [] { body(target, seconds, .walk) }
    }
}
