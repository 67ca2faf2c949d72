internal import TransitControl
internal import TransitModel
internal import TransitNotifications
internal import TransitReplies
internal import TransitStore

/// The notifications of one user: what was decided, and what of it is not yet on disk.
struct NotificationUser {
    var engine: NotificationEngine
    var finder: SubjectFinder?
    var network: NetworkInputReader
    /// The subjects of the last evaluation.
    var subjects: [WatchedSubject] = []
    /// What could not be saved yet.
    var unsaved: [SavedNotificationEvent] = []
    var isUnsaved = false
    /// The texts from which the engine's settings were made.
    var settings: [String: String] = [:]
    /// What was last saved about each departure.
    var observed: [DepartureKey: DepartureObservation] = [:]

    /// What has to be written: the state, and the events that are not yet on disk.
    var saved: SavedNotifications { SavedNotifications(state: engine.state.json, events: unsaved) }

    /// Whether something is not yet on disk.
    var hasUnsaved: Bool { isUnsaved || !unsaved.isEmpty }

    /// Records that ``saved`` is on disk.
    mutating func markSaved() { (unsaved, isUnsaved) = ([], false) }

    /// Records that ``saved`` could not be written. Of the events, the last ones are kept.
    mutating func keepUnsaved() {
        isUnsaved = true
        unsaved.removeFirst(max(0, unsaved.count - Self.maximumUnsaved))
    }

    private static let maximumUnsaved = 500

    /// Returns what changed about the departures that are watched, since it was last returned.
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

    /// Adds decisions to what has to be written.
    ///
    /// - Returns: The events that programs have to receive.
    mutating func add(_ decisions: [NotificationDecision], _ renderer: NotificationRenderer) -> [NotificationEvent] {
        var shown: [NotificationEvent] = []
        for decision in decisions {
            let event = renderer.event(decision)
            let isShown = decision.suppression == nil && !decision.isForDigest
            if isShown { shown.append(event) }
            unsaved.append(
                SavedNotificationEvent(
                    id: decision.id, key: decision.key, rule: decision.rule.rawValue,
                    stage: isShown ? .decided : .suppressed, decided: decision.at, validUntil: decision.validUntil,
                    event: event.json,
                    failure: decision.suppression ?? (decision.isForDigest ? "It is in the next digest." : nil)))
        }
        return shown
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
