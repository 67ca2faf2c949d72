internal import Dispatch
internal import Synchronization
internal import TransitModel

/// Hands one value from another thread to the one that waits for it, which has nothing else to do.
final class Handover<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    /// The first value counts.
    func give(_ value: Value) {
        let isFirst = self.value.withLock { known in
            guard known == nil else { return false }
            known = value
            return true
        }
        if isFirst { isThere.signal() }
    }

    /// Blocks until there is one. For one waiter.
    func wait() -> Value {
        while true {
            isThere.wait()
            if let value = value.withLock({ $0 }) { return value }
        }
    }
}

/// Lets a thread that blocks wait for a moment of the daemon's clock: a task beside it sleeps in its place, on the daemon's
/// own threads.
final class ThreadWaker: Sendable {
    private typealias Wish = (moment: BootTime, handover: Handover<Bool>)

    private let wishes: AsyncStream<Wish>
    private let continuation: AsyncStream<Wish>.Continuation

    init() { (wishes, continuation) = AsyncStream.makeStream() }

    /// Blocks until that moment, or until the flag is set.
    func wait(until moment: BootTime, _ flag: CancellationFlag) {
        let handover = Handover<Bool>()
        continuation.yield((moment, handover))
        flag.onSet { handover.give(false) }
        _ = handover.wait()
    }

    /// Sleeps for the thread until the task is cancelled.
    func serve(_ clock: any DaemonClock) async {
        for await (moment, handover) in wishes {
            try? await clock.sleep(until: moment)
            handover.give(true)
        }
    }
}
