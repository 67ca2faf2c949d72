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

extension DaemonClock {
    /// Blocks until that moment, or until the flag is set: for work that has a thread of its own.
    func wait(until moment: BootTime, _ flag: CancellationFlag) {
        guard moment > reading().boot, !flag.isSet else { return }
        let handover = Handover<Bool>()
        let task = Task {
            try? await sleep(until: moment)
            handover.give(true)
        }
        flag.onSet { handover.give(false) }
        if !handover.wait() { task.cancel() }
    }
}
