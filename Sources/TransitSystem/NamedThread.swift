internal import Foundation

extension Thread {
    /// Starts a named thread. `top -H` and `/proc/PID/task/TID/comm` show the name.
    ///
    /// On Linux, Foundation passes a name to the system only if it is set on the running thread.
    ///
    /// - Parameter name: At most 15 bytes of UTF-8 (`pthread_setname_np(3)`).
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread {
            Thread.current.name = name
            body()
        }
        thread.start()
    }
}
