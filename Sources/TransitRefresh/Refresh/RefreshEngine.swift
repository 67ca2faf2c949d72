public import TransitModel

/// The schedule of all datasets: a state machine that handles events and returns effects.
///
/// It performs no I/O. The daemon's service and the simulation both own an engine and carry out its effects, so the
/// engine that is simulated is the engine that runs in the daemon. The engine measures all waits in ``BootTime``, which
/// includes time in suspend and cannot be set. The wall clock matters only for local times and dates: the agency's
/// quiet hours, commute windows, a server's `Retry-After` date.
///
/// After each event the caller carries out the effects in order. A fetch starts only after the ledger has recorded it,
/// so that charged requests are not lost if the daemon is killed.
public struct RefreshEngine: Sendable {
    public internal(set) var configuration: RefreshConfiguration
    let boot: BootID
    let jitter: Jitter
    let faults: Faults

    // The contents of the ledger; charged requests are in the budgets.
    var datasets: [DatasetID: DatasetRecord]
    var hosts: [HostID: HostRecord]
    var requestBudgets: [KeyName: RequestBudget]

    // The state of this run.
    var fetchesInFlight: [DatasetID: FetchInFlight] = [:]
    var tickets: UInt64 = 0
    var requestHistory = RequestHistory()
    /// The datasets fetched in this run.
    var fetchedThisRun: Set<DatasetID> = []
    var requests: [DatasetID: PendingRequest] = [:]
    var catchUp = CatchUpSchedule()
    /// The pending early probes of failing hosts, which users' requests trigger.
    var probes: [HostID: PendingHostProbe] = [:]
    /// The datasets that failed with their host, which has recovered. Their pauses are over.
    var recovering: Set<DatasetID> = []
    var demand: [FeedID: Demand] = [:]
    var feedCalendar: [FeedID: FeedCalendarInfo] = [:]
    var isOnline = true
    /// Whether the engine is stopping and starts no fetch.
    var isStopping = false
    var saving: LedgerSaveState
    var steps: [PendingStep] = []
    /// The keys with an exhausted budget for which a notice was issued.
    var exhaustedKeys: Set<KeyName> = []

    /// The last reading of the clocks.
    var lastReading: ClockReading
    /// The last requested wake-up time.
    var wake: BootTime?
    var effects: [RefreshEffect] = []

    /// Creates an engine that continues with the state from a ledger.
    ///
    /// - Parameters:
    ///   - ledger: The ledger as read from disk; empty on the first start.
    ///   - boot: The current boot.
    ///   - seed: The seed of this installation, which spreads the fetches.
    public init(
        configuration: RefreshConfiguration, ledger: RefreshLedger, boot: BootID, seed: UInt64, now: ClockReading
    ) {
        self.init(
            configuration: configuration, ledger: ledger, boot: boot, seed: seed, now: now, faults: [])
    }

    /// Creates an engine with deliberate faults for the simulation to find.
    package init(
        configuration: RefreshConfiguration, ledger: RefreshLedger, boot: BootID, seed: UInt64, now: ClockReading,
        faults: Faults
    ) {
        var converted = ledger.boot == boot ? ledger.validated(at: now) : ledger.converted(over: boot, to: now)
        self.configuration = configuration
        self.boot = boot
        self.faults = faults
        jitter = Jitter(seed: seed)
        datasets = converted.datasets
        hosts = converted.hosts
        let requestBudgets = RequestBudget.requestBudgets(configuration.budgets, converted.spends)
        converted.spends = requestBudgets.keys.sorted().flatMap { requestBudgets[$0]?.spends ?? [] }
        self.requestBudgets = requestBudgets
        lastReading = now
        saving = LedgerSaveState(LedgerChanges(boot: boot, written: now))
        if ledger.boot != boot { saving.replaceAll(with: converted, at: now) }
        restoreRequestHistory(now)
        endOpenAttempts(at: now)
        reconcile(at: now)
        catchUpAll(from: now.boot.advanced(by: ledger.written == nil ? 0 : configuration.limits.endpointSpacing), now)
    }

    /// Handles an event.
    ///
    /// - Returns: The effects in order. The last one is always the time to send ``RefreshEvent/tick``.
    public mutating func handle(_ event: RefreshEvent, at now: ClockReading) -> [RefreshEffect] {
        checkClocks(now)
        apply(event, now)
        checkFetchesInFlight(now)
        watchBudgets(now)
        warnOfExpiry(now)
        let next = isStopping ? BootTime(milliseconds: .max) : startFetches(now)
        save(now)
        effects.append(.wake(at: nextWake(now, dataset: next ?? nextReady(now))))
        defer { effects.removeAll(keepingCapacity: true) }
        return effects
    }

    private mutating func apply(_ event: RefreshEvent, _ now: ClockReading) {
        switch event {
        case .tick: break
        case .configured(let configuration): configure(configuration, now)
        case .feedCalendar(let feed, let feedCalendar): self.feedCalendar[feed] = feedCalendar
        case .demand(let feed, let demand): updateDemand(demand, of: feed, now)
        case .requestedWithoutTimetable(let feed): requestProbe(DatasetID(feed, .static), now)
        case .requested(let request): handleRequest(request, now)
        case .withdrawn(let id): withdraw(id)
        case .fetchEnded(let outcome): complete(outcome, now)
        case .step(let ticket, let id): step(ticket, id, now)
        case .saved(let isSaved): handleSaveResult(isSaved, now)
        case .network(let isOnline): setOnline(isOnline, now)
        case .keyChanged(let feed): clearRejection(of: feed)
        case .resumed: catchUpAll(from: now.boot, now)
        case .stopping: stop()
        }
    }
}

extension RefreshEngine {
    /// Deliberate faults that the simulation must detect. Only its tests set them.
    package struct Faults: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// All fetches that are due after a resume start at once.
        package static let noCatchUp = Faults(rawValue: 1 << 0)
        /// Charged requests are not saved.
        package static let budgetNotSaved = Faults(rawValue: 1 << 1)
        /// Forced requests ignore `Retry-After` and the circuit breaker.
        package static let forceIgnoresLimits = Faults(rawValue: 1 << 2)
        /// A second request starts a second fetch.
        package static let noSharing = Faults(rawValue: 1 << 3)
        /// The full content is never fetched again.
        package static let alwaysConditional = Faults(rawValue: 1 << 4)
        /// A failed fetch counts as a success.
        package static let failureIsSuccess = Faults(rawValue: 1 << 5)
        /// The engine measures waits with the wall clock instead of the boot clock.
        package static let wallClock = Faults(rawValue: 1 << 6)
        /// Requests to an endpoint are not spaced.
        package static let noSpacing = Faults(rawValue: 1 << 7)
        /// Charged requests are never removed.
        package static let budgetNotPruned = Faults(rawValue: 1 << 8)
        /// User requests do not bring the probe of a failing host forward.
        package static let noProbes = Faults(rawValue: 1 << 9)
        /// User requests bring the probe forward without a minimum spacing.
        package static let probesNotSpaced = Faults(rawValue: 1 << 10)
        /// User requests bring the probe forward for a metered key in the same way as for any other key.
        package static let probesNotMetered = Faults(rawValue: 1 << 11)
    }
}

/// An ordered fetch that has not ended.
struct FetchInFlight: Hashable, Sendable {
    var order: DatasetFetch
    var began: ClockReading
    var spend: BudgetSpend?
    /// Whether the fetch is waiting for the ledger to be saved.
    var isHeld: Bool
    /// Whether the fetch probes a host whose pause is not over.
    var isEarlyProbe: Bool
    var isCancelled = false
    /// Whether the feed's key was replaced after the fetch began.
    var usesReplacedKey = false
}

/// The users' requests that wait for a dataset.
struct PendingRequest: Hashable, Sendable {
    /// The time of the first request.
    var since: BootTime
    var force: Bool
    /// The identifiers of the requests, at most ``maximumWaiters``.
    var ids: [UInt64]

    /// The maximum number of requests that wait for one dataset. Further requests are answered with `busy`.
    static let maximumWaiters = 512
    /// The maximum waiting time in seconds. If the wait would be longer, the request is answered with the time instead.
    static let patience = 60
}
