internal import TransitControl
internal import TransitModel

/// Formats times relative to now.
enum RelativeTime {
    /// Returns "now", "in 1 minute", "in 1 hour 5 minutes" or "3 minutes ago".
    ///
    /// Times are rounded down so that riders are not late: 119 seconds are "in 1 minute".
    ///
    /// - Parameter isShort: Whether to abbreviate the units: "in 1 h 5 min".
    static func words(seconds: Int, isShort: Bool = false) -> String {
        func duration(_ seconds: Int) -> String {
            isShort ? DurationText.short(seconds: seconds) : DurationText.of(seconds: seconds)
        }
        if seconds <= -60 { return duration(-seconds) + " ago" }
        return seconds < 60 ? "now" : "in " + duration(seconds)
    }

    /// Returns the texts before and after the source of a departure time, such as "in 7 minutes" and "08:12".
    ///
    /// For departures today or within twelve hours, the first text is the waiting time. For later ones, it is the day.
    static func words(
        for moment: Timestamp, from now: Timestamp, isShort: Bool = false
    ) -> (before: String, after: String) {
        let seconds = now.instant.seconds(to: moment.instant)
        let days = moment.days(from: now)
        switch days {
        case ...0:
            return (words(seconds: seconds, isShort: isShort), moment.clock)
        case 1 where seconds < 3600:
            return (words(seconds: seconds, isShort: isShort), moment.clock)
        case 1 where seconds < 12 * 3600:
            return (words(seconds: seconds, isShort: isShort), moment.clock + " tomorrow")
        case 1:
            return ("tomorrow", moment.clock)
        default:
            return ("on " + DayName.words(moment.date, days: days), moment.clock)
        }
    }
}

/// Formats dates.
enum DayName {
    /// Returns "today", "tomorrow", "yesterday", a day of the week such as "Saturday" for the next six days, or "24
    /// December", with the year if it is not the current one. `days` is the number of days from today to the date.
    static func words(_ date: ServiceDate, days: Int) -> String {
        switch days {
        case 0: "today"
        case 1: "tomorrow"
        case -1: "yesterday"
        case 2...6: weekday(date)
        default: full(date, today: date.advanced(by: -days))
        }
    }

    static func weekday(_ date: ServiceDate) -> String {
        switch date.weekday {
        case .monday: "Monday"
        case .tuesday: "Tuesday"
        case .wednesday: "Wednesday"
        case .thursday: "Thursday"
        case .friday: "Friday"
        case .saturday: "Saturday"
        case .sunday: "Sunday"
        }
    }

    private static func full(_ date: ServiceDate, today: ServiceDate) -> String {
        let (year, month, day) = date.components
        let words = "\(day) \(months[month - 1])"
        return year == today.components.year ? words : "\(words) \(year)"
    }

    /// Returns a full date, such as "Monday 30 March 2026".
    static func long(_ date: ServiceDate) -> String {
        let (year, month, day) = date.components
        return "\(weekday(date)) \(day) \(months[month - 1]) \(year)"
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}

/// Formats durations.
enum DurationText {
    /// Returns "40 seconds", "7 minutes", "1 hour 5 minutes" or "3 days", rounded down. `seconds` must not be negative.
    static func of(seconds: Int) -> String {
        let minutes = seconds / 60
        switch minutes {
        case 0: return CountText.of(seconds, "second")
        case 1..<60: return CountText.of(minutes, "minute")
        case 60..<(48 * 60):
            let rest = minutes % 60
            return CountText.of(minutes / 60, "hour") + (rest == 0 ? "" : " " + CountText.of(rest, "minute"))
        default: return CountText.of(minutes / (24 * 60), "day")
        }
    }

    /// Returns "40 s", "7 min", "1 h 5 min" or "3 days", rounded down. `seconds` must not be negative.
    static func short(seconds: Int) -> String {
        let minutes = seconds / 60
        switch minutes {
        case 0: return "\(seconds) s"
        case 1..<60: return "\(minutes) min"
        case 60..<(48 * 60): return "\(minutes / 60) h" + (minutes % 60 == 0 ? "" : " \(minutes % 60) min")
        default: return CountText.of(minutes / (24 * 60), "day")
        }
    }
}

/// Local date and time of a timestamp.
extension Timestamp {
    var date: ServiceDate {
        ServiceDate(daysSince1970: Int32(clamping: (localSeconds - (localSeconds < 0 ? 86_399 : 0)) / 86_400))
    }

    /// The time of day, such as "08:12".
    var clock: String {
        let second = Int(localSeconds - Int64(date.daysSince1970) * 86_400)
        return Self.padded(second / 3600) + ":" + Self.padded(second / 60 % 60)
    }

    private var localSeconds: Int64 { instant.secondsSince1970 + Int64(offset) }

    private static func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}

extension Timestamp {
    /// The time in RFC 3339 format, for scripts.
    var rfc3339: String { instant.rfc3339(offset: offset) }

    /// Returns "08:12", "tomorrow 08:12", "Saturday 08:12" or "24 December 08:12".
    func words(from now: Timestamp) -> String {
        let days = days(from: now)
        return days == 0 ? clock : DayName.words(date, days: days) + " " + clock
    }

    /// Returns the number of days from today to the date, where today is the local date at the timestamp's location.
    ///
    /// If the two offsets differ by at most an hour, both timestamps are assumed to be from the same location, before
    /// and after a daylight saving change. Otherwise, `now` is converted to the offset of the timestamp.
    func days(from now: Timestamp) -> Int {
        let isSamePlace = abs(offset - now.offset) <= 3600
        return (isSamePlace ? now : now.moved(to: offset)).date.days(to: date)
    }

    /// Returns the same instant with another UTC offset.
    func moved(to offset: Int) -> Timestamp { Timestamp(instant, offset: offset) }
}

extension Timestamp? {
    /// The time in RFC 3339 format, for scripts; empty for `nil`.
    var rfc3339: String { self?.rfc3339 ?? "" }
}
