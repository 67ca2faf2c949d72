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

    func outcome(of id: String) -> Outcome? { outcomes[id] }

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
        // Removes many at once, since removing the first element of an array moves all others.
        if ids.count > 2 * Self.capacity {
            for old in ids.prefix(ids.count - Self.capacity) { outcomes[old] = nil }
            ids.removeFirst(ids.count - Self.capacity)
        }
    }
}
