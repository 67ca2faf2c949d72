import Synchronization
import Testing

@testable import TransitDaemon

@Suite struct ChangeNotifierTests {
    /// Each ring kept 80 bytes and took longer than the one before: so many would never have ended.
    @Test func aRingCostsTheSameHoweverManyCameBefore() {
        let notifier = ChangeNotifier<Int?>()
        let heard = Atomic(0)
        notifier.listen { _ in heard.add(1, ordering: .relaxed) }
        let before = ProcessMemory.resident()
        for _ in 0..<200_000 { notifier.notify(nil) }
        #expect(heard.load(ordering: .relaxed) == 200_000)
        #expect(ProcessMemory.resident() - before < 8 << 20)
    }
}
