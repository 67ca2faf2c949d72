internal import TransitControl
internal import TransitModel

extension Timestamp {
    /// RFC 3339, for scripts.
    var rfc3339: String { instant.rfc3339(offset: offset) }

    /// "08:12", "tomorrow 08:12", "Saturday 08:12", "24 December 08:12".
    func words(from now: Timestamp) -> String {
        let days = now.moved(to: offset).date.days(to: date)
        return days == 0 ? clock : DayName.words(date, days: days) + " " + clock
    }

    /// The same instant as clocks with another offset show it.
    func moved(to offset: Int) -> Timestamp { Timestamp(instant, offset: offset) }
}

extension Timestamp? {
    /// RFC 3339, for scripts; empty for nothing.
    var rfc3339: String { self?.rfc3339 ?? "" }
}
