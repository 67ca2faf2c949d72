internal import CLinux
internal import Glibc

/// Starts named threads. `top -H` and `/proc/PID/task/TID/comm` show the name.
package enum NamedThread {
    private final class Work {
        let name: String
        let faults: ThreadFaults?
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
            faults = ThreadFaults.current
        }

        func run() {
            linux_thread_set_name(name)
            // A test's faults also concern the threads that this one starts.
            guard let faults else { return body() }
            ThreadFaults.$current.withValue(faults) { body() }
        }
    }

    /// Runs `body` on a new thread.
    ///
    /// - Parameter name: At most 15 bytes of UTF-8 (`pthread_setname_np(3)`).
    /// - Throws: An error if the system cannot create another thread now. `body` is not called then.
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemFailure) {
        if ThreadFaults.fails(name) { throw SystemFailure(thread: name, number: EAGAIN) }
        let work = Unmanaged.passRetained(Work(name, body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            throw SystemFailure(thread: name, number: code)
        }
        pthread_detach(thread)
    }

    /// Lowers the priority of the calling thread for the rest of its life, so that it uses only time that threads that answer
    /// requests leave. Does nothing if the system denies it.
    package static func lowerPriority() { linux_thread_lower_priority() }
}

/// Makes starts of threads fail as at the limit on threads, for tests: those of the task or function that
/// ``current`` is set for, and of the threads that these start.
package struct ThreadFaults: Sendable {
    @TaskLocal package static var current: ThreadFaults?

    /// Whether the start of a thread with a name fails.
    private let decide: @Sendable (String) -> Bool

    package init(_ decide: @escaping @Sendable (String) -> Bool) { self.decide = decide }

    fileprivate static func fails(_ name: String) -> Bool { current?.decide(name) ?? false }
}

/// Runs long blocking work on a thread of its own, because it would delay requests on the cooperative pool.
package enum BlockingWork {
    /// Runs `body` to its end. Cancellation of the task sets the flag, after which the body should stop soon.
    ///
    /// - Throws: An error if the system cannot create another thread now. `body` is not called then.
    package static func run<Value: Sendable>(
        _ name: String, _ flag: CancellationFlag, _ body: @escaping @Sendable () -> Value
    ) async throws(SystemFailure) -> Value {
        let result: Result<Value, SystemFailure> = await withTaskCancellationHandler {
            await valueFromThread { pass in
                do throws(SystemFailure) {
                    try NamedThread.start(name) { pass(.success(body())) }
                } catch { pass(.failure(error)) }
            }
        } onCancel: {
            flag.set()
        }
        return try result.get()
    }
}
