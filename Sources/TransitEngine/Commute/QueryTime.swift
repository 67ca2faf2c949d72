public import TransitModel

/// The error for a time that cannot be parsed.
public struct QueryTimeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text that could not be parsed.
    public var text: String
    /// The reason, as a clause; `nil` if the text as a whole is not a time.
    public var reason: String?

    public var description: String {
        "\"\(text)\" is not a valid time\(reason.map { ": \($0)" } ?? ""). Use 8:15, 8am, +20m, \"tomorrow 8:15\", friday, \"2026-03-28 08:15\" or 2026-03-28T08:15:00+01:00."
    }
}

/// The time of a query, as a person writes it with `--at`.
///
/// - RFC 3339, with or without an offset (without one, in the time zone of the query);
/// - `now`;
/// - `+20m`, `+1h30m`, `in 1h`, `in 20 minutes`: that long from now, up to ``maximumOffset``; a number without a unit is
///   in minutes;
/// - `8:15`, `8:15pm`, `8am`, `8 pm`, `0815`, `8`, `noon`, `midnight`: today, or tomorrow if that time was more than
///   ``grace`` seconds ago;
/// - `today 8:15`, `tomorrow 7`, `tomorrow at 7`, `2026-03-28 8:15`: that date;
/// - `mon 8:15`, `monday 8:15`: the next such day, which is today unless the time was more than ``grace`` seconds ago;
/// - `tomorrow`, `friday`, `2026-03-28`: the whole day; `today` and the present day of the week: the rest of the day.
///
/// When clocks are set back, some times occur twice. The first occurrence is used, or the second if the first was more
/// than ``grace`` seconds ago. Case does not matter.
public struct QueryTime: Hashable, Sendable {
    public var start: Instant
    /// The last second of the day, if the text names only a day.
    public var end: Instant?

    /// The number of seconds for which a past time of day still means today.
    public static let grace = 300
    /// The maximum time from now of `+20m` and `in 20 minutes`, in seconds: 31 days.
    public static let maximumOffset = 2_678_400

    /// The years 1970 to 9998 in seconds since 1970. Times derived from a query then stay within the four-digit years
    /// of RFC 3339.
    private static let known: Range<Int64> = 0..<253_370_764_800

    /// Parses a time.
    ///
    /// - Parameters:
    ///   - now: the current time, to which "today" and "past" refer.
    ///   - zone: the time zone for dates and times without an offset.
    public init(_ text: String, now: Instant, zone: ServiceZone) throws(QueryTimeError) {
        self = try Self.read(text, now: now, zone: zone)
        guard Self.known.contains(start.secondsSince1970) else {
            throw QueryTimeError(text: text, reason: "the year must be between 1970 and 9998")
        }
    }

    private init(_ start: Instant, end: Instant? = nil) {
        self.start = start
        self.end = end
    }

    private static func read(_ text: String, now: Instant, zone: ServiceZone) throws(QueryTimeError) -> QueryTime {
        if let instant = Instant(rfc3339: text) { return QueryTime(instant) }
        var words = text.lowercased().split { $0 == " " || $0 == "\t" }.map { String($0) }
        if words == ["now"] { return QueryTime(now) }
        if let seconds = try offset(words, of: text) { return QueryTime(now.advanced(by: seconds)) }
        if words.count == 1, let parts = dateAndTime(words[0]) { words = parts }
        let day = words.first.flatMap { Day($0) }
        if day != nil { words.removeFirst() }
        if words.count > 1, words[0] == "at" { words.removeFirst() }
        let today = zone.civil(at: now).date
        if let day, words.isEmpty {
            let date = day.date(today, isPast: false)
            let midnight = zone.instant(date: date.advanced(by: 1), secondsOfDay: 0)
            let isRest = date == today && !day.isExact
            return QueryTime(
                isRest ? now : zone.instant(date: date, secondsOfDay: 0), end: midnight.advanced(by: -1))
        }
        let secondsOfDay = try clock(words, of: text, hasDay: day != nil)
        func moment(on date: ServiceDate) -> Instant {
            let first = zone.instant(date: date, secondsOfDay: secondsOfDay)
            guard first.seconds(to: now) > grace,
                let second = zone.laterInstant(date: date, secondsOfDay: secondsOfDay), second.seconds(to: now) <= grace
            else { return first }
            return second
        }
        let isPast = moment(on: today).seconds(to: now) > grace
        return QueryTime(moment(on: day?.date(today, isPast: isPast) ?? today.advanced(by: isPast ? 1 : 0)))
    }

    /// A day of a query.
    private enum Day {
        case today
        case tomorrow
        case weekday(Weekday)
        case date(ServiceDate)

        init?(_ word: String) {
            switch word {
            case "today": self = .today
            case "tomorrow": self = .tomorrow
            default:
                if let weekday = QueryTime.weekday(word) {
                    self = .weekday(weekday)
                } else if let date = ServiceDate(iso8601: word) {
                    self = .date(date)
                } else {
                    return nil
                }
            }
        }

        var isExact: Bool { if case .date = self { true } else { false } }

        /// - Parameter isPast: Whether the time of day on `today` is past.
        func date(_ today: ServiceDate, isPast: Bool) -> ServiceDate {
            switch self {
            case .today: return today
            case .tomorrow: return today.advanced(by: 1)
            case .weekday(let weekday):
                let days = (Int(weekday.rawValue) - Int(today.weekday.rawValue) + 7) % 7
                return today.advanced(by: days == 0 && isPast ? 7 : days)
            case .date(let date): return date
            }
        }
    }

    /// Splits a time without an offset, such as `2026-03-28T08:15`, into two words.
    private static func dateAndTime(_ word: String) -> [String]? {
        let parts = word.split(separator: "t", omittingEmptySubsequences: false).map { String($0) }
        return parts.count == 2 && ServiceDate(iso8601: parts[0]) != nil ? parts : nil
    }

    /// Parses at least three letters of a day's English name.
    fileprivate static func weekday(_ word: String) -> Weekday? {
        let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        guard word.utf8.count >= 3, let position = names.firstIndex(where: { $0.hasPrefix(word) }) else { return nil }
        return Weekday(rawValue: UInt8(position))
    }

    // MARK: Offsets from now

    /// Parses `+20m` or `in 20 minutes`, in seconds; `nil` for a text that begins otherwise.
    private static func offset(_ words: [String], of text: String) throws(QueryTimeError) -> Int? {
        guard let first = words.first, first == "in" || first.hasPrefix("+") else { return nil }
        var rest = Substring(words.joined().dropFirst(first == "in" ? 2 : 1))
        guard !rest.isEmpty else { throw QueryTimeError(text: text, reason: "the duration is missing") }
        if rest.utf8.allSatisfy(isDigit) { rest += "m" }
        var sum = 0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.utf8.allSatisfy(isDigit) }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { !$0.utf8.allSatisfy(isDigit) }
            rest = rest.dropFirst(unit.count)
            guard let factor = factor(of: unit), digits.utf8.count <= 7, let number = Int(digits) else {
                throw QueryTimeError(text: text, reason: "\"\(digits)\(unit)\" is not a duration such as 20m or 1h30m")
            }
            sum += number * factor
        }
        guard sum <= maximumOffset else { throw QueryTimeError(text: text, reason: "it is more than 31 days from now") }
        return sum
    }

    /// The number of seconds of a unit.
    private static func factor(of unit: Substring) -> Int? {
        switch unit {
        case "m", "min", "mins", "minute", "minutes": 60
        case "h", "hr", "hrs", "hour", "hours": 3600
        case "d", "day", "days": 86_400
        default: nil
        }
    }

    // MARK: Times of day

    /// Parses the time of day after the day, in seconds since midnight.
    private static func clock(_ words: [String], of text: String, hasDay: Bool) throws(QueryTimeError) -> Int {
        let isHalfOfDay = words.count == 2 && ["am", "pm"].contains(words[1])
        guard words.count == 1 || isHalfOfDay else {
            if words.count == 2, !hasDay { throw QueryTimeError(text: text, reason: "\"\(words[0])\" is not a day") }
            throw QueryTimeError(text: text, reason: words.isEmpty ? "it is empty" : "expected a day and a time of day")
        }
        let clock = words.joined()
        switch clock {
        case "noon": return 43_200
        case "midnight": return 0
        default: break
        }
        let half = ["am", "pm"].first { clock.hasSuffix($0) }
        guard let parts = parts(clock.dropLast(half == nil ? 0 : 2)) else {
            let isWhole = clock == text.lowercased()
            throw QueryTimeError(
                text: text, reason: isWhole ? nil : "\"\(clock)\" is not a time of day such as 8:15 or 8am")
        }
        if half != nil, !(1...12).contains(parts[0]) {
            throw QueryTimeError(text: text, reason: "an hour with am or pm must be between 1 and 12")
        }
        let hour = half == nil ? parts[0] : parts[0] % 12 + (half == "pm" ? 12 : 0)
        guard let seconds = seconds([hour] + parts.dropFirst()) else {
            throw QueryTimeError(text: text, reason: "a time of day must be between 0:00 and 23:59")
        }
        return seconds
    }

    /// Parses the hour, minute and second of "8", "0815", "8:15" or "8:15:30".
    private static func parts(_ clock: Substring) -> [Int]? {
        guard !clock.contains(":") else { return partsWithColons(clock) }
        guard (1...4).contains(clock.utf8.count), clock.utf8.allSatisfy(isDigit), let number = Int(clock) else {
            return nil
        }
        return clock.utf8.count <= 2 ? [number] : [number / 100, number % 100]
    }

    /// Parses the hour, minute and second of "8:15" or "8:15:30".
    private static func partsWithColons(_ clock: Substring) -> [Int]? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            (1...2).contains(part.utf8.count) && part.utf8.allSatisfy(isDigit) ? Int(part) : nil
        }
        guard numbers.count == parts.count, (2...3).contains(parts.count),
            parts.dropFirst().allSatisfy({ $0.utf8.count == 2 })
        else { return nil }
        return numbers
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Returns the seconds since midnight; `nil` if a part is out of range.
    private static func seconds(_ parts: [Int]) -> Int? {
        guard parts[0] < 24, parts.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        return zip(parts, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// Parses a time of day with a colon, such as `8:15`, in seconds since midnight; `nil` for another text.
    public static func secondsOfDay(_ text: String) -> Int? { partsWithColons(Substring(text)).flatMap(seconds) }
}
