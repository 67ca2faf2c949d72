public import TransitModel

/// The kind of a service date for learned delays. Departures are compared only with those on days of the same kind.
public enum DayKind: UInt8, Hashable, Sendable, CaseIterable {
    /// Monday to Friday.
    case weekday = 0
    case saturday
    case sunday
    /// A date on which the service runs although it does not run regularly on that day of the week, such as a holiday
    /// with Sunday service.
    case exception

    /// The kind of a day of the week.
    public init(_ weekday: Weekday) {
        switch weekday {
        case .saturday: self = .saturday
        case .sunday: self = .sunday
        default: self = .weekday
        }
    }
}

extension Service {
    /// Returns the kind of day that a service date is for the trips of this service.
    ///
    /// A service of calendar.txt runs on an exception date if only calendar_dates.txt adds the date. A service that
    /// calendar_dates.txt lists date by date runs regularly on a kind of day if the list has at least a fifth of the days
    /// of that kind between its first and last date.
    func dayKind(on date: ServiceDate) -> DayKind {
        let kind = DayKind(date.weekday)
        if weekdays != 0 {
            return weekdays & (1 << date.weekday.rawValue) != 0 ? kind : .exception
        }
        guard let first = added.first, let last = added.last else { return kind }
        let weeks = first.days(to: last) / 7 + 1
        // The list often has hundreds of dates, of which the first suffice.
        var missing = kind == .weekday ? weeks : (weeks + 4) / 5
        for date in added where DayKind(date.weekday) == kind {
            missing -= 1
            if missing == 0 { return kind }
        }
        return .exception
    }
}

extension Service {
    /// The kinds of days on which the service runs.
    var dayKinds: Set<DayKind> {
        let regular = (0..<7).filter { weekdays & (1 << $0) != 0 }.compactMap {
            Weekday(rawValue: $0).map { DayKind($0) }
        }
        return Set(regular).union(added.lazy.map { dayKind(on: $0) })
    }
}

extension Pattern {
    /// Returns the kind of day that a service date is for one of the pattern's trips, given by its row.
    func dayKind(ofRow row: Int, on date: ServiceDate, _ services: [Service]) -> DayKind {
        let service = service(row).position
        return services.indices.contains(service) ? services[service].dayKind(on: date) : DayKind(date.weekday)
    }
}
