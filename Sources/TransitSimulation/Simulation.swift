internal import TransitModel
package import TransitRefresh

/// A simulation of the refresh engine under a virtual clock, reproducible from its seed.
///
/// The engine is the one that the daemon runs. In the simulated environment, hosts fail in every way, clocks change,
/// the machine sleeps, the disk fills up, and the process is killed at any time. After every step the simulation checks
/// the engine's guarantees (``Violation/Rule``) against the request counts of the simulated upstreams.
public struct Simulation {
    enum Event {
        case wake(serial: Int)
        case arrive(UInt64)
        case respond(UInt64)
        case disturbance
        case userAction
        case departureRequest
        case resume
        case startProcess
        case setWall(error: Int64)
        case networkBack
        case diskFree
        case hostRecovered(HostID)
        case arrivals(ArrivalsSimulation.Event)
    }

    var generator: SeededGenerator
    let installation: UInt64
    var scenario: Scenario
    var machine: SimulatedMachine
    var engine: RefreshEngine?
    let faults: RefreshEngine.Faults
    let conditions: SimulationConditions
    var queue = EventQueue<Event>()
    var now: TrueTime = 0
    private var wakeSerial = 0
    private var idleSteps = 0

    var fetches: [UInt64: ClientFetch] = [:]
    private var fetchNumber: UInt64 = 0
    var held: [DatasetID: StoredContent] = [:]
    /// The part of ``held`` that survives a kill.
    var durable: [DatasetID: StoredContent] = [:]
    var demand: [FeedID: (subscribers: Int, since: TrueTime)] = [:]
    var waiting: [UInt64: WaitingUser] = [:]
    var requestNumber: UInt64 = 0
    /// The time of the last user request or reduction of the limits, at which budgets may have been exhausted.
    var budgetsSpent: TrueTime = -1 << 40
    /// The datasets fetched since the process started.
    var fetchedThisRun: Set<DatasetID> = []
    var orders: [TrueTime] = []
    var arrivals: ArrivalsSimulation
    var rider: SimulatedRider
    /// The times at which the daemon reset its backoff for failing hosts: after a start, a sleep, or a time without
    /// network.
    var pauseRestarts: [TrueTime] = []

    /// The time before which freshness is not checked.
    var graceEnds: TrueTime = 0
    var hostGraceEnds: [HostID: TrueTime] = [:]
    /// The end of each host's `Retry-After` pause, as the daemon understood it.
    var hostPauses: [HostID: TrueTime] = [:]
    /// The time of each dataset's last configuration change.
    var changed: [DatasetID: TrueTime] = [:]

    var log = EventLog()
    public private(set) var report: SimulationReport

    /// - Parameter seed: Determines the whole simulation.
    public init(seed: UInt64) { self.init(seed: seed, SimulationConditions(), faults: []) }

    /// Creates a simulation with other conditions or with deliberate faults in the engine.
    package init(seed: UInt64, _ conditions: SimulationConditions, faults: RefreshEngine.Faults = []) {
        generator = SeededGenerator(seed: seed)
        installation = generator.next()
        scenario = Scenario(conditions, &generator)
        machine = SimulatedMachine(start: scenario.start)
        self.faults = faults
        self.conditions = conditions
        arrivals = ArrivalsSimulation(seed: ~installation)
        rider = SimulatedRider(seed: installation &+ 1)
        report = SimulationReport(seed: seed)
        queue.add(.startProcess, at: 0)
        queue.add(.disturbance, at: generator.duration(conditions.disturbanceInterval))
        queue.add(.userAction, at: generator.duration(conditions.userActionInterval))
        queue.add(.departureRequest, at: rider.generator.duration(60, 3600))
        queue.add(.arrivals(.request), at: arrivals.generator.duration(conditions.arrivalsRequestInterval))
        queue.add(.arrivals(.hostFailure), at: arrivals.generator.duration(conditions.disturbanceInterval))
    }

    /// Simulates a number of days, or stops earlier at a violation.
    public mutating func run(days: Double) -> SimulationReport {
        let end = TrueTime(days * 86_400_000)
        do throws(Violation) {
            while let (time, event) = queue.next(), time <= end {
                // The engine must not wake up every few milliseconds for a long time.
                idleSteps = time < now + 20 ? idleSteps + 1 : 0
                if idleSteps > 2000 { throw Violation(.spinning, "\(event)") }
                now = time
                try handle(event)
                try checkFreshness()
                try checkBounds()
            }
        } catch {
            report.violation = error
            report.log = log.lines(machine)
        }
        report.days = report.violation == nil ? days : Double(now) / 86_400_000
        return report
    }

    private mutating func handle(_ event: Event) throws(Violation) {
        switch event {
        case .wake(let serial): if serial == wakeSerial, !machine.isSuspended { try deliver(.tick) }
        case .arrive(let number): try arrive(number)
        case .respond(let number): try respond(number)
        case .disturbance: try disturb()
        case .userAction: try performUserAction()
        case .departureRequest: try makeUserRequest()
        case .resume: try resume()
        case .startProcess: try startProcess()
        case .setWall(let error): try setWall(error)
        case .networkBack: try networkBack()
        case .diskFree: diskFree()
        case .hostRecovered(let host): hostRecovered(host)
        case .arrivals(let event): try handle(event)
        }
    }

    mutating func countRequest() { report.requests += 1 }
    mutating func countArrivals() { report.arrivals += 1 }
    mutating func countEvent() { report.events += 1 }
    mutating func countDisturbance(_ name: String) {
        report.disturbances[name, default: 0] += 1
        log.add(now, .disturbance(name))
    }

    var reading: ClockReading { machine.reading(at: now) }
    var config: RefreshConfiguration { scenario.configuration }
}

// The simulated daemon, which delivers events to the engine and carries out its effects.
extension Simulation {
    private mutating func startProcess() throws(Violation) {
        guard engine == nil, !machine.isSuspended else { return }
        fetchedThisRun = []
        if machine.ledger.boot != machine.boot {
            // The daemon converts the ages to this boot with the wall clock.
            for id in durable.keys where durable[id]?.wallClockError != machine.wallClockError {
                durable[id]?.isAgeKnown = false
            }
        }
        held = durable.filter { config.datasets[$0.key] != nil }
        engine = RefreshEngine(
            configuration: config, ledger: machine.ledger, boot: machine.boot, seed: installation, now: reading,
            faults: faults)
        recordPauseRestart()
        grantGracePeriod()
        try startArrivals()
        for feed in Set(config.datasets.keys.map(\.feed)).sorted() {
            try deliver(.feedCalendar(feed, FeedCalendarInfo(zone: scenario.zone)))
            try reportSubscribers(of: feed)
        }
        // A daemon is not always notified that the network is down.
        if !machine.hasNetwork, generator.once(in: 2) { try deliver(.network(isOnline: false)) }
    }

    /// Reports the subscribers of a feed that the engine does not know yet.
    mutating func reportSubscribers(of feed: FeedID) throws(Violation) {
        try deliver(.demand(feed, Demand(subscribers: demand[feed]?.subscribers ?? 0)))
    }

    /// Kills the process and aborts all its activities.
    mutating func kill() {
        engine = nil
        fetches = [:]
        waiting = [:]
        arrivals.kill()
        wakeSerial += 1
        for host in scenario.hosts.keys {
            let end = savedPauseEnd(of: host)
            scenario.hosts[host]?.forgetRetryAfter(after: end)
        }
    }

    /// The end of the `Retry-After` pause that a process which starts now reads from the ledger; 0 without one. A pause
    /// of an earlier boot is at best known to the second of a wall clock, which can be wrong.
    private func savedPauseEnd(of host: HostID) -> TrueTime {
        guard machine.ledger.boot == machine.boot, let until = machine.ledger.hosts[host]?.retryAfter else { return 0 }
        return machine.time(of: until.boot)
    }

    mutating func deliver(_ event: RefreshEvent) throws(Violation) {
        var events = [event]
        while !events.isEmpty, engine != nil {
            let event = events.removeFirst()
            log.add(now, .handled(event))
            countEvent()
            if case .network(let isOnline) = event { try setArrivalsOnline(isOnline) }
            let reading = reading
            let effects = engine?.handle(event, at: reading) ?? []
            for effect in effects {
                // The process can be killed between any two effects.
                if generator.once(in: 40_000) { return try killAndRestart() }
                if let answer = try carryOut(effect) { events.append(answer) }
                guard engine != nil else { return }
            }
        }
    }

    private mutating func carryOut(_ effect: RefreshEffect) throws(Violation) -> RefreshEvent? {
        if case .wake = effect {} else { log.add(now, .requested(effect)) }
        switch effect {
        case .save(let changes): return save(changes)
        case .fetch(let order): try begin(order)
        case .cancel(let ticket, let id): cancel(ticket, id)
        case .wake(let moment):
            wakeSerial += 1
            queue.add(.wake(serial: wakeSerial), at: max(now, machine.time(of: moment)))
        case .notice, .step: break
        case .accepted(let id, let datasets):
            if !datasets.isEmpty { waiting[id] = WaitingUser(requested: now, open: Set(datasets)) }
        case .answered(let id, let dataset, _):
            guard waiting[id]?.open.remove(dataset) != nil else {
                throw Violation(.unanswered, "request \(id) received two results for \(dataset)")
            }
            if waiting[id]?.open.isEmpty == true { waiting[id] = nil }
        }
        return nil
    }

    private mutating func save(_ changes: LedgerChanges) -> RefreshEvent {
        guard !machine.isDiskFull else { return .saved(false) }
        machine.ledger.apply(changes)
        for (id, record) in changes.datasets {
            guard let record else {
                durable[id] = nil
                continue
            }
            if record.lastSuccess != nil { durable[id] = held[id] } else { durable[id]?.isAgeKnown = false }
        }
        return .saved(true)
    }

    private mutating func begin(_ order: DatasetFetch) throws(Violation) {
        if fetches.values.contains(where: { $0.order.dataset == order.dataset }) {
            throw Violation(.twice, "\(order.dataset)")
        }
        if let host = order.source.host {
            let count = 1 + fetches.values.count { $0.order.source.host == host }
            if count > 2 { throw Violation(.simultaneous, "\(count) to \(host), the last for \(order.dataset)") }
        }
        try checkOrder(order)
        fetchNumber += 1
        fetches[fetchNumber] = ClientFetch(
            order: order, ordered: now, wallClockError: machine.wallClockError,
            isFirst: fetchedThisRun.insert(order.dataset).inserted)
        // Some handshakes are slow.
        let delay = generator.once(in: 50) ? generator.number(1000...20_000) : generator.number(5...400)
        queue.add(.arrive(fetchNumber), at: now + Int64(min(delay, order.deadline * 1000 - 1)))
    }

    private mutating func cancel(_ ticket: UInt64, _ id: DatasetID) {
        for (number, fetch) in fetches where fetch.order.ticket == ticket {
            fetches[number]?.outcome = FetchOutcome(ticket: ticket, dataset: id, result: .canceled)
            fetches[number]?.version = nil
            queue.add(.respond(number), at: now + 10)
        }
    }

    /// Delivers the response to the daemon, which stores valid content.
    mutating func respond(_ number: UInt64) throws(Violation) {
        guard !machine.isSuspended, engine != nil, let fetch = fetches[number], let outcome = fetch.outcome else {
            return
        }
        fetches[number] = nil
        let id = outcome.dataset
        if let host = fetch.order.source.host, let until = fetch.notBefore, outcome.retryAfter != nil {
            scenario.hosts[host]?.recordRetryAfter(until, at: now)
        }
        let previous = engine?.record(id)
        if isOutdated(fetch) { return try handleOutdated(fetch) }
        if let version = fetch.version, let arrived = fetch.arrived {
            held[id] = StoredContent(
                confirmed: arrived, ordered: fetch.ordered, version: version, wallClockError: fetch.wallClockError,
                served: served(fetch) ?? held[id]?.served, isAgeKnown: isFromConfiguredSource(fetch))
        }
        try deliver(.fetchEnded(outcome))
        guard engine != nil else { return }
        try checkOutcome(fetch, previous)
    }

    private func served(_ fetch: ClientFetch) -> ServedContent? {
        fetch.stamp.map { stamp in
            ServedContent(
                endpoint: fetch.order.source.endpoint, stamp: stamp, received: reading.wall, receivedAt: now,
                wallClockError: machine.wallClockError)
        }
    }

    /// Whether the content was fetched from the currently configured source. Content from another source has no age.
    private func isFromConfiguredSource(_ fetch: ClientFetch) -> Bool {
        config.datasets[fetch.order.dataset]?.source.endpoint == fetch.order.source.endpoint
    }

    /// Whether the daemon already has newer realtime data from the same endpoint.
    private func isOutdated(_ fetch: ClientFetch) -> Bool {
        guard fetch.version != nil, let stamp = fetch.stamp, let served = held[fetch.order.dataset]?.served,
            served.endpoint == fetch.order.source.endpoint,
            let policy = config.datasets[fetch.order.dataset]?.policy
        else { return false }
        let order = MessageAcceptance.of(
            RealtimeHeader(timestamp: stamp.header), after: served.stamp.header, now: reading.wall,
            policy: FreshnessPolicy(interval: policy.interval))
        if case .refuse = order { return true }
        return false
    }

    /// Handles outdated content: the upstream works, and the existing content is kept.
    private mutating func handleOutdated(_ fetch: ClientFetch) throws(Violation) {
        guard let arrived = fetch.arrived, var outcome = fetch.outcome else { return }
        let isAgeKnown = isFromConfiguredSource(fetch)
        outcome.result = .outdated
        held[outcome.dataset]?.confirmed = arrived
        held[outcome.dataset]?.ordered = fetch.ordered
        held[outcome.dataset]?.wallClockError = fetch.wallClockError
        held[outcome.dataset]?.isAgeKnown = isAgeKnown
        try deliver(.fetchEnded(outcome))
        // If the process was killed in the meantime, the daemon still has the content on disk.
        guard let after = engine?.record(outcome.dataset), let held = held[outcome.dataset] else { return }
        if after.source == fetch.order.source.endpoint, after.contentDigest != "\(held.version)" {
            throw Violation(.lost, "older content of \(outcome.dataset) replaced newer content")
        }
    }
}

/// The most recent events. They are formatted only after a violation.
struct EventLog {
    enum Entry {
        case handled(RefreshEvent)
        case requested(RefreshEffect)
        case arrived(DatasetFetch, HostMode?)
        case arrivalsRequest(ArrivalsRequest, HostMode)
        case arrivalsOutcome(ArrivalsRequest, ArrivalsOutcome)
        case disturbance(String)
    }

    private var entries: [(TrueTime, Entry)] = []
    private var next = 0
    private static let capacity = 80

    mutating func add(_ time: TrueTime, _ entry: Entry) {
        if entries.count < Self.capacity { entries.append((time, entry)) } else { entries[next] = (time, entry) }
        next = (next + 1) % Self.capacity
    }

    func lines(_ machine: SimulatedMachine) -> [String] {
        let sorted = entries.count < Self.capacity ? entries : Array(entries[next...] + entries[..<next])
        return sorted.map { time, entry in
            let moment = "\(machine.truth(at: time).rfc3339()) +\(time % 1000) ms"
            switch entry {
            case .handled(let event): return "\(moment)  -> \(event)"
            case .requested(.save(let changes)):
                return "\(moment)  <- save \(changes.datasets.keys.sorted()), \(changes.spends.count) charges"
            case .requested(let effect): return "\(moment)  <- \(effect)"
            case .arrived(let order, let mode): return "\(moment)     \(order.dataset) at its host, \(mode ?? .well)"
            case .arrivalsRequest(let order, let mode): return "\(moment)     \(order.query) at its host, \(mode)"
            case .arrivalsOutcome(let order, let outcome): return "\(moment)  -> \(order.query): \(outcome)"
            case .disturbance(let name): return "\(moment)  ** \(name)"
            }
        }
    }
}
