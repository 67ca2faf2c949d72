internal import Synchronization

/// Lets parts of the daemon say what has changed, without knowing who listens, and before anybody does: so that the parts
/// can be made one after the other.
final class ChangeNotifier<Change: Sendable>: Sendable {
    private let listener = Mutex<Listener<Change>?>(nil)

    /// Takes the place of who listened before.
    func listen(_ listener: @escaping @Sendable (Change) -> Void) {
        self.listener.withLock { $0 = Listener(tell: listener) }
    }

    /// From any thread; the listener hears of it on that one.
    func notify(_ change: Change) { listener.withLock { $0 }?.tell(change) }
}

/// A closure that a ``Mutex`` stores.
///
/// A mutex over the closure itself reabstracts it at each access, because a generic parameter has another calling
/// convention. Each call then takes longer than the previous one, and the wrappers are never freed.
struct Listener<Change: Sendable>: Sendable {
    var tell: @Sendable (Change) -> Void
}
