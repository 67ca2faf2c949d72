internal import Synchronization

/// Notifies any number of listeners of changes. The notifier can be created before its listeners. The components of the
/// daemon can therefore be created in sequence, without circular dependencies.
package final class ChangeNotifier<Change: Sendable>: Sendable {
    /// Identifies a listener of one notifier. No identifier is used twice.
    package struct ListenerID: Hashable, Sendable {
        fileprivate var number: UInt64
    }

    /// A struct around the closure, because a mutex over the closure itself reabstracts it at each access: each call
    /// then takes longer than the previous one, and the wrappers are never freed.
    private struct Listener: Sendable {
        var id: ListenerID
        var call: @Sendable (Change) -> Void
    }

    private struct State {
        var listeners: [Listener] = []
        var nextNumber: UInt64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Adds a listener. It is called after the listeners that were added before it.
    @discardableResult
    package func listen(_ call: @escaping @Sendable (Change) -> Void) -> ListenerID {
        state.withLock { state in
            let id = ListenerID(number: state.nextNumber)
            state.nextNumber += 1
            state.listeners.append(Listener(id: id, call: call))
            return id
        }
    }

    /// Removes a listener. A notification that is in progress on another thread may still call it.
    package func remove(_ id: ListenerID) { state.withLock { $0.listeners.removeAll { $0.id == id } } }

    /// Calls the listeners on the calling thread, one after the other. Thread-safe. The notifier is not locked
    /// meanwhile, so a listener may add and remove listeners, and notify.
    package func notify(_ change: Change) {
        for listener in state.withLock({ $0.listeners }) { listener.call(change) }
    }
}
