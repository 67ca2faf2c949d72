internal import TransitEngine
internal import TransitFeeds
internal import TransitModel

/// The upstream queries of one feed that a request depends on.
struct ArrivalsRequirement: Hashable, Sendable {
    var feed: FeedID
    /// The queries without duplicates, the most useful first.
    var queries: [ArrivalsQuery]
    /// The stops that the queries are about.
    var stops: [StopID] = []
    /// Whether queries beyond the limit were dropped.
    var isTruncated = false

    /// The maximum number of queries per request: five batches, which a client can wait for.
    static let maximumQueries = 25

    /// Combines the requirements of several boards of one request by feed, with queries taken from each board in
    /// turn.
    static func combined(_ requirements: [ArrivalsRequirement]) -> [ArrivalsRequirement] {
        let feeds = Set(requirements.map(\.feed)).sorted { $0.rawValue < $1.rawValue }
        return feeds.map { feed in
            let own = requirements.filter { $0.feed == feed }
            var queries: [ArrivalsQuery] = []
            var known: Set<ArrivalsQuery> = []
            for place in 0..<(own.map(\.queries.count).max() ?? 0) {
                for need in own where place < need.queries.count && known.insert(need.queries[place]).inserted {
                    queries.append(need.queries[place])
                }
            }
            return ArrivalsRequirement(
                feed: feed, queries: Array(queries.prefix(maximumQueries)), stops: own.flatMap(\.stops),
                isTruncated: queries.count > maximumQueries || own.contains(where: \.isTruncated))
        }
    }

    /// Returns this requirement with only the queries that are also in `asked`.
    func limited(to asked: [ArrivalsRequirement]) -> ArrivalsRequirement {
        let wanted = Set(asked.filter { $0.feed == feed }.flatMap(\.queries))
        var limited = self
        limited.queries.removeAll { !wanted.contains($0) }
        limited.isTruncated = isTruncated || limited.queries.count < queries.count
        return limited
    }
}

extension ArrivalsQuery {
    /// An opaque identifier of the query.
    var id: ArrivalsQueryID { ArrivalsQueryID(description) }
}
