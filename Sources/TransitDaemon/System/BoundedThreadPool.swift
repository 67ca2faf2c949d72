internal import Foundation
internal import Synchronization

/// Computes blocking or lengthy answers on its own threads, up to a limit, so that they do not occupy the threads that
/// serve clients or run tasks. Further requests wait. The next one is a request of the user with the fewest running
/// answers.
///
/// A thread ends as soon as no request waits.
final class BoundedThreadPool: Sendable {
    private let name: String
    private let most: Int
    private let state = Mutex(State())

    private struct Job: Sendable {
        var ticket: UInt64
        var user: UInt32
        /// Computes the answer. With `false`, it only resumes the waiting caller.
        var run: @Sendable (Bool) -> Void
    }

    private struct State {
        var lastTicket: UInt64 = 0
        var running = 0
        /// The number of running jobs by user; never 0.
        var runningOf: [UInt32: Int] = [:]
        var waiting: [Job] = []

        /// Removes the next job from the queue and counts it as running.
        mutating func takeNext() -> Job? {
            let next = waiting.indices.min {
                runningOf[waiting[$0].user, default: 0] < runningOf[waiting[$1].user, default: 0]
            }
            guard let next else { return nil }
            let job = waiting.remove(at: next)
            runningOf[job.user, default: 0] += 1
            return job
        }

        mutating func end(_ job: Job) {
            let left = runningOf[job.user, default: 1] - 1
            runningOf[job.user] = left == 0 ? nil : left
        }
    }

    /// - Parameter most: the maximum number of threads, at least 1.
    init(_ name: String, most: Int) {
        self.name = name
        self.most = most
    }

    /// The number of waiting jobs.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Runs `body` to its end. A job that has begun is not interrupted.
    ///
    /// - Parameters:
    ///   - user: the user who requested the answer.
    ///   - isCancellable: whether the job is skipped if the task is canceled before it has begun.
    /// - Returns: `nil` if the job was skipped.
    func run<Value: Sendable>(
        for user: UInt32, isCancellable: Bool = true, _ body: @escaping @Sendable () -> Value
    ) async -> Value? {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(Job(ticket: ticket, user: user) { continuation.resume(returning: $0 ? body() : nil) })
                // The task was canceled before the job was queued.
                if isCancellable, Task.isCancelled { cancel(ticket) }
            }
        } onCancel: {
            if isCancellable { cancel(ticket) }
        }
    }

    private func begin(_ job: Job) {
        let first = state.withLock { state -> Job? in
            state.waiting.append(job)
            guard state.running < most else { return nil }
            state.running += 1
            return state.takeNext()
        }
        guard let first else { return }
        Thread.start(name) { [self] in work(first) }
    }

    private func work(_ first: Job) {
        var job = first
        while true {
            job.run(true)
            let next = state.withLock { state -> Job? in
                state.end(job)
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
        job?.run(false)
    }
}
