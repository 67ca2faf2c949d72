internal import TransitControl
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitReplies
internal import TransitSystem
internal import TransitWire

/// Handles `refresh`: waits until the requested datasets are fetched.
struct RefreshHandler: LongRunningMethodHandler {
    let refresh: RefreshService
    let feeds: FeedRegistry
    let controller: FeedController
    let network: NetworkMonitor
    let clock: any DaemonClock
    let permission: OwnerPermission

    func reply(
        to parameters: RefreshParameters, _ context: RequestContext, progress: ProgressReporter
    ) async throws -> RefreshResult {
        try permit(parameters, context)
        let scope = try scope(parameters, context)
        // A manual request must not fail because the daemon has not yet been notified that the network is back.
        if network.isOffline { network.check() }
        let listeners = parameters.progress ? try listen(parameters, context, progress) : []
        let answers = await refresh.waiters.refresh(scope, force: parameters.force)
        _ = listeners
        let now = clock.now()
        return RefreshResult(
            at: Timestamp(now, in: context.zone),
            datasets: answers.sorted { $0.key < $1.key }.map { id, answer in
                var result = DatasetRefresh(
                    id, answer, zone: feeds.snapshot(id.feed)?.timetable?.zone ?? .utc, now: now)
                if case .held(.budget, _) = answer, let hold = refresh.hold(ofRequestFor: id) {
                    result.message = hold.sentence
                }
                return result
            })
    }

    /// All users may refresh a source once its cooldown is over. Only root and the daemon's user may refresh everything
    /// or override the cooldown.
    private func permit(_ parameters: RefreshParameters, _ context: RequestContext) throws(ControlError) {
        guard parameters.force || parameters.all else { return }
        try permission.check(context.caller, "refresh everything or force a refresh")
        if parameters.force, !parameters.all, parameters.feed == nil {
            throw ControlError(
                .invalidParameters, "force requires a feed or all.",
                hint: "Refresh everything with: transitctl refresh --all --force.")
        }
    }

    private func scope(
        _ parameters: RefreshParameters, _ context: RequestContext
    ) throws(ControlError) -> RefreshRequest.Scope {
        guard let id = parameters.feed else { return .all }
        if context.configuration.contextSource(id) != nil { return .feed(id) }
        let feed = try context.feed(id)
        guard let name = parameters.dataset else { return .feed(id) }
        guard let kind = DatasetKind(rawValue: name.rawValue), feed.configuration.datasets.contains(kind) else {
            let known = feed.configuration.datasets.map(\.rawValue).joined(separator: ", ")
            throw ControlError(
                .datasetNotFound, "\(id) has no dataset \(name.rawValue).", hint: "Its datasets are \(known).")
        }
        return .dataset(DatasetID(id, kind))
    }

    private func listen(
        _ parameters: RefreshParameters, _ context: RequestContext, _ progress: ProgressReporter
    ) throws(ControlError) -> [ProgressListeners.Listener] {
        var listeners: [ProgressListeners.Listener] = []
        if let id = parameters.feed, context.configuration.contextSource(id) != nil { return [] }
        for feed in try context.feeds(named: parameters.feed) {
            listeners.append(try controller.service(of: feed.id).listen { progress.report(RequestProgress($0)) })
        }
        return listeners
    }
}

/// Handles `budget`.
struct BudgetHandler: MethodHandler {
    let refresh: RefreshService

    func reply(to parameters: BudgetParameters, _ context: RequestContext) throws -> BudgetResult {
        let feeds = try context.feeds(named: parameters.feed)
        let configuration = refresh.configuration
        let keys = refresh.budgets().compactMap { report -> BudgetKey? in
            let users = Set(configuration.datasets.filter { $0.value.source.key == report.key }.map(\.key.feed))
            // A key that belongs to no feed is listed with all feeds.
            let isExternal = parameters.feed == nil && DatasetID.context.contains { users.contains($0.feed) }
            guard isExternal || feeds.contains(where: { users.contains($0.id) }) else { return nil }
            return BudgetKey(report, feeds: users.sorted(), zone: context.zone)
        }
        return BudgetResult(at: context.at, keys: keys)
    }
}

extension DatasetName {
    init(_ kind: DatasetKind) {
        switch kind {
        case .static: self = .static
        case .tripUpdates: self = .tripUpdates
        case .vehicles: self = .vehicles
        case .alerts: self = .alerts
        case .arrivals: self = .arrivals
        case .weather: self = .weather
        case .events: self = .events
        }
    }
}

extension DatasetRefresh {
    init(_ id: DatasetID, _ answer: RefreshAnswer, zone: ServiceZone, now: Instant) {
        self.init(feed: id.feed, dataset: DatasetName(id.kind), outcome: .other, message: "")
        switch answer {
        case .ended(let update):
            outcome = RefreshOutcome(update.outcome)
            message = update.reason.map(\.asSentence) ?? Self.words(update.outcome)
            bytes = update.bytes
            latency = update.milliseconds
        case .fresh(let age):
            outcome = .fresh
            message = "The data is fresh: \(age) s old."
        case .held(let reason, let until):
            outcome = RefreshOutcome(reason)
            message = reason.words
            self.until = until.map { Timestamp($0, in: zone) }
        case .removed:
            outcome = .canceled
            message = "The feed was removed from the configuration."
        }
    }

    private static func words(_ outcome: UpdateOutcome) -> String {
        switch outcome {
        case .updated: "New data was received."
        case .unchanged: "The source has nothing new."
        case .refused: "The data of the source cannot be used."
        case .failed: "The source could not be reached."
        case .canceled: "The fetch was canceled."
        }
    }
}

extension RefreshOutcome {
    init(_ outcome: UpdateOutcome) {
        switch outcome {
        case .updated: self = .updated
        case .unchanged: self = .unchanged
        case .refused: self = .refused
        case .failed: self = .failed
        case .canceled: self = .canceled
        }
    }

    /// The reason why a dataset was not fetched.
    init(_ reason: DueReason) {
        switch reason {
        case .fresh, .idle: self = .fresh
        case .spacing, .busy, .inFlight, .due, .catchUp: self = .cooldown
        case .retrying, .refused, .keyRejected, .circuitOpen, .retryAfter: self = .backoff
        case .budget, .ledger: self = .budget
        case .offline: self = .offline
        }
    }
}

extension DueReason {
    /// The reason as a sentence for a user who requested a refresh.
    var words: String {
        switch self {
        case .fresh: "The data is fresh."
        case .idle: "The data is fresh, and no client needs newer data."
        case .due: "The fetch is about to start."
        case .inFlight: "The data is being fetched."
        case .retrying: "The last attempt failed. A retry is scheduled."
        case .refused: "The last data could not be used. A retry is scheduled."
        case .keyRejected: "The source rejects the key. Set another one with: transitctl key set FEED."
        case .offline: "There is no network."
        case .circuitOpen: "The source's host is failing. A retry is scheduled."
        case .retryAfter: "The source's host asked transitd to wait."
        case .budget: "The request budget of the key delays the request. See: transitctl budget."
        case .spacing: "The source was queried moments ago."
        case .busy: "The maximum number of fetches is in progress."
        case .catchUp: "The fetch is queued."
        case .ledger: "The request ledger cannot be saved, so sources with a request budget are not fetched."
        }
    }
}

extension BudgetKey {
    /// Creates the status of a key. The key is identified by the feeds that use it, so that its file path is not
    /// disclosed.
    init(_ report: BudgetReport, feeds: [FeedID], zone: ServiceZone) {
        self.init(
            key: feeds.map(\.rawValue).joined(separator: "+"), feeds: feeds,
            windows: report.windows.map { WindowStatus($0, zone: zone) },
            spending: report.spenders.map {
                BudgetSpending(
                    feed: $0.dataset.feed, dataset: DatasetName($0.dataset.kind),
                    priority: SpendingPriority($0.priority), spent: $0.fetches)
            })
    }
}

extension WindowStatus {
    init(_ window: BudgetReport.Window, zone: ServiceZone) {
        let kind: WindowKind
        switch window.limit.window {
        case .rolling: kind = .rolling
        case .calendarDay: kind = .calendarDay
        }
        let ends = Timestamp(window.ends, in: zone)
        self.init(
            kind: kind, requests: window.limit.fetches, seconds: window.limit.window.seconds, spent: window.spent,
            left: window.left, nextFree: window.left > 0 ? nil : ends, ends: ends, forecast: window.forecast)
    }
}

extension SpendingPriority {
    init(_ priority: FetchPriority) {
        switch priority {
        case .background: self = .background
        case .commute: self = .commute
        case .user: self = .user
        }
    }
}
