internal import Dispatch
internal import Glibc
internal import Synchronization
internal import TransitSystem

/// The right to wait at the ``Poller`` for the next event. At most one of the threads that serve clients holds it.
///
/// The holder keeps the token while it answers short requests, and passes it on before slow work. If all threads waited
/// at once, the next request would often wake a thread on another core, instead of the thread that has just finished
/// and has the data in the caches of its core.
///
/// A thread that is busy for longer than ``stallLimit`` loses the token to a waiting thread, or to a new thread if the
/// limit permits. A timer detects such threads. It is set when work starts, unless it is already set, and is set again
/// only while there is work. Frequent requests therefore need no system calls for the timer, and an idle daemon has no
/// wake-ups.
final class LeaderToken: Sendable {
    private let available = DispatchSemaphore(value: 0)
    private let state: Mutex<State>
    /// Number of permanent threads, and maximum number of threads.
    private let permanent: Int
    private let maximum: Int
    /// Milliseconds of work after which another thread gets the token.
    private let stallLimit: Int
    /// Schedules a call of ``reclaim(at:)``.
    private let setTimer: @Sendable (MonotonicInstant) -> Void

    private struct State {
        /// The thread that holds the token; 0 for none.
        var holder: pthread_t = 0
        /// The start of the period in which no thread waits at the poller, because the holder is working, or because
        /// the token was passed on and no thread has taken it.
        var busySince: MonotonicInstant?
        /// Number of threads that wait for the token.
        var waiting = 0
        var threads: Int
        var isTimerSet = false
    }

    /// - Parameters:
    ///   - permanent: The number of initial threads, each of which calls ``take()``.
    ///   - extra: The maximum number of additional threads.
    init(permanent: Int, extra: Int, stallLimit: Int, setTimer: @escaping @Sendable (MonotonicInstant) -> Void) {
        self.permanent = permanent
        maximum = permanent + extra
        self.stallLimit = stallLimit
        self.setTimer = setTimer
        state = Mutex(State(threads: permanent))
        // Signals instead of starting at 1, because Dispatch requires that a semaphore is not released below its
        // initial value.
        available.signal()
    }

    /// Waits until the token is available. Returns at once if the calling thread already holds the token. Returns false
    /// if the thread is no longer needed and must call ``leave()``.
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
            // The holder may have been busy for a long time while no thread waited.
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

    /// Records that the holder starts working.
    func begin(at now: MonotonicInstant) {
        let moment = state.withLock { state -> MonotonicInstant? in
            state.busySince = now
            return timer(&state)
        }
        if let moment { setTimer(moment) }
    }

    /// Passes the token to another thread. Does nothing if the calling thread does not hold it.
    func pass() {
        let isHolder = state.withLock { state in
            guard state.holder == pthread_self() else { return false }
            state.holder = 0
            if state.waiting > 0 { state.busySince = nil }
            return true
        }
        if isHolder { available.signal() }
    }

    /// Records that the calling thread exits.
    func leave() {
        state.withLock { $0.threads -= 1 }
        pass()
    }

    /// Whether no other thread can take the token. A request that may take long is then run as a task, so that it does
    /// not block all clients.
    var isLast: Bool { state.withLock { $0.waiting == 0 && $0.threads >= maximum } }

    /// Takes the token from a thread that has been busy for too long.
    ///
    /// - Returns: whether the caller must start a new thread, which is already counted.
    func reclaim(at now: MonotonicInstant) -> Bool {
        var next: MonotonicInstant?
        let (isFree, needsThread) = state.withLock { state -> (Bool, Bool) in
            state.isTimerSet = false
            guard let busySinceTime = state.busySince else { return (false, false) }
            guard busySinceTime.advanced(milliseconds: stallLimit) <= now else {
                next = timer(&state)
                return (false, false)
            }
            let needsThread = state.waiting == 0
            // The next thread that calls ``take()`` gets the token.
            if needsThread, state.threads >= maximum { return (false, false) }
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

    /// Records that the thread that ``reclaim(at:)`` requested could not be started. It is requested again after
    /// ``stallLimit``, unless a thread has taken the token by then.
    func cancelStart(at now: MonotonicInstant) {
        let moment = state.withLock { state -> MonotonicInstant? in
            state.threads -= 1
            guard state.holder == 0 else { return nil }
            state.busySince = now
            return timer(&state)
        }
        if let moment { setTimer(moment) }
    }

    /// Marks the timer as set and returns its time; `nil` if the timer is already set or not needed.
    private func timer(_ state: inout State) -> MonotonicInstant? {
        guard !state.isTimerSet, let busySinceTime = state.busySince else { return nil }
        state.isTimerSet = true
        return busySinceTime.advanced(milliseconds: stallLimit)
    }
}
