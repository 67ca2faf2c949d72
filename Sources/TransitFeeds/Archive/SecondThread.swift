internal import Glibc

/// A thread of its own for a piece of work that blocks. Not a queue of libdispatch: its workers set their own priority as
/// they begin, which the sandbox of the units refuses.
enum SecondThread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Begins `body`, which ends by itself.
    ///
    /// - Returns: 0, or why the system gives no thread (pthread_create(3)); `body` is then not run.
    static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            return code
        }
        pthread_detach(thread)
        return 0
    }
}
