import Dispatch
import Glibc
import Synchronization
import Testing
import TransitSystem
import TransitTestTraits

@Suite(.ownThreads) struct BoundedThreadPoolTests {
    /// Records which jobs have started and how many are running, and lets the test end them.
    private final class ExecutionLog: Sendable {
        let running = Mutex((now: 0, maximum: 0))
        let started = Mutex<[Int]>([])
        let mayEnd = DispatchSemaphore(value: 0)

        func work(_ number: Int) -> Int {
            started.withLock { $0.append(number) }
            running.withLock { $0 = ($0.now + 1, max($0.maximum, $0.now + 1)) }
            mayEnd.wait()
            running.withLock { $0.now -= 1 }
            return number
        }

        func waitForStart(_ count: Int) { #expect(eventually { started.withLock { $0.count } >= count }) }
    }

    @Test("Jobs beyond the limit wait in order, and users with the fewest running jobs come first")
    func jobsBeyondLimitWait() async throws {
        let (pool, log) = (BoundedThreadPool("test", maximumThreads: 2), ExecutionLog())
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for number in 1...2 {
                group.addTask { try await pool.run(for: 1) { log.work(number) } }
                log.waitForStart(number)
            }
            for (number, user) in [(3, 1), (4, 1), (5, 2)] as [(Int, UInt32)] {
                group.addTask { try await pool.run(for: user) { log.work(number) } }
                #expect(eventually { pool.waiting == number - 2 })
            }
            log.mayEnd.signal()
            log.waitForStart(3)
            #expect(log.started.withLock { $0.last } == 5)
            for _ in 1...4 { log.mayEnd.signal() }
            var results: Set<Int> = []
            for try await result in group { results.insert(result ?? 0) }
            #expect(results == [1, 2, 3, 4, 5])
        }
        #expect(log.running.withLock { $0.maximum } == 2)
        #expect(log.started.withLock { $0 }.suffix(2) == [3, 4])
    }

    @Test("A canceled job that has not started is skipped, unless it is not cancellable")
    func canceledJobIsSkipped() async {
        let (pool, log) = (BoundedThreadPool("test", maximumThreads: 1), ExecutionLog())
        let first = startTask { try? await pool.run(for: 1) { log.work(1) } }
        log.waitForStart(1)
        let skipped = startTask { try? await pool.run(for: 1) { log.work(2) } }
        let notCancellable = startTask { try? await pool.run(for: 1, isCancellable: false) { log.work(3) } }
        #expect(eventually { pool.waiting == 2 })
        for task in [first, skipped, notCancellable] { task.cancel() }
        #expect(await skipped.value == nil)
        for _ in 1...2 { log.mayEnd.signal() }
        #expect(await first.value == 1)
        #expect(await notCancellable.value == 3)
        #expect(log.started.withLock { $0 } == [1, 3])
    }

    @Test func jobWithoutAThreadFailsUnlessAnotherThreadTakesIt() async throws {
        let (pool, log) = (BoundedThreadPool("test", maximumThreads: 2), ExecutionLog())
        let faults = ThreadFaults { _ in true }
        await #expect(throws: SystemFailure.self) {
            try await ThreadFaults.$current.withValue(faults) { try await pool.run(for: 1) { log.work(1) } }
        }
        #expect(pool.waiting == 0)
        let first = startTask { try? await pool.run(for: 1) { log.work(2) } }
        log.waitForStart(1)
        let second = startTask {
            await ThreadFaults.$current.withValue(faults) { try? await pool.run(for: 1) { log.work(3) } }
        }
        #expect(eventually { pool.waiting == 1 })
        for _ in 1...2 { log.mayEnd.signal() }
        #expect(await [first.value, second.value] == [2, 3])
        #expect(log.running.withLock { $0.maximum } == 1)
    }
}
