public import TransitModel

/// Owns the schedule of every dataset: a plain state machine that hears events and says what is to be done.
///
/// It does nothing by itself: the daemon's service and the simulator both hold one and carry out its effects, so what is
/// simulated is what runs. It waits by ``BootTime`` alone, which counts suspend and which nobody can set; the wall clock
/// decides only where people's time is meant: the agency's quiet hours, commute windows, a server's `Retry-After` date.
///
/// After each event the caller carries out the effects in their order. A fetch begins only after the ledger has it: a
/// daemon that is killed never forgets what it spent.
public struct RefreshEngine: Sendable {
    public internal(set) var configuration: RefreshConfiguration
    let boot: BootID
    let jitter: Jitter
    let faults: Faults

    // What the ledger keeps; the spends are in the books.
    var datasets: [DatasetID: DatasetRecord]
    var hosts: [HostID: HostRecord]
    var requestBudgets: [KeyName: RequestBudget]

    // What holds for this run alone.
    var flights: [DatasetID: FetchInFlight] = [:]
    var tickets: UInt64 = 0
    var calls = RequestHistory()
    /// Datasets that were called in this run.
    var called: Set<DatasetID> = []
    var requests: [DatasetID: PendingRequest] = [:]
    var catchUp = CatchUpSchedule()
    /// Early probes of failing hosts, requested on demand.
    var probes: [HostID: PendingHostProbe] = [:]
    /// Datasets that failed with their host, which has recovered: their pauses are over.
    var recovering: Set<DatasetID> = []
    var demand: [FeedID: Demand] = [:]
    var facts: [FeedID: FeedServiceInfo] = [:]
    var isOnline = true
    /// Whether the engine is stopping. No fetch begins then.
    var isStopping = false
    var saving: LedgerSaveState
    var steps: [PendingStep] = []
    /// Keys whose budget is spent, as people were told.
    var exhausted: Set<KeyName> = []

    /// The last look at the clocks.
    var seen: ClockReading
    /// The last wake that was asked for.
    var wake: BootTime?
    var effects: [RefreshEffect] = []

    /// Takes up the work where the ledger says it was left.
    ///
    /// - Parameters:
    ///   - ledger: as it was read from the disk; empty on the first start.
    ///   - boot: names this run of the machine.
    ///   - seed: of this installation; feeds are spread by it.
    public init(
        configuration: RefreshConfiguration, ledger: RefreshLedger, boot: BootID, seed: UInt64, now: ClockReading
    ) {
        self.init(
            configuration: configuration, ledger: ledger, boot: boot, seed: seed, now: now, faults: [])
    }

    /// The same with defects for the simulation to find.
    package init(
        configuration: RefreshConfiguration, ledger: RefreshLedger, boot: BootID, seed: UInt64, now: ClockReading,
        faults: Faults
    ) {
        var carried = ledger.boot == boot ? ledger.checked(at: now) : ledger.carried(over: boot, to: now)
        self.configuration = configuration
        self.boot = boot
        self.faults = faults
        jitter = Jitter(seed: seed)
        datasets = carried.datasets
        hosts = carried.hosts
        let requestBudgets = RequestBudget.requestBudgets(configuration.budgets, carried.spends)
        carried.spends = requestBudgets.keys.sorted().flatMap { requestBudgets[$0]?.spends ?? [] }
        self.requestBudgets = requestBudgets
        seen = now
        saving = LedgerSaveState(LedgerChanges(boot: boot, written: now))
        if ledger.boot != boot { saving.replaceAll(with: carried, at: now) }
        rememberCalls(now)
        endOpenAttempts(at: now)
        reconcile(at: now)
        catchUpAll(from: now.boot.advanced(by: ledger.written == nil ? 0 : configuration.limits.endpointSpacing), now)
    }

    /// Hears of something and decides.
    ///
    /// - Returns: what is to be done, in order; the last is always when to send ``RefreshEvent/tick``.
    public mutating func handle(_ event: RefreshEvent, at now: ClockReading) -> [RefreshEffect] {
        checkClocks(now)
        take(event, now)
        watchFlights(now)
        watchBudgets(now)
        warnOfExpiry(now)
        let next = isStopping ? BootTime(milliseconds: .max) : begin(now)
        save(now)
        effects.append(.wake(at: nextWake(now, dataset: next ?? nextReady(now))))
        defer { effects.removeAll(keepingCapacity: true) }
        return effects
    }

    private mutating func take(_ event: RefreshEvent, _ now: ClockReading) {
        switch event {
        case .tick: break
        case .configured(let configuration): configure(configuration, now)
        case .facts(let feed, let facts): self.facts[feed] = facts
        case .demand(let feed, let demand): take(demand, of: feed, now)
        case .missed(let feed): requestProbe(DatasetID(feed, .static), now)
        case .asked(let request): ask(request, now)
        case .withdrawn(let id): withdraw(id)
        case .fetchEnded(let outcome): end(outcome, now)
        case .step(let ticket, let id): step(ticket, id, now)
        case .saved(let isSaved): saved(isSaved, now)
        case .network(let isOnline): setOnline(isOnline, now)
        case .keyChanged(let feed): clearRejection(of: feed)
        case .woke: catchUpAll(from: now.boot, now)
        case .stopping: stop()
        }
    }
}

extension RefreshEngine {
    /// Defects that a simulation has to find; never set but by its tests.
    package struct Faults: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Everything that is due after a wake begins at once.
        package static let noCatchUp = Faults(rawValue: 1 << 0)
        /// What was spent is not written.
        package static let budgetNotSaved = Faults(rawValue: 1 << 1)
        /// Force goes past `Retry-After` and the circuit.
        package static let forceIgnoresLimits = Faults(rawValue: 1 << 2)
        /// A second request begins a second fetch.
        package static let noSharing = Faults(rawValue: 1 << 3)
        /// Nobody ever asks for the whole content again.
        package static let alwaysConditional = Faults(rawValue: 1 << 4)
        /// A failed fetch counts as a success.
        package static let failureIsSuccess = Faults(rawValue: 1 << 5)
        /// Waiting is done by the wall clock.
        package static let wallClock = Faults(rawValue: 1 << 6)
        /// Endpoints are called without spacing.
        package static let noSpacing = Faults(rawValue: 1 << 7)
        /// Spends are never let go.
        package static let budgetNotPruned = Faults(rawValue: 1 << 8)
        /// Requests do not bring the probe of a failing host forward.
        package static let noProbes = Faults(rawValue: 1 << 9)
        /// Requests bring the probe forward without a minimum spacing.
        package static let probesNotSpaced = Faults(rawValue: 1 << 10)
        /// Requests bring the probe forward on a metered key as on any other.
        package static let probesNotMetered = Faults(rawValue: 1 << 11)
    }
}

/// A fetch that was ordered and has not ended.
struct FetchInFlight: Hashable, Sendable {
    var order: DatasetFetch
    var began: ClockReading
    var spend: BudgetSpend?
    /// Whether the ledger is still to be written before it begins.
    var isHeld: Bool
    /// Whether the fetch probes a host whose pause is not over.
    var isEarlyProbe: Bool
    var isCancelled = false
    /// Whether the feed's key was replaced after the fetch began.
    var usesReplacedKey = false
}

/// Somebody waits for a dataset.
struct PendingRequest: Hashable, Sendable {
    /// When the first of them asked.
    var since: BootTime
    var force: Bool
    /// Their requests; at most ``mostWaiters``.
    var ids: [UInt64]

    /// So many may wait for one dataset; more are told that it is busy.
    static let maximumWaiters = 512
    /// Who would have to wait longer than so many seconds is told so instead.
    static let patience = 60
}
