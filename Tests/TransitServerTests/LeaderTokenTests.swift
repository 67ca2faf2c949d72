import Dispatch
import Glibc
import Synchronization
import Testing
import TransitSystem
import TransitTestTraits

@testable import TransitServer

@Suite(.ownThreads) struct LeaderTokenTests {
    private let timer = Timer()

    /// A timer that records the times to which it is set.
    private final class Timer: Sendable {
        let moments = Mutex<[MonotonicInstant]>([])
        func set(_ moment: MonotonicInstant) { moments.withLock { $0.append(moment) } }
        var count: Int { moments.withLock { $0.count } }
    }

    private func leaderToken(permanent: Int = 2, extra: Int = 1) -> LeaderToken {
        LeaderToken(permanent: permanent, extra: extra, stallLimit: 20) { [timer] in timer.set($0) }
    }

    private func moment(_ milliseconds: Int) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 0).advanced(milliseconds: milliseconds)
    }

    @Test func onlyOneThreadHoldsToken() {
        let leaderToken = leaderToken(extra: 0)
        let isPassed = Mutex(false)
        let tookEarly = Mutex(false)
        let holdsToken = DispatchSemaphore(value: 0)
        #expect(leaderToken.take())
        #expect(leaderToken.take())
        DispatchQueue(label: "other").async {
            // This thread does not hold the token, so the call has no effect.
            leaderToken.pass()
            _ = leaderToken.take()
            if !isPassed.withLock({ $0 }) { tookEarly.withLock { $0 = true } }
            holdsToken.signal()
            leaderToken.pass()
        }
        // Without extra threads, the token has a last thread until another one waits for it.
        let waits = eventually { !leaderToken.isLast || tookEarly.withLock { $0 } }
        #expect(waits)
        isPassed.withLock { $0 = true }
        leaderToken.pass()
        leaderToken.pass()
        holdsToken.wait()
        let wasEarly = tookEarly.withLock { $0 }
        #expect(!wasEarly)
        #expect(leaderToken.take())
        leaderToken.pass()
    }

    @Test("The timer is set once for many requests and not without requests")
    func timerIsSetOnlyDuringWork() {
        let leaderToken = leaderToken()
        for turn in 0..<10 {
            #expect(leaderToken.take())
            leaderToken.begin(at: moment(turn))
        }
        #expect(timer.moments.withLock { $0 } == [moment(20)])
        // The work that began at that time is over, and the current work began later.
        #expect(!leaderToken.reclaim(at: moment(20)))
        #expect(timer.moments.withLock { $0 } == [moment(20), moment(29)])
        #expect(leaderToken.take())
        #expect(!leaderToken.reclaim(at: moment(29)))
        #expect(timer.count == 2)
        leaderToken.begin(at: moment(100))
        #expect(timer.count == 3)
    }

    @Test(
        "A thread that is busy for too long loses the token to a waiting thread, or to a new one up to the limit"
    )
    func busyThreadLosesToken() {
        let leaderToken = leaderToken(permanent: 1, extra: 2)
        #expect(leaderToken.take())
        leaderToken.begin(at: moment(0))
        #expect(!leaderToken.reclaim(at: moment(19)))
        #expect(leaderToken.reclaim(at: moment(20)), "no thread waits, so a new one is needed")
        let (hasStarted, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let second = DispatchQueue(label: "second")
        second.async { [self] in
            _ = leaderToken.take()
            leaderToken.begin(at: moment(30))
            hasStarted.signal()
            mayEnd.wait()
            // This thread has lost the token, and another thread waits for the token, so this thread is no longer
            // needed.
            if !leaderToken.take() { leaderToken.leave() }
            mayEnd.signal()
        }
        hasStarted.wait()
        #expect(!leaderToken.isLast)
        #expect(leaderToken.reclaim(at: moment(50)))
        #expect(leaderToken.isLast)
        let third = DispatchQueue(label: "third")
        let (thirdHasStarted, thirdMayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        third.async { [self] in
            _ = leaderToken.take()
            leaderToken.begin(at: moment(60))
            thirdHasStarted.signal()
            // The thread must not exit, because another thread could then get the same pthread_self().
            thirdMayEnd.wait()
        }
        thirdHasStarted.wait()
        #expect(!leaderToken.reclaim(at: moment(80)), "the maximum number of threads is reached")
        // A thread that calls take() schedules the timer again.
        let before = timer.count
        let isDone = DispatchSemaphore(value: 0)
        DispatchQueue(label: "waits").async {
            _ = leaderToken.take()
            isDone.signal()
            leaderToken.pass()
        }
        #expect(eventually { timer.count > before })
        #expect(!leaderToken.reclaim(at: moment(81)))
        isDone.wait()
        mayEnd.signal()
        thirdMayEnd.signal()
    }

    @Test func threadThatCouldNotBeStartedIsRequestedAgain() {
        let leaderToken = leaderToken(permanent: 1, extra: 1)
        #expect(leaderToken.take())
        leaderToken.begin(at: moment(0))
        #expect(leaderToken.reclaim(at: moment(20)))
        leaderToken.cancelStart(at: moment(21))
        #expect(timer.moments.withLock { $0.last } == moment(41))
        #expect(leaderToken.reclaim(at: moment(41)))
        leaderToken.cancelStart(at: moment(42))
        // The busy thread is done and serves again.
        #expect(leaderToken.take())
        #expect(!leaderToken.reclaim(at: moment(62)))
    }
}
