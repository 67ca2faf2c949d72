import Synchronization
import Testing
import TransitModel

@testable import TransitDaemon

@Suite("The moment of the next tick")
struct WakeTimerTests {
    private let wake = WakeTimer()

    private static func moment(_ seconds: Int64) -> BootTime { BootTime(milliseconds: seconds * 1000) }

    @Test("Who waits is told of another moment, also after earlier waits were canceled")
    func told() async {
        for round in 1...50 {
            let look = wake.look
            let canceled = Task { await wake.changed(since: look) }
            canceled.cancel()
            await canceled.value
            let hasReturned = Atomic<Bool>(false)
            async let waiting: Void = {
                await wake.changed(since: look)
                hasReturned.store(true, ordering: .relaxed)
            }()
            for _ in 0..<20 { await Task.yield() }
            // A cancelled wait must not make the next ones return at once.
            let isEarly = hasReturned.load(ordering: .relaxed)
            #expect(!isEarly)
            wake.set(Self.moment(Int64(round)))
            await waiting
            #expect(wake.look.moment == Self.moment(Int64(round)))
        }
    }

    @Test("A moment that was set before the wait is not missed; the same moment again is no change")
    func notMissed() async {
        let look = wake.look
        wake.set(Self.moment(1))
        await wake.changed(since: look)
        let known = wake.look
        wake.set(Self.moment(1))
        let waiting = Task { await wake.changed(since: known) }
        for _ in 0..<20 { await Task.yield() }
        waiting.cancel()
        await waiting.value
        wake.clear(known)
        #expect(wake.look.moment == nil)
        // After the tick the same moment is news again.
        let cleared = wake.look
        wake.set(Self.moment(1))
        await wake.changed(since: cleared)
        #expect(wake.look.moment == Self.moment(1))
    }

    @Test("A moment that was set meanwhile is not cleared by the tick of the one before")
    func notCleared() {
        wake.set(Self.moment(1))
        let look = wake.look
        wake.set(Self.moment(2))
        wake.clear(look)
        #expect(wake.look.moment == Self.moment(2))
    }
}
