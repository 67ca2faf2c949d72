internal import TransitEngine
internal import TransitFeeds
internal import TransitModel

/// What has to be asked of one feed to answer a question.
struct ArrivalsNeed: Hashable, Sendable {
    var feed: FeedID
    /// Each once, the most useful first.
    var queries: [ArrivalsQuery]
    /// Whether there was more than is asked for one question.
    var isCut = false

    /// The most that is asked for one question: five batches, which is what somebody waits for.
    static let most = 25
}

extension ArrivalsQuery {
    /// Its name for those who need not know what is in it.
    var id: ArrivalsQueryID { ArrivalsQueryID(description) }
}
