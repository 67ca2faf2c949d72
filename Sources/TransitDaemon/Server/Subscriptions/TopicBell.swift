internal import Synchronization

/// Lets every part of the daemon say what has changed, without knowing who listens, and before anybody does.
final class TopicBell: Sendable {
    private let listener = Mutex<(@Sendable (TopicChange) -> Void)?>(nil)

    /// Takes the place of who listened before.
    func listen(_ listener: @escaping @Sendable (TopicChange) -> Void) { self.listener.withLock { $0 = listener } }

    /// From any thread; returns at once.
    func ring(_ change: TopicChange) { listener.withLock { $0 }?(change) }
}
