internal import Synchronization

/// Notifies a listener of changes. The notifier can be created before the listener. The components of the daemon can
/// therefore be created in sequence, without circular dependencies.
package final class ChangeNotifier<Change: Sendable>: Sendable {
    private let listener = Mutex<Listener<Change>?>(nil)

    package init() {}

    /// Replaces the current listener.
    package func listen(_ listener: @escaping @Sendable (Change) -> Void) {
        self.listener.withLock { $0 = Listener(call: listener) }
    }

    /// Calls the listener on the calling thread. Thread-safe.
    package func notify(_ change: Change) { listener.withLock { $0 }?.call(change) }
}

/// A closure that a ``Mutex`` stores.
///
/// A mutex over the closure itself reabstracts it at each access, because a generic parameter has a different calling
/// convention. Each call then takes longer than the previous one, and the wrappers are never freed.
package struct Listener<Change: Sendable>: Sendable {
    package var call: @Sendable (Change) -> Void

    package init(call: @escaping @Sendable (Change) -> Void) { self.call = call }
}
