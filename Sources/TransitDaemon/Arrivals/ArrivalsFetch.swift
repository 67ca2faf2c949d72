internal import TransitFeeds
internal import TransitModel
internal import TransitRefresh

/// One upstream request for arrivals, with the configuration of its feed.
struct ArrivalsFetch: Sendable {
    var request: ArrivalsRequest
    var query: ArrivalsQuery
    var configuration: FeedConfiguration
    var source: any ArrivalsSource

    var feed: FeedID { configuration.id }

    /// The maximum duration of a request in seconds. It is short because clients and the next batch wait for the request.
    private static let maximumDuration = 10.0

    /// Returns the HTTP request with the feed's key and certificates.
    ///
    /// - Throws: ``TransportFailure/key(_:)``.
    func httpRequest(_ keys: FeedKeys) throws(TransportFailure) -> FetchRequest {
        var request = try configuration.fetchRequest(source.request(for: query), keys: keys)
        request.deadline = min(request.deadline, Self.maximumDuration)
        return request
    }
}
