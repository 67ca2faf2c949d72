public import TransitModel

/// A parser for HTTP dates (RFC 9110 section 5.6.7): the fixed format and the two obsolete formats that recipients must
/// accept.
public enum HTTPDate {
    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
    ///
    /// - Parameter now: The reference for the century of a two-digit year, which is at most 50 years in the future.
    /// - Returns: The instant, or `nil` for any other text. The day of the week is not checked.
    public static func instant(_ text: String, now: Instant) -> Instant? {
        guard text.utf8.count <= 64 else { return nil }
        let words = text.split(whereSeparator: { $0 == " " || $0 == "-" || $0 == "," })
        if words.count == 6, words[5] == "GMT" {
            return instant(day: words[1], month: words[2], year: words[3], time: words[4], now)
        }
        if words.count == 5 { return instant(day: words[2], month: words[1], year: words[4], time: words[3], now) }
        return nil
    }

    private static func instant(
        day: Substring, month: Substring, year: Substring, time: Substring, _ now: Instant
    ) -> Instant? {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 2...2) }
        guard let day = number(day, digits: 1...2), let month = months.firstIndex(of: String(month)),
            var year = number(year, digits: 2...4), parts.count == 3,
            let hour = parts[0], let minute = parts[1], let second = parts[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        if year < 100 { year = century(of: year, now) }
        guard let date = ServiceDate(year: year, month: month + 1, day: day) else { return nil }
        let seconds = Int64(hour * 3600 + minute * 60 + min(second, 59))
        return Instant(secondsSince1970: Int64(date.daysSince1970) * 86_400 + seconds)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    /// "A recipient of a timestamp value in rfc850-date format, which uses a two-digit year, MUST interpret a timestamp
    /// that appears to be more than 50 years in the future as representing the most recent year in the past that had
    /// the same last two digits."
    private static func century(of year: Int, _ now: Instant) -> Int {
        let present = ServiceZone.utc.civil(at: now).date.components.year
        let candidate = present - present % 100 + year
        return candidate > present + 50 ? candidate - 100 : candidate
    }
}
