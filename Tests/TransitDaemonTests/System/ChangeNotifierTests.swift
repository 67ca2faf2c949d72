import Synchronization
import Testing
import TransitSystem

@testable import TransitDaemon

@Suite struct ChangeNotifierTests {
    /// A defect once made each notification leak 80 bytes and take longer than the previous one, so this many
    /// notifications would never have finished, and would have taken 80 MB. Other tests use memory at the same time.
    @Test func costOfNotificationIsConstant() {
        let notifier = ChangeNotifier<Int?>()
        let count = Atomic(0)
        notifier.listen { _ in count.add(1, ordering: .relaxed) }
        let before = ProcessMemory.resident()
        for _ in 0..<1_000_000 { notifier.notify(nil) }
        #expect(count.load(ordering: .relaxed) == 1_000_000)
        #expect(ProcessMemory.resident() - before < 64 << 20)
    }

    @Test func everyListenerIsCalledUntilItIsRemoved() {
        let notifier = ChangeNotifier<Int>()
        let calls = Mutex<[String]>([])
        let first = notifier.listen { change in calls.withLock { $0.append("first \(change)") } }
        notifier.listen { change in calls.withLock { $0.append("second \(change)") } }
        notifier.notify(1)
        notifier.remove(first)
        notifier.notify(2)
        #expect(calls.withLock { $0 } == ["first 1", "second 1", "second 2"])
    }

    @Test func listenerMayNotifyAndListen() {
        let notifier = ChangeNotifier<Int>()
        let calls = Mutex<[Int]>([])
        notifier.listen { change in
            calls.withLock { $0.append(change) }
            guard change < 3 else { return }
            notifier.listen { _ in }
            notifier.notify(change + 1)
        }
        notifier.notify(1)
        #expect(calls.withLock { $0 } == [1, 2, 3])
    }
}
