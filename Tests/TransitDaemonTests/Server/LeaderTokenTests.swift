import Dispatch
import Glibc
import Synchronization
import Testing

@testable import TransitDaemon

@Suite struct LeaderTokenTests {
    private let timer = Timer()

    /// Remembers for when it was set.
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

    @Test func onlyOneThreadHasThePlace() async throws {
        let leaderToken = leaderToken()
        let (isThere, hasPlace) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try await onThread {
            #expect(leaderToken.take())
            #expect(leaderToken.take())
            DispatchQueue(label: "other").async {
                // Not its to give.
                leaderToken.pass()
                isThere.signal()
                _ = leaderToken.take()
                hasPlace.signal()
                leaderToken.pass()
            }
            isThere.wait()
            #expect(hasPlace.wait(timeout: .now() + .milliseconds(20)) == .timedOut)
            leaderToken.pass()
            leaderToken.pass()
            hasPlace.wait()
            #expect(leaderToken.take())
            leaderToken.pass()
        }
    }

    @Test("The timer is set once for many questions, and not any more when there are none")
    func theTimer() async throws {
        let leaderToken = leaderToken()
        try await onThread { [self] in
            for turn in 0..<10 {
                #expect(leaderToken.take())
                leaderToken.begin(at: moment(turn))
            }
            #expect(timer.moments.withLock { $0 } == [moment(20)])
            // The work of that moment is over; what is under way began later.
            #expect(!leaderToken.reclaim(at: moment(20)))
            #expect(timer.moments.withLock { $0 } == [moment(20), moment(29)])
            #expect(leaderToken.take())
            #expect(!leaderToken.reclaim(at: moment(29)))
            #expect(timer.count == 2)
            leaderToken.begin(at: moment(100))
            #expect(timer.count == 3)
        }
    }

    @Test(
        "A thread that is away for too long loses the place to one that waits, then to a new one, as long as there are not too many"
    )
    func stallLimit() async throws {
        let leaderToken = leaderToken(permanent: 1, extra: 2)
        try await onThread { [self] in
            #expect(leaderToken.take())
            leaderToken.begin(at: moment(0))
            #expect(!leaderToken.reclaim(at: moment(19)))
            #expect(leaderToken.reclaim(at: moment(20)), "nobody waits: a new thread")
            let (begins, ends) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let second = DispatchQueue(label: "second")
            second.async { [self] in
                _ = leaderToken.take()
                leaderToken.begin(at: moment(30))
                begins.signal()
                ends.wait()
                // It has lost the place, and another one waits for it: it is not needed any more.
                if !leaderToken.take() { leaderToken.leave() }
                ends.signal()
            }
            begins.wait()
            #expect(!leaderToken.isLast)
            #expect(leaderToken.reclaim(at: moment(50)))
            #expect(leaderToken.isLast)
            let third = DispatchQueue(label: "third")
            let (has, thirdEnds) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            third.async { [self] in
                _ = leaderToken.take()
                leaderToken.begin(at: moment(60))
                has.signal()
                // Its thread must not become another one's: threads are told apart by pthread_self().
                thirdEnds.wait()
            }
            has.wait()
            #expect(!leaderToken.reclaim(at: moment(80)), "there are as many as may be")
            // Whoever comes back has the timer look once more.
            let before = timer.count
            let back = DispatchSemaphore(value: 0)
            DispatchQueue(label: "waits").async {
                _ = leaderToken.take()
                back.signal()
                leaderToken.pass()
            }
            while timer.count == before { sched_yield() }
            #expect(!leaderToken.reclaim(at: moment(81)))
            back.wait()
            ends.signal()
            thirdEnds.signal()
        }
    }
}
