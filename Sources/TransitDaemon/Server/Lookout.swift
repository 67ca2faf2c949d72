internal import Dispatch
internal import Glibc
internal import Synchronization

/// The one place at the ``Poller``: of the threads that serve clients, the one that has it waits for the next event.
///
/// It keeps the place while it answers what is answered quickly, and passes it on before work that takes longer. Were all
/// threads to wait at once, each request would be met by the thread that did not answer the one before: it would have to be
/// woken while the other one is still finishing, and find nothing in its core's caches.
final class Lookout: Sendable {
    private let vacancy = DispatchSemaphore(value: 0)
    /// The thread that has the place; 0 for none.
    private let holder = Atomic<UInt>(0)

    // Counted up rather than begun with 1: Dispatch does not let a semaphore end below its beginning.
    init() { vacancy.signal() }

    /// Waits until the place is free, and returns at once for the thread that has it.
    func take() {
        guard !isOurs else { return }
        vacancy.wait()
        holder.store(pthread_self(), ordering: .relaxed)
    }

    /// Lets another thread have the place. Does nothing for a thread that does not have it.
    func pass() {
        guard isOurs else { return }
        holder.store(0, ordering: .relaxed)
        vacancy.signal()
    }

    /// Only the thread itself can make this true or false for itself.
    private var isOurs: Bool { holder.load(ordering: .relaxed) == pthread_self() }
}
