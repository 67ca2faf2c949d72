import Synchronization
import Testing
import TransitSystem

@testable import TransitDaemon

@Suite struct ChangeNotifierTests {
    /// A defect once made each notification leak 80 bytes and take longer than the previous one, so this many
    /// notifications would never have finished.
    @Test func costOfNotificationIsConstant() {
        let notifier = ChangeNotifier<Int?>()
        let count = Atomic(0)
        notifier.listen { _ in count.add(1, ordering: .relaxed) }
        let before = ProcessMemory.resident()
        for _ in 0..<200_000 { notifier.notify(nil) }
        #expect(count.load(ordering: .relaxed) == 200_000)
        #expect(ProcessMemory.resident() - before < 8 << 20)
    }
}
