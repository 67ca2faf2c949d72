internal import TransitControl
internal import TransitModel

/// When something is, in words.
enum RelativeTime {
    /// "now", "in 1 minute", "in 1 hour 5 minutes"; "3 minutes ago" for the past.
    ///
    /// Rounded down, so that a person who believes it is never late: 119 seconds are "in 1 minute".
    static func words(seconds: Int) -> String {
        if seconds <= -60 { return DurationText.of(seconds: -seconds) + " ago" }
        return seconds < 60 ? "now" : "in " + DurationText.of(seconds: seconds)
    }

    /// A departure's moment as it is said before and after its source: "in 7 minutes" and "08:12".
    ///
    /// Within the day, and within twelve hours over midnight, the waiting time is said; later, the day.
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
