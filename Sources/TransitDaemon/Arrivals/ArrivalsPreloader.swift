internal import Logging
internal import ServiceLifecycle
internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitServer
internal import TransitStore
internal import TransitSystem

/// Keeps arrivals fresh before clients request them:
///
/// - arrivals for the configuration's commutes, and for users' commutes with time windows, while one of the windows
///   is open;
/// - arrivals for a user's favorites and recently requested commutes, for ten minutes after the last view, or for a
///   day after it while the window of any commute is open. Adding a favorite counts as a view.
///
/// ``ArrivalsRequests/keepFresh(for:_:)`` does the same for subscriptions. All preloading has a
/// lower priority than requests and stays within the rate limits of its source (``ArrivalsScheduler``).
struct ArrivalsPreloader: ServiceLifecycle.Service {
    let contexts: RequestContexts
    let registry: MethodRegistry
    let arrivals: ArrivalsRequests
    let recentViews: RecentViews
    let windows: CommuteWindowReporter
    let notifications: NotificationService
    /// The user that the daemon runs as.
    let uid: UInt32
    let logger: Logger

    private var clock: any DaemonClock { contexts.clock }
    private var state: StateStore { contexts.state }

    /// The maximum number of upstream queries that are kept fresh: first those for the configuration's commutes, then
    /// those for users' commutes, then those for the most recent views.
    static let maximumQueries = 100
    /// How long, in seconds, a view is preloaded while no commute window is open.
    static let retention = 600
    /// How long, in seconds, a view is preloaded while a commute window is open.
    static let retentionInWindow = 86_400
    /// Seconds between two evaluations. The interval must be shorter than the lifetime of demand.
    private static let interval = 30
    /// Seconds between two evaluations while nothing is preloaded. A new configuration takes effect after at most
    /// this time.
    private static let idle = 600

    func run() async throws {
        restoreViews()
        await cancelWhenStopping {
            while !Task.isCancelled {
                let snapshot = recentViews.startWaiting()
                let isUnderWay = preloadArrivals()
                if let views = unsavedViews(isLast: false) {
                    do throws(SystemFailure) {
                        try await BlockingWork.run("looks", CancellationFlag()) { write(views) }
                    } catch { keepUnsaved("\(error)") }
                }
                await recentViews.wait(
                    since: snapshot, until: nextPreload(isUnderWay, clock.reading()), by: clock)
            }
        }
        if let views = unsavedViews(isLast: true) { write(views) }
    }

    /// Restores the views from before a restart. If this fails, the list starts empty.
    private func restoreViews() {
        do throws(StoreError) {
            let now = clock.reading()
            let views = try state.recentViews().map { saved in
                RecentViews.RecentView(
                    uid: saved.uid, view: saved.commute.map(RecentViews.View.commute) ?? .favorites,
                    at: ClockReading(wall: saved.at, boot: now.boot(at: saved.at)))
            }
            recentViews.restore(views, at: now)
        } catch { logger.warning("The recent views cannot be read: \(error)") }
    }

    private func unsavedViews(isLast: Bool) -> [RecentViews.RecentView]? {
        // Without on-demand sources there is nothing to preload.
        arrivals.service.isEmpty
            ? nil : recentViews.pendingWrite(at: clock.reading(), isLast: isLast)
    }

    private func write(_ views: [RecentViews.RecentView]) {
        do throws(StoreError) {
            try state.saveRecentViews(
                views.map { view in
                    var commute: String?
                    if case .commute(let name) = view.view { commute = name }
                    return SavedRecentView(uid: view.uid, commute: commute, at: view.at.wall)
                })
        } catch { keepUnsaved("\(error)") }
    }

    private func keepUnsaved(_ reason: String) {
        logger.warning("The recent views cannot be saved: \(reason)")
        recentViews.keepUnsaved()
    }

    fileprivate static func next(_ isUnderWay: Bool, _ starts: [Instant], _ now: ClockReading) -> BootTime {
        if isUnderWay { return now.boot.advanced(by: interval) }
        let idle = now.boot.advanced(by: idle)
        return starts.filter { $0 > now.wall }.map(now.boot(at:)).min().map { min($0, idle) } ?? idle
    }
}

extension ArrivalsPreloader {
    /// Registers demand for all arrivals to preload now.
    ///
    /// - Returns: Whether there is anything to preload.
    func preloadArrivals() -> Bool {
        guard !arrivals.service.isEmpty else { return false }
        let now = clock.reading()
        let shared = RequestContext(
            now: now.wall, caller: Caller(uid: uid, gid: 0, pid: nil, connection: 0),
            configuration: contexts.configuration.current, feeds: contexts.feeds.all, personal: PersonalState(),
            slowWork: SlowWorkSignal {})
        let open = shared.configuration.commutes.filter { $0.isOpen(at: now.wall, in: shared.zone) }
        let personal = windows.personal.filter { $0.commute.isOpen(at: now.wall, in: shared.zone) }
        let recent = recentViews.views(
            within: open.isEmpty && personal.isEmpty
                ? ArrivalsPreloader.retention : ArrivalsPreloader.retentionInWindow,
            at: now)
        var capacity = ArrivalsPreloader.maximumQueries
        for commute in open { preload(request(for: .commute(commute.name)), shared, &capacity) }
        for (uid, commute) in personal { preload(RecentViews.View.commute(commute.name), of: uid, &capacity) }
        for view in recent { preload(view.view, of: view.uid, &capacity) }
        let watched = arrivals.requirements(of: notifications)
        for requirement in watched { preload(requirement, &capacity) }
        return !open.isEmpty || !personal.isEmpty || !recent.isEmpty || !watched.isEmpty
    }

    private func preload(_ view: RecentViews.View, of uid: UInt32, _ capacity: inout Int) {
        let caller = Caller(uid: uid, gid: 0, pid: nil, connection: 0)
        guard capacity > 0 else { return }
        preload(request(for: view), contexts.context(from: caller), &capacity)
    }

    /// The request whose reply shows a view.
    private func request(for view: RecentViews.View) -> ControlRequest {
        switch view {
        case .favorites: registry.request(FavoriteShowParameters())
        case .commute(let name): registry.request(NextParameters(commute: name))
        }
    }

    private func preload(_ request: ControlRequest, _ context: RequestContext, _ capacity: inout Int) {
        // A request that fails, such as one for a removed commute, needs no arrivals.
        var request = request
        guard let requirements = try? request.resolve(context)?.requirements(context) else { return }
        for requirement in requirements { preload(requirement, &capacity) }
    }

    private func preload(_ requirement: ArrivalsRequirement, _ capacity: inout Int) {
        let until = clock.reading().boot.advanced(by: ArrivalsRequests.demandDuration)
        var limited = requirement
        limited.queries = Array(
            (requirement.queries + arrivals.service.stopRoutesQueries(requirement.stops, of: requirement.feed)).prefix(
                capacity))
        capacity -= limited.queries.count
        arrivals.service.registerDemand([limited], .commute, until: until)
    }

    fileprivate func nextPreload(_ isUnderWay: Bool, _ now: ClockReading) -> BootTime {
        let commutes = contexts.configuration.current.commutes + windows.personal.map(\.commute)
        let starts = commutes.flatMap(\.windows).flatMap {
            $0.instances(from: now.wall, days: 2, in: contexts.zone)
        }.map(\.lowerBound)
        return ArrivalsPreloader.next(isUnderWay, starts, now)
    }
}

extension CommuteConfiguration {
    /// Whether one of the commute's windows is open at a moment.
    fileprivate func isOpen(at now: Instant, in zone: ServiceZone) -> Bool {
        windows.flatMap { $0.instances(from: now, days: 1, in: zone) }.contains { $0.contains(now) }
    }
}
