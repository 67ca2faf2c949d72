internal import Dispatch
internal import Synchronization

/// The threads that run the daemon's tasks (SE-0417), instead of Swift's own pool.
///
/// On Linux, Swift's pool belongs to libdispatch. From its first use until the process ends, libdispatch checks its
/// threads every second. This would wake an idle daemon 86,400 times a day. The threads of this executor wait until
/// there is a job.
public final class DaemonExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let available = DispatchSemaphore(value: 0)

    /// Number of threads; sufficient for tasks that never block for long. Blocking work runs on its own threads.
    private static let threads = 2

    /// - Throws: An error if the system cannot create the threads.
    public init() throws {
        for number in 1...Self.threads {
            try NamedThread.start("task \(number)") { [self] in runJobs() }
        }
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        available.signal()
    }

    /// Never returns. The process has one executor, which exists until the process ends.
    private func runJobs() {
        while true {
            available.wait()
            guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { continue }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Runs a task and blocks the calling thread until it ends. Called by `main`; this is the only task without a
    /// parent.
    public func run(_ body: @escaping @Sendable () async throws -> Void) throws {
        let failure = Mutex<(any Error)?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        Task(executorPreference: self) {
            do { try await body() } catch { failure.withLock { $0 = error } }
            isDone.signal()
        }
        isDone.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
