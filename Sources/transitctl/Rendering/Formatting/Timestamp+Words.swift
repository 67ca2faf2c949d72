internal import TransitControl
internal import TransitModel

extension Timestamp {
    /// RFC 3339, for scripts.
    var rfc3339: String { instant.rfc3339(offset: offset) }

    /// "08:12", "tomorrow 08:12", "Saturday 08:12", "24 December 08:12".
    func words(from now: Timestamp) -> String {
        let days = days(from: now)
        return days == 0 ? clock : DayName.words(date, days: days) + " " + clock
    }

    /// How many days after today the date is, today being that of the clocks at this timestamp's place.
    ///
    /// When the two offsets differ by no more than clocks are ever changed, both are of one place, before and after a
    /// change; otherwise `now` was told for another place.
    func days(from now: Timestamp) -> Int {
        let isSamePlace = abs(offset - now.offset) <= 3600
        return (isSamePlace ? now : now.moved(to: offset)).date.days(to: date)
    }

    /// The same instant as clocks with another offset show it.
    func moved(to offset: Int) -> Timestamp { Timestamp(instant, offset: offset) }
}

extension Timestamp? {
    /// RFC 3339, for scripts; empty for nothing.
    var rfc3339: String { self?.rfc3339 ?? "" }
}
