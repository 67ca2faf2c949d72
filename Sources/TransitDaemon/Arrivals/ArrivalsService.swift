internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitStore

/// Asks the feeds' sources of arrivals for what somebody wants to know, as ``ArrivalsScheduler`` decides, and puts the answers
/// to use.
///
/// Whoever asks says what they want with ``want(_:_:until:)`` and may wait for it; that never blocks a thread. One task
/// begins what may begin, whenever something is wanted, has ended, or is due.
final class ArrivalsService: ServiceLifecycle.Service {
    /// What the desk works with.
    struct Dependencies: Sendable {
        var live: RealtimeFeeds
        var transport: any Transport
        var keys: FeedKeys
        var budgets: KeyBudgets
        /// Where refusals are kept.
        var state: StateStore
        /// Names this run of the machine.
        var boot: BootID
        var clock: any DaemonClock
        /// Spreads installations.
        var seed: UInt64
        var logger: Logger
        /// Told after every answer and every failure.
        var changed: @Sendable (FeedID) -> Void
    }

    /// What a feed's source of arrivals is; `nil` where it has none.
    typealias Source = @Sendable (FeedConfiguration) -> (any ArrivalsSource)?

    let dependencies: Dependencies
    private let source: Source
    let feedStates = Mutex<[FeedID: ArrivalsFeedState]>([:])
    private let waiters = ArrivalsWaiters()
    private let wake = WakeTimer()
    /// Held while an answer is put to use, and while the feeds change: what a source answers that a feed has no more is not used.
    let applyLock = Mutex<Void>(())
    /// Held while pauses are written: what is older is not written over what is newer.
    let pausesLock = Mutex<Void>(())
    /// Feeds of which answers of the previous run were restored and whose subscribers must be notified.
    private let restored = Mutex<Set<FeedID>>([])
    /// Something may be to begin; one word is as good as many.
    private let wakeUps = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(_ dependencies: Dependencies, source: @escaping Source) {
        self.dependencies = dependencies
        self.source = source
    }

    // MARK: Who has arrivals

    /// Takes the feeds of a new configuration. What is known of one whose configuration has changed is forgotten.
    func apply(_ configurations: [FeedConfiguration]) {
        forgetPauses(of: applyLock.withLock { _ in replaceSources(configurations) })
        for (feed, feedState) in feedStates.withLock({ $0 }) {
            dependencies.live.setArrivalsPace(feedState.plan.limits, of: feed)
        }
    }

    /// - Returns: the feeds whose source is gone, or another one.
    private func replaceSources(_ configurations: [FeedConfiguration]) -> [FeedID] {
        let known = feedStates.withLock { $0.mapValues(\.configuration) }
        let configured = configurations.compactMap { configuration in
            source(configuration).map { (configuration: configuration, source: $0) }
        }
        // Reads the stored answers from disk before it locks the counters, because every request takes that lock.
        var opened: [FeedID: ArrivalsFeedState] = [:]
        for (configuration, source) in configured where known[configuration.id] != configuration {
            // A changed configuration can mean another source, to which stored answers do not apply.
            let isNew = known[configuration.id] == nil
            var feedState = ArrivalsFeedState(
                configuration, source, isNew ? read(configuration.id) : ArrivalsArchive(), seed: dependencies.seed)
            if isNew { restorePauses(&feedState) }
            opened[configuration.id] = feedState
        }
        feedStates.withLock { feedStates in
            let old = feedStates
            feedStates = [:]
            for (configuration, _) in configured {
                feedStates[configuration.id] = opened[configuration.id] ?? old[configuration.id]
            }
        }
        let kept = configured.map(\.configuration.id)
        let gone = known.keys.filter { !kept.contains($0) || opened[$0] != nil }
        for feed in gone { dependencies.live.forgetArrivals(of: feed) }
        return gone
    }

    /// Whether no feed has arrivals that are asked on demand.
    var isEmpty: Bool { feedStates.withLock { $0.isEmpty } }

    /// `nil` for a feed without arrivals.
    func source(of feed: FeedID) -> (any ArrivalsSource)? { feedStates.withLock { $0[feed]?.source } }

    // MARK: Wanting and waiting

    /// Somebody wants answers that are new enough.
    ///
    /// - Parameter until: they are to be kept so until then; `nil`: once is enough.
    func want(_ needs: [ArrivalsRequirement], _ priority: FetchPriority, until: BootTime? = nil) {
        guard !needs.isEmpty else { return }
        let now = dependencies.clock.reading()
        feedStates.withLock { feedStates in
            for need in needs {
                guard let wishes = feedStates[need.feed]?.wishes(need.queries) else { continue }
                feedStates[need.feed]?.plan.want(wishes, priority, until: until, at: now)
            }
        }
        // The current request may be answered before the next turn of the loop, which notifies the others.
        let used = restoreRequested()
        if !used.isEmpty { restored.withLock { $0.formUnion(used) } }
        wakeUps.continuation.yield()
    }

    /// Whether something of it is not new enough and may be so by a moment.
    func isComing(_ needs: [ArrivalsRequirement], by moment: BootTime) -> Bool {
        arrivalsStatuses(needs).contains { $0.isComing(by: moment) }
    }

    /// Waits without a thread until everything that can come has come, at most until a moment.
    func wait(for needs: [ArrivalsRequirement], until moment: BootTime) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in await waiters.wait { !self.isComing(needs, by: moment) } }
            group.addTask { [clock = dependencies.clock] in try? await clock.sleep(until: moment) }
            await group.next()
            group.cancelAll()
        }
    }

    /// How what is needed stands; what is not remembered is left out.
    func arrivalsStatuses(_ needs: [ArrivalsRequirement]) -> [ArrivalsStatus] {
        let now = dependencies.clock.reading()
        return feedStates.withLock { feedStates in
            needs.flatMap { need -> [ArrivalsStatus] in
                guard let feedState = feedStates[need.feed] else { return [] }
                let budget = feedState.key.flatMap(dependencies.budgets.book)
                return need.queries.compactMap { feedState.plan.arrivalsStatus(of: $0.id, at: now, budget: budget) }
            }
        }
    }

    /// How a feed's source stands; `nil` for a feed without one.
    func summary(of feed: FeedID) -> ArrivalsSummary? {
        let now = dependencies.clock.reading()
        return feedStates.withLock { feedStates in
            feedStates[feed].map { $0.plan.summary(at: now, budget: $0.key.flatMap(dependencies.budgets.book)) }
        }
    }

    func setOnline(_ isOnline: Bool) {
        feedStates.withLock { feedStates in
            for feed in feedStates.keys { feedStates[feed]?.plan.setOnline(isOnline) }
        }
        wakeUps.continuation.yield()
        waiters.look()
    }

    // MARK: Working

    func run() async throws {
        await cancelWhenStopping { [self] in
            await withDiscardingTaskGroup { group in
                group.addTask { await self.wake.keep(self.dependencies.clock) { self.wakeUps.continuation.yield() } }
                group.addTask { await self.keepOnDisk() }
                wakeUps.continuation.yield()
                for await _ in wakeUps.stream {
                    for job in begin() { group.addTask { await self.perform(job) } }
                }
                group.cancelAll()
            }
        }
        waiters.close()
        saveAll()
    }

    private func begin() -> [ArrivalsFetch] {
        let used = restored.withLock { restored in
            defer { restored = [] }
            return restored
        }
        for feed in used.union(restoreRequested()) { dependencies.changed(feed) }
        let now = dependencies.clock.reading()
        var jobs: [ArrivalsFetch] = []
        let next = feedStates.withLock { feedStates in
            var next: [BootTime] = []
            for feed in feedStates.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
                guard var feedState = feedStates[feed] else { continue }
                let budget = feedState.key.flatMap(dependencies.budgets.book)
                for order in feedState.plan.begin(at: now, budget: budget) {
                    if let spend = order.spend { dependencies.budgets.spend(spend) }
                    let query = feedState.queries[order.query] ?? ArrivalsQuery(order.query.rawValue)
                    jobs.append(
                        ArrivalsFetch(
                            order: order, query: query, configuration: feedState.configuration, source: feedState.source
                        ))
                }
                if let wake = feedState.plan.wake(at: now, budget: feedState.key.flatMap(dependencies.budgets.book)) {
                    next.append(wake)
                }
                feedStates[feed] = feedState
            }
            return next.min()
        }
        wake.set(next ?? now.boot.advanced(by: Self.idle))
        // Of what is to be had by waiting some may be there already, or out of reach.
        waiters.look()
        return jobs
    }

    /// Seconds between two looks when nothing is wanted.
    private static let idle = 3600

    private func perform(_ job: ArrivalsFetch) async {
        let (outcome, body) = await ask(job)
        let now = dependencies.clock.reading()
        feedStates.withLock { feedStates in
            // The feed may have another source meanwhile, whose plan knows nothing of the ticket.
            guard feedStates[job.feed]?.configuration == job.configuration else { return }
            feedStates[job.feed]?.plan.end(job.order.ticket, outcome, at: now)
            if let body { feedStates[job.feed]?.take(body, of: job.query, received: now.wall) }
        }
        if unsavedPauses(of: job.feed) != nil {
            await BlockingWork.run("pauses", CancellationFlag()) { self.savePauses(of: job.feed) }
        }
        wakeUps.continuation.yield()
        waiters.look()
        dependencies.changed(job.feed)
    }

    /// - Returns: also the body, where it is in use.
    private func ask(_ job: ArrivalsFetch) async -> (ArrivalsOutcome, body: [UInt8]?) {
        let request: FetchRequest
        do throws(FetchFailure) { request = try job.request(dependencies.keys) } catch {
            return (.failed(TransitEngine.FetchFailure(error)), nil)
        }
        let result = await dependencies.transport.fetch(request)
        switch result.outcome {
        case .fetched(.memory(let body)):
            let outcome = use(body, job)
            return (outcome, outcome == .answered ? body : nil)
        case .fetched, .notModified: return (.unreadable("The answer came where it cannot be used."), nil)
        case .http(let status, let retryAfter): return (.failed(.status(status), retryAfter: retryAfter), nil)
        case .failed(.canceled): return (.canceled, nil)
        case .failed(let failure): return (.failed(TransitEngine.FetchFailure(failure)), nil)
        }
    }

    /// Reads an answer and lets questions be answered from it.
    private func use(_ body: [UInt8], _ job: ArrivalsFetch) -> ArrivalsOutcome {
        let now = dependencies.clock.now()
        do {
            let message = try job.source.message(body, of: job.query, received: now)
            return applyLock.withLock { _ in
                guard feedStates.withLock({ $0[job.feed]?.configuration }) == job.configuration else {
                    return .canceled
                }
                let taken = dependencies.live.take(message, of: job.query.id, feed: job.feed, received: now, now: now)
                if case .refused(let reason) = taken { return .unreadable(reason) }
                return .answered
            }
        } catch {
            return .unreadable("\(error)")
        }
    }
}

/// The budgets of keys, which the refresh engine keeps for everybody.
struct KeyBudgets: Sendable {
    /// What was spent of a key's budget; `nil` where nobody counts.
    var book: @Sendable (KeyName) -> RequestBudget?
    /// Counts a request that begins.
    var spend: @Sendable (BudgetSpend) -> Void
}
