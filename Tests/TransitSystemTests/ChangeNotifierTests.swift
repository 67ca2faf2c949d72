import Glibc
import Synchronization
import Testing
import TransitSystem

@Suite struct ChangeNotifierTests {
    /// A defect once made each notification leak 80 bytes and take longer than the previous one, so this many
    /// notifications would never have finished, and would have taken 80 MB. Other tests use memory at the same time.
    @Test func costOfNotificationIsConstant() throws {
        let notifier = ChangeNotifier<Int?>()
        let count = Atomic(0)
        notifier.listen { _ in count.add(1, ordering: .relaxed) }
        // What another test takes meanwhile, it does not take each time.
        var rounds = 0
        var growth = Int.max
        while growth >= 64 << 20, rounds < 5 {
            rounds += 1
            let before = try Self.residentMemory()
            for _ in 0..<1_000_000 { notifier.notify(nil) }
            growth = try Self.residentMemory() - before
            #expect(count.load(ordering: .relaxed) == rounds * 1_000_000)
        }
        #expect(growth < 64 << 20)
    }

    /// Returns the bytes of resident memory of this process (proc(5), `/proc/self/statm`).
    private static func residentMemory() throws -> Int {
        let fields = String(decoding: try FileContents.read("/proc/self/statm", limit: 4096).get(), as: UTF8.self)
            .split(separator: " ")
        return try #require(fields.count > 1 ? Int(fields[1]) : nil) * sysconf(Int32(_SC_PAGESIZE))
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
