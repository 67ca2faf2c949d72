public import TransitModel

/// The error for a time that cannot be parsed.
public struct QueryTimeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text that could not be parsed.
    public var text: String
    /// The reason, as a clause; `nil` if the text as a whole is not a time.
    public var reason: String?

    public var description: String {
        "\"\(text)\" is not a valid time\(reason.map { ": \($0)" } ?? ""). Use 8:15, \"tomorrow 8:15\", \"mon 08:00\", \"2026-03-28 08:15\" or 2026-03-28T08:15:00+01:00."
    }
}

/// Parses the time of a query, as given with `--at`.
///
/// - RFC 3339, with or without an offset (without one, in the time zone of the query);
/// - `now`;
/// - `8:15`: today, or tomorrow if that time was more than ``grace`` seconds ago;
/// - `today 8:15`, `tomorrow 8:15`, `2026-03-28 8:15`: that date;
/// - `mon 8:15`, `monday 8:15`: the next such day, which is today unless the time was more than ``grace`` seconds ago.
///
/// When clocks are set back, some times occur twice. The first occurrence is used, or the second if the first was more
/// than ``grace`` seconds ago.
///
/// Times of day are `H:MM` or `HH:MM`, with or without seconds, from 0:00 to 23:59:59. Case does not matter.
public enum QueryTime {
    /// The number of seconds for which a past time of day still means today.
    public static let grace = 300

    /// The years 1970 to 9998 in seconds since 1970. Times derived from a query then stay within the four-digit years
    /// of RFC 3339.
    private static let known: Range<Int64> = 0..<253_370_764_800

    /// Parses a time.
    ///
    /// - Parameters:
    ///   - now: the current time, to which "today" and "past" refer.
    ///   - zone: the time zone for dates and times without an offset.
    public static func parse(
        _ text: String, now: Instant, zone: ServiceZone
    ) throws(QueryTimeError) -> Instant {
        let moment = try read(text, now: now, zone: zone)
        guard known.contains(moment.secondsSince1970) else {
            throw QueryTimeError(text: text, reason: "the year must be between 1970 and 9998")
        }
        return moment
    }

    private static func read(_ text: String, now: Instant, zone: ServiceZone) throws(QueryTimeError) -> Instant {
        if let instant = Instant(rfc3339: text) { return instant }
        var words = text.lowercased().split { $0 == " " || $0 == "\t" }.map { String($0) }
        if words == ["now"] { return now }
        if words.count == 1, let parts = Self.dateAndTime(words[0]) { words = parts }
        guard (1...2).contains(words.count), let clock = words.last else {
            throw QueryTimeError(text: text, reason: "expected one or two words, but found \(words.count)")
        }
        let today = zone.civil(at: now).date
        let secondsOfDay = try seconds(clock, of: text)
        func moment(on date: ServiceDate) -> Instant {
            let first = zone.instant(date: date, secondsOfDay: secondsOfDay)
            guard first.seconds(to: now) > grace,
                let second = zone.laterInstant(date: date, secondsOfDay: secondsOfDay), second.seconds(to: now) <= grace
            else { return first }
            return second
        }
        func moment(_ days: Int) -> Instant { moment(on: today.advanced(by: days)) }
        let isPast = moment(0).seconds(to: now) > grace
        switch words.count == 2 ? words[0] : "" {
        case "": return moment(isPast ? 1 : 0)
        case "today": return moment(0)
        case "tomorrow": return moment(1)
        case let day:
            if let weekday = weekday(day) {
                let days = (Int(weekday.rawValue) - Int(today.weekday.rawValue) + 7) % 7
                return moment(days == 0 && isPast ? 7 : days)
            }
            if let date = ServiceDate(iso8601: day) { return moment(on: date) }
            throw QueryTimeError(text: text, reason: "\"\(day)\" is not a day")
        }
    }

    /// Splits a time without an offset, such as `2026-03-28T08:15`, into two words.
    private static func dateAndTime(_ word: String) -> [String]? {
        let parts = word.split(separator: "t", omittingEmptySubsequences: false).map { String($0) }
        return parts.count == 2 && ServiceDate(iso8601: parts[0]) != nil ? parts : nil
    }

    /// Parses at least three letters of a day's English name.
    private static func weekday(_ word: String) -> Weekday? {
        let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        guard word.utf8.count >= 3, let position = names.firstIndex(where: { $0.hasPrefix(word) }) else { return nil }
        return Weekday(rawValue: UInt8(position))
    }

    /// Parses a time of day, in seconds since midnight; `nil` for another text.
    public static func secondsOfDay(_ text: String) -> Int? { try? seconds(text, of: text) }

    private static func seconds(_ clock: String, of text: String) throws(QueryTimeError) -> Int {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            (1...2).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        guard numbers.count == parts.count, (2...3).contains(parts.count),
            parts.dropFirst().allSatisfy({ $0.utf8.count == 2 })
        else {
            let isWhole = clock == text.lowercased()
            throw QueryTimeError(text: text, reason: isWhole ? nil : "\"\(clock)\" is not a time of day such as 8:15")
        }
        guard numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 }) else {
            throw QueryTimeError(text: text, reason: "a time of day must be between 0:00 and 23:59")
        }
        return numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
    }
}
