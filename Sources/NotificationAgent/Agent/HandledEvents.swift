/// The identifiers of the events that have been handled, newest last, and the hooks that were started for notifications
/// that may still be shown.
struct HandledEvents: Equatable {
    enum Outcome: Character {
        case done = "d"
        case failed = "f"
    }

    /// The number of events that are remembered. The daemon limits a user to a few events an hour, and an event is valid
    /// for hours.
    static let capacity = 2000

    private(set) var ids: [String] = []
    private var outcomes: [String: Outcome] = [:]
    /// The paths of the hooks that were started for a notification, by its key.
    private(set) var startedHooks: [String: Set<String>] = [:]
    /// The keys of ``startedHooks``, oldest first.
    private(set) var startedKeys: [String] = []

    /// The number of times that each hook was started for an event that is not finished, by the `id` of the event and the
    /// path of the hook.
    private(set) var attempts: [String: [String: Int]] = [:]
    /// The events of ``attempts``, oldest first.
    private(set) var attemptedEvents: [String] = []

    func outcome(of id: String) -> Outcome? { outcomes[id] }

    /// The number of times that a hook was started for an event that is not finished.
    func attempts(of id: String, hook: String) -> Int { attempts[id]?[hook] ?? 0 }

    /// Records that a hook is started for an event.
    mutating func insertAttempt(_ id: String, hook: String) {
        if attempts[id] == nil { attemptedEvents.append(id) }
        attempts[id, default: [:]][hook, default: 0] += 1
        if attemptedEvents.count > Self.capacity { attempts[attemptedEvents.removeFirst()] = nil }
    }

    /// Records that a hook was started for a notification. Returns `false` if that is known.
    mutating func insertStarted(key: String, hook: String) -> Bool {
        if startedHooks[key] == nil { startedKeys.append(key) }
        guard startedHooks[key, default: []].insert(hook).inserted else { return false }
        if startedKeys.count > 2 * Self.capacity {
            for old in startedKeys.prefix(startedKeys.count - Self.capacity) { startedHooks[old] = nil }
            startedKeys.removeFirst(startedKeys.count - Self.capacity)
        }
        return true
    }

    /// Records that a notification was withdrawn. Returns `false` if no hook is known to have been started for it.
    mutating func removeStarted(key: String) -> Bool {
        guard startedHooks.removeValue(forKey: key) != nil else { return false }
        startedKeys.removeAll { $0 == key }
        return true
    }

    mutating func insert(_ id: String, _ outcome: Outcome) {
        if outcomes.updateValue(outcome, forKey: id) == nil { ids.append(id) }
        if attempts.removeValue(forKey: id) != nil { attemptedEvents.removeAll { $0 == id } }
        // Removes many at once, since removing the first element of an array moves all others.
        if ids.count > 2 * Self.capacity {
            for old in ids.prefix(ids.count - Self.capacity) { outcomes[old] = nil }
            ids.removeFirst(ids.count - Self.capacity)
        }
    }
}
