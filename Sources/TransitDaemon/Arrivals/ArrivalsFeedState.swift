internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitRefresh

/// The state of one feed in ``ArrivalsService``.
struct ArrivalsFeedState: Sendable {
    var configuration: FeedConfiguration
    var source: any ArrivalsSource
    var scheduler: ArrivalsScheduler
    /// The recently requested queries, by identifier.
    private(set) var queries: [ArrivalsQueryID: ArrivalsQuery] = [:]
    /// The latest responses, which are cached on disk for the next start.
    var responses: ArrivalsCacheFile
    /// The identifiers of the queries whose responses from the previous run have not been used yet.
    private var unusedResponses: Set<ArrivalsQueryID> = []
    /// The backoff that is stored on disk.
    var savedPauses: ArrivalsBackoff?
    /// Whether ``responses`` differs from the disk cache.
    var isUnsaved = false

    /// - Parameter archive: The responses from the previous run.
    init(
        _ configuration: FeedConfiguration, _ source: any ArrivalsSource, _ archive: ArrivalsCacheFile, seed: UInt64
    ) {
        responses = archive
        unusedResponses = Set(archive.responses.keys.map(\.id))
        self.configuration = configuration
        self.source = source
        scheduler = ArrivalsScheduler(feed: configuration.id, limits: source.policy, seed: seed)
    }

    /// Records queries and returns the demand for each, with the host of its request.
    mutating func demands(_ requested: [ArrivalsQuery]) -> [ArrivalsDemand] {
        for query in requested { queries[query.id] = query }
        if queries.count > 2 * scheduler.capacity {
            let known = Set(requested.map(\.id)).union(scheduler.queries)
            queries = queries.filter { known.contains($0.key) }
        }
        return requested.map(demand)
    }

    private func demand(_ query: ArrivalsQuery) -> ArrivalsDemand {
        let address = WebURL(source.request(for: query).url)
        return ArrivalsDemand(
            query.id, host: address.map { HostID("\($0.host):\($0.port)") }, lifetime: source.lifetime(of: query))
    }

    /// Returns the requested queries that have an unused response from the previous run.
    func restorable(at now: ClockReading) -> [ArrivalsQuery] {
        unusedResponses.filter { scheduler.arrivalsStatus(of: $0, at: now) != nil }.compactMap { queries[$0] }
    }

    /// Returns the response from the previous run on the first call for a query, and `nil` on later calls.
    mutating func takeUnusedResponse(_ query: ArrivalsQuery) -> (any ArrivalsSource, ArrivalsCacheFile.Response)? {
        guard unusedResponses.remove(query.id) != nil else { return nil }
        return responses.responses[query].map { (source, $0) }
    }

    /// Records a new response.
    mutating func store(_ body: [UInt8], of query: ArrivalsQuery, received: Instant) {
        unusedResponses.remove(query.id)
        responses.store(body, of: query, received: received)
        isUnsaved = true
    }

    /// The maximum age in seconds at which a response is used.
    var usable: Int { FreshnessPolicy(arrivals: scheduler.limits).plannedTimesLifetime }

    /// The key whose budget requests are charged to; `nil` if requests are not metered.
    var key: KeyName? { configuration.keyName }
}
