import Dispatch
import Testing
import TransitSystem
import TransitTestTraits

@Suite("Boot-time timer", .ownThreads)
struct BootTimeTimerTests {
    /// Runs jobs in the order in which they become ready.
    private final class OneThread: TaskExecutor {
        private let queue = DispatchQueue(label: "test")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    @Test func canceledTaskDoesNotWait() async throws {
        let timer = try BootTimeTimer()
        let canceled = startTask {
            await #expect(throws: CancellationError.self) { try await timer.sleep(seconds: .infinity) }
        }
        canceled.cancel()
        _ = await canceled.value
    }

    @Test func tasksResumeInOrderOfDeadlines() async throws {
        let timer = try BootTimeTimer()
        // On a busy machine, the tasks may begin so far apart that their deadlines have another order. Then others begin.
        var order: [Int] = []
        for _ in 1...100 {
            let (found, begin) = try await Self.wakeOrder(timer)
            order = found
            if begin < 40_000_000 { break }
        }
        #expect(order == [1, 2, 3])
    }

    /// Returns the order in which three tasks resume, and the nanoseconds from the begin of the first to that of the last.
    private static func wakeOrder(_ timer: BootTimeTimer) async throws -> (order: [Int], begin: Int64) {
        let oneThread = OneThread()
        let (woken, wake) = AsyncStream.makeStream(of: Int.self)
        let (begun, begin) = AsyncStream.makeStream(of: Int64.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, seconds) in [(3, 0.15), (1, 0.0), (2, 0.05)] {
                group.addTask(executorPreference: oneThread) {
                    begin.yield(SystemClock.bootNanoseconds())
                    try await timer.sleep(seconds: seconds)
                    wake.yield(number)
                }
            }
            try await group.waitForAll()
        }
        wake.finish()
        begin.finish()
        var order: [Int] = []
        for await number in woken { order.append(number) }
        var times: [Int64] = []
        for await time in begun { times.append(time) }
        return (order, (times.max() ?? 0) - (times.min() ?? 0))
    }
}
