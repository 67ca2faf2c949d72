/// When a dataset that failed is tried again.
///
/// Three quick tries after 1, 2 and 4 s, then pauses that double up to a bound: the host's circuit decides meanwhile
/// about the host as a whole. Failures that last begin with a long pause.
package struct RetryPolicy: Hashable, Sendable {
    /// The longest pause in seconds.
    var longest: Int
    /// The first pause after a failure that lasts, in seconds.
    var lasting: Int

    /// For live data: 5 minutes at most; for the timetable an hour after a failure that lasts, six hours at most.
    package init(isLive: Bool) {
        longest = isLive ? 300 : 6 * 3600
        lasting = isLive ? 60 : 3600
    }

    static let quick = [1, 2, 4]
    /// Seconds before a key that was rejected is tried again.
    static let rejected = 86_400
    /// The first pause in seconds when the quick tries are used up.
    static let slow = 30

    /// Milliseconds to wait after so many failures in a row.
    ///
    /// - Parameters:
    ///   - failures: 1 or more.
    ///   - fraction: chance in `0..<1`, which makes the pause up to a quarter longer.
    package func pause(failures: Int, lasts: Bool, fraction: Double) -> Int64 {
        let seconds: Int
        if lasts {
            seconds = Self.doubled(lasting, times: failures - 1, atMost: max(longest, 3600))
        } else if failures <= Self.quick.count {
            seconds = Self.quick[max(0, failures - 1)]
        } else {
            seconds = Self.doubled(Self.slow, times: failures - Self.quick.count - 1, atMost: min(longest, 3600))
        }
        return Int64(Double(seconds) * 1000 * (1 + fraction / 4))
    }

    static func doubled(_ seconds: Int, times: Int, atMost longest: Int) -> Int {
        min(longest, seconds << min(max(0, times), 20))
    }
}
