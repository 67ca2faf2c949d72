internal import TransitControl
internal import TransitModel

/// Formats times relative to now.
enum RelativeTime {
    /// Returns "now", "in 1 minute", "in 1 hour 5 minutes" or "3 minutes ago".
    ///
    /// Times are rounded down so that riders are not late: 119 seconds are "in 1 minute".
    static func words(seconds: Int) -> String {
        if seconds <= -60 { return DurationText.of(seconds: -seconds) + " ago" }
        return seconds < 60 ? "now" : "in " + DurationText.of(seconds: seconds)
    }

    /// Returns the texts before and after the source of a departure time, such as "in 7 minutes" and "08:12".
    ///
    /// For departures today or within twelve hours, the first text is the waiting time. For later ones, it is the day.
    static func words(for moment: Timestamp, from now: Timestamp) -> (before: String, after: String) {
        let seconds = now.instant.seconds(to: moment.instant)
        let days = moment.days(from: now)
        switch days {
        case ...0:
            return (words(seconds: seconds), moment.clock)
        case 1 where seconds < 3600:
            return (words(seconds: seconds), moment.clock)
        case 1 where seconds < 12 * 3600:
            return (words(seconds: seconds), moment.clock + " tomorrow")
        case 1:
            return ("tomorrow", moment.clock)
        default:
            return ("on " + DayName.words(moment.date, days: days), moment.clock)
        }
    }
}
