internal import Synchronization
internal import TransitControl
internal import TransitModel
internal import TransitNotifications
internal import TransitQueries
internal import TransitReplies
internal import TransitStore
internal import TransitSystem
internal import TransitWire

// The functions for requests. A change is on disk before its function returns.
extension NotificationService {
    /// Sets the function that returns the number of a user's subscribers.
    func setSubscriberCount(_ count: @escaping @Sendable (UInt32) -> Int) {
        subscriberCount.withLock { $0 = SubscriberCount(call: count) }
    }

    func subscribers(of uid: UInt32) -> Int { subscriberCount.withLock { $0 }?.call(uid) ?? 0 }

    /// Records that a user's program subscribed to the notifications. See ``NotificationAgents``.
    func subscribed(_ uid: UInt32, language: String?) {
        if agents.subscribed(uid, language: language) { change { $0.isEverything = true } }
    }

    /// Records that the subscription of a user's program was refused.
    func refusedSubscription(_ uid: UInt32, process: Int32?, _ error: ControlError) {
        agents.refused(uid, process: process, error, at: dependencies.clock.now())
        dependencies.topics.notify(.status)
    }

    /// Why the last subscription of a user's program was refused; `nil` if it was not.
    func refusal(of uid: UInt32) -> NotificationAgents.Refusal? { agents.refusal(of: uid) }

    /// The language of the program that last subscribed to a user's notifications, as a BCP 47 language tag; `nil` if none
    /// has reported one. It survives a restart.
    func agentLanguage(of uid: UInt32) -> String? { agents.language(of: uid) }

    /// A struct around the function, because a mutex over the function itself wraps it again at each access; see
    /// ``ChangeNotifier``.
    struct SubscriberCount: Sendable {
        var call: @Sendable (UInt32) -> Int
    }

    /// Returns a number that no other test of this process has.
    func nextTestNumber() -> UInt64 { lastTest.add(1, ordering: .relaxed).newValue }

    /// The subjects that the daemon watches for a user.
    struct Overview {
        var subjects: [WatchedSubject] = []
        var problems: [SubjectFinder.Problem] = []
        var engine: NotificationEngine?
        var finder: SubjectFinder?
    }

    func overview(of uid: UInt32) -> Overview { overviews.withLock { $0[uid] ?? Overview() } }

    func publish(_ user: NotificationUser, _ uid: UInt32) {
        overviews.withLock {
            $0[uid] = Overview(
                subjects: user.subjects, problems: user.finder?.problems ?? [], engine: user.engine,
                finder: user.finder)
        }
    }

    /// Returns the on-demand arrivals on which the subjects that are near depend, as of the last pass.
    ///
    /// - Parameter namesTrips: See ``DirectTripsQuery/requiredArrivals(_:namesTrips:)``.
    func requiredArrivals(namesTrips: (FeedID) -> Bool) -> [RequiredArrivals] {
        let views = dependencies.feeds.all.map(\.view)
        let settings = QuerySettings(dependencies.configuration.current)
        return overviews.withLock { $0 }.sorted { $0.key < $1.key }.flatMap { uid, overview -> [RequiredArrivals] in
            let context = QueryContext(
                now: dependencies.clock.now(), feeds: views,
                personal: PersonalState(dependencies.state.userRecord(of: uid)), settings: settings)
            return overview.finder?.requiredArrivals(context, namesTrips: namesTrips) ?? []
        }
    }

    /// Changes a user's engine at a request, saves it, and hands out what it decides.
    ///
    /// Until the change is on disk or refused, passes leave the user as before, and evaluate the others.
    ///
    /// - Parameter write: Writes the change, with other changes of the request in the same transaction. Returns whether
    ///   there is a change; if not, the engine stays as it was.
    /// - Returns: `nil` if the user has not turned notifications on. `write` is not called then.
    /// - Throws: An error of the store. Nothing is changed then, on disk or in memory, and nothing is handed out.
    @discardableResult
    func perform<Result>(
        _ uid: UInt32, _ context: QueryContext,
        _ body: (inout NotificationEngine) -> (Result, decisions: [NotificationDecision]),
        writing write: ((SavedNotifications) throws(StoreError) -> Bool)? = nil
    ) throws(StoreError) -> Result? {
        let record = dependencies.state.userRecord(of: uid)
        guard record.notificationSettings[NotificationSettingKey.on] == "on" else { return nil }
        let renderer = NotificationRenderer(
            context: context.inLanguage(NotificationLanguage.of(record)), logger: dependencies.logger)
        let result = try writing.withLock { _ throws(StoreError) -> Result in
            defer { endChange() }
            var user = try beginChange(uid, record)
            let (result, decisions) = body(&user.engine)
            user.add(decisions, renderer)
            if let write {
                guard try write(user.saved) else { return result }
            } else {
                try dependencies.state.saveNotifications(user.saved, of: uid)
            }
            outbox.setSaveFailure(nil, of: uid)
            let events = user.endWrite(of: user, isSaved: true)
            state.withLock { $0.users[uid] = user }
            publish(user, uid)
            hand(out: events, of: uid, at: context.now)
            return result
        }
        change { _ in }
        return result
    }

    private func beginChange(_ uid: UInt32, _ record: UserRecord) throws(StoreError) -> NotificationUser {
        let known = state.withLock { state in
            state.changing = uid
            return state.users[uid]
        }
        if let known { return known }
        // A state that could not be read at the start may be readable now.
        var user = try restored(uid)
        apply(dependencies.configuration.current.notifications, record.notificationSettings, to: &user)
        return user
    }

    private func endChange() {
        let isSkipped = state.withLock { state in
            defer { (state.changing, state.isSkipped) = (nil, false) }
            return state.isSkipped
        }
        if isSkipped { change { $0.isEverything = true } }
    }

    /// Hands out an event that does not come from a rule, such as a test.
    func hand(out event: NotificationEvent, of uid: UInt32, at now: Instant) {
        outbox.add([event], of: uid, at: now)
        dependencies.topics.notify(.notifications(uid: uid))
    }

    /// Records the stage that events have reached, on disk and in memory.
    ///
    /// - Returns: The number of events that were found.
    func record(
        _ stage: SavedNotificationEvent.Stage, ofEvents ids: [String], message: String?, of uid: UInt32
    ) throws(StoreError) -> Int {
        let listed = outbox.record(
            stage, ofEvents: ids, message: message, of: uid, at: dependencies.clock.now())
        // Events that were decided while the disk was full are only in memory. It is written with the stage that it has
        // reached, because the reply confirms that stage.
        if state.withLock({ $0.users[uid]?.hasUnsaved(ids) ?? false }) {
            try writing.withLock { _ throws(StoreError) in
                let user = state.withLock { state -> NotificationUser? in
                    state.users[uid]?.unsaved.advance(ids, to: stage, failure: message)
                    return state.users[uid]
                }
                guard let user, user.hasUnsaved(ids) else { return }
                try dependencies.state.saveNotifications(user.saved, of: uid)
                endWrite(of: [uid: user], nil, at: dependencies.clock.now())
            }
        }
        return max(listed, try dependencies.state.setStage(stage, failure: message, ofEvents: ids, of: uid))
    }
}
