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
