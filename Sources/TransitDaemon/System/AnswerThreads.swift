internal import Foundation
internal import Synchronization

/// Makes answers that block or compute for long on threads of its own, at most so many at a time: neither the threads that
/// serve clients nor those of tasks are kept by them. What is more waits, and of those who wait comes first whose answers
/// take the fewest threads.
///
/// A thread ends as soon as nothing waits.
final class AnswerThreads: Sendable {
    private let name: String
    private let most: Int
    private let state = Mutex(State())

    private struct Job: Sendable {
        var ticket: UInt64
        var user: UInt32
        /// Makes the answer, or with `false` only lets whoever waits for it go.
        var run: @Sendable (Bool) -> Void
    }

    private struct State {
        var lastTicket: UInt64 = 0
        var running = 0
        /// Never 0.
        var runningOf: [UInt32: Int] = [:]
        var waiting: [Job] = []

        /// The next one that may begin, which is counted.
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

    /// - Parameter most: threads, 1 or more.
    init(_ name: String, most: Int) {
        self.name = name
        self.most = most
    }

    /// How many wait.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Runs `body` to its end; what has begun is not stopped.
    ///
    /// - Parameters:
    ///   - user: whose answer it is.
    ///   - isCancellable: whether it is left out when the task is cancelled before it has begun.
    /// - Returns: `nil` when it was left out.
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
                // Cancelled before it waited.
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
        let thread = Thread { [self] in work(first) }
        thread.name = name
        thread.start()
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
