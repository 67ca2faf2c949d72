internal import TransitEngine
internal import TransitFeeds
internal import TransitModel

/// What has to be asked of one feed to answer a question.
struct ArrivalsRequirement: Hashable, Sendable {
    var feed: FeedID
    /// Each once, the most useful first.
    var queries: [ArrivalsQuery]
    /// The stops that it is about.
    var stops: [StopID] = []
    /// Whether there was more than is asked for one question.
    var isCut = false

    /// The most that is asked for one question: five batches, which is what somebody waits for.
    static let most = 25

    /// What is asked for several boards of one question, for each feed together: of each board in turn.
    static func shared(_ needs: [ArrivalsRequirement]) -> [ArrivalsRequirement] {
        let feeds = Set(needs.map(\.feed)).sorted { $0.rawValue < $1.rawValue }
        return feeds.map { feed in
            let own = needs.filter { $0.feed == feed }
            var queries: [ArrivalsQuery] = []
            var known: Set<ArrivalsQuery> = []
            for place in 0..<(own.map(\.queries.count).max() ?? 0) {
                for need in own where place < need.queries.count && known.insert(need.queries[place]).inserted {
                    queries.append(need.queries[place])
                }
            }
            return ArrivalsRequirement(
                feed: feed, queries: Array(queries.prefix(most)), stops: own.flatMap(\.stops),
                isCut: queries.count > most || own.contains(where: \.isCut))
        }
    }

    /// The part of it that is asked where others need something too.
    func limited(to asked: [ArrivalsRequirement]) -> ArrivalsRequirement {
        let wanted = Set(asked.filter { $0.feed == feed }.flatMap(\.queries))
        var limited = self
        limited.queries.removeAll { !wanted.contains($0) }
        limited.isCut = isCut || limited.queries.count < queries.count
        return limited
    }
}

extension ArrivalsQuery {
    /// Its name for those who need not know what is in it.
    var id: ArrivalsQueryID { ArrivalsQueryID(description) }
}
