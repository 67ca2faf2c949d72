public import TransitModel

/// Why a time that was asked for cannot be read.
public struct QueryTimeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was given.
    public var text: String
    /// What is wrong with it, as half a sentence.
    public var reason: String

    public var description: String {
        "\"\(text)\" is not a time: \(reason). Give 8:15, \"tomorrow 8:15\", \"mon 08:00\", \"2026-03-28 08:15\" or 2026-03-28T08:15:00+01:00."
    }
}

/// Reads the time of a question, as people give it with `--at`.
///
/// - RFC 3339, with an offset or without one (then in the zone of the question);
/// - `now`;
/// - `8:15`: today, but tomorrow when it is past by more than ``grace``;
/// - `today 8:15`, `tomorrow 8:15`, `2026-03-28 8:15`: that date;
/// - `mon 8:15`, `monday 8:15`: the next such day, which is today when the time is not past by more than ``grace``.
///
/// When clocks are set back, some times occur twice. The first occurrence is used, or the second if the first is past
/// by more than ``grace``.
///
/// Times of day are `H:MM`, `HH:MM` or with seconds, 0:00 to 23:59:59. Case does not matter.
public enum QueryTime {
    /// The seconds by which a time of day may be past and still be meant for today.
    public static let grace = 300

    /// From 1970 to 9998: what is told of a time stays within the years of four digits that RFC 3339 has.
    private static let known: Range<Int64> = 0..<253_370_764_800

    /// - Parameters:
    ///   - now: from when "today" and "past" count.
    ///   - zone: where dates and times of day without an offset are read.
    public static func parse(
        _ text: String, now: Instant, zone: ServiceZone
    ) throws(QueryTimeError) -> Instant {
        let moment = try read(text, now: now, zone: zone)
        guard known.contains(moment.secondsSince1970) else {
            throw QueryTimeError(text: text, reason: "its year lies outside of 1970 to 9998")
        }
        return moment
    }

    private static func read(_ text: String, now: Instant, zone: ServiceZone) throws(QueryTimeError) -> Instant {
        if let instant = Instant(rfc3339: text) { return instant }
        var words = text.lowercased().split { $0 == " " || $0 == "\t" }.map { String($0) }
        if words == ["now"] { return now }
        if words.count == 1, let parts = Self.dateAndTime(words[0]) { words = parts }
        guard (1...2).contains(words.count), let clock = words.last else {
            throw QueryTimeError(text: text, reason: "it has \(words.count) words")
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

    /// `2026-03-28T08:15` without an offset as two words.
    private static func dateAndTime(_ word: String) -> [String]? {
        let parts = word.split(separator: "t", omittingEmptySubsequences: false).map { String($0) }
        return parts.count == 2 && ServiceDate(iso8601: parts[0]) != nil ? parts : nil
    }

    /// Three letters or more of a day's English name.
    private static func weekday(_ word: String) -> Weekday? {
        let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        guard word.utf8.count >= 3, let position = names.firstIndex(where: { $0.hasPrefix(word) }) else { return nil }
        return Weekday(rawValue: UInt8(position))
    }

    private static func seconds(_ clock: String, of text: String) throws(QueryTimeError) -> Int {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            (1...2).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        guard numbers.count == parts.count, (2...3).contains(parts.count),
            parts.dropFirst().allSatisfy({ $0.utf8.count == 2 })
        else { throw QueryTimeError(text: text, reason: "\"\(clock)\" is not a time of day such as 8:15") }
        guard numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 }) else {
            throw QueryTimeError(text: text, reason: "a time of day lies between 0:00 and 23:59")
        }
        return numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
    }
}
