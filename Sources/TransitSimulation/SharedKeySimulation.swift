internal import TransitModel
package import TransitRefresh

/// A simulation of feeds that share one key at equal demand, reproducible from its seed. It checks what the budget
/// promises:
/// - The shares of the feeds differ by at most a tenth.
/// - No gap between two requests is longer than a tenth of the budget's window, unless the window allows less than
///   twenty requests.
/// - A timetable is fetched within twice its interval, even if requests of users take the whole budget, unless the
///   budget allows no request after it was due but those for other timetables.
///
/// The process is killed, the machine sleeps and its clock is set. All feeds work, because a feed whose source fails
/// does not have the same demand.
public struct SharedKeySimulation {
    private enum Event {
        case wake(serial: Int)
        case respond(ticket: UInt64)
        case userRequest
        case disturbance
        case resume
        case restart
    }

    private var generator: SeededGenerator
    private let seed: UInt64
    private let faults: RefreshEngine.Faults
    private var configuration = RefreshConfiguration()
    private let limits: [BudgetLimit]
    private let feeds: [FeedID]
    private let isWatched: Bool
    /// Whether users request more than the budget allows. Then only the promise about timetables holds.
    private let isCrowded: Bool
    private var machine: SimulatedMachine
    private var engine: RefreshEngine?
    private var queue = EventQueue<Event>()
    private var now: TrueTime = 0
    private var serial = 0
    private var orders: [UInt64: DatasetFetch] = [:]
    private var userRequests: UInt64 = 0

    /// The end of the last disturbance.
    private var settled: TrueTime = 0
    private var lastRequest: TrueTime = 0
    private var lastRealtimeRequest: TrueTime = 0
    private var timetables: [DatasetID: TrueTime] = [:]
    private var scheduled: [FeedID: Int] = [:]
    /// The number of requests that reached the upstreams.
    public private(set) var requests = 0

    /// - Parameter seed: Determines the whole simulation.
    public init(seed: UInt64) { self.init(seed: seed, faults: []) }

    /// Creates a simulation with deliberate faults in the engine.
    package init(seed: UInt64, faults: RefreshEngine.Faults) {
        var generator = SeededGenerator(seed: seed &+ 0x5348_4152)
        self.seed = seed
        self.faults = faults
        isCrowded = generator.once(in: 4)
        isWatched = generator.once(in: 2)
        let hourly = generator.number(10...120)
        var limits = [BudgetLimit(hourly, per: .rolling(seconds: 3600))]
        if generator.once(in: 3) {
            limits.append(BudgetLimit(hourly * generator.number(6...20), per: .rolling(seconds: 86_400)))
        }
        self.limits = limits
        configuration.budgets["key"] = BudgetPolicy(key: "key", limits: limits)
        feeds = (0..<generator.number(2...4)).map { FeedID("feed\($0)") }
        let kinds = [DatasetKind.vehicles, .alerts].filter { _ in generator.once(in: 2) }
        let (interval, hours, isOneHost) = (
            generator.pick([20, 30, 60, 90]), generator.number(6...24), generator.once(in: 2)
        )
        for feed in feeds {
            let host = HostID(isOneHost ? "host" : feed.rawValue)
            for kind in [.static, .tripUpdates] + kinds {
                var policy = RefreshPolicy.standard(for: kind)
                if kind == .static { policy.interval = hours * 3600 }
                if kind == .static { policy.idleInterval = hours * 3600 }
                if kind == .tripUpdates || kind == .vehicles { policy.interval = interval }
                configuration.datasets[DatasetID(feed, kind)] = RefreshConfiguration.Dataset(
                    source: DatasetSource(
                        endpoint: EndpointID("https://\(host)/\(feed)/\(kind.rawValue)"), host: host, key: "key"),
                    policy: policy)
            }
        }
        machine = SimulatedMachine(
            start: Instant(secondsSince1970: 1_767_225_600 + Int64(generator.number(0...86_399))))
        self.generator = generator
    }

    /// Simulates a number of days, or stops earlier at a violation.
    public mutating func run(days: Double) -> Violation? {
        let end = TrueTime(days * 86_400_000)
        queue.add(.restart, at: 0)
        queue.add(.userRequest, at: 60_000)
        queue.add(.disturbance, at: generator.duration(1800...8 * 3600))
        do throws(Violation) {
            while let (time, event) = queue.next(), time <= end {
                now = time
                try handle(event)
                try check()
            }
            try checkShares()
        } catch {
            return error
        }
        return nil
    }

    private mutating func handle(_ event: Event) throws(Violation) {
        switch event {
        case .wake(let serial): if serial == self.serial, !machine.isSuspended { deliver(.tick) }
        case .respond(let ticket): respond(ticket)
        case .userRequest: requestAsUser()
        case .disturbance: disturb()
        case .resume:
            machine.isSuspended = false
            settle()
            deliver(.resumed)
            for ticket in orders.keys.sorted() { respond(ticket) }
        case .restart: start()
        }
    }

    private mutating func settle() {
        settled = now
        lastRequest = now
    }

    // MARK: The daemon

    private mutating func start() {
        engine = RefreshEngine(
            configuration: configuration, ledger: machine.ledger, boot: machine.boot, seed: seed, now: reading,
            faults: faults)
        settle()
        for feed in feeds { deliver(.demand(feed, Demand(subscribers: isWatched ? 1 : 0))) }
    }

    private var reading: ClockReading { machine.reading(at: now) }

    private mutating func deliver(_ event: RefreshEvent) {
        // Nothing receives an event between a kill and the restart.
        guard engine != nil else { return }
        var events = [event]
        while !events.isEmpty {
            let reading = reading
            for effect in engine?.handle(events.removeFirst(), at: reading) ?? [] {
                switch effect {
                case .save(let changes):
                    machine.ledger.apply(changes)
                    events.append(.saved(true))
                case .fetch(let order): send(order)
                case .wake(let moment):
                    serial += 1
                    queue.add(.wake(serial: serial), at: max(now, machine.time(of: moment)))
                case .cancel, .notice, .accepted, .answered, .step: break
                }
            }
        }
    }

    private mutating func send(_ order: DatasetFetch) {
        requests += 1
        lastRequest = now
        if order.dataset.kind.isRealtime { lastRealtimeRequest = now }
        orders[order.ticket] = order
        if order.priority != .user { scheduled[order.dataset.feed, default: 0] += 1 }
        if order.dataset.kind == .static { timetables[order.dataset] = now }
        queue.add(.respond(ticket: order.ticket), at: now + Int64(generator.number(20...1500)))
    }

    private mutating func respond(_ ticket: UInt64) {
        guard !machine.isSuspended, engine != nil, let order = orders.removeValue(forKey: ticket) else { return }
        deliver(
            .fetchEnded(
                FetchOutcome(
                    ticket: ticket, dataset: order.dataset,
                    result: .content(digest: "\(requests)", Validators()), status: 200, bytes: 1000)))
    }

    // MARK: Users and disturbances

    /// A person refreshes a dataset, of each feed in turn, so that the demand stays equal.
    private mutating func requestAsUser() {
        let pause = isCrowded ? 20_000...60_000 : 900_000...7_200_000
        queue.add(.userRequest, at: now + Int64(generator.number(pause)))
        guard engine != nil, !machine.isSuspended else { return }
        userRequests += 1
        let feed = feeds[Int(userRequests % UInt64(feeds.count))]
        deliver(
            .requested(
                RefreshRequest(id: userRequests, scope: .dataset(DatasetID(feed, .tripUpdates)), force: true)))
    }

    private mutating func disturb() {
        queue.add(.disturbance, at: now + generator.duration(1800...8 * 3600))
        guard engine != nil, !machine.isSuspended else { return }
        switch generator.number(0...2) {
        case 0:
            machine.isSuspended = true
            queue.add(.resume, at: now + generator.duration(10...6 * 3600))
        case 1:
            (engine, orders) = (nil, [:])
            queue.add(.restart, at: now + generator.duration(1...30))
        default: machine.wallClockError = Int64(generator.number(-7200...7200)) * 1000
        }
    }

    // MARK: The promises

    private func check() throws(Violation) {
        guard engine != nil, !machine.isSuspended else { return }
        // Requests before a disturbance may fill a part of the window. They leave it one window later.
        let window = TrueTime((limits.map { RequestBudget.windowSeconds($0) }.max() ?? 0)) * 1000
        let gap = now - max(lastRequest, settled + window)
        if !isCrowded, gap > longestGap {
            throw Violation(.gap, "no request with the key for \(gap / 1000) s; \(longestGap / 1000) s are allowed")
        }
        for (id, dataset) in configuration.datasets where id.kind == .static {
            let age = now - (timetables[id] ?? 0)
            let allowed = TrueTime(dataset.policy.interval) * 2000
            // Users may have taken the budget of a whole day before the timetable was due. It is allowed one request if
            // another one than that for a timetable is sent.
            let due = (timetables[id] ?? 0) + TrueTime(dataset.policy.interval) * 1000
            guard age > allowed, now - settled > 7_200_000, lastRealtimeRequest > due + 60_000 else { continue }
            throw Violation(.stale, "\(id) is \(age / 1000) s old; \(allowed / 1000) s are allowed")
        }
    }

    /// The longest gap in milliseconds: a tenth of the window that limits the requests most, or twice their mean
    /// spacing if that is longer. Without demand, requests use 60% of a window, in which a request counts for one more
    /// minute. Data is not requested before it is due.
    private var longestGap: TrueTime {
        let gaps = limits.map { limit in
            let mean = Double(RequestBudget.windowSeconds(limit)) / (Double(limit.fetches) * (isWatched ? 0.85 : 0.6))
            return max(Double(limit.window.seconds) / 10, 2 * mean)
        }
        let scarcest = limits.indices.min { left, right in
            rate(limits[left]) < rate(limits[right])
        }
        let due =
            configuration.datasets.filter(\.key.kind.isRealtime)
            .map { isWatched ? $0.value.policy.interval : $0.value.policy.idleInterval }.min() ?? 0
        return TrueTime(max(scarcest.map { gaps[$0] } ?? 0, Double(due)) * 1000) + 5000
    }

    private func rate(_ limit: BudgetLimit) -> Double { Double(limit.fetches) / Double(limit.window.seconds) }

    private func checkShares() throws(Violation) {
        let counts = feeds.map { scheduled[$0] ?? 0 }
        guard !isCrowded, let least = counts.min(), let most = counts.max() else { return }
        // Of a few requests, one more is more than a tenth.
        if Double(most - least) > 0.1 * Double(most) + 2 {
            throw Violation(.share, "the feeds' shares of the key are \(counts)")
        }
    }
}
