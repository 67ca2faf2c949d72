/// The rule after the last transition of a TZif file, such as `CET-1CEST,M3.5.0,M10.5.0/3`
/// (POSIX.1-2017 section 8.3, *TZ*, with the extensions of RFC 8536 section 3.3.1).
struct PosixZoneRule: Sendable, Hashable {
    /// Seconds east of UTC.
    var standardOffset: Int32
    var daylight: Daylight?

    struct Daylight: Sendable, Hashable {
        var offset: Int32
        var start: Change
        var end: Change
    }

    /// A day of the year and a time in seconds after its local midnight, -167...167 hours.
    struct Change: Sendable, Hashable {
        enum Day: Sendable, Hashable {
            /// `Jn`: 1...365, not counting February 29.
            case julian(Int)
            /// `n`: 0...365.
            case zeroBased(Int)
            /// `Mm.w.d`: month 1...12, week 1...5 (5 is the last), weekday 0...6 from Sunday.
            case weekday(month: Int, week: Int, weekday: Int)
        }
        var day: Day
        var time: Int32
    }
}

extension PosixZoneRule {
    /// Returns the offset in force at a time, in seconds east of UTC. This is the offset of the latest change at or
    /// before that time.
    ///
    /// The changes of three years are considered, because a change may fall into the previous or the next year. If both
    /// changes coincide, as in a rule for permanent daylight time, the start of daylight time wins.
    func offset(at time: Int64) -> Int32 {
        guard let daylight else { return standardOffset }
        let year = Self.year(at: time + Int64(standardOffset))
        var latest = Int64.min
        var offset = standardOffset
        for year in (year - 1)...(year + 1) {
            let end = daylight.end.localSeconds(year: year) - Int64(daylight.offset)
            if end <= time, end > latest { (latest, offset) = (end, standardOffset) }
            let start = daylight.start.localSeconds(year: year) - Int64(standardOffset)
            if start <= time, start >= latest { (latest, offset) = (start, daylight.offset) }
        }
        return offset
    }

    /// Returns the changes after `start` through the end of `lastYear` in ascending order, each with the new offset.
    func changes(after start: Int64, throughYear lastYear: Int) -> [(time: Int64, offset: Int32)] {
        guard let daylight else { return [] }
        let first = Self.year(at: max(start, 0) + Int64(standardOffset))
        guard first <= lastYear else { return [] }
        let times = (first...lastYear).flatMap { year in
            [
                daylight.start.localSeconds(year: year) - Int64(standardOffset),
                daylight.end.localSeconds(year: year) - Int64(daylight.offset),
            ]
        }
        return Set(times.filter { $0 > start }).sorted().map { ($0, offset(at: $0)) }
    }

    private static func year(at local: Int64) -> Int {
        let days = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
        // The Gregorian calendar repeats every 400 years, and service dates end with the year 9999.
        return ServiceDate(daysSince1970: Int32(min(max(days, -719_000), 2_932_000))).components.year
    }
}

extension PosixZoneRule.Change {
    /// Local seconds since 1970-01-01T00:00:00, as shown by the clock just before the change.
    fileprivate func localSeconds(year: Int) -> Int64 { Int64(daysSince1970(year: year)) * 86_400 + Int64(time) }

    private func daysSince1970(year: Int) -> Int {
        switch day {
        case .julian(let day):
            let isLeap = Self.firstDay(year, 3) - Self.firstDay(year, 1) == 60
            return Self.firstDay(year, 1) + day - (isLeap && day >= 60 ? 0 : 1)
        case .zeroBased(let day):
            return Self.firstDay(year, 1) + day
        case .weekday(let month, let week, let weekday):
            let first = Self.firstDay(year, month)
            // 1970-01-01 was a Thursday, which is 4 counted from Sunday.
            let shift = ((weekday - (first + 4) % 7) % 7 + 7) % 7
            let day = first + shift + (week - 1) * 7
            let next = month == 12 ? Self.firstDay(year + 1, 1) : Self.firstDay(year, month + 1)
            return day < next ? day : day - 7
        }
    }

    private static func firstDay(_ year: Int, _ month: Int) -> Int {
        Int(ServiceDate(year: year, month: month, day: 1)?.daysSince1970 ?? 0)
    }
}

extension PosixZoneRule {
    /// Parses `std offset [dst [offset] [,start[/time],end[/time]]]`. Returns `nil` if the text is invalid.
    ///
    /// POSIX allows a rule with daylight time but without change dates. The system then chooses the dates. Such rules
    /// are rejected because RFC 8536 files always state the dates.
    init?(parsing text: some Sequence<UInt8>) {
        var scanner = Scanner(text: Array(text))
        guard scanner.skipName(), let west = scanner.time(maximumHours: 24) else { return nil }
        self.init(standardOffset: -west, daylight: nil)
        if scanner.isAtEnd { return }
        guard scanner.skipName() else { return nil }
        var offset = standardOffset + 3600
        if scanner.peek != 0x2C {
            guard let west = scanner.time(maximumHours: 24) else { return nil }
            offset = -west
        }
        guard scanner.skip(0x2C), let start = scanner.change(), scanner.skip(0x2C), let end = scanner.change(),
            scanner.isAtEnd
        else { return nil }
        daylight = Daylight(offset: offset, start: start, end: end)
    }

    private struct Scanner {
        let text: [UInt8]
        var position = 0

        var isAtEnd: Bool { position == text.count }
        var peek: UInt8? { position < text.count ? text[position] : nil }

        mutating func skip(_ byte: UInt8) -> Bool {
            guard peek == byte else { return false }
            position += 1
            return true
        }

        /// Skips an abbreviation of at least three characters: letters, or any characters between `<` and `>`.
        mutating func skipName() -> Bool {
            let quoted = skip(0x3C)
            let start = position
            while let byte = peek, quoted ? byte != 0x3E : (0x41...0x5A).contains(byte & 0xDF) { position += 1 }
            guard position - start >= 3 else { return false }
            return !quoted || skip(0x3E)
        }

        mutating func number() -> Int? {
            let start = position
            var value = 0
            while let byte = peek, (0x30...0x39).contains(byte), position - start < 4 {
                value = value * 10 + Int(byte - 0x30)
                position += 1
            }
            return position > start ? value : nil
        }

        /// Parses `[+-]h[h[h]][:mm[:ss]]` and returns seconds.
        mutating func time(maximumHours: Int) -> Int32? {
            let negative = skip(0x2D)
            if !negative { _ = skip(0x2B) }
            guard let hours = number(), hours <= maximumHours else { return nil }
            var seconds = hours * 3600
            for unit in [60, 1] where peek == 0x3A {
                position += 1
                guard let value = number(), value <= 59 else { return nil }
                seconds += value * unit
            }
            return Int32(negative ? -seconds : seconds)
        }

        mutating func change() -> Change? {
            guard let day = day() else { return nil }
            guard skip(0x2F) else { return Change(day: day, time: 7200) }
            guard let time = time(maximumHours: 167) else { return nil }
            return Change(day: day, time: time)
        }

        private mutating func day() -> Change.Day? {
            if skip(0x4A) {
                guard let day = number(), (1...365).contains(day) else { return nil }
                return .julian(day)
            }
            guard skip(0x4D) else {
                guard let day = number(), day <= 365 else { return nil }
                return .zeroBased(day)
            }
            guard let month = number(), (1...12).contains(month), skip(0x2E),
                let week = number(), (1...5).contains(week), skip(0x2E),
                let weekday = number(), weekday <= 6
            else { return nil }
            return .weekday(month: month, week: week, weekday: weekday)
        }
    }
}
