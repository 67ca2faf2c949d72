internal import TransitModel
internal import TransitRefresh

/// A feed whose departures are fetched stop by stop on demand: the requests that its upstreams count, and the daemon's
/// state.
///
/// It has its own random number generator, so it does not affect the other events of a seed.
struct ArrivalsSimulation {
    enum Event {
        /// A user requests departures.
        case request
        /// The maximum waiting time of a rider has passed.
        case waitTimeout(rider: UInt64)
        /// A probe must have been sent to a host whose data was requested during its backoff.
        case probeTimeout(HostID, requested: TrueTime)
        /// The scheduler may have requests to start.
        case runScheduler(serial: Int)
        case reachHost(request: UInt64)
        case complete(request: UInt64)
        case hostFailure
        case hostRecovered(HostID)
    }

    /// One query and its state in the daemon.
    struct SimulatedQuery {
        var host: HostID
        /// The status with which the upstream always rejects the query.
        var refusal: Int?
        /// The end of the query's last request since the daemon started.
        var lastEnded: TrueTime?
        /// The end of the query's last successful request since the daemon started.
        var lastAnswered: TrueTime?
        var served: ServedContent?
        /// The end of the pause after a rejection.
        var refusedUntil: TrueTime = 0
        /// The number of milliseconds by which the wall clock was fast at the rejection.
        var wallClockError: Int64 = 0
    }

    /// The timestamp of a response, as shown to clients.
    struct ServedContent {
        var timestamp: Instant
        var received: TrueTime
        var wallClockError: Int64
    }

    /// A request in the simulated daemon.
    struct Request {
        var order: ArrivalsRequest
        var host: HostID
        var began: TrueTime
        var outcome: ArrivalsOutcome?
        /// The timestamp of the response.
        var stamp: Instant?
        /// The end of the `Retry-After` pause in the response.
        var notBefore: TrueTime?

        /// The timeout of the daemon in milliseconds.
        static let deadline: TrueTime = 10_000
    }

    /// A waiting rider.
    struct SimulatedRider {
        var requested: TrueTime
        /// The requested queries that have not been held back since the request.
        var queries: [ArrivalsQueryID]
    }

    static let feed: FeedID = "buses"
    /// The policy that the upstreams check.
    static let upstreamPolicy = ArrivalsPolicy()
    /// The number of milliseconds within which all stops must have been queried, even if every batch is slow.
    static let maximumWait: TrueTime = 25_000

    var generator: SeededGenerator
    /// The daemon's scheduler; `nil` while the daemon is not running.
    var scheduler: ArrivalsScheduler?
    var cache = ArrivalsCache()
    /// The backoff saved on disk.
    private(set) var savedBackoff: ArrivalsBackoff?
    private var savedRejections: [ArrivalsQueryID: TrueTime] = [:]
    private var savedHostPauses: [HostID: TrueTime] = [:]
    var stops: [ArrivalsQueryID: SimulatedQuery] = [:]
    var hosts: [HostID: SimulatedHost] = [:]
    /// The last failure of each host, which may hold back other queries.
    var lastHostFailure: [HostID: TrueTime] = [:]
    /// The end of each host's `Retry-After` pause.
    var hostPauses: [HostID: TrueTime] = [:]
    /// The start of the daemon's current uninterrupted uptime.
    var upSince: TrueTime = 0
    /// The timestamp behavior of each host.
    var timestampBehavior: [HostID: TimestampBehavior] = [:]
    var requests: [UInt64: Request] = [:]
    var waitingRiders: [UInt64: SimulatedRider] = [:]
    var serial = 0
    var number: UInt64 = 0
    var lastStarted: TrueTime?
    var lastEnded: TrueTime?

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        for company in ["red", "blue"] {
            let host = HostID("\(company).buses")
            hosts[host] = SimulatedHost()
            timestampBehavior[host] = generator.pick([TimestampBehavior.exact, .ahead(3_600_000), .none])
            for stop in 0..<generator.number(3...20) {
                let refusal = generator.once(in: 6) ? generator.pick([403, 422]) : nil
                stops[ArrivalsQueryID("\(company)/\(stop)")] = SimulatedQuery(host: host, refusal: refusal)
            }
        }
    }

    mutating func save(_ savedBackoff: ArrivalsBackoff?) {
        self.savedBackoff = savedBackoff
        savedRejections = stops.mapValues(\.refusedUntil)
        savedHostPauses = hosts.mapValues(\.notBefore)
    }

    /// Removes the daemon's state that is not on disk.
    mutating func kill() {
        scheduler = nil
        cache = ArrivalsCache()
        (requests, waitingRiders) = ([:], [:])
        (lastStarted, lastEnded) = (nil, nil)
        for query in stops.keys {
            stops[query]?.lastEnded = nil
            stops[query]?.lastAnswered = nil
            stops[query]?.served = nil
            stops[query]?.refusedUntil = savedRejections[query] ?? 0
        }
        for host in hosts.keys { hosts[host]?.notBefore = savedHostPauses[host] ?? 0 }
    }

    /// Ends the pauses that depend on a wall clock with a different error, because their remaining time is unknown.
    mutating func reboot(wallClockError: Int64, downtime: TrueTime) {
        hostPauses = hostPauses.mapValues { $0 + downtime }
        for query in stops.keys where stops[query]?.wallClockError != wallClockError { stops[query]?.refusedUntil = 0 }
        for host in hosts.keys { hosts[host]?.notBefore = 0 }
    }
}
