internal import Logging
internal import ServiceLifecycle
internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// Keeps arrivals ready before anybody asks, while somebody could use them:
///
/// - those of the configuration's commutes, and of those that users added with times, while a window of theirs is open;
/// - those of a user's favourites, and of a commute of theirs that they asked about, for ten minutes after they looked; and
///   while the window of any commute is open, when they looked within the last day. To add a favourite is to look.
///
/// What is watched is kept ready by ``RequestHandlers/followArrivals(of:for:pace:)``. All of it waits behind whoever asks,
/// and keeps to the pace of its source (``ArrivalsScheduler``).
struct ArrivalsPreloader: ServiceLifecycle.Service {
    let handlers: RequestHandlers
    let logger: Logger

    /// Questions to sources that are kept ready in all: the configuration's commutes come first, then those of
    /// users, then who looked last.
    static let most = 100
    /// Seconds after a look.
    static let retention = 600
    /// The same while a window is open.
    static let retentionInWindow = 86_400
    /// Seconds between two looks at what is kept ready; what is followed is followed for longer.
    private static let pace = 30
    /// The same while nothing is: also what a new configuration says is followed after that.
    private static let idle = 600

    func run() async throws {
        recall()
        await cancelWhenStopping {
            let (looks, clock) = (handlers.daemon.looks, handlers.daemon.clock)
            while !Task.isCancelled {
                let look = looks.begin()
                let isUnderWay = handlers.preloadArrivals()
                if let looks = unsavedViews(isLast: false) {
                    await BlockingWork.run("looks", CancellationFlag()) { write(looks) }
                }
                await looks.wait(since: look, until: handlers.nextPreload(isUnderWay, clock.reading()), by: clock)
            }
        }
        if let looks = unsavedViews(isLast: true) { write(looks) }
    }

    /// Takes up what was looked at before a restart; without it, who looks again is remembered again.
    private func recall() {
        do throws(StoreError) {
            let now = handlers.daemon.clock.reading()
            let looks = try handlers.daemon.state.recentViews().map { saved in
                RecentViews.RecentView(
                    uid: saved.uid, view: saved.commute.map(RecentViews.View.commute) ?? .favorites,
                    at: ClockReading(wall: saved.at, boot: now.boot(at: saved.at)))
            }
            handlers.daemon.looks.recall(looks, at: now)
        } catch { logger.warning("What was looked at before cannot be read: \(error)") }
    }

    private func unsavedViews(isLast: Bool) -> [RecentViews.RecentView]? {
        // Where nobody is asked on demand there is nothing to keep ready.
        handlers.daemon.arrivals.isEmpty
            ? nil : handlers.daemon.looks.pendingWrite(at: handlers.daemon.clock.reading(), isLast: isLast)
    }

    private func write(_ looks: [RecentViews.RecentView]) {
        do throws(StoreError) {
            try handlers.daemon.state.saveRecentViews(
                looks.map { look in
                    var commute: String?
                    if case .commute(let name) = look.view { commute = name }
                    return SavedView(uid: look.uid, commute: commute, at: look.at.wall)
                })
        } catch { logger.warning("What was looked at cannot be written down: \(error)") }
    }

    fileprivate static func next(_ isUnderWay: Bool, _ starts: [Instant], _ now: ClockReading) -> BootTime {
        if isUnderWay { return now.boot.advanced(by: pace) }
        let idle = now.boot.advanced(by: idle)
        return starts.filter { $0 > now.wall }.map(now.boot(at:)).min().map { min($0, idle) } ?? idle
    }
}

extension RequestHandlers {
    /// Wants everything that is to be kept ready now.
    ///
    /// - Returns: whether there is anything.
    func preloadArrivals() -> Bool {
        guard !daemon.arrivals.isEmpty else { return false }
        let now = daemon.clock.reading()
        let everybody = RequestContext(
            now: now.wall, caller: Caller(uid: daemon.uid, gid: 0, pid: nil, connection: 0),
            configuration: daemon.configuration.current, feeds: daemon.feeds.all, personal: PersonalState(),
            slowWork: SlowWorkSignal {})
        let open = everybody.configuration.commutes.filter { $0.isOpen(at: now.wall, in: everybody.zone) }
        let personal = daemon.windows.personal.filter { $0.commute.isOpen(at: now.wall, in: everybody.zone) }
        let looks = daemon.looks.looks(
            within: open.isEmpty && personal.isEmpty
                ? ArrivalsPreloader.retention : ArrivalsPreloader.retentionInWindow,
            at: now)
        var room = ArrivalsPreloader.most
        for commute in open { preload(RecentViews.View.commute(commute.name).request, everybody, &room) }
        for (uid, commute) in personal { preload(RecentViews.View.commute(commute.name), of: uid, &room) }
        for look in looks { preload(look.view, of: look.uid, &room) }
        return !open.isEmpty || !personal.isEmpty || !looks.isEmpty
    }

    private func preload(_ view: RecentViews.View, of uid: UInt32, _ room: inout Int) {
        let caller = Caller(uid: uid, gid: 0, pid: nil, connection: 0)
        guard room > 0 else { return }
        preload(view.request, context(from: caller), &room)
    }

    private func preload(_ request: ControlRequest, _ context: RequestContext, _ room: inout Int) {
        // What cannot be answered, such as a commute that is gone, needs nothing.
        guard let needs = try? arrivalsRequirements(of: request, context) else { return }
        let until = daemon.clock.reading().boot.advanced(by: Self.followed)
        for need in needs {
            var kept = need
            kept.queries = Array((need.queries + daemon.arrivals.lines(need.stops, of: need.feed)).prefix(room))
            room -= kept.queries.count
            daemon.arrivals.want([kept], .commute, until: until)
        }
    }

    fileprivate func nextPreload(_ isUnderWay: Bool, _ now: ClockReading) -> BootTime {
        let zone = daemon.feeds.all.lazy.compactMap(\.timetable).first?.zone ?? .utc
        let commutes = daemon.configuration.current.commutes + daemon.windows.personal.map(\.commute)
        let starts = commutes.flatMap(\.windows).flatMap {
            $0.instances(from: now.wall, days: 2, in: zone)
        }.map(\.lowerBound)
        return ArrivalsPreloader.next(isUnderWay, starts, now)
    }
}

extension CommuteConfiguration {
    /// Whether it is usually made at a moment.
    fileprivate func isOpen(at now: Instant, in zone: ServiceZone) -> Bool {
        windows.flatMap { $0.instances(from: now, days: 1, in: zone) }.contains { $0.contains(now) }
    }
}
