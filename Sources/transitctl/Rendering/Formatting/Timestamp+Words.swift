internal import TransitControl
internal import TransitModel

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
