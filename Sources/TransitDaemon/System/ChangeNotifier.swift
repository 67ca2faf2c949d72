internal import Synchronization

/// Notifies a listener of changes. It can be created before the listener, so that the parts of the daemon can be
/// created in order and do not depend on each other.
final class ChangeNotifier<Change: Sendable>: Sendable {
    private let listener = Mutex<Listener<Change>?>(nil)

    /// Replaces the current listener.
    func listen(_ listener: @escaping @Sendable (Change) -> Void) {
        self.listener.withLock { $0 = Listener(call: listener) }
    }

    /// Calls the listener on the calling thread. Thread-safe.
    func notify(_ change: Change) { listener.withLock { $0 }?.call(change) }
}

/// A closure that a ``Mutex`` stores.
///
/// A mutex over the closure itself reabstracts it at each access, because a generic parameter has another calling
/// convention. Each call then takes longer than the previous one, and the wrappers are never freed.
struct Listener<Change: Sendable>: Sendable {
    var call: @Sendable (Change) -> Void
}
