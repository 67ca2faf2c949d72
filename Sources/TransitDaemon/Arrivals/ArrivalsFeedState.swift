internal import TransitEngine
internal import TransitFeeds
internal import TransitModel

/// What the desk keeps of one feed.
struct ArrivalsFeedState: Sendable {
    var configuration: FeedConfiguration
    var source: any ArrivalsSource
    var plan: ArrivalsScheduler
    /// The queries that the plan knows by their names, as they were wanted last.
    private(set) var queries: [ArrivalsQueryID: ArrivalsQuery] = [:]
    /// The last answers as they came, to be kept for the next start.
    var answers: ArrivalsArchive
    /// Those of them that are of the run before and not in use yet.
    private var kept: Set<ArrivalsQueryID> = []
    /// What must not be asked yet, as it is on the disk.
    var savedPauses: ArrivalsBackoff?
    /// Whether ``answers`` differ from what is on the disk.
    var isUnsaved = false

    /// - Parameter archive: of the run before.
    init(
        _ configuration: FeedConfiguration, _ source: any ArrivalsSource, _ archive: ArrivalsArchive, seed: UInt64
    ) {
        answers = archive
        kept = Set(archive.answers.keys.map(\.id))
        self.configuration = configuration
        self.source = source
        plan = ArrivalsScheduler(feed: configuration.id, limits: source.pace, seed: seed)
    }

    /// Takes note of queries and gives each with the host that it goes to.
    mutating func wishes(_ wanted: [ArrivalsQuery]) -> [ArrivalsDemand] {
        for query in wanted { queries[query.id] = query }
        if queries.count > 2 * plan.capacity {
            let known = Set(wanted.map(\.id)).union(plan.queries)
            queries = queries.filter { known.contains($0.key) }
        }
        return wanted.map(wish)
    }

    private func wish(_ query: ArrivalsQuery) -> ArrivalsDemand {
        let address = WebURL(source.request(for: query).url)
        return ArrivalsDemand(
            query.id, host: address.map { HostID("\($0.host):\($0.port)") }, lifetime: source.lifetime(of: query))
    }

    /// What somebody wants, and the run before was told.
    func restorable(at now: ClockReading) -> [ArrivalsQuery] {
        kept.filter { plan.arrivalsStatus(of: $0, at: now) != nil }.compactMap { queries[$0] }
    }

    /// The answer of the run before, once.
    mutating func takeArchived(_ query: ArrivalsQuery) -> (any ArrivalsSource, ArrivalsArchive.Answer)? {
        guard kept.remove(query.id) != nil else { return nil }
        return answers.answers[query].map { (source, $0) }
    }

    /// Takes note of a new answer.
    mutating func take(_ body: [UInt8], of query: ArrivalsQuery, received: Instant) {
        kept.remove(query.id)
        answers.take(body, of: query, received: received)
        isUnsaved = true
    }

    /// Seconds for which an answer is of any use.
    var usable: Int { FreshnessPolicy(arrivals: plan.limits).plan }

    /// Whose budget a request is paid from; `nil` where nobody counts.
    var key: KeyName? { configuration.keyName }
}
