internal import Dispatch
internal import Glibc
internal import Synchronization

/// The one place at the ``Poller``: of the threads that serve clients, the one that has it waits for the next event.
///
/// It keeps the place while it answers what is answered quickly, and passes it on before work that takes longer. Were all
/// threads to wait at once, each request would be met by the thread that did not answer the one before: it would have to be
/// woken while the other one is still finishing, and find nothing in its core's caches.
///
/// A thread that is not back after ``patience`` loses the place to another one; when none waits for it, to a new thread, as
/// long as there are not too many. What looks after that is a timer that is set by the first work that begins while it is
/// not, and then set again only as long as there is work: a question costs no call of the system for it while there are many,
/// and nothing wakes up while there are none.
final class Lookout: Sendable {
    private let vacancy = DispatchSemaphore(value: 0)
    private let state: Mutex<State>
    /// Threads that stay, and how many there are at most.
    private let standing: Int
    private let most: Int
    /// Milliseconds of work after which another thread takes the place.
    private let patience: Int
    /// Lets ``look(at:)`` be called at a moment.
    private let setTimer: @Sendable (Moment) -> Void

    private struct State {
        /// The thread that has the place; 0 for none.
        var holder: pthread_t = 0
        /// Since when the place is not at the poller: its holder works, or has left it when nobody waited for it.
        var awaySince: Moment?
        /// Threads that wait for the place.
        var waiting = 0
        var threads: Int
        var isTimerSet = false
    }

    /// - Parameters:
    ///   - standing: threads that there are from the start; each calls ``take()``.
    ///   - extra: threads that may join them.
    init(standing: Int, extra: Int, patience: Int, setTimer: @escaping @Sendable (Moment) -> Void) {
        self.standing = standing
        most = standing + extra
        self.patience = patience
        self.setTimer = setTimer
        state = Mutex(State(threads: standing))
        // Counted up rather than begun with 1: Dispatch does not let a semaphore end below its beginning.
        vacancy.signal()
    }

    /// Waits until the place is free, and returns at once for the thread that has it. False for a thread that is not needed
    /// any more: then it calls ``leave()``.
    func take() -> Bool {
        enum Next {
            case hasIt
            case waits(timer: Moment?)
            case leaves
        }
        let next: Next = state.withLock { state in
            if state.holder == pthread_self() {
                state.awaySince = nil
                return .hasIt
            }
            if state.threads > standing, state.waiting > 0 { return .leaves }
            state.waiting += 1
            // Whoever has the place may have been away for long, when there was nobody to take it.
            return .waits(timer: timer(&state))
        }
        switch next {
        case .hasIt: return true
        case .leaves: return false
        case .waits(let moment):
            if let moment { setTimer(moment) }
            vacancy.wait()
            state.withLock { state in
                state.waiting -= 1
                state.holder = pthread_self()
                state.awaySince = nil
            }
            return true
        }
    }

    /// The thread that has the place begins to work.
    func begin(at now: Moment) {
        let moment = state.withLock { state -> Moment? in
            state.awaySince = now
            return timer(&state)
        }
        if let moment { setTimer(moment) }
    }

    /// Lets another thread have the place. Does nothing for a thread that does not have it.
    func pass() {
        let isOurs = state.withLock { state in
            guard state.holder == pthread_self() else { return false }
            state.holder = 0
            if state.waiting > 0 { state.awaySince = nil }
            return true
        }
        if isOurs { vacancy.signal() }
    }

    /// A thread ends.
    func leave() {
        state.withLock { $0.threads -= 1 }
        pass()
    }

    /// Whether nobody could take the place of the thread that has it: whoever asks for something that may take long then waits
    /// for others, and not everybody for them.
    var isLast: Bool { state.withLock { $0.waiting == 0 && $0.threads >= most } }

    /// Takes the place from a thread that has been away from the poller for too long.
    ///
    /// - Returns: whether a new thread is needed, which is counted already.
    func look(at now: Moment) -> Bool {
        var next: Moment?
        let (isFree, needsThread) = state.withLock { state -> (Bool, Bool) in
            state.isTimerSet = false
            guard let away = state.awaySince else { return (false, false) }
            guard away.advanced(milliseconds: patience) <= now else {
                next = timer(&state)
                return (false, false)
            }
            let needsThread = state.waiting == 0
            // The thread that comes back first takes care of it: see ``take()``.
            if needsThread, state.threads >= most { return (false, false) }
            if needsThread { state.threads += 1 }
            let isHeld = state.holder != 0
            state.holder = 0
            state.awaySince = nil
            return (isHeld, needsThread)
        }
        if let next { setTimer(next) }
        if isFree { vacancy.signal() }
        return needsThread
    }

    /// For when the timer is to be set now; `nil` when it is set, or need not be.
    private func timer(_ state: inout State) -> Moment? {
        guard !state.isTimerSet, let away = state.awaySince else { return nil }
        state.isTimerSet = true
        return away.advanced(milliseconds: patience)
    }
}
