internal import Glibc

/// How long to wait for the next sign of life, on a clock that never jumps.
struct Deadline {
    /// `nil`: no limit.
    private let patience: Int64?
    private var end: Int64 = 0

    init(seconds: Int?) { self.init(milliseconds: seconds.map { $0 * 1000 }) }

    init(milliseconds: Int?) {
        patience = milliseconds.map { Int64($0) }
        restart()
    }

    /// Whole ones; `nil`: no limit.
    var seconds: Int? { patience.map { Int($0 / 1000) } }

    /// Gives the whole time anew; called when progress came.
    mutating func restart() { end = Self.milliseconds() + (patience ?? 0) }

    /// For `poll`: milliseconds, 0 when the time is over, -1 without a limit.
    var remaining: CInt {
        guard patience != nil else { return -1 }
        return CInt(clamping: max(0, end - Self.milliseconds()))
    }

    /// Now.
    static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
