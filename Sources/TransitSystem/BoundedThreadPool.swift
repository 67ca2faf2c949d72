internal import Synchronization

/// Runs blocking or long-running requests on its own threads, up to a limit, so that they do not occupy the threads
/// that serve clients or run tasks. Further jobs wait. The next job is taken from the user with the fewest running
/// jobs.
///
/// A thread exits when no job is waiting.
package final class BoundedThreadPool: Sendable {
    private let name: String
    private let maximumThreads: Int
    private let hasLowPriority: Bool
    private let state = Mutex(State())

    private struct Job: Sendable {
        /// What happens to the job.
        enum Fate {
            case runs, skipped
            case failed(SystemFailure)
        }

        var ticket: UInt64
        var user: UInt32
        /// Runs the job if that is its fate, and resumes the waiting caller.
        var end: @Sendable (Fate) -> Void
    }

    private struct State {
        var lastTicket: UInt64 = 0
        var running = 0
        /// Number of running jobs for each user; never 0.
        var runningByUser: [UInt32: Int] = [:]
        var waiting: [Job] = []

        /// Removes the next job from the queue and counts it as running.
        mutating func takeNext() -> Job? {
            let next = waiting.indices.min {
                runningByUser[waiting[$0].user, default: 0] < runningByUser[waiting[$1].user, default: 0]
            }
            guard let next else { return nil }
            let job = waiting.remove(at: next)
            runningByUser[job.user, default: 0] += 1
            return job
        }

        mutating func finish(_ job: Job) {
            let left = runningByUser[job.user, default: 1] - 1
            runningByUser[job.user] = left == 0 ? nil : left
        }
    }

    /// - Parameters:
    ///   - maximumThreads: The maximum number of threads, at least 1.
    ///   - hasLowPriority: Whether the threads use only the processor time that other threads leave.
    package init(_ name: String, maximumThreads: Int, hasLowPriority: Bool = false) {
        self.name = name
        self.maximumThreads = maximumThreads
        self.hasLowPriority = hasLowPriority
    }

    /// Number of waiting jobs.
    package var waiting: Int { state.withLock { $0.waiting.count } }

    /// Runs `body` to its end. A job that has started is not interrupted.
    ///
    /// - Parameters:
    ///   - user: The user who sent the request.
    ///   - isCancellable: Whether the job is skipped if the task is canceled before the job starts.
    /// - Returns: `nil` if the job was skipped.
    /// - Throws: An error if the pool has no thread, and the system cannot create one now.
    package func run<Value: Sendable>(
        for user: UInt32, isCancellable: Bool = true, _ body: @escaping @Sendable () -> Value
    ) async throws(SystemFailure) -> Value? {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let result: Result<Value?, SystemFailure> = await withTaskCancellationHandler {
            await valueFromThread { pass in
                enqueue(
                    Job(ticket: ticket, user: user) { fate in
                        switch fate {
                        case .runs: pass(.success(body()))
                        case .skipped: pass(.success(nil))
                        case .failed(let failure): pass(.failure(failure))
                        }
                    })
                // The task was canceled before the job was queued.
                if isCancellable, Task.isCancelled { cancel(ticket) }
            }
        } onCancel: {
            if isCancellable { cancel(ticket) }
        }
        return try result.get()
    }

    /// Runs `body` to its end on a thread of the pool, and blocks the calling thread until then.
    ///
    /// - Throws: An error if the pool has no thread, and the system cannot create one now.
    package func runAndWait<Value: Sendable>(
        for user: UInt32, _ body: @escaping @Sendable () -> Value
    ) throws(SystemFailure) -> Value {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let result = ResultBox<Result<Value, SystemFailure>>()
        enqueue(
            Job(ticket: ticket, user: user) { fate in
                switch fate {
                // Only this function knows the ticket, so the job is not canceled.
                case .runs, .skipped: result.fulfill(.success(body()))
                case .failed(let failure): result.fulfill(.failure(failure))
                }
            })
        return try result.wait().get()
    }

    private func enqueue(_ job: Job) {
        let first = state.withLock { state -> Job? in
            state.waiting.append(job)
            guard state.running < maximumThreads else { return nil }
            state.running += 1
            return state.takeNext()
        }
        guard let first else { return }
        do throws(SystemFailure) {
            try NamedThread.start(name) { [self] in
                if hasLowPriority { NamedThread.lowerPriority() }
                runJobs(startingWith: first)
            }
        } catch {
            for job in giveUp(first) { job.end(.failed(error)) }
        }
    }

    /// Returns the jobs that fail because no thread could be started for a job. While there are other threads, it is none:
    /// one of them takes the job.
    private func giveUp(_ job: Job) -> [Job] {
        state.withLock { state in
            state.finish(job)
            state.running -= 1
            if state.running > 0 {
                state.waiting.insert(job, at: 0)
                return []
            }
            // These were added meanwhile, and would wait for the thread that could not be started.
            defer { state.waiting = [] }
            return [job] + state.waiting
        }
    }

    private func runJobs(startingWith first: Job) {
        var job = first
        while true {
            job.end(.runs)
            let next = state.withLock { state -> Job? in
                state.finish(job)
                let next = state.takeNext()
                if next == nil { state.running -= 1 }
                return next
            }
            guard let next else { return }
            job = next
        }
    }

    private func cancel(_ ticket: UInt64) {
        let job = state.withLock { state in
            state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0) }
        }
        job?.end(.skipped)
    }
}
