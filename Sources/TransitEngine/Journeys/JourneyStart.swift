internal import TransitModel

/// A departure from a node of the origin within the time window of a search.
struct JourneyStart {
    /// When riders set out, in seconds from the start of the search.
    var leave: Int32
    var node: Int32
    /// The walk to the node in seconds.
    var walk: Int32

    /// Returns the departures for which riders set out within the window, the last ones first.
    ///
    /// - Parameter access: The nodes of the origins with the walk to each.
    static func all(
        _ access: [(node: Int, walk: Int32)], in feeds: [SearchedFeed], window: Int32
    ) -> [JourneyStart] {
        var starts: [JourneyStart] = []
        for (node, walk) in access {
            let feed = feeds[feeds.feedIndex(of: node)]
            feed.forEachDeparture(from: node, in: walk...max(walk, window &+ walk)) { departure in
                starts.append(JourneyStart(leave: departure &- walk, node: Int32(node), walk: walk))
            }
        }
        starts.sort { ($1.leave, $0.node) < ($0.leave, $1.node) }
        return starts
    }
}

extension [SearchedFeed] {
    /// Returns the position of the feed to which a node of the search belongs.
    @inline(__always)
    func feedIndex(of node: Int) -> Int {
        if count == 1 { return 0 }
        return lastIndex { $0.firstNode <= node } ?? 0
    }
}
