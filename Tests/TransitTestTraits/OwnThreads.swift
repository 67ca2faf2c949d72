internal import Dispatch
internal import Foundation
internal import Glibc
internal import Synchronization
public import Testing

/// Runs each test of a suite on threads that only this test uses.
///
/// Swift's thread pool has one thread per core. A test that blocks one of them, to wait for a process, a socket or a
/// semaphore, delays all other tests, and a test that needs the pool waits for every computing test that began earlier.
/// With this trait, a test and its child tasks may block and need no thread of the pool. An unstructured `Task` does
/// not inherit this; such a task must not block.
///
/// The number of such tests that run at the same time is limited, because each of them uses descriptors, threads and
/// often processes. On a machine with two cores, it is four.
public struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await TestSlots.all.acquire()
        defer { TestSlots.all.release() }
        try await withTaskExecutorPreference(ThreadPerJob.shared) { try await function() }
    }
}

extension Trait where Self == OwnThreads {
    /// Runs each test on threads that only this test uses, so that it may block. See ``OwnThreads``.
    public static var ownThreads: Self { Self() }
}

/// Starts a task on a thread of its own. Tests with ``OwnThreads`` use it instead of `Task`, which needs a thread of
/// Swift's pool.
public func startTask<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
    Task(executorPreference: ThreadPerJob.shared) { await body() }
}

/// Blocks the calling thread until a condition holds, for at most two minutes. Returns whether it holds.
///
/// For conditions that no event announces, in tests with ``OwnThreads``. The limit only ends a test that has failed.
@discardableResult
public func eventually(_ isTrue: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now.advanced(by: .seconds(120))
    while ContinuousClock.now < end {
        if try isTrue() { return true }
        usleep(500)
    }
    return try isTrue()
}

/// Runs each job of a task on a thread on which nothing else waits.
private final class ThreadPerJob: TaskExecutor {
    static let shared = ThreadPerJob()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Each serial queue has a thread of its own while it works. A concurrent queue would share the threads of the
        // pool.
        DispatchQueue(label: "test").async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

/// Limits the number of tests that run at the same time. Tests that wait get their turn in order.
private final class TestSlots: Sendable {
    static let all = TestSlots(2 * ProcessInfo.processInfo.activeProcessorCount)

    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    private init(_ count: Int) { state = Mutex(State(free: count)) }

    func acquire() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.free > 0 {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func release() {
        let next = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return CheckedContinuation<Void, Never>?.none
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
