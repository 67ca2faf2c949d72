internal import Synchronization
internal import TransitControl
internal import TransitModel
internal import TransitQueries
internal import TransitServer
internal import TransitStore
internal import TransitSystem

/// Records the requests that users type, and learns their usual departures from them.
final class TravelRecorder: Sendable {
    private let state: StateStore
    private let feeds: FeedRegistry
    /// The time at which unsaved requests must be written.
    private let saveTimer: WakeTimer
    private let clock: any DaemonClock
    private let topics: ChangeNotifier<TopicChange>
    private let views = Mutex<[UInt32: [View]]>([:])
    /// The users whose usual departures could not be written after the last change.
    private let unlearned = Mutex<Set<UInt32>>([])

    /// A departure that was shown to a user.
    private struct View {
        var departure: String
        var commute: String?
        var at: Instant
    }

    /// The number of seconds for which a departure counts as recently shown.
    private static let retention = 45 * 60
    /// The maximum number of departures per user, and of users.
    private static let maximumViews = 64
    private static let maximumUsers = 256

    init(
        state: StateStore, feeds: FeedRegistry, saveTimer: WakeTimer, clock: any DaemonClock,
        topics: ChangeNotifier<TopicChange>
    ) {
        self.state = state
        self.feeds = feeds
        self.saveTimer = saveTimer
        self.clock = clock
        self.topics = topics
    }

    // MARK: Requests

    /// Records a request that a user typed. A restricted connection is that of a program.
    ///
    /// - Parameters:
    ///   - departures: The departures in the reply.
    ///   - usable: For a commute, the first departure that the user can still catch.
    func record(
        _ departures: [Departure], commute: String? = nil, usable: MergedDeparture? = nil, _ context: RequestContext
    ) throws(StoreError) {
        guard context.caller.restriction == .none else { return }
        let now = context.now
        let shown = departures.prefix(Self.maximumViews).map { View(departure: $0.id, commute: commute, at: now) }
        views.withLock { views in
            if views.count >= Self.maximumUsers, views[context.caller.uid] == nil { views.removeAll() }
            let known = views[context.caller.uid, default: []].filter { view in
                view.at.seconds(to: now) < Self.retention && !shown.contains { $0.departure == view.departure }
            }
            views[context.caller.uid] = (known + shown).suffix(Self.maximumViews)
        }
        let key = try usable.flatMap { (merged) throws(StoreError) in try merged.key }
        let ask = SavedLookup(
            at: now, date: context.zone.civil(at: now).date, commute: commute, departure: key,
            time: key.flatMap { key in usable.map { $0.serviceTime(of: key) } })
        guard state.recordAsk(ask, of: context.caller.uid) else { return }
        saveTimer.setIfUnset(clock.reading().boot.advanced(by: SearchHistoryService.saveInterval))
    }

    /// Returns the departures that were shown to a user within the last minutes.
    func recentlyViewed(by uid: UInt32, now: Instant) -> [TakenQuery.Viewed] {
        views.withLock { $0[uid] ?? [] }.filter { (0..<Self.retention).contains($0.at.seconds(to: now)) }
            .map { TakenQuery.Viewed(departure: $0.departure, commute: $0.commute) }
    }

    func forget(_ uid: UInt32) { views.withLock { $0[uid] = nil } }

    // MARK: Learning

    /// Writes the unsaved requests, and learns from them.
    func save() throws(StoreError) {
        for uid in unlearned.withLock({ $0 }).union(try state.saveAsks(now: clock.now())).sorted() {
            try learn(uid)
            unlearned.withLock { _ = $0.remove(uid) }
        }
    }

    /// Learns from a change that is on disk. What is learned follows from what is on disk, so a failure here does not make
    /// the change fail: it is repeated half a minute later, and by the next change.
    func learn(afterChangeOf uid: UInt32) {
        do throws(StoreError) { try learn(uid) } catch {
            unlearned.withLock { _ = $0.insert(uid) }
            saveTimer.setIfUnset(clock.reading().boot.advanced(by: SearchHistoryService.saveInterval))
        }
    }

    /// Learns again from what is known about every user with learned departures, because the weight of the evidence
    /// decays.
    func learnAll() throws(StoreError) { for uid in state.usersWithLearnedDepartures { try learn(uid) } }

    /// Replaces a user's learned departures by those that follow from the current evidence.
    func learn(_ uid: UInt32) throws(StoreError) {
        let before = state.userRecord(of: uid).usualDepartures
        let learned = try self.learned(by: uid).map(\.departure)
        let pinned = before.filter { $0.isPinned && $0.date == nil }
        try state.setLearnedDepartures(
            learned.filter { one in !pinned.contains { $0.isSameTime(as: one) } }, of: uid)
        if state.userRecord(of: uid).usualDepartures != before { topics.notify(.personal(uid: uid)) }
    }

    /// Returns what can be learned about a user from the current evidence.
    func learned(by uid: UInt32) throws(StoreError) -> [UsualDepartureLearning.Learned] {
        let zone = feeds.all.lazy.compactMap(\.timetable).first?.zone ?? .utc
        let learning = UsualDepartureLearning(
            today: zone.civil(at: clock.now()).date, forgotten: try state.forgottenDepartures(of: uid))
        let evidence = try state.asks(of: uid).compactMap { UsualDepartureLearning.Evidence($0) }
        let trips = try state.tripLog(of: uid).trips.map { UsualDepartureLearning.Evidence($0) }
        return learning.learn(evidence + trips)
    }
}

extension SavedUsualDeparture {
    /// Whether both are the same departure, regardless of their days.
    func isSameTime(as other: SavedUsualDeparture) -> Bool {
        feed == other.feed && route == other.route && direction == other.direction && stop == other.stop
            && time == other.time
    }
}
