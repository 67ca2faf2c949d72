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

    @Test("Tasks resume in the order of their deadlines, and a canceled one does not wait")
    func tasksResumeInOrderOfDeadlines() async throws {
        let timer = try BootTimeTimer()
        let oneThread = OneThread()
        let (woken, wake) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, seconds) in [(3, 0.15), (1, 0.0), (2, 0.05)] {
                group.addTask(executorPreference: oneThread) {
                    try await timer.sleep(seconds: seconds)
                    wake.yield(number)
                }
            }
            let canceled = startTask {
                await #expect(throws: CancellationError.self) { try await timer.sleep(seconds: .infinity) }
            }
            canceled.cancel()
            _ = await canceled.value
            try await group.waitForAll()
        }
        wake.finish()
        var order: [Int] = []
        for await number in woken { order.append(number) }
        #expect(order == [1, 2, 3])
    }
}
