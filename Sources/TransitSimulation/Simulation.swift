package import TransitEngine
internal import TransitModel

/// The refresh engine under a virtual clock in a simulated world, the same for the same seed.
///
/// The engine is the one that the daemon runs. The world is not its friend: hosts fail in every way, clocks are set,
/// the machine sleeps, the disk fills up, the process is killed at any moment. After every step the promises are checked
/// (``Violation/Rule``), by what the simulated upstreams counted themselves.
public struct Simulation {
    enum Event {
        case wake(serial: Int)
        case arrive(UInt64)
        case respond(UInt64)
        case disturb
        case use
        case question
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
    let circumstances: SimulationConditions
    var queue = EventQueue<Event>()
    var now: TrueTime = 0
    var wakeSerial = 0
    var idleSteps = 0

    var fetches: [UInt64: ClientFetch] = [:]
    var fetchNumber: UInt64 = 0
    var held: [DatasetID: StoredContent] = [:]
    /// What of it would survive a kill.
    var durable: [DatasetID: StoredContent] = [:]
    var demand: [FeedID: (subscribers: Int, since: TrueTime)] = [:]
    var waiting: [UInt64: WaitingUser] = [:]
    var requestNumber: UInt64 = 0
    /// When people last asked, or were sold less: the budgets may have been spent at once then.
    var budgetsSpent: TrueTime = -1 << 40
    /// Datasets that were called since the process began.
    var called: Set<DatasetID> = []
    var orders: [TrueTime] = []
    var arrivals: ArrivalsSimulation
    var rider: SimulatedRider
    /// When the daemon restarted its pauses for failing hosts: after a start, a sleep, or a time without network.
    var pauseRestarts: [TrueTime] = []

    /// No promise of freshness is checked before these moments.
    var graceEnds: TrueTime = 0
    var hostGraceEnds: [HostID: TrueTime] = [:]
    /// Until when each host is left alone at its own request, as the daemon understood it.
    var hostPauses: [HostID: TrueTime] = [:]
    /// When a dataset was configured otherwise.
    var changed: [DatasetID: TrueTime] = [:]

    var log = EventLog()
    public private(set) var report: SimulationReport

    /// - Parameter seed: everything follows from it.
    public init(seed: UInt64) { self.init(seed: seed, SimulationConditions(), faults: []) }

    /// The same in another world, or with an engine that was broken on purpose.
    package init(seed: UInt64, _ circumstances: SimulationConditions, faults: RefreshEngine.Faults = []) {
        generator = SeededGenerator(seed: seed)
        installation = generator.next()
        scenario = Scenario(circumstances, &generator)
        machine = SimulatedMachine(start: scenario.start)
        self.faults = faults
        self.circumstances = circumstances
        arrivals = ArrivalsSimulation(seed: ~installation)
        rider = SimulatedRider(seed: installation &+ 1)
        report = SimulationReport(seed: seed)
        queue.add(.startProcess, at: 0)
        queue.add(.disturb, at: generator.duration(circumstances.disturbanceInterval))
        queue.add(.use, at: generator.duration(circumstances.userActionInterval))
        queue.add(.question, at: rider.generator.duration(60, 3600))
        queue.add(.arrivals(.ask), at: arrivals.generator.duration(circumstances.arrivalsRequestInterval))
        queue.add(.arrivals(.trouble), at: arrivals.generator.duration(circumstances.disturbanceInterval))
    }

    /// Lets so many days pass, or fewer when a promise is broken.
    public mutating func run(days: Double) -> SimulationReport {
        let end = TrueTime(days * 86_400_000)
        do throws(Violation) {
            while let (time, event) = queue.next(), time <= end {
                // Nothing has to be looked at every few milliseconds for long.
                idleSteps = time < now + 20 ? idleSteps + 1 : 0
                if idleSteps > 2000 { throw Violation(.spinning, "\(event)") }
                now = time
                try take(event)
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

    private mutating func take(_ event: Event) throws(Violation) {
        switch event {
        case .wake(let serial): if serial == wakeSerial, !machine.isSuspended { try deliver(.tick) }
        case .arrive(let number): try arrive(number)
        case .respond(let number): try respond(number)
        case .disturb: try disturb()
        case .use: try use()
        case .question: try makeUserRequest()
        case .resume: try resume()
        case .startProcess: try startProcess()
        case .setWall(let error): try setWall(error)
        case .networkBack: try networkBack()
        case .diskFree: diskFree()
        case .hostRecovered(let host): hostRecovered(host)
        case .arrivals(let event): try take(event)
        }
    }

    mutating func countRequest() { report.requests += 1 }
    mutating func countArrivals() { report.arrivals += 1 }
    mutating func countEvent() { report.events += 1 }
    mutating func countDisturbance(_ name: String) {
        report.disturbances[name, default: 0] += 1
        log.add(now, .disturbed(name))
    }

    var reading: ClockReading { machine.reading(at: now) }
    var config: RefreshConfiguration { scenario.configuration }
}

/// The last things that happened; put into words only when somebody has to read them.
struct EventLog {
    enum Entry {
        case heard(RefreshEvent)
        case wanted(RefreshEffect)
        case arrived(DatasetFetch, HostMode?)
        case asked(ArrivalsRequest, HostMode)
        case ended(ArrivalsRequest, ArrivalsOutcome)
        case disturbed(String)
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
            case .heard(let event): return "\(moment)  -> \(event)"
            case .wanted(.save(let changes)):
                return "\(moment)  <- save \(changes.datasets.keys.sorted()), \(changes.spends.count) spends"
            case .wanted(let effect): return "\(moment)  <- \(effect)"
            case .arrived(let order, let mode): return "\(moment)     \(order.dataset) at its host, \(mode ?? .well)"
            case .asked(let order, let mode): return "\(moment)     \(order.query) at its host, \(mode)"
            case .ended(let order, let outcome): return "\(moment)  -> \(order.query): \(outcome)"
            case .disturbed(let name): return "\(moment)  ** \(name)"
            }
        }
    }
}
