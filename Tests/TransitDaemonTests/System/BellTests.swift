import Synchronization
import Testing

@testable import TransitDaemon

@Suite struct BellTests {
    /// Each ring kept 80 bytes and took longer than the one before: so many would never have ended.
    @Test func aRingCostsTheSameHoweverManyCameBefore() {
        let bell = Bell<Int?>()
        let heard = Atomic(0)
        bell.listen { _ in heard.add(1, ordering: .relaxed) }
        let before = ProcessMemory.resident()
        for _ in 0..<200_000 { bell.ring(nil) }
        #expect(heard.load(ordering: .relaxed) == 200_000)
        #expect(ProcessMemory.resident() - before < 8 << 20)
    }
}
