public import TransitModel

/// The pauses between retries of a failed dataset.
///
/// The three quick retries are after 1, 2 and 4 s, or after ``RefreshLimits/endpointSpacing`` if that is longer. Then
/// the pauses double up to a limit. The pauses apply to a single dataset; the circuit breaker applies to the whole
/// host. Permanent failures start with a long pause.
package struct RetryPolicy: Hashable, Sendable {
    /// The maximum pause in seconds.
    var maximumPause: Int
    /// The first pause after a permanent failure in seconds.
    var firstPermanentPause: Int

    /// Creates the policy for realtime data, with pauses of at most 5 minutes, or for a timetable, with an hour after a
    /// permanent failure and at most six hours.
    package init(isRealtime: Bool) {
        maximumPause = isRealtime ? 300 : 6 * 3600
        firstPermanentPause = isRealtime ? 60 : 3600
    }

    static let quickRetries = [1, 2, 4]
    /// The number of seconds until a rejected key is tried again: after the first rejection, after the second, and so
    /// on. A single temporary 401 or 403 must not disable a source for a day.
    static let rejectedKeyPauses = [600, 3600, 6 * 3600, 24 * 3600]
    /// The first pause in seconds after the quick retries.
    static let firstSlowPause = 30
    /// The first and the longest pause in seconds after a response with status 429 that does not say how long to wait.
    static let (firstRateLimitPause, longestRateLimitPause) = (60, 3600)

    /// Returns the pause in milliseconds after a number of consecutive failures.
    ///
    /// - Parameters:
    ///   - failures: The number of failures, at least 1.
    ///   - isPermanent: Whether the failure is permanent.
    ///   - fraction: A random number in `0..<1`, which lengthens the pause by up to a quarter.
    package func pause(failures: Int, isPermanent: Bool, fraction: Double) -> Int64 {
        let seconds: Int
        if isPermanent {
            seconds = Self.doubled(firstPermanentPause, times: failures - 1, atMost: max(maximumPause, 3600))
        } else if failures <= Self.quickRetries.count {
            seconds = Self.quickRetries[max(0, failures - 1)]
        } else {
            seconds = Self.doubled(
                Self.firstSlowPause, times: failures - Self.quickRetries.count - 1, atMost: min(maximumPause, 3600))
        }
        return Int64(Double(seconds) * 1000 * (1 + fraction / 4))
    }

    /// Returns the pause in seconds after a key was rejected `times` times, at least 1.
    static func rejectedKeyPause(times: Int) -> Int {
        rejectedKeyPauses[min(max(1, times), rejectedKeyPauses.count) - 1]
    }

    /// Returns the pause in seconds for a host that limits the rate of requests (RFC 6585 section 4) without
    /// `Retry-After`: 1, 2, 4 and up to 60 minutes.
    ///
    /// - Parameter times: The number of consecutive pauses of the host before.
    static func rateLimitPause(times: Int) -> Int {
        doubled(firstRateLimitPause, times: times, atMost: longestRateLimitPause)
    }

    static func doubled(_ seconds: Int, times: Int, atMost maximumPause: Int) -> Int {
        min(maximumPause, seconds << min(max(0, times), 20))
    }
}

/// A parser for the `Retry-After` header (RFC 9110 section 10.2.3).
public enum RetryAfter {
    /// The maximum pause that is honored, in seconds: a day. An erroneous header must not disable a feed forever.
    public static let maximumPause = 24 * 3600

    /// Returns the pause in seconds, 0...``maximumPause``, from a header value in seconds or as a date; `nil` for any
    /// other value.
    ///
    /// - Parameter now: The wall clock time, to which a date is compared. A wrong clock results in a wrong but bounded
    ///   pause.
    public static func seconds(_ text: String, now: Instant) -> Int? {
        let value = text.drop(while: { $0 == " " })
        let digits = value.prefix { $0 >= "0" && $0 <= "9" }
        if !digits.isEmpty, value[digits.endIndex...].allSatisfy({ $0 == " " }) {
            // A number that overflows stands for a very long pause.
            return min(Int(digits) ?? maximumPause, maximumPause)
        }
        guard let date = HTTPDate.instant(text, now: now) else { return nil }
        let (seconds, overflow) = date.secondsSince1970.subtractingReportingOverflow(now.secondsSince1970)
        guard !overflow else { return maximumPause }
        return Int(min(max(0, seconds), Int64(maximumPause)))
    }
}
