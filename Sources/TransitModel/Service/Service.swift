/// The dates on which a set of trips runs: the rows of calendar.txt and calendar_dates.txt with one `service_id`.
public struct Service: Hashable, Sendable {
    public var id: ServiceID
    /// Bit `n` is set if the service runs on `Weekday(rawValue: n)` between ``start`` and ``end``. 0 if the service has
    /// no row in calendar.txt.
    public var weekdays: UInt8
    /// Both ends are inclusive and have no meaning if ``weekdays`` is 0.
    public var start: ServiceDate
    public var end: ServiceDate
    /// `exception_type` 1, ascending and unique.
    public var added: [ServiceDate]
    /// `exception_type` 2, ascending and unique.
    public var removed: [ServiceDate]

    public init(
        id: ServiceID, weekdays: UInt8, start: ServiceDate, end: ServiceDate, added: [ServiceDate] = [],
        removed: [ServiceDate] = []
    ) {
        self.id = id
        self.weekdays = weekdays
        self.start = start
        self.end = end
        self.added = added
        self.removed = removed
    }

    /// Whether the service runs on a service date. An exception overrides the weekday (GTFS reference,
    /// calendar_dates.txt).
    public func runs(on date: ServiceDate) -> Bool {
        if Self.contains(added, date) { return true }
        guard weekdays & (1 << date.weekday.rawValue) != 0, date >= start, date <= end else { return false }
        return !Self.contains(removed, date)
    }

    /// The first and last service date, or `nil` if the service never runs. In the worst case, checks each day from
    /// ``start`` to ``end``.
    public var span: ClosedRange<ServiceDate>? {
        var low = added.first
        var high = added.last
        if weekdays != 0, start <= end {
            var day = start
            while day <= end, !runs(on: day) { day = day.advanced(by: 1) }
            if day <= end {
                low = min(low ?? day, day)
                var last = end
                while !runs(on: last) { last = last.advanced(by: -1) }
                high = max(high ?? last, last)
            }
        }
        guard let low, let high else { return nil }
        return low...high
    }

    private static func contains(_ dates: [ServiceDate], _ date: ServiceDate) -> Bool {
        var low = 0
        var high = dates.count
        while low < high {
            let middle = (low + high) / 2
            if dates[middle] == date { return true }
            if dates[middle] < date { low = middle + 1 } else { high = middle }
        }
        return false
    }
}
