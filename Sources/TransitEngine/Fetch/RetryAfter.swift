public import TransitModel

/// How long a server wants to be left alone (RFC 9110 section 10.2.3).
public enum RetryAfter {
    /// The longest that a server is obeyed, in seconds: a day. A misprint must not silence a feed for ever.
    public static let longest = 24 * 3600

    /// Seconds from now on, 0...``longest``, of a header's value: seconds, or a date; `nil` when it is neither.
    ///
    /// - Parameter now: by the wall clock. A date is read against it, so a wrong clock makes a wrong pause; within bounds.
    public static func seconds(_ text: String, now: Instant) -> Int? {
        let value = text.drop(while: { $0 == " " })
        let digits = value.prefix { $0 >= "0" && $0 <= "9" }
        if !digits.isEmpty, value[digits.endIndex...].allSatisfy({ $0 == " " }) {
            // Too many digits for a number are a very long time.
            return min(Int(digits) ?? longest, longest)
        }
        guard let date = HTTPDate.instant(text, now: now) else { return nil }
        let (seconds, overflow) = date.secondsSince1970.subtractingReportingOverflow(now.secondsSince1970)
        guard !overflow else { return longest }
        return Int(min(max(0, seconds), Int64(longest)))
    }
}
