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
                DatasetRefresh(
                    id, answer, hold: refresh.hold(ofRequestFor: id),
                    zone: feeds.snapshot(id.feed)?.timetable?.zone ?? .utc)
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
        if context.configuration.externalDataSource(id) != nil { return .feed(id) }
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
        if let id = parameters.feed, context.configuration.externalDataSource(id) != nil { return [] }
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
            let isExternal = parameters.feed == nil && DatasetID.externalData.contains { users.contains($0.feed) }
            guard isExternal || feeds.contains(where: { users.contains($0.id) }) else { return nil }
            return BudgetKey(report, feeds: users.sorted(), zone: context.zone)
        }
        return BudgetResult(at: context.at, keys: keys)
    }
}
