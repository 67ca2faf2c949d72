internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TransitEngine
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitRefresh
internal import TransitStore
internal import TransitSystem

/// Queries the feeds' on-demand sources according to ``ArrivalsScheduler``, and applies the responses.
///
/// Clients register demand with ``registerDemand(_:_:until:)`` and may wait for the response without blocking a
/// thread. One task starts requests whenever demand is registered, a request ends, or a query is due.
final class ArrivalsService: ServiceLifecycle.Service {
    /// The dependencies of the service.
    struct Dependencies: Sendable {
        var realtimeFeeds: RealtimeFeeds
        var transport: any Transport
        var keys: FeedKeys
        var budgets: KeyBudgets
        /// Stores the backoff.
        var state: StateStore
        /// Identifies the current boot of the machine.
        var boot: BootID
        var clock: any DaemonClock
        /// Varies the jitter between installations.
        var seed: UInt64
        var logger: Logger
        /// Called after every response and every failure.
        var changed: @Sendable (FeedID) -> Void
    }

    /// Returns the on-demand source of a feed; `nil` for a feed without one.
    typealias Source = @Sendable (FeedConfiguration) -> (any ArrivalsSource)?

    let dependencies: Dependencies
    private let source: Source
    let feedStates = Mutex<[FeedID: ArrivalsFeedState]>([:])
    private let waiters = ConditionWaiters()
    private let wake = WakeTimer()
    /// Held while a response is applied and while the feeds change, so that a response from a removed source is not
    /// applied.
    let applyLock = Mutex<Void>(())
    /// Held while the backoff is saved, so that an older state never overwrites a newer one.
    let pausesLock = Mutex<Void>(())
    /// The feeds whose responses were restored from the previous run and whose subscribers must be notified.
    private let restored = Mutex<Set<FeedID>>([])
    /// Wakes the task. Multiple wake-ups are coalesced.
    private let wakeUps = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(_ dependencies: Dependencies, source: @escaping Source) {
        self.dependencies = dependencies
        self.source = source
    }

    // MARK: Feeds with arrivals

    /// Applies the feed settings of a new configuration. The state of a feed whose configuration has changed is
    /// discarded.
    func apply(_ configurations: [FeedConfiguration]) {
        let configured = configurations.compactMap { configuration in
            source(configuration).map { (configuration: configuration, source: $0) }
        }
        // The files are read before the locks are taken, because requests take them. Configurations are applied one after
        // the other.
        let opened = open(configured)
        forgetPauses(of: applyLock.withLock { _ in replaceSources(configured, opened) })
        for (feed, feedState) in feedStates.withLock({ $0 }) {
            dependencies.realtimeFeeds.setArrivalsPolicy(feedState.scheduler.limits, of: feed)
        }
    }

    private typealias ConfiguredSource = (configuration: FeedConfiguration, source: any ArrivalsSource)

    /// Returns the states of the feeds whose source is new or replaced, with what was saved before the restart.
    private func open(_ configured: [ConfiguredSource]) -> [FeedID: ArrivalsFeedState] {
        let known = feedStates.withLock { $0.mapValues(\.configuration) }
        var opened: [FeedID: ArrivalsFeedState] = [:]
        for (configuration, source) in configured where known[configuration.id] != configuration {
            // Cached responses are not valid for another source, and a changed configuration may have one.
            let isNew = known[configuration.id] == nil
            var feedState = ArrivalsFeedState(
                configuration, source, isNew ? read(configuration.id) : ArrivalsCacheFile(), seed: dependencies.seed)
            if isNew { restorePauses(&feedState) }
            opened[configuration.id] = feedState
        }
        return opened
    }

    /// - Returns: The feeds whose source was removed or replaced.
    private func replaceSources(
        _ configured: [ConfiguredSource], _ opened: [FeedID: ArrivalsFeedState]
    ) -> [FeedID] {
        let known = feedStates.withLock { feedStates in
            let old = feedStates
            feedStates = [:]
            for (configuration, _) in configured {
                feedStates[configuration.id] = opened[configuration.id] ?? old[configuration.id]
            }
            return old.keys
        }
        let kept = configured.map(\.configuration.id)
        let gone = known.filter { !kept.contains($0) || opened[$0] != nil }
        for feed in gone { dependencies.realtimeFeeds.forgetArrivals(of: feed) }
        return gone
    }

    /// Whether no feed has an on-demand source.
    var isEmpty: Bool { feedStates.withLock { $0.isEmpty } }

    /// `nil` for a feed without arrivals.
    func source(of feed: FeedID) -> (any ArrivalsSource)? { feedStates.withLock { $0[feed]?.source } }

    // MARK: Demand and waiting

    /// Registers demand for fresh responses.
    ///
    /// - Parameter until: The time until which the responses are kept fresh; `nil` requests them only once.
    func registerDemand(_ requirements: [ArrivalsRequirement], _ priority: FetchPriority, until: BootTime? = nil) {
        guard !requirements.isEmpty else { return }
        let now = dependencies.clock.reading()
        feedStates.withLock { feedStates in
            for need in requirements {
                guard let demands = feedStates[need.feed]?.demands(need.queries) else { continue }
                feedStates[need.feed]?.scheduler.addDemand(demands, priority, until: until, at: now)
            }
        }
        // The current request may complete before the next iteration of the loop, in which subscribers are notified.
        let used = restoreRequested()
        if !used.isEmpty { restored.withLock { $0.formUnion(used) } }
        wakeUps.continuation.yield()
    }

    /// Whether any response that is not fresh yet may arrive before a moment.
    func mayArrive(_ requirements: [ArrivalsRequirement], by moment: BootTime) -> Bool {
        arrivalsStatuses(requirements).contains { $0.isComing(by: moment) }
    }

    /// Waits until every response that can arrive by `moment` has arrived, but no later than `moment`. Does not block a
    /// thread.
    func wait(for requirements: [ArrivalsRequirement], until moment: BootTime) async {
        await waiters.wait(until: moment, dependencies.clock) { !self.mayArrive(requirements, by: moment) }
    }

    /// Returns the status of each query; queries that the scheduler no longer tracks are omitted.
    func arrivalsStatuses(_ requirements: [ArrivalsRequirement]) -> [ArrivalsStatus] {
        let now = dependencies.clock.reading()
        return feedStates.withLock { feedStates in
            requirements.flatMap { need -> [ArrivalsStatus] in
                guard let feedState = feedStates[need.feed] else { return [] }
                let budget = feedState.key.flatMap(dependencies.budgets.budget)
                return need.queries.compactMap {
                    feedState.scheduler.arrivalsStatus(of: $0.id, at: now, budget: budget)
                }
            }
        }
    }

    /// Returns the status of a feed's source; `nil` for a feed without one.
    func summary(of feed: FeedID) -> ArrivalsSummary? {
        let now = dependencies.clock.reading()
        return feedStates.withLock { feedStates in
            feedStates[feed].map { $0.scheduler.summary(at: now, budget: $0.key.flatMap(dependencies.budgets.budget)) }
        }
    }

    func setOnline(_ isOnline: Bool) {
        feedStates.withLock { feedStates in
            for feed in feedStates.keys { feedStates[feed]?.scheduler.setOnline(isOnline) }
        }
        wakeUps.continuation.yield()
        waiters.resumeSatisfied()
    }

    // MARK: Requests

    func run() async throws {
        await cancelWhenStopping { [self] in
            await withDiscardingTaskGroup { group in
                group.addTask {
                    await self.wake.runAtEachTime(self.dependencies.clock) { self.wakeUps.continuation.yield() }
                }
                group.addTask { await self.savePeriodically() }
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
                let budget = feedState.key.flatMap(dependencies.budgets.budget)
                for request in feedState.scheduler.startBatch(at: now, budget: budget) {
                    if let spend = request.spend { dependencies.budgets.spend(spend) }
                    let query = feedState.queries[request.query] ?? ArrivalsQuery(request.query.rawValue)
                    jobs.append(
                        ArrivalsFetch(
                            request: request, query: query, configuration: feedState.configuration,
                            source: feedState.source
                        ))
                }
                if let wake = feedState.scheduler.nextWake(
                    at: now, budget: feedState.key.flatMap(dependencies.budgets.budget))
                {
                    next.append(wake)
                }
                feedStates[feed] = feedState
            }
            return next.min()
        }
        wake.set(next ?? now.boot.advanced(by: Self.idle))
        // Some responses may have become available or unreachable.
        waiters.resumeSatisfied()
        return jobs
    }

    /// Seconds between two wake-ups without demand.
    private static let idle = 3600

    private func perform(_ job: ArrivalsFetch) async {
        let (outcome, body, sent) = await fetch(job)
        if let spend = job.request.spend { dependencies.budgets.settle(spend, sent) }
        let now = dependencies.clock.reading()
        feedStates.withLock { feedStates in
            // The feed may have a new source by now. The new source's scheduler did not issue the ticket.
            guard feedStates[job.feed]?.configuration == job.configuration else { return }
            feedStates[job.feed]?.scheduler.complete(job.request.ticket, outcome, at: now)
            if let body { feedStates[job.feed]?.store(body, of: job.query, received: now.wall) }
        }
        wakeUps.continuation.yield()
        waiters.resumeSatisfied()
        dependencies.changed(job.feed)
        if unsavedPauses(of: job.feed) != nil {
            do throws(SystemFailure) {
                try await BlockingWork.run("pauses", CancellationFlag()) { self.savePauses(of: job.feed) }
            } catch { dependencies.logger.error("The backoff of \(job.feed) cannot be saved: \(error)") }
        }
    }

    /// - Returns: The outcome, the body if it was applied, and the number of requests that left this machine.
    private func fetch(_ job: ArrivalsFetch) async -> (ArrivalsOutcome, body: [UInt8]?, sent: Int) {
        let request: FetchRequest
        do throws(TransportFailure) { request = try job.httpRequest(dependencies.keys) } catch {
            return (.failed(FetchFailure(error)), nil, 0)
        }
        let result = await dependencies.transport.fetch(request)
        guard case .fetched(.memory(let body)) = result.outcome else {
            return (Self.outcome(of: result), nil, result.requests)
        }
        let outcome = apply(body, job)
        return (outcome, outcome == .answered ? body : nil, result.requests)
    }

    /// Returns the outcome of a response without a usable body.
    private static func outcome(of result: FetchResult) -> ArrivalsOutcome {
        switch result.outcome {
        case .fetched, .notModified: .unreadable("The response was stored in an unexpected place.")
        case .http(let status, let retryAfter): .failed(.status(status), retryAfter: retryAfter)
        case .failed(.canceled): .canceled
        case .failed(let failure): .failed(FetchFailure(failure))
        }
    }

    /// Parses a response and applies it, so that requests can use it.
    private func apply(_ body: [UInt8], _ job: ArrivalsFetch) -> ArrivalsOutcome {
        let now = dependencies.clock.now()
        do {
            let message = try job.source.message(body, of: job.query, received: now)
            return applyLock.withLock { _ in
                guard feedStates.withLock({ $0[job.feed]?.configuration }) == job.configuration else {
                    return .canceled
                }
                let result = dependencies.realtimeFeeds.receive(
                    message, of: job.query.id, feed: job.feed, received: now, now: now)
                if case .refused(let reason) = result { return .unreadable(reason) }
                return .answered
            }
        } catch {
            return .unreadable("\(error)")
        }
    }
}

// Queries for the routes at a stop are sent in the same batches and under the same limits as those for its
// departures.
extension ArrivalsService {
    /// Returns the queries for the routes at the given stops, or an empty list if the source has no such queries.
    func stopRoutesQueries(_ stops: [StopID], of feed: FeedID) -> [ArrivalsQuery] {
        guard let source = source(of: feed)?.stopRoutes else { return [] }
        return stops.map(source.query)
    }

    /// Returns the routes in the latest responses, without duplicates. Expired responses are left out.
    func routes(_ requirement: ArrivalsRequirement) -> [Route] {
        guard let source = source(of: requirement.feed), let lines = source.stopRoutes else { return [] }
        let now = dependencies.clock.now()
        let bodies = feedStates.withLock { feedStates in
            requirement.queries.compactMap { query -> [UInt8]? in
                guard let response = feedStates[requirement.feed]?.responses.responses[query] else { return nil }
                let usable = FreshnessPolicy(interval: source.lifetime(of: query)).usable
                return response.received.advanced(by: usable) >= now ? response.body : nil
            }
        }
        var known: Set<RouteID> = []
        // The bodies were parsed successfully on receipt.
        return bodies.flatMap { (try? lines.routes($0)) ?? [] }.filter { known.insert($0.id).inserted }
    }
}

/// One upstream request for arrivals, with the configuration of its feed.
private struct ArrivalsFetch: Sendable {
    var request: ArrivalsRequest
    var query: ArrivalsQuery
    var configuration: FeedConfiguration
    var source: any ArrivalsSource

    var feed: FeedID { configuration.id }

    /// The maximum duration of a request in seconds. It is short because clients and the next batch wait for the request.
    private static let maximumDuration = 10.0

    /// Returns the HTTP request with the feed's key and certificates.
    ///
    /// - Throws: ``TransportFailure/key(_:)``.
    func httpRequest(_ keys: FeedKeys) throws(TransportFailure) -> FetchRequest {
        var request = try configuration.fetchRequest(source.request(for: query), keys: keys)
        request.deadline = min(request.deadline, Self.maximumDuration)
        return request
    }
}

/// Access to the keys' request budgets, which the refresh engine manages.
struct KeyBudgets: Sendable {
    /// Returns the request budget of a key; `nil` if the key is not metered.
    var budget: @Sendable (KeyName) -> RequestBudget?
    /// Charges a request to its budget.
    var spend: @Sendable (BudgetSpend) -> Void
    /// Makes the charge of a request equal to the number of requests that left this machine.
    var settle: @Sendable (BudgetSpend, Int) -> Void
}
