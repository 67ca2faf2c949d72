internal import TransitControl
internal import TransitEngine
internal import TransitModel

extension RequestHandlers {
    func refresh(
        _ parameters: RefreshParameters, _ context: RequestContext, progress: ProgressReporter
    ) async throws -> RefreshResult {
        try permit(parameters, context)
        let scope = try scope(parameters, context)
        // A manual request must not fail because the return of the network has not been reported yet.
        if daemon.isOffline { daemon.checkNetwork() }
        let listeners = parameters.progress ? try listen(parameters, context, progress) : []
        let answers = await daemon.refresh.desk.ask(scope, force: parameters.force)
        _ = listeners
        let now = daemon.clock.now()
        return RefreshResult(
            at: Timestamp(now, in: context.zone),
            datasets: answers.sorted { $0.key < $1.key }.map { id, answer in
                DatasetRefresh(id, answer, zone: daemon.feeds.snapshot(id.feed)?.timetable?.zone ?? .utc, now: now)
            })
    }

    /// Anybody may ask a source again when its cooldown is over; only who answers for the daemon may do more.
    private func permit(_ parameters: RefreshParameters, _ context: RequestContext) throws(ControlError) {
        guard parameters.force || parameters.all else { return }
        try permitOwner(context.caller, "refresh everything or what is fresh")
        if parameters.force, !parameters.all, parameters.feed == nil {
            throw ControlError(
                .invalidParameters, "force needs a feed, or all.",
                hint: "Everything anew: transitctl refresh --all --force.")
        }
    }

    private func scope(
        _ parameters: RefreshParameters, _ context: RequestContext
    ) throws(ControlError) -> RefreshRequest.Scope {
        guard let id = parameters.feed else { return .all }
        let feed = try context.feed(id)
        guard let name = parameters.dataset else { return .feed(id) }
        guard let kind = DatasetKind(rawValue: name.rawValue), feed.configuration.datasets.contains(kind) else {
            let known = feed.configuration.datasets.map(\.rawValue).joined(separator: ", ")
            throw ControlError(
                .datasetNotFound, "\(id) has no dataset \(name.rawValue).", hint: "It has: \(known).")
        }
        return .dataset(DatasetID(id, kind))
    }

    private func listen(
        _ parameters: RefreshParameters, _ context: RequestContext, _ progress: ProgressReporter
    ) throws(ControlError) -> [ProgressListeners.Listener] {
        var listeners: [ProgressListeners.Listener] = []
        for feed in try context.feeds(named: parameters.feed) {
            listeners.append(try daemon.service(of: feed.id).listen { progress.report(RequestProgress($0)) })
        }
        return listeners
    }

    func budget(_ parameters: BudgetParameters, _ context: RequestContext) throws -> BudgetResult {
        let feeds = try context.feeds(named: parameters.feed)
        let configuration = daemon.refresh.configuration
        let keys = daemon.refresh.budgets().compactMap { report -> BudgetKey? in
            let users = Set(configuration.datasets.filter { $0.value.source.key == report.key }.map(\.key.feed))
            guard feeds.contains(where: { users.contains($0.id) }) else { return nil }
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
            message = "It is \(age) s old, and so new enough."
        case .held(let reason, let until):
            outcome = RefreshOutcome(reason)
            message = reason.words
            self.until = until.map { Timestamp($0, in: zone) }
        case .gone:
            outcome = .canceled
            message = "It is not configured any more."
        }
    }

    private static func words(_ outcome: UpdateOutcome) -> String {
        switch outcome {
        case .updated: "New data is in use."
        case .unchanged: "The source has nothing new."
        case .refused: "What came cannot be used."
        case .failed: "The source could not be asked."
        case .canceled: "It was canceled."
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

    /// Why a dataset was not asked for.
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
    /// A sentence for who would like it sooner.
    var words: String {
        switch self {
        case .fresh: "It is new enough until then."
        case .idle: "It is new enough until then, and nobody could use it sooner."
        case .due: "It is about to be asked for."
        case .inFlight: "It is being fetched."
        case .retrying: "The last attempt failed; it is tried again then."
        case .refused: "What came last could not be used; the source is looked at again then."
        case .keyRejected: "The source rejects the key; set another one: transitctl key set FEED."
        case .offline: "There is no network."
        case .circuitOpen: "The source's host fails and is left alone until then."
        case .retryAfter: "The source's host asked to wait until then."
        case .budget: "The key's budget is spent, or kept for what matters more."
        case .spacing: "The source was asked just now."
        case .busy: "Others are being fetched."
        case .catchUp: "It comes in its turn."
        case .ledger: "The ledger cannot be written, and a budget is not spent without it."
        }
    }
}

extension BudgetKey {
    /// The key goes by the feeds that use it: where it is read from is nobody's business.
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
