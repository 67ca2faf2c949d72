/// When a dataset that failed is tried again.
///
/// Three quick retries follow after 1, 2 and 4 s, or after ``RefreshLimits/endpointSpacing`` if that is longer. Then
/// the pauses double up to a limit, while the host's circuit decides for the whole host. Lasting failures begin with a
/// long pause.
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
    /// Seconds before a rejected key is tried again, after the first rejection, the second, and so on. A single
    /// temporary 401 or 403 does not silence a source for a day.
    static let rejected = [600, 3600, 6 * 3600, 24 * 3600]
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

    /// Seconds to wait after a key was rejected `times` times, at least 1.
    static func rejected(times: Int) -> Int { rejected[min(max(1, times), rejected.count) - 1] }

    static func doubled(_ seconds: Int, times: Int, atMost longest: Int) -> Int {
        min(longest, seconds << min(max(0, times), 20))
    }
}
