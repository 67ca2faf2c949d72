internal import Dispatch
internal import Foundation
internal import Synchronization

/// The threads on which the daemon's tasks run (SE-0417), in place of Swift's own pool.
///
/// On Linux that pool is libdispatch's, which looks at its threads once a second from their first use on, for as long as
/// the process lives: a daemon that waits would wake 86,400 times a day. These threads wait until there is something to do.
public final class DaemonExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let available = DispatchSemaphore(value: 0)

    /// As many as serve tasks that never block for long; blocking work has threads of its own.
    private static let threads = 2

    public init() {
        for number in 1...Self.threads {
            Thread.start("task \(number)") { [self] in runJobs() }
        }
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        available.signal()
    }

    /// The process has one of these, so that its threads live as long as it does.
    private func runJobs() {
        while true {
            available.wait()
            guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { continue }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Runs a task to its end while the calling thread waits: what `main` does. The one task that has no parent.
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
