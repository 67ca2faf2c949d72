internal import Dispatch
internal import Glibc
internal import Synchronization

/// The one place at the ``Poller``: of the threads that serve clients, the one that has it waits for the next event.
///
/// It keeps the place while it answers what is answered quickly, and passes it on before work that takes longer. Were all
/// threads to wait at once, each request would be met by the thread that did not answer the one before: it would have to be
/// woken while the other one is still finishing, and find nothing in its core's caches.
///
/// A thread that is away for longer than ``patience`` loses the place to a waiting thread, or to a new one below the
/// limit. A timer checks this. The first work sets the timer if it is not set, and it is set again only while there is
/// work. So frequent requests cost no system call for it, and an idle daemon has no wake-ups.
final class LeaderToken: Sendable {
    private let available = DispatchSemaphore(value: 0)
    private let state: Mutex<State>
    /// The number of permanent threads, and the maximum number of threads.
    private let permanent: Int
    private let most: Int
    /// Milliseconds of work after which another thread takes the place.
    private let stallLimit: Int
    /// Schedules a call of ``look(at:)``.
    private let setTimer: @Sendable (MonotonicInstant) -> Void

    private struct State {
        /// The thread that has the place; 0 for none.
        var holder: pthread_t = 0
        /// The time since which no thread waits at the poller: the holder works, or it passed the place and no thread
        /// took it.
        var busySince: MonotonicInstant?
        /// The number of threads that wait for the place.
        var waiting = 0
        var threads: Int
        var isTimerSet = false
    }

    /// - Parameters:
    ///   - standing: the number of initial threads, each of which calls ``take()``.
    ///   - extra: the maximum number of additional threads.
    init(permanent: Int, extra: Int, stallLimit: Int, setTimer: @escaping @Sendable (MonotonicInstant) -> Void) {
        self.permanent = permanent
        most = permanent + extra
        self.stallLimit = stallLimit
        self.setTimer = setTimer
        state = Mutex(State(threads: permanent))
        // Signals instead of starting at 1, because Dispatch requires that a semaphore is not released below its
        // initial value.
        available.signal()
    }

    /// Waits until the place is free. Returns at once if the calling thread has it. Returns false if the thread is no
    /// longer needed and must call ``leave()``.
    func take() -> Bool {
        enum Next {
            case alreadyLeads
            case waits(timer: MonotonicInstant?)
            case leaves
        }
        let next: Next = state.withLock { state in
            if state.holder == pthread_self() {
                state.busySince = nil
                return .alreadyLeads
            }
            if state.threads > permanent, state.waiting > 0 { return .leaves }
            state.waiting += 1
            // The holder may have been away for long, while no thread waited.
            return .waits(timer: timer(&state))
        }
        switch next {
        case .alreadyLeads: return true
        case .leaves: return false
        case .waits(let moment):
            if let moment { setTimer(moment) }
            available.wait()
            state.withLock { state in
                state.waiting -= 1
                state.holder = pthread_self()
                state.busySince = nil
            }
            return true
        }
    }

    /// Records that the holder begins to work.
    func begin(at now: MonotonicInstant) {
        let moment = state.withLock { state -> MonotonicInstant? in
            state.busySince = now
            return timer(&state)
        }
        if let moment { setTimer(moment) }
    }

    /// Lets another thread have the place. Does nothing for a thread that does not have it.
    func pass() {
        let isOurs = state.withLock { state in
            guard state.holder == pthread_self() else { return false }
            state.holder = 0
            if state.waiting > 0 { state.busySince = nil }
            return true
        }
        if isOurs { available.signal() }
    }

    /// Records that the calling thread ends.
    func leave() {
        state.withLock { $0.threads -= 1 }
        pass()
    }

    /// Whether no other thread could take the place. A request that may take long then waits for others, so that it
    /// does not block all clients.
    var isLast: Bool { state.withLock { $0.waiting == 0 && $0.threads >= most } }

    /// Takes the place from a thread that has been away from the poller for too long.
    ///
    /// - Returns: whether the caller must start a new thread, which is already counted.
    func reclaim(at now: MonotonicInstant) -> Bool {
        var next: MonotonicInstant?
        let (isFree, needsThread) = state.withLock { state -> (Bool, Bool) in
            state.isTimerSet = false
            guard let away = state.busySince else { return (false, false) }
            guard away.advanced(milliseconds: stallLimit) <= now else {
                next = timer(&state)
                return (false, false)
            }
            let needsThread = state.waiting == 0
            // The next thread that returns handles this: see ``take()``.
            if needsThread, state.threads >= most { return (false, false) }
            if needsThread { state.threads += 1 }
            let isHeld = state.holder != 0
            state.holder = 0
            state.busySince = nil
            return (isHeld, needsThread)
        }
        if let next { setTimer(next) }
        if isFree { available.signal() }
        return needsThread
    }

    /// Sets the timer flag and returns the timer's moment; `nil` if the timer is already set or not needed.
    private func timer(_ state: inout State) -> MonotonicInstant? {
        guard !state.isTimerSet, let away = state.busySince else { return nil }
        state.isTimerSet = true
        return away.advanced(milliseconds: stallLimit)
    }
}
