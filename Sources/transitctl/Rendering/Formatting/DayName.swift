internal import TransitModel

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
