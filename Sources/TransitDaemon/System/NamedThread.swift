internal import Foundation

extension Thread {
    /// Starts a thread under a name that `top -H` and `/proc/PID/task/TID/comm` show.
    ///
    /// Foundation on Linux passes a name to the system only when it is set on the running thread.
    ///
    /// - Parameter name: at most 15 bytes of UTF-8 (`pthread_setname_np(3)`).
    static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread {
            Thread.current.name = name
            body()
        }
        thread.start()
    }
}
