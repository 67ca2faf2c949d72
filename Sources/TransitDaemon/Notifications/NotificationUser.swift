internal import TransitControl
internal import TransitModel
internal import TransitNotifications
internal import TransitReplies
internal import TransitStore

/// The notifications of one user: the decisions, and which of them are not yet on disk.
struct NotificationUser {
    var engine: NotificationEngine
    var finder: SubjectFinder?
    var network: GeneralRuleInputReader
    /// The subjects of the last evaluation.
    var subjects: [WatchedSubject] = []
    /// The events that are not yet on disk.
    var unsaved: [SavedNotificationEvent] = []
    /// Those of them that programs receive after the write.
    var undelivered: [NotificationEvent] = []
    /// Whether the state has to be written.
    var isUnsaved = false
    /// Whether the state on disk cannot be read, and is set aside by the next write.
    var setsStateAside = false
    /// The texts from which the engine's settings were made.
    var settings: [String: String] = [:]
    /// What was last saved about each departure.
    var observed: [DepartureKey: DepartureObservation] = [:]

    /// The data to write: the state, and the events that are not yet on disk.
    var saved: SavedNotifications {
        SavedNotifications(state: engine.state.json, events: unsaved, setsStateAside: setsStateAside)
    }

    /// Whether something is not yet on disk.
    var hasUnsaved: Bool { isUnsaved || !unsaved.isEmpty }

    /// Whether one of these events is not yet on disk.
    func hasUnsaved(_ ids: [String]) -> Bool { unsaved.contains { ids.contains($0.id) } }

    /// Records the end of a write of ``saved``, during which more may have been decided.
    ///
    /// - Parameters:
    ///   - written: The user when the write began.
    ///   - isSaved: Whether it was written. If not, it remains unsaved.
    /// - Returns: The written events that programs have to receive, on disk or not.
    mutating func endWrite(of written: NotificationUser, isSaved: Bool) -> [NotificationEvent] {
        if isSaved {
            let ids = Set(written.unsaved.map(\.id))
            unsaved.removeAll { ids.contains($0.id) }
            isUnsaved = isUnsaved && engine.state != written.engine.state
            setsStateAside = false
        } else {
            isUnsaved = true
        }
        // Turning notifications off during the write has removed the events.
        let ids = Set(written.undelivered.map(\.id))
        defer { undelivered.removeAll { ids.contains($0.id) } }
        return undelivered.filter { ids.contains($0.id) }
    }

    /// The maximum number of events that are kept while the disk fails or does not respond. Older ones are dropped.
    private static let maximumUnsaved = 500

    /// Returns the new observations of the watched departures since the last call.
    mutating func observe(at now: Instant) -> [DepartureObservation] {
        var changed: [DepartureKey: DepartureObservation] = [:]
        for departure in finder?.near(at: now) ?? [] where departure.observation.status != .departed {
            if observed[departure.key]?.isSame(as: departure.observation) ?? false { continue }
            changed[departure.key] = departure.observation
        }
        if observed.count > 512, !changed.isEmpty { observed.removeAll() }
        observed.merge(changed) { _, new in new }
        return Array(changed.values)
    }

    /// Adds decisions to the data to write and to hand out.
    mutating func add(_ decisions: [NotificationDecision], _ renderer: NotificationRenderer) {
        for decision in decisions {
            let event = renderer.event(decision)
            let isShown = decision.suppression == nil && !decision.isForDigest
            if isShown { undelivered.append(event) }
            unsaved.append(
                SavedNotificationEvent(
                    id: decision.id, key: decision.key, rule: decision.rule.rawValue,
                    stage: isShown ? .decided : .suppressed, decided: decision.at, validUntil: decision.validUntil,
                    event: event.json,
                    failure: decision.suppression ?? (decision.isForDigest ? "It is in the next digest." : nil)))
        }
        let dropped = Set(unsaved.prefix(max(0, unsaved.count - Self.maximumUnsaved)).map(\.id))
        if dropped.isEmpty { return }
        unsaved.removeFirst(dropped.count)
        undelivered.removeAll { dropped.contains($0.id) }
    }
}

extension [SavedNotificationEvent] {
    /// Records the stage of some events, unless it does not advance.
    mutating func advance(
        _ ids: [String], to stage: SavedNotificationEvent.Stage, failure: String? = nil
    ) {
        for position in indices where ids.contains(self[position].id) && self[position].stage.advances(to: stage) {
            self[position].stage = stage
            self[position].failure = failure
        }
    }
}

extension DepartureObservation {
    /// Whether another observation says the same at another time.
    fileprivate func isSame(as other: DepartureObservation) -> Bool {
        var other = other
        other.at = at
        return self == other
    }
}
