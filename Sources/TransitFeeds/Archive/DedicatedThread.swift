internal import Glibc

/// A dedicated thread for blocking work. libdispatch is not used, because its workers set their own priority when they
/// start, and the sandbox of the systemd units denies that.
enum DedicatedThread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts `body` on a new thread. `body` must end by itself.
    ///
    /// - Returns: 0, or the error number if the system provides no thread (pthread_create(3)); `body` then does not
    ///   run.
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
