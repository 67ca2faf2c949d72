/// A timeout that can be restarted, measured with the monotonic clock.
package struct Deadline {
    /// The timeout in milliseconds; `nil` means no limit.
    private let timeout: Int64?
    private var end: Int64 = 0

    package init(seconds: Int?) { self.init(milliseconds: seconds.map { $0 * 1000 }) }

    package init(milliseconds: Int?) {
        timeout = milliseconds.map { Int64($0) }
        restart()
    }

    /// The timeout in whole seconds; `nil` means no limit.
    package var seconds: Int? { timeout.map { Int($0 / 1000) } }

    /// Restarts the timeout.
    package mutating func restart() { end = LinuxClock.monotonic + (timeout ?? 0) }

    /// The remaining time in milliseconds for `poll`: 0 after the deadline, -1 without a limit.
    package var remaining: CInt {
        guard timeout != nil else { return -1 }
        return CInt(clamping: max(0, end - LinuxClock.monotonic))
    }
}
