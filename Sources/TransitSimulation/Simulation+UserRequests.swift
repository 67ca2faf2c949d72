internal import TransitModel
internal import TransitRefresh

/// A rider who requests one feed's departures repeatedly for a while, then another feed's.
///
/// The rider has its own random number generator, so the rider does not affect the other events of a seed.
struct SimulatedRider {
    var generator: SeededGenerator
    var feed: FeedID?
    /// The start and end of the current series of requests, which has at least one request per minute.
    var since: TrueTime = 0
    var until: TrueTime = 0
    /// The last request for each feed.
    var lastRequests: [FeedID: ClockReading] = [:]

    /// The longest pause between requests, in milliseconds, that counts as continuous demand.
    static let steady: TrueTime = 60_000

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }
}

extension Simulation {
    mutating func makeUserRequest() throws(Violation) {
        let pause = rider.generator.duration(conditions.departureRequestInterval)
        queue.add(.departureRequest, at: now + pause)
        if rider.feed.map({ feed in !config.datasets.keys.contains { $0.feed == feed } }) ?? true || now > rider.until {
            let feeds = Set(config.datasets.filter { $0.key.kind.isRealtime }.map(\.key.feed)).sorted()
            guard !feeds.isEmpty else { return }
            rider.feed = rider.generator.pick(feeds)
            (rider.since, rider.until) = (now, now + rider.generator.duration(300, 5400))
        }
        if pause > SimulatedRider.steady { rider.since = now + pause }
        guard let feed = rider.feed, engine != nil, !machine.isSuspended else { return }
        rider.lastRequests[feed] = reading
        recordUserRequest(about: config.datasets.keys.filter { $0.feed == feed })
        try deliver(.demand(feed, Demand(subscribers: demand[feed]?.subscribers ?? 0, lastRequest: reading)))
    }

    /// Records a request, which permits early probes of the datasets' hosts.
    mutating func recordUserRequest(about datasets: [DatasetID]) {
        for host in Set(datasets.compactMap { config.datasets[$0]?.source.host }) {
            scenario.hosts[host]?.recordUserRequest(at: now)
        }
    }

    /// Ignores requests of earlier boots.
    func lastRequest(about feed: FeedID) -> ClockReading? {
        rider.lastRequests[feed].flatMap { $0.boot <= reading.boot ? $0 : nil }
    }
}

// The checks for failing hosts with and without demand.
extension Simulation {
    /// The number of milliseconds after a host's recovery within which its realtime data must be fresh, with a request
    /// every minute.
    static let recoveryDuringDemand: TrueTime = 120_000

    /// Checks that realtime data with continuous demand is fresh soon after its host recovers, regardless of the host's
    /// pause.
    func checkFreshnessDuringDemand() throws(Violation) {
        guard let feed = rider.feed, graceEnds != .max, let dataset = config.datasets[DatasetID(feed, .tripUpdates)],
            dataset.source.key == nil, let id = dataset.source.host, let host = scenario.hosts[id], host.mode == .well
        else { return }
        // Archive downloads may occupy all fetch permits for a quarter of an hour each.
        let archives = fetches.values.filter { $0.order.dataset.kind == .static }
        let onHost = archives.count { $0.order.source.host == id }
        guard onHost < 2, archives.count < 4 else { return }
        let name = DatasetID(feed, .tripUpdates)
        let begin =
            [rider.since, host.modeSince, host.notBefore, hostPauses[id] ?? 0, graceEnds, changed[name] ?? 0].max() ?? 0
        let allowed = TrueTime(dataset.policy.interval) * 1000 + 180_000
        guard now > begin + Self.recoveryDuringDemand + allowed else { return }
        let age = now - (held[name]?.confirmed ?? 0)
        guard age > allowed else { return }
        let reason = engine?.plan(name, at: reading).reason.rawValue ?? ""
        throw Violation(.stale, "\(name) is \(age / 1000) s old despite a request every minute; \(reason)")
    }

    /// Returns the maximum number of requests to a failing host in a period. The maximum includes four requests, those
    /// in flight when the host failed, and retries after 30, 60, 120, 240 and 480 s and then every 900 s. The retries
    /// start over after each daemon start or network change. During demand, one request per minute is added. A metered
    /// key limits these additional requests to a quarter of its budget.
    func maximumAttempts(in seconds: Int, userRequests: Int, key: KeyName?) -> Int {
        let pauses = seconds > 600 ? 16 : 12
        let resets = pauseRestarts.count { $0 > now - TrueTime(seconds) * 1000 }
        var probes = min(userRequests + 1, seconds / 60 + 1)
        for limit in key.flatMap({ scenario.accounts[$0]?.limits }) ?? [] where limit.window.seconds <= 3600 {
            let windows = Double(seconds) / Double(limit.window.seconds)
            probes = min(probes, Int(Double(conditions.hourlyBudget) / 4 * windows) + 1)
        }
        return pauses + 8 * resets + probes
    }

    /// Checks the recorded requests to a failing host.
    func checkAttempts(_ host: SimulatedHost, _ id: HostID, key: KeyName?) throws(Violation) {
        for seconds in [600, 3600] {
            let begin = now - TrueTime(seconds) * 1000
            let failedRequests = host.failedAttempts.count { $0 > begin }
            let userRequests = host.userRequests.count { $0 > begin }
            let maximum = maximumAttempts(in: seconds, userRequests: userRequests, key: key)
            guard failedRequests > maximum else { continue }
            throw Violation(
                .circuit,
                "\(id) received \(failedRequests) requests in \(seconds) s with \(userRequests) user requests; "
                    + "\(maximum) are allowed")
        }
    }

    /// Records that the daemon resets its backoff for all hosts.
    mutating func recordPauseRestart() {
        pauseRestarts.removeAll { $0 < now - 3_600_000 }
        pauseRestarts.append(now)
    }
}
