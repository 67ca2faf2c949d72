internal import Logging
internal import Synchronization
internal import TransitControl
internal import TransitModel
internal import TransitNotifications
internal import TransitStore
internal import TransitSystem

// Writes what passes decided, and hands it out.
extension NotificationService {
    /// The number of days for which events and observations are kept.
    private static let retention = 60

    /// Writes the decisions for all users since the last write, and hands out their events.
    ///
    /// The decisions are one transaction, and programs receive them before anything else is written. If a write fails, it
    /// is tried again after ``saveInterval``.
    func writeDecisions() {
        writing.withLock { _ in
            let (unsaved, observations, isPruningDue) = state.withLock { state in
                defer { (state.observations, state.isPruningDue) = ([], false) }
                return (state.users.filter(\.value.hasUnsaved), state.observations, state.isPruningDue)
            }
            let now = dependencies.clock.now()
            var failure: StoreError?
            if !unsaved.isEmpty {
                do throws(StoreError) {
                    try dependencies.state.saveNotifications(unsaved.mapValues(\.saved))
                } catch { failure = error }
                endWrite(of: unsaved, failure, at: now)
            }
            save(observations)
            let areLanguagesSaved = agents.saveLanguages()
            if isPruningDue { prune(now) }
            if failure != nil || !areLanguagesSaved {
                nextWrite.setIfEarlier(dependencies.clock.reading().boot.advanced(by: Self.saveInterval))
            }
        }
    }

    /// Records the end of a write of users' notifications, and hands out their events. If they could not be written, they
    /// are kept in memory. Called with ``writing`` locked.
    ///
    /// - Parameters:
    ///   - written: The users when the write began.
    ///   - failure: Why nothing was written; `nil` if it was.
    func endWrite(of written: [UInt32: NotificationUser], _ failure: StoreError?, at now: Instant) {
        for (uid, user) in written {
            if let failure, outbox.account(of: uid).saveFailure == nil {
                dependencies.logger.error("Notifications cannot be saved and are kept in memory: \(failure)")
            }
            outbox.setSaveFailure(failure.map { "\($0)" }, of: uid)
            let events = state.withLock { $0.users[uid]?.endWrite(of: user, isSaved: failure == nil) ?? [] }
            hand(out: events, of: uid, at: now)
        }
        let enabled = dependencies.state.users(withNotificationSetting: NotificationSettingKey.on, value: "on")
        state.withLock { $0.removeUsers(except: enabled) }
    }

    /// Makes events that are saved, or that cannot be saved now, available to the user's programs. Called with
    /// ``writing`` locked.
    func hand(out events: [NotificationEvent], of uid: UInt32, at now: Instant) {
        guard !events.isEmpty else { return }
        let replaced = outbox.add(events, of: uid, at: now)
        dependencies.topics.notify(.notifications(uid: uid))
        // A notification that was replaced before it was shown is not shown after a restart either.
        guard !replaced.isEmpty else { return }
        state.withLock { $0.users[uid]?.unsaved.advance(replaced, to: .replaced) }
        do throws(StoreError) {
            try dependencies.state.setStage(
                .replaced, failure: "A later notification replaced it before it was shown.", ofEvents: replaced,
                of: uid)
        } catch {
            dependencies.logger.debug("The stage of notifications cannot be saved: \(error)")
        }
    }

    /// Saves the new observations of the watched departures.
    private func save(_ observations: [DepartureObservation]) {
        guard !observations.isEmpty else { return }
        do throws(StoreError) { try dependencies.state.saveObservations(observations) } catch {
            dependencies.logger.debug("Observations cannot be saved: \(error)")
        }
    }

    private func prune(_ now: Instant) {
        let limit = now.advanced(by: -Self.retention * 86_400)
        do throws(StoreError) {
            try dependencies.state.removeNotificationEvents(before: limit)
            try dependencies.state.removeObservations(scheduledBefore: limit)
        } catch { dependencies.logger.warning("Old notifications cannot be removed: \(error)") }
    }
}
