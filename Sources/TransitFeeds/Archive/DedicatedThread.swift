internal import Glibc

/// Starts dedicated threads for blocking work. libdispatch is not an option, because its worker threads set their own
/// priority when they start, which the sandbox of the systemd units forbids.
enum DedicatedThread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts `body` on a new thread. The caller cannot stop the thread.
    ///
    /// - Returns: 0, or the error number of pthread_create(3) if the system cannot create the thread. In that case
    ///   `body` does not run.
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
