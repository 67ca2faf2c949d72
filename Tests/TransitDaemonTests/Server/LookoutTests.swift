import Dispatch
import Glibc
import Synchronization
import Testing

@testable import TransitDaemon

@Suite struct LookoutTests {
    private let timer = Timer()

    /// Remembers for when it was set.
    private final class Timer: Sendable {
        let moments = Mutex<[Moment]>([])
        func set(_ moment: Moment) { moments.withLock { $0.append(moment) } }
        var count: Int { moments.withLock { $0.count } }
    }

    private func lookout(standing: Int = 2, extra: Int = 1) -> Lookout {
        Lookout(standing: standing, extra: extra, patience: 20) { [timer] in timer.set($0) }
    }

    private func moment(_ milliseconds: Int) -> Moment { Moment(nanoseconds: 0).advanced(milliseconds: milliseconds) }

    @Test func onlyOneThreadHasThePlace() async throws {
        let lookout = lookout()
        let (isThere, hasPlace) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try await onThread {
            #expect(lookout.take())
            #expect(lookout.take())
            DispatchQueue(label: "other").async {
                // Not its to give.
                lookout.pass()
                isThere.signal()
                _ = lookout.take()
                hasPlace.signal()
                lookout.pass()
            }
            isThere.wait()
            #expect(hasPlace.wait(timeout: .now() + .milliseconds(20)) == .timedOut)
            lookout.pass()
            lookout.pass()
            hasPlace.wait()
            #expect(lookout.take())
            lookout.pass()
        }
    }

    @Test("The timer is set once for many questions, and not any more when there are none")
    func theTimer() async throws {
        let lookout = lookout()
        try await onThread { [self] in
            for turn in 0..<10 {
                #expect(lookout.take())
                lookout.begin(at: moment(turn))
            }
            #expect(timer.moments.withLock { $0 } == [moment(20)])
            // The work of that moment is over; what is under way began later.
            #expect(!lookout.look(at: moment(20)))
            #expect(timer.moments.withLock { $0 } == [moment(20), moment(29)])
            #expect(lookout.take())
            #expect(!lookout.look(at: moment(29)))
            #expect(timer.count == 2)
            lookout.begin(at: moment(100))
            #expect(timer.count == 3)
        }
    }

    @Test(
        "A thread that is away for too long loses the place to one that waits, then to a new one, as long as there are not too many"
    )
    func patience() async throws {
        let lookout = lookout(standing: 1, extra: 2)
        try await onThread { [self] in
            #expect(lookout.take())
            lookout.begin(at: moment(0))
            #expect(!lookout.look(at: moment(19)))
            #expect(lookout.look(at: moment(20)), "nobody waits: a new thread")
            let (begins, ends) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let second = DispatchQueue(label: "second")
            second.async { [self] in
                _ = lookout.take()
                lookout.begin(at: moment(30))
                begins.signal()
                ends.wait()
                // It has lost the place, and another one waits for it: it is not needed any more.
                if !lookout.take() { lookout.leave() }
                ends.signal()
            }
            begins.wait()
            #expect(!lookout.isLast)
            #expect(lookout.look(at: moment(50)))
            #expect(lookout.isLast)
            let third = DispatchQueue(label: "third")
            let (has, thirdEnds) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            third.async { [self] in
                _ = lookout.take()
                lookout.begin(at: moment(60))
                has.signal()
                // Its thread must not become another one's: threads are told apart by pthread_self().
                thirdEnds.wait()
            }
            has.wait()
            #expect(!lookout.look(at: moment(80)), "there are as many as may be")
            // Whoever comes back has the timer look once more.
            let before = timer.count
            let back = DispatchSemaphore(value: 0)
            DispatchQueue(label: "waits").async {
                _ = lookout.take()
                back.signal()
                lookout.pass()
            }
            while timer.count == before { sched_yield() }
            #expect(!lookout.look(at: moment(81)))
            back.wait()
            ends.signal()
            thirdEnds.signal()
        }
    }
}
