internal import TransitEngine
internal import TransitFeeds
internal import TransitModel

/// One request for arrivals, with what it needs of its feed.
struct ArrivalsFetch: Sendable {
    var order: ArrivalsRequest
    var query: ArrivalsQuery
    var configuration: FeedConfiguration
    var source: any ArrivalsSource

    var feed: FeedID { configuration.id }

    /// Seconds for one request: somebody waits, and the next batch does.
    private static let longest = 10.0

    /// What is to be asked, with the feed's key and certificates.
    ///
    /// - Throws: ``FetchFailure/key(_:)``.
    func request(_ keys: FeedKeys) throws(FetchFailure) -> FetchRequest {
        var request = try configuration.fetchRequest(source.request(for: query), keys: keys)
        request.deadline = min(request.deadline, Self.longest)
        return request
    }
}
