internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TransitControl
internal import TransitModel
internal import TransitNotifications
internal import TransitQueries
internal import TransitRefresh
internal import TransitReplies
internal import TransitStore
internal import TransitSystem
internal import TransitWire

/// Decides the notifications of the users who turned them on: after each change of a feed, of a user's data or of the
/// configuration, and at the moments at which a decision can change without one.
///
/// A pass runs on a thread of its own, and decides in memory. ``writeDecisions()`` follows on another thread: the state and
/// the events of a decision are on disk before programs receive them, so that an event is neither lost nor repeated when
/// the process is killed. If the disk is full, the decisions of passes continue in memory. A user's request, such as a
/// mute, is on disk when it succeeds, and is refused otherwise.
///
/// No write holds ``state``. A thread that writes a user's notifications holds ``writing`` from before the
/// decision, or the copy of what was decided, until the end of the write, so that writes have the order of the decisions.
final class NotificationService: ServiceLifecycle.Service {
    struct Dependencies {
        var state: StateStore
        var feeds: FeedRegistry
        var configuration: ConfigurationHolder
        var demand: DemandTracker
        var topics: ChangeNotifier<TopicChange>
        var network: GeneralRuleInputReader.Sources
        /// The thread that searches for journeys.
        var searchPool: BoundedThreadPool
        var networks: JourneyNetworkBuilds
        var clock: any DaemonClock
        var logger: Logger
    }

    struct State {
        var users: [UInt32: NotificationUser] = [:]
        /// The wake-up that was planned at the end of the last pass.
        var planned: BootTime?
        /// The date on which old rows were last removed, or will be by the next write.
        var pruned: ServiceDate?
        var isPruningDue = false
        /// What changed about the watched departures and is not yet written.
        var observations: [DepartureObservation] = []
        /// The user whose notifications a request is changing. Passes do not evaluate the user meanwhile.
        var changing: UInt32?
        /// Whether a pass did not evaluate that user.
        var isSkipped = false

        var isWriteDue: Bool {
            isPruningDue || !observations.isEmpty || users.values.contains(where: \.hasUnsaved)
        }
    }

    /// The changes since the last pass.
    struct Changes {
        var feeds: Set<FeedID> = []
        /// Whether weather, events or notices about refreshes changed.
        var isExternal = false
        /// Whether everything may have changed.
        var isEverything = false
        var isPending = false
    }

    let outbox = NotificationOutbox()
    let dependencies: Dependencies
    let state = Mutex(State())
    /// Held while notifications are written. Always locked before ``state``.
    let writing = Mutex(())
    /// The time of the next write.
    let nextWrite = WakeTimer()
    private let changes = Mutex(Changes())
    private let wake = WakeTimer()
    /// What requests show. They do not wait for a pass, which waits for the disk.
    let overviews = Mutex<[UInt32: Overview]>([:])
    let subscriberCount = Mutex<SubscriberCount?>(nil)
    /// Called on the thread of a pass or write when it has ended.
    private let workEnded = Mutex<@Sendable () -> Void>({})
    let agents: NotificationAgents
    let searches: NotificationSearches
    /// The number of the last test.
    let lastTest = Atomic<UInt64>(0)

    /// If a wake-up is at least this many seconds late, the machine was suspended. A loaded machine is
    /// late by less.
    private static let suspendTolerance = 60
    /// The number of seconds after which a failed write, or the failed reading of a state, is repeated.
    static let saveInterval = 60
    /// The number of seconds after which work whose thread could not be started is tried again.
    private static let threadInterval = 10
    /// The maximum number of observations that wait for a disk that does not respond. Older ones are dropped.
    private static let maximumObservations = 10_000
    /// A pass does not follow the previous one immediately, even if the engine returns an earlier moment.
    private static let minimumInterval = 1

    init(_ dependencies: Dependencies) {
        self.dependencies = dependencies
        agents = NotificationAgents(state: dependencies.state, logger: dependencies.logger)
        searches = NotificationSearches(
            pool: dependencies.searchPool, networks: dependencies.networks, clock: dependencies.clock,
            logger: dependencies.logger)
        restore()
        if hasUsers { change { $0.isEverything = true } }
    }

    // MARK: Changes

    /// Records a change of a feed or, with `nil`, of weather, events or notices about refreshes.
    func feedChanged(_ feed: FeedID?) {
        // Without users, a change of a feed wakes nothing.
        guard hasUsers else { return }
        change { changes in
            if let feed { changes.feeds.insert(feed) } else { changes.isExternal = true }
        }
    }

    /// Records a change of a topic's data.
    func topicChanged(_ topicChange: TopicChange) {
        switch topicChange {
        case .personal, .everything: change { $0.isEverything = true }
        case .feed, .status, .notifications: break
        }
    }

    func change(_ body: (inout Changes) -> Void) {
        changes.withLock { changes in
            body(&changes)
            changes.isPending = true
            // Under the lock, so that a pass that plans its next wake-up does not replace this one.
            wake.set(dependencies.clock.reading().boot)
        }
    }

    private var hasUsers: Bool {
        !dependencies.state.users(withNotificationSetting: NotificationSettingKey.on, value: "on").isEmpty
    }

    /// When the next pass begins without a change; `nil` if there is no such moment.
    var plannedPass: BootTime? { state.withLock { $0.planned } }

    func run() async throws {
        await cancelWhenStopping { [self] in
            await withDiscardingTaskGroup { group in
                group.addTask { [self] in await run(nextWrite, on: "notify write") { self.writeDecisions() } }
                group.addTask { [self] in await searches.run { self.change { _ in } } }
                await run(wake, on: "notifications") { self.decide() }
                group.cancelAll()
            }
        }
        if state.withLock({ $0.isWriteDue }) { writeDecisions() }
    }

    /// - Parameter action: Called on the thread of each pass or write when it has ended.
    func onWorkEnded(_ action: @escaping @Sendable () -> Void) { workEnded.withLock { $0 = action } }

    /// Does work on a thread of its own at each time of a timer.
    private func run(_ timer: WakeTimer, on thread: String, _ work: @escaping @Sendable () -> Void) async {
        await timer.runAtEachTime(dependencies.clock) {
            do throws(SystemFailure) {
                try await BlockingWork.run(thread, CancellationFlag()) { [self] in
                    work()
                    workEnded.withLock { $0 }()
                }
            } catch {
                dependencies.logger.warning("Notifications are decided or saved later: \(error)")
                timer.setIfEarlier(dependencies.clock.reading().boot.advanced(by: Self.threadInterval))
            }
        }
    }

    // MARK: A pass

    /// Decides, and writes what was decided.
    func pass() {
        decide()
        writeDecisions()
    }

    /// Evaluates the users who are affected by the changes since the last pass.
    private func decide() {
        let pending = changes.withLock { changes in
            defer { changes = Changes() }
            return changes
        }
        let reading = dependencies.clock.reading()
        let now = reading.wall
        let views = dependencies.feeds.all.map(\.view)
        let configuration = dependencies.configuration.current
        var moments: [Instant] = []
        let isWriteDue = state.withLock { state in
            let hasResumed = state.planned.map { $0.advanced(by: suspendTolerance) < reading.boot } ?? false
            let enabled = dependencies.state.users(withNotificationSetting: NotificationSettingKey.on, value: "on")
            for uid in state.users.keys where !enabled.contains(uid) && uid != state.changing { turnOff(uid, &state) }
            for uid in enabled {
                guard uid != state.changing else {
                    state.isSkipped = true
                    continue
                }
                let record = dependencies.state.userRecord(of: uid)
                let context = QueryContext(
                    now: now, feeds: views, personal: PersonalState(record), settings: QuerySettings(configuration),
                    language: NotificationLanguage.of(record), isCanceled: searches.isStopping)
                guard var user = state.users.removeValue(forKey: uid) ?? restoredUser(uid) else {
                    // The state cannot be read now. It is not replaced by an empty one.
                    moments.append(now.advanced(by: Self.saveInterval))
                    continue
                }
                apply(configuration.notifications, record.notificationSettings, to: &user)
                state.observations += evaluate(&user, uid, context, pending, hasResumed: hasResumed)
                recordDemand(uid, user, context)
                moments += [
                    user.engine.nextMoment(after: now), user.finder?.nextMoment(after: now),
                    user.network.nextMoment(user.engine, in: context.zone, after: now),
                ].compactMap(\.self)
                state.users[uid] = user
                publish(user, uid)
            }
            state.removeUsers(except: enabled)
            state.observations.removeFirst(max(0, state.observations.count - Self.maximumObservations))
            if !enabled.isEmpty { planPruning(&state, now) }
            state.planned = moments.min().map {
                max(reading.boot(at: $0), reading.boot.advanced(by: Self.minimumInterval))
            }
            plan(state.planned)
            return state.isWriteDue
        }
        if isWriteDue || agents.hasUnsavedLanguages { nextWrite.set(dependencies.clock.reading().boot) }
    }

    private func planPruning(_ state: inout State, _ now: Instant) {
        let today = ServiceZone.utc.civil(at: now).date
        guard state.pruned != today else { return }
        (state.pruned, state.isPruningDue) = (today, true)
    }

    private func turnOff(_ uid: UInt32, _ state: inout State) {
        state.users[uid]?.engine.turnOff()
        state.users[uid]?.isUnsaved = true
        state.users[uid]?.undelivered = []
        outbox.removeAll(of: uid)
        overviews.withLock { $0[uid] = nil }
        dependencies.demand.setNotificationPeriods([:], of: uid)
    }

    private var suspendTolerance: Int {
        Int(Double(Self.suspendTolerance) * max(1, dependencies.clock.rate))
    }

    private func plan(_ moment: BootTime?) {
        changes.withLock { changes in
            if changes.isPending {
                wake.set(dependencies.clock.reading().boot)
            } else if let moment {
                wake.set(moment)
            }
        }
    }

    /// Evaluates a user.
    ///
    /// - Returns: What changed about the departures that are watched.
    private func evaluate(
        _ user: inout NotificationUser, _ uid: UInt32, _ context: QueryContext, _ pending: Changes, hasResumed: Bool
    ) -> [DepartureObservation] {
        let now = context.now
        var changed: Set<FeedID>? = pending.isEverything ? nil : pending.feeds
        if !(user.finder?.isCurrent(context) ?? false) {
            user.finder = SubjectFinder(context)
            changed = nil
        }
        for result in searches.takeResults(of: uid) { user.finder?.record(result) }
        let subjects = user.finder?.subjects(
            context, changed: changed, following: user.engine.followedDepartures,
            awaiting: user.engine.awaitedDepartures)
        if let subjects { user.subjects = subjects }
        searches.start(user.finder?.startSearches() ?? [], of: uid)
        let isDue = user.engine.nextMoment(after: now.advanced(by: -1)).map { $0 <= now } ?? false
        let isNetworkDue =
            pending.isEverything || pending.isExternal || !pending.feeds.isEmpty
            || user.network.nextMoment(user.engine, in: context.zone, after: now.advanced(by: -1)).map { $0 <= now }
                ?? true
        guard subjects != nil || isDue || isNetworkDue || hasResumed || user.isUnsaved else { return [] }
        let forecasts = dependencies.network.externalData.weather.snapshot
        var input = NotificationInput(
            now: now, zone: context.zone,
            subjects: forecasts.map { forecasts in subjects?.map { $0.with(forecasts, now: now) } } ?? subjects)
        input.hasResumed = hasResumed
        input.isDigestDeferred = isNetworkDue
        let detours = user.engine.state.detours
        input.detours = user.finder?.detours(keeping: detours)
        var decisions = user.engine.evaluate(input)
        if isNetworkDue {
            let before = user.engine.state
            decisions += user.engine.evaluate(
                user.network.input(
                    context, dependencies.configuration.current, user.engine, hasChanged: pending.isEverything))
            // An entry of the digest changes only the state.
            user.isUnsaved = user.isUnsaved || user.engine.state != before
        }
        user.add(decisions, NotificationRenderer(context: context, logger: dependencies.logger))
        // A change without a decision is saved with the next one: after a crash, it is derived again.
        // The way that a user is on is not: it is the one that was searched when the journey broke.
        user.isUnsaved = user.isUnsaved || !decisions.isEmpty || user.engine.state.detours != detours
        return user.observe(at: now)
    }

    /// Reports when a user's notifications need realtime data. A feed that supplements the feed of a departure, or that it
    /// supplements, can have the same departure.
    private func recordDemand(_ uid: UInt32, _ user: NotificationUser, _ context: QueryContext) {
        var periods: [FeedID: [Demand.Period]] = [:]
        for period in user.engine.refreshPeriods(at: context.now) {
            for feed in context.feedsOfAgency(period.feed) {
                periods[feed, default: []].append(Demand.Period(period.range, period.isDue ? .full : .ahead))
            }
        }
        dependencies.demand.setNotificationPeriods(periods, of: uid)
    }

    // MARK: Users

    func apply(_ machine: [String: String], _ personal: [String: String], to user: inout NotificationUser) {
        let texts = machine.merging(personal) { _, own in own }
        guard texts != user.settings || !user.engine.settings.isEnabled else { return }
        user.settings = texts
        user.engine.settings = NotificationSettings(machine: machine, personal: personal)
    }

    /// Reads what was saved before the restart, so that requests before the first pass find it.
    private func restore() {
        let now = dependencies.clock.now()
        let machine = dependencies.configuration.current.notifications
        for uid in dependencies.state.users(withNotificationSetting: NotificationSettingKey.on, value: "on") {
            do throws(StoreError) {
                let saved = try dependencies.state.notificationEvents(of: uid, since: now.advanced(by: -7 * 86_400))
                outbox.restore(saved, of: uid, at: now)
            } catch { dependencies.logger.warning("Notifications cannot be read: \(error)") }
            guard var user = restoredUser(uid) else { continue }
            apply(machine, dependencies.state.userRecord(of: uid).notificationSettings, to: &user)
            state.withLock { $0.users[uid] = user }
            publish(user, uid)
        }
    }

    /// Returns a user with the state from before a restart; `nil` if it cannot be read now, which is logged.
    private func restoredUser(_ uid: UInt32) -> NotificationUser? {
        do throws(StoreError) { return try restored(uid) } catch {
            dependencies.logger.warning("The state of notifications cannot be read: \(error)")
            return nil
        }
    }

    /// Returns a user with the state from before a restart. A state that this release cannot read is set aside by the next
    /// write.
    func restored(_ uid: UInt32) throws(StoreError) -> NotificationUser {
        let json = try dependencies.state.notificationState(of: uid)
        let saved = json.map(NotificationState.init(json:))
        var user = NotificationUser(
            engine: NotificationEngine(
                state: (saved ?? NotificationState()) ?? NotificationState(), settings: NotificationSettings()),
            network: GeneralRuleInputReader(uid, dependencies.network))
        if case .some(nil) = saved {
            (user.setsStateAside, user.isUnsaved) = (true, true)
            outbox.setSetAside(of: uid, at: dependencies.clock.now())
            dependencies.logger.error(
                "The state of the notifications of user \(uid) cannot be read. It is set aside.")
        }
        return user
    }
}

extension NotificationService.State {
    /// Removes the users who turned notifications off. Until that is saved, a user is kept. Otherwise the next "on"
    /// would find the notifications that were pending at the "off".
    mutating func removeUsers(except enabled: [UInt32]) {
        users = users.filter { enabled.contains($0.key) || $0.value.isUnsaved || $0.key == changing }
    }
}
