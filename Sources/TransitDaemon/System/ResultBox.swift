internal import Dispatch
internal import Synchronization
internal import TransitModel

/// Hands one value from another thread to the one that waits for it, which has nothing else to do.
final class ResultBox<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let isSet = DispatchSemaphore(value: 0)

    /// The first value counts.
    func fulfill(_ value: Value) {
        let isFirst = self.value.withLock { known in
            guard known == nil else { return false }
            known = value
            return true
        }
        if isFirst { isSet.signal() }
    }

    /// Blocks until there is one. For one waiter.
    func wait() -> Value {
        while true {
            isSet.wait()
            if let value = value.withLock({ $0 }) { return value }
        }
    }
}

/// Lets a thread that blocks wait for a moment of the daemon's clock: a task beside it sleeps in its place, on the daemon's
/// own threads.
final class BlockingTimer: Sendable {
    private typealias WakeUp = (moment: BootTime, resultBox: ResultBox<Bool>)

    private let wakeUps: AsyncStream<WakeUp>
    private let continuation: AsyncStream<WakeUp>.Continuation

    init() { (wakeUps, continuation) = AsyncStream.makeStream() }

    /// Blocks until that moment, or until the flag is set.
    func wait(until moment: BootTime, _ flag: CancellationFlag) {
        let resultBox = ResultBox<Bool>()
        continuation.yield((moment, resultBox))
        flag.onSet { resultBox.fulfill(false) }
        _ = resultBox.wait()
    }

    /// Sleeps for the thread until the task is cancelled.
    func serve(_ clock: any DaemonClock) async {
        for await (moment, resultBox) in wakeUps {
            try? await clock.sleep(until: moment)
            resultBox.fulfill(true)
        }
    }
}
