import Dispatch
import Glibc
import Synchronization
import Testing

@testable import TransitDaemon

@Suite struct BoundedThreadPoolTests {
    /// What runs, what has run, and what ends it.
    private final class ExecutionLog: Sendable {
        let running = Mutex((now: 0, most: 0))
        let begun = Mutex<[Int]>([])
        let mayEnd = DispatchSemaphore(value: 0)

        func work(_ number: Int) -> Int {
            begun.withLock { $0.append(number) }
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            mayEnd.wait()
            running.withLock { $0.now -= 1 }
            return number
        }

        func hasBegun(_ count: Int) { while begun.withLock({ $0.count }) < count { sched_yield() } }
    }

    @Test("So many at a time; the others in their order, but those first who have the fewest")
    func theBound() async {
        let (threads, course) = (BoundedThreadPool("test", most: 2), ExecutionLog())
        await withTaskGroup(of: Int?.self) { group in
            for number in 1...2 {
                group.addTask { await threads.run(for: 1) { course.work(number) } }
                course.hasBegun(number)
            }
            for (number, user) in [(3, 1), (4, 1), (5, 2)] as [(Int, UInt32)] {
                group.addTask { await threads.run(for: user) { course.work(number) } }
                while threads.waiting < number - 2 { sched_yield() }
            }
            course.mayEnd.signal()
            course.hasBegun(3)
            #expect(course.begun.withLock { $0.last } == 5)
            for _ in 1...4 { course.mayEnd.signal() }
            var answers: Set<Int> = []
            for await answer in group { answers.insert(answer ?? 0) }
            #expect(answers == [1, 2, 3, 4, 5])
        }
        #expect(course.running.withLock { $0.most } == 2)
        #expect(course.begun.withLock { $0 }.suffix(2) == [3, 4])
    }

    @Test("What has not begun is left out when it is canceled, unless it must not be")
    func cancelling() async {
        let (threads, course) = (BoundedThreadPool("test", most: 1), ExecutionLog())
        let first = Task { await threads.run(for: 1) { course.work(1) } }
        course.hasBegun(1)
        let dropped = Task { await threads.run(for: 1) { course.work(2) } }
        let kept = Task { await threads.run(for: 1, isCancellable: false) { course.work(3) } }
        while threads.waiting < 2 { sched_yield() }
        for task in [first, dropped, kept] { task.cancel() }
        #expect(await dropped.value == nil)
        for _ in 1...2 { course.mayEnd.signal() }
        #expect(await first.value == 1)
        #expect(await kept.value == 3)
        #expect(course.begun.withLock { $0 } == [1, 3])
    }
}
