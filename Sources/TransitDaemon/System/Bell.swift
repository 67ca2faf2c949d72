internal import Synchronization

/// Lets parts of the daemon say what has changed, without knowing who listens, and before anybody does: so that the parts
/// can be made one after the other.
final class Bell<Change: Sendable>: Sendable {
    private let listener = Mutex<(@Sendable (Change) -> Void)?>(nil)

    /// Takes the place of who listened before.
    func listen(_ listener: @escaping @Sendable (Change) -> Void) { self.listener.withLock { $0 = listener } }

    /// From any thread; the listener hears of it on that one.
    func ring(_ change: Change) { listener.withLock { $0 }?(change) }
}
