internal import Synchronization
internal import TransitModel

/// Tells who wants to know that something about a feed has changed. Made before those who listen, so that the parts can
/// be made one after the other.
final class FeedChanges: Sendable {
    /// `nil`: something that is no feed's own, such as a notice about the refreshes.
    typealias Listener = @Sendable (FeedID?) -> Void

    private let listeners = Mutex<[Listener]>([])

    func listen(_ listener: @escaping Listener) { listeners.withLock { $0.append(listener) } }

    func tell(_ feed: FeedID?) {
        for listener in listeners.withLock({ $0 }) { listener(feed) }
    }
}
