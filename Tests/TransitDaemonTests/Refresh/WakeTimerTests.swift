import Synchronization
import Testing
import TransitModel
import TransitTestTraits

@testable import TransitDaemon

@Suite("The time of the next tick", .ownThreads)
struct WakeTimerTests {
    private let wake = WakeTimer()

    private static func moment(_ seconds: Int64) -> BootTime { BootTime(milliseconds: seconds * 1000) }

    @Test("A wait ends when the time changes, even after earlier waits were canceled")
    func waitEndsWhenTimeChanges() async {
        for round in 1...50 {
            let look = wake.snapshot
            let canceled = startTask { [wake] in await wake.changed(since: look) }
            canceled.cancel()
            await canceled.value
            let hasReturned = Atomic<Bool>(false)
            async let waiting: Void = {
                await wake.changed(since: look)
                hasReturned.store(true, ordering: .relaxed)
            }()
            for _ in 0..<20 { await Task.yield() }
            // A canceled wait must not cause later waits to return at once.
            let isEarly = hasReturned.load(ordering: .relaxed)
            #expect(!isEarly)
            wake.set(Self.moment(Int64(round)))
            await waiting
            #expect(wake.snapshot.moment == Self.moment(Int64(round)))
        }
    }

    @Test func timeThatIsSetStays() {
        wake.setIfUnset(Self.moment(5))
        wake.setIfUnset(Self.moment(4))
        #expect(wake.snapshot.moment == Self.moment(5))
        wake.clear(wake.snapshot)
        wake.setIfUnset(Self.moment(4))
        #expect(wake.snapshot.moment == Self.moment(4))
    }

    @Test("A change before the wait is not missed; the same time again is no change")
    func changeBeforeWaitIsNotMissed() async {
        let look = wake.snapshot
        wake.set(Self.moment(1))
        await wake.changed(since: look)
        let known = wake.snapshot
        wake.set(Self.moment(1))
        let waiting = startTask { [wake] in await wake.changed(since: known) }
        for _ in 0..<20 { await Task.yield() }
        waiting.cancel()
        await waiting.value
        wake.clear(known)
        #expect(wake.snapshot.moment == nil)
        // After the tick, the same time counts as a change.
        let cleared = wake.snapshot
        wake.set(Self.moment(1))
        await wake.changed(since: cleared)
        #expect(wake.snapshot.moment == Self.moment(1))
    }

    @Test("A time that was set in the meantime is not cleared by the previous tick")
    func newTimeIsNotCleared() {
        wake.set(Self.moment(1))
        let look = wake.snapshot
        wake.set(Self.moment(2))
        wake.clear(look)
        #expect(wake.snapshot.moment == Self.moment(2))
    }
}
