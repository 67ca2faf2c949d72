internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// Carries out what ``RefreshEngine`` decides: keeps its time, writes its ledger, and has its fetches made.
///
/// Everything that the engine hears of comes through one stream and is taken by one task, so that its effects are carried
/// out in the order in which it had them.
final class RefreshService: ServiceLifecycle.Service {
    /// Makes one fetch; must return for every order. The flag is set when nobody wants it any more.
    typealias Fetch = @Sendable (DatasetFetch, CancellationFlag) async -> FetchOutcome

    let events: RefreshEvents
    let desk: RefreshWaiters
    private let steps: FetchPermits
    private let engine: Mutex<RefreshEngine>
    private let state: StateStore
    private let clock: any DaemonClock
    private let logger: Logger
    private let fetch: Fetch
    /// Told after every fetch that ended, and after every notice.
    private let changed: @Sendable (DatasetID?) -> Void
    private let flags = Mutex<[UInt64: CancellationFlag]>([:])
    private let wake = WakeTimer()
    private let told = Mutex(RefreshNotices())

    init(
        engine: RefreshEngine, events: RefreshEvents, desk: RefreshWaiters, steps: FetchPermits, state: StateStore,
        clock: any DaemonClock, logger: Logger, changed: @escaping @Sendable (DatasetID?) -> Void,
        fetch: @escaping Fetch
    ) {
        self.engine = Mutex(engine)
        self.events = events
        self.desk = desk
        self.steps = steps
        self.state = state
        self.clock = clock
        self.logger = logger
        self.changed = changed
        self.fetch = fetch
    }

    // MARK: What is known

    /// What the engine means to do about every dataset.
    func plans() -> [DatasetID: DatasetPlan] {
        let plans = engine.withLock { $0.plans(at: clock.reading()) }
        return Dictionary(plans.map { ($0.id, $0) }) { first, _ in first }
    }

    func record(_ dataset: DatasetID) -> DatasetRecord? { engine.withLock { $0.record(dataset) } }

    /// The budgets of keys, for those who ask upstreams besides the engine.
    var keyBudgets: KeyBudgets {
        KeyBudgets(
            book: { [self] key in engine.withLock { $0.budget(of: key) } },
            spend: { [self] spend in
                engine.withLock { $0.note(spend) }
                // The engine writes it with what it does next, which is now.
                events.send(.tick)
            })
    }

    func budgets() -> [BudgetReport] { engine.withLock { $0.budgets(at: clock.reading()) } }

    var configuration: RefreshConfiguration { engine.withLock { $0.configuration } }

    /// What people should know about the refreshes, in the order in which it came up.
    var notices: RefreshNotices { told.withLock { $0 } }

    // MARK: Working

    func run() async throws {
        await cancelWhenStopping { [self] in
            await withDiscardingTaskGroup { group in
                group.addTask { await self.wake.keep(self.clock) { self.events.send(.tick) } }
                events.send(.tick)
                for await event in events.stream {
                    for (order, flag) in await handle(event) { group.addTask { await self.perform(order, flag) } }
                }
                group.cancelAll()
                steps.close()
                for flag in flags.withLock({ Array($0.values) }) { flag.set() }
            }
        }
        // Fetches that were canceled by the shutdown are no failures and no reason to pause their sources.
        _ = await handle(.stopping)
        desk.close()
    }

    /// Lets the engine hear of an event and carries out what it wants but for the fetches, which are returned.
    private func handle(_ event: RefreshEvent) async -> [(DatasetFetch, CancellationFlag)] {
        var orders: [(DatasetFetch, CancellationFlag)] = []
        var heard = [event]
        while !heard.isEmpty {
            let next = heard.removeFirst()
            for effect in engine.withLock({ $0.handle(next, at: clock.reading()) }) {
                switch effect {
                case .save(let changes): heard.append(.saved(await save(changes)))
                case .fetch(let order):
                    let flag = CancellationFlag()
                    flags.withLock { $0[order.ticket] = flag }
                    orders.append((order, flag))
                case .cancel(let ticket, _): flags.withLock { $0[ticket] }?.set()
                case .wake(let moment): wake.set(moment)
                case .notice(let notice): tell(notice)
                case .accepted(let id, let datasets): desk.accept(id, datasets)
                case .answered(let id, let dataset, let answer): desk.answer(id, dataset, answer)
                case .step(let ticket, let answer): steps.answer(ticket, answer)
                }
            }
        }
        return orders
    }

    /// Runs on its own thread, so that other tasks continue during the disk access.
    private func save(_ changes: LedgerChanges) async -> Bool {
        await BlockingWork.run("ledger", CancellationFlag()) { [state, logger] in
            do throws(StoreError) {
                try state.saveRefresh(changes)
                return true
            } catch {
                logger.error("The ledger of the refreshes cannot be written: \(error)")
                return false
            }
        }
    }

    private func perform(_ order: DatasetFetch, _ flag: CancellationFlag) async {
        logger.debug("\(order.dataset) is fetched", metadata: ["priority": "\(order.priority.rawValue)"])
        let outcome = await fetch(order, flag)
        flags.withLock { $0[order.ticket] = nil }
        events.send(.fetchEnded(outcome))
        changed(order.dataset)
    }

    private func tell(_ notice: RefreshNotice) {
        let line = RefreshNoticeLine(notice)
        let isNews = told.withLock { $0.add(notice, at: clock.now()) }
        // A failing host is tried every minute during demand and every quarter of an hour otherwise.
        let isRepeated = if case .circuitOpened = notice { !isNews } else { false }
        logger.log(level: isRepeated ? .debug : line.isTrouble ? .warning : .notice, "\(line.text)")
        changed(nil)
    }

    // MARK: Time

    /// Sends a tick whenever the moment has come that the engine named last.
}
