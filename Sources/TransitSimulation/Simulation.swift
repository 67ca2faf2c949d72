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
    var wakeSerial = 0
    var idleSteps = 0

    var fetches: [UInt64: ClientFetch] = [:]
    var fetchNumber: UInt64 = 0
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
