internal import Dispatch
internal import Synchronization
package import TransitModel

/// Passes one value to a thread that blocks until it is available.
package final class ResultBox<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let isSet = DispatchSemaphore(value: 0)

    package init() {}

    /// Sets the value. Only the first call has an effect.
    package func fulfill(_ value: Value) {
        let isFirst = self.value.withLock { current in
            guard current == nil else { return false }
            current = value
            return true
        }
        if isFirst { isSet.signal() }
    }

    /// Blocks until a value is set. Only one thread may wait.
    package func wait() -> Value {
        while true {
            isSet.wait()
            if let value = value.withLock({ $0 }) { return value }
        }
    }
}

/// Waits for the value that another thread passes to the closure's argument, once.
///
/// The value does not pass through the continuation: if it is resumed before the task waits, ThreadSanitizer does not see
/// that the threads synchronize, because `swift_continuation_await` does not report it.
package func valueFromThread<Value: Sendable>(
    _ start: (@escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
    let resultBox = ResultBox<Value>()
    await withCheckedContinuation { continuation in
        start { value in
            resultBox.fulfill(value)
            continuation.resume()
        }
    }
    return resultBox.wait()
}

/// Lets a thread block until a time on the daemon's clock. A task on the daemon's own threads sleeps on behalf of the
/// thread.
package final class BlockingTimer: Sendable {
    private typealias WakeUp = (moment: BootTime, resultBox: ResultBox<Bool>)

    private let wakeUps: AsyncStream<WakeUp>
    private let continuation: AsyncStream<WakeUp>.Continuation

    package init() { (wakeUps, continuation) = AsyncStream.makeStream() }

    /// Blocks until the given time or until the flag is set.
    package func wait(until moment: BootTime, _ flag: CancellationFlag) {
        let resultBox = ResultBox<Bool>()
        continuation.yield((moment, resultBox))
        flag.onSet { resultBox.fulfill(false) }
        _ = resultBox.wait()
    }

    /// Sleeps on behalf of a waiting thread until the task is canceled.
    package func serve(_ clock: any DaemonClock) async {
        for await (moment, resultBox) in wakeUps {
            try? await clock.sleep(until: moment)
            resultBox.fulfill(true)
        }
    }
}
