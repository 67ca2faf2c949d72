internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TransitModel
internal import TransitRefresh
internal import TransitStore
internal import TransitSystem

/// Runs ``RefreshEngine``: delivers events and timer ticks, saves its ledger, and performs its fetches.
///
/// One task handles all events from a single stream, so that effects are carried out in the engine's order.
final class RefreshService: ServiceLifecycle.Service {
    /// Performs one fetch, and must always return. The flag is set when the fetch is canceled.
    typealias Fetch = @Sendable (DatasetFetch, CancellationFlag) async -> FetchOutcome

    let events: RefreshEvents
    let waiters: RefreshWaiters
    private let permits: FetchPermits
    private let engine: Mutex<RefreshEngine>
    private let state: StateStore
    private let clock: any DaemonClock
    private let logger: Logger
    private let fetch: Fetch
    /// Called after every completed fetch, with the feed unless its new data has been announced, and after every notice.
    private let changed: @Sendable (FeedID?) -> Void
    private let flags = Mutex<[UInt64: CancellationFlag]>([:])
    private let wake = WakeTimer()
    private let currentNotices = Mutex(RefreshNotices())

    init(
        engine: RefreshEngine, events: RefreshEvents, waiters: RefreshWaiters, permits: FetchPermits, state: StateStore,
        clock: any DaemonClock, logger: Logger, changed: @escaping @Sendable (FeedID?) -> Void,
        fetch: @escaping Fetch
    ) {
        self.engine = Mutex(engine)
        self.events = events
        self.waiters = waiters
        self.permits = permits
        self.state = state
        self.clock = clock
        self.logger = logger
        self.changed = changed
        self.fetch = fetch
    }

    // MARK: State

    /// Returns the engine's plan for each dataset.
    func plans() -> [DatasetID: DatasetPlan] {
        let plans = engine.withLock { $0.plans(at: clock.reading()) }
        return Dictionary(plans.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Returns what a user's request for a dataset waits for; `nil` if the key's budget does not delay it.
    func hold(ofRequestFor dataset: DatasetID) -> BudgetHold? {
        engine.withLock { $0.hold(ofRequestFor: dataset, at: clock.reading()) }
    }

    func record(_ dataset: DatasetID) -> DatasetRecord? { engine.withLock { $0.record(dataset) } }

    /// Whether the daemon has stopped during each of the last two or more updates of a dataset.
    func isRepeatedlyInterrupted(_ dataset: DatasetID) -> Bool {
        engine.withLock { $0.isRepeatedlyInterrupted(dataset) }
    }

    /// Access to the keys' request budgets for components whose requests the engine does not order.
    var keyBudgets: KeyBudgets {
        KeyBudgets(
            budget: { [self] key in engine.withLock { $0.budget(of: key) } },
            spend: { [self] spend in
                engine.withLock { $0.charge(spend) }
                // The engine saves the charge when it handles this tick.
                events.send(.tick)
            },
            settle: { [self] spend, requests in
                guard requests != 1 else { return }
                engine.withLock { $0.settle([spend], requests: requests, at: clock.reading()) }
                events.send(.tick)
            })
    }

    func budgets() -> [BudgetReport] { engine.withLock { $0.budgets(at: clock.reading()) } }

    var configuration: RefreshConfiguration { engine.withLock { $0.configuration } }

    /// The current notices about refreshes, oldest first.
    var notices: RefreshNotices { currentNotices.withLock { $0 } }

    // MARK: Events

    func run() async throws {
        await cancelWhenStopping { [self] in
            await withDiscardingTaskGroup { group in
                group.addTask { await self.wake.runAtEachTime(self.clock) { self.events.send(.tick) } }
                events.send(.tick)
                for await event in events.stream {
                    for (order, flag) in await handle(event) { group.addTask { await self.perform(order, flag) } }
                }
                group.cancelAll()
                permits.close()
                for flag in flags.withLock({ Array($0.values) }) { flag.set() }
            }
        }
        // Fetches canceled by the shutdown are not failures and must not cause backoff for their sources.
        _ = await handle(.stopping)
        waiters.close()
    }

    /// Handles an event and carries out its effects, except for fetches, which are returned.
    private func handle(_ event: RefreshEvent) async -> [(DatasetFetch, CancellationFlag)] {
        var orders: [(DatasetFetch, CancellationFlag)] = []
        var pending = [event]
        while !pending.isEmpty {
            let next = pending.removeFirst()
            for effect in engine.withLock({ $0.handle(next, at: clock.reading()) }) {
                switch effect {
                case .save(let changes): pending.append(.saved(await save(changes)))
                case .fetch(let order):
                    let flag = CancellationFlag()
                    flags.withLock { $0[order.ticket] = flag }
                    orders.append((order, flag))
                case .cancel(let ticket, _): flags.withLock { $0[ticket] }?.set()
                case .wake(let moment): wake.set(moment)
                case .notice(let notice): publish(notice)
                case .accepted(let id, let datasets): waiters.accept(id, datasets)
                case .answered(let id, let dataset, let answer): waiters.answer(id, dataset, answer)
                case .step(let ticket, let answer): permits.answer(ticket, answer)
                }
            }
        }
        return orders
    }

    /// Saves changes to the ledger on a separate thread, so that other tasks continue during the disk access.
    private func save(_ changes: LedgerChanges) async -> Bool {
        do {
            try await BlockingWork.run("ledger", CancellationFlag()) { [state] in
                Result { () throws(StoreError) in try state.saveRefresh(changes) }
            }.get()
            return true
        } catch {
            logger.error("The request ledger cannot be saved: \(error)")
            return false
        }
    }

    private func perform(_ order: DatasetFetch, _ flag: CancellationFlag) async {
        logger.debug("Fetching \(order.dataset)", metadata: ["priority": "\(order.priority.rawValue)"])
        let outcome = await fetch(order, flag)
        flags.withLock { $0[order.ticket] = nil }
        events.send(.fetchEnded(outcome))
        // New realtime data was announced when it came into use.
        if case .content = outcome.result, order.dataset.kind.isRealtime { return changed(nil) }
        changed(order.dataset.feed)
    }

    private func publish(_ notice: RefreshNotice) {
        let line = RefreshNoticeLine(notice)
        let isNews = currentNotices.withLock { $0.add(notice, at: clock.now()) }
        // A failing host is retried every minute while there is demand, and every 15 minutes otherwise.
        let isRepeated = if case .circuitOpened = notice { !isNews } else { false }
        logger.log(level: isRepeated ? .debug : line.isProblem ? .warning : .notice, "\(line.text)")
        changed(nil)
    }
}

/// The queue of events for the refresh engine. Events can be sent from any thread.
final class RefreshEvents: Sendable {
    let stream: AsyncStream<RefreshEvent>
    private let continuation: AsyncStream<RefreshEvent>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func send(_ event: RefreshEvent) { continuation.yield(event) }
}
