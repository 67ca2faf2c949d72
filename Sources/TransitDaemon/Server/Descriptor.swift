internal import Glibc

/// Owns a file descriptor and closes it when nobody refers to it any more.
final class Descriptor: Sendable {
    let number: Int32
    init(_ number: Int32) { self.number = number }

    /// Takes what a call of the system has opened.
    init(opening call: String, _ number: Int32) throws(SystemFailure) {
        guard number >= 0 else { throw SystemFailure(call) }
        self.number = number
    }

    deinit { close(number) }
}

/// A failed call of the system.
struct SystemFailure: Error, Hashable, Sendable, CustomStringConvertible {
    var call: String
    var number: Int32

    /// Reads `errno`; to be made at once after the call.
    init(_ call: String) {
        self.call = call
        number = errno
    }

    var description: String { "\(call): \(String(cString: strerror(number)))" }
}

extension MonotonicInstant {
    /// The monotonic clock of the system, which deadlines of sockets go by; no time that is told to anybody.
    static func read() -> MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
