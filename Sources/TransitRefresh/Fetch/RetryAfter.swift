public import TransitModel

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
