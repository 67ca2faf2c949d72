internal import Glibc

/// Owns a file descriptor and closes it when the last reference is released.
package final class Descriptor: Sendable {
    package let number: Int32
    package init(_ number: Int32) { self.number = number }

    /// Takes ownership of the result of a system call, or throws if the call failed.
    package init(opening call: String, _ number: Int32) throws(SystemFailure) {
        guard number >= 0 else { throw SystemFailure(call) }
        self.number = number
    }

    deinit { close(number) }
}

/// A failed system call.
package struct SystemFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package var call: String
    package var number: Int32
    /// What the administrator can do about it; `nil` if that is not known.
    package var remedy: String?

    /// Reads `errno`, so call it directly after the system call.
    package init(_ call: String) {
        self.call = call
        number = errno
    }

    /// Creates the failure to start a thread.
    ///
    /// - Parameter number: The error number of pthread_create(3).
    package init(thread name: String, number: Int32) {
        call = "the thread \"\(name)\" cannot be started"
        self.number = number
        if number == EAGAIN { remedy = "raise the limit on threads: TasksMax= in the unit, or ulimit -u in a shell" }
    }

    package var description: String {
        "\(call): \(ErrnoMessage.text(number))" + (remedy.map { " (\($0))" } ?? "")
    }
}

extension MonotonicInstant {
    /// Reads the system's monotonic clock, which socket deadlines use.
    package static func read() -> MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
