internal import CLinux
internal import Glibc

/// Starts named threads. `top -H` and `/proc/PID/task/TID/comm` show the name.
package enum NamedThread {
    private final class Work {
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Runs `body` on a new thread. If the system cannot create another thread, the process ends, because the caller
    /// would wait forever.
    ///
    /// - Parameter name: At most 15 bytes of UTF-8 (`pthread_setname_np(3)`).
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(name, body))
        var thread = pthread_t()
        var code = EAGAIN
        // The limit on threads may be reached only for a moment: 5 s at most.
        for attempt in 0..<100 where code == EAGAIN {
            if attempt > 0 { usleep(50_000) }
            code = pthread_create(
                &thread, nil,
                { context in
                    guard let context else { return nil }
                    let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
                    linux_thread_set_name(work.name)
                    work.body()
                    return nil
                }, work.toOpaque())
        }
        guard code == 0 else { fatalError("cannot start the thread \(name): \(ErrnoMessage.text(code))") }
        pthread_detach(thread)
    }
}

/// Runs long blocking work on a thread of its own, because it would delay requests on the cooperative pool.
package enum BlockingWork {
    /// Runs `body` to its end. Cancellation of the task sets the flag, after which the body should stop soon.
    package static func run<Value: Sendable>(
        _ name: String, _ flag: CancellationFlag, _ body: @escaping @Sendable () -> Value
    ) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                NamedThread.start(name) { continuation.resume(returning: body()) }
            }
        } onCancel: {
            flag.set()
        }
    }
}
