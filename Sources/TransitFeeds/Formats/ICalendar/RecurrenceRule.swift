package import TransitModel

/// A rule by which an entry of a calendar is repeated (RFC 5545 section 3.3.10): `FREQ` from `DAILY` to `YEARLY`, with
/// `COUNT`, `UNTIL`, `INTERVAL`, `BYDAY`, `BYMONTHDAY`, `BYMONTH`, `BYSETPOS` and `WKST`.
///
/// Rules with other parts are refused, because without them the entry would be on other dates.
package struct RecurrenceRule: Hashable, Sendable {
    package enum Frequency: String, Hashable, Sendable {
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    /// A day of the week, with its number in the month or year: 2 for the second one, -1 for the last one, `nil` for all.
    struct Day: Hashable, Sendable {
        var weekday: Weekday
        var ordinal: Int?
    }

    var frequency: Frequency
    /// 1 or more.
    var interval = 1
    /// The number of repetitions, of which the first date of the entry is one.
    var count: Int?
    /// The text of `UNTIL`, the last date or time.
    var until: Substring?
    var days: [Day] = []
    /// Days of the month, negative from its end: -1 is the last one.
    var monthDays: Set<Int> = []
    var months: Set<Int> = []
    /// The positions within the dates of a period that are used, negative from its end.
    var positions: Set<Int> = []
    var weekStart = Weekday.monday

    private static let weekdays: [String: Weekday] = [
        "MO": .monday, "TU": .tuesday, "WE": .wednesday, "TH": .thursday, "FR": .friday, "SA": .saturday, "SU": .sunday,
    ]
    private static let maximumInterval = 1_000_000

    /// - Parameter text: The value of `RRULE`.
    package init(_ text: String) throws(CalendarEntryProblem) {
        var parts: [String: Substring] = [:]
        for part in text.split(separator: ";").prefix(32) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = sides[0].uppercased()
            guard sides.count == 2, !sides[1].isEmpty, parts[name] == nil else {
                throw CalendarEntryProblem("Its repetition rule has a part \"\(part.prefix(40))\" that is not valid.")
            }
            parts[name] = sides[1]
        }
        guard let name = parts.removeValue(forKey: "FREQ") else {
            throw CalendarEntryProblem("Its repetition rule has no FREQ.")
        }
        guard let frequency = Frequency(rawValue: name.uppercased()) else {
            throw CalendarEntryProblem("Its repetition \"FREQ=\(name.prefix(40))\" is not supported.")
        }
        self.frequency = frequency
        for (name, value) in parts.sorted(by: { $0.key < $1.key }) { try read(name, value) }
        guard count == nil || until == nil else {
            throw CalendarEntryProblem("Its repetition rule has both COUNT and UNTIL.")
        }
        try check()
    }

    private mutating func read(_ name: String, _ value: Substring) throws(CalendarEntryProblem) {
        switch name {
        case "INTERVAL": interval = try Self.number(name, value, 1...Self.maximumInterval)
        case "COUNT": count = try Self.number(name, value, 1...Int(Int32.max))
        case "UNTIL": until = value
        case "BYMONTHDAY": monthDays = try Self.numbers(name, value, 31, isSigned: true)
        case "BYMONTH": months = try Self.numbers(name, value, 12, isSigned: false)
        case "BYSETPOS": positions = try Self.numbers(name, value, 366, isSigned: true)
        case "WKST":
            guard let day = Self.weekdays[value.uppercased()] else { throw Self.invalid(name, value) }
            weekStart = day
        case "BYDAY":
            for part in value.split(separator: ",").prefix(400) {
                guard let weekday = Self.weekdays[part.suffix(2).uppercased()] else { throw Self.invalid(name, part) }
                let number = part.dropLast(2)
                guard number.isEmpty || Int(number).map({ $0 != 0 && abs($0) <= 53 }) ?? false else {
                    throw Self.invalid(name, part)
                }
                days.append(Day(weekday: weekday, ordinal: Int(number)))
            }
            if days.isEmpty { throw Self.invalid(name, value) }
        default: throw CalendarEntryProblem("Its repetition uses \(name.prefix(40)), which is not supported.")
        }
    }

    private func check() throws(CalendarEntryProblem) {
        if !positions.isEmpty, days.isEmpty, monthDays.isEmpty, months.isEmpty {
            throw CalendarEntryProblem("Its repetition rule has BYSETPOS without another BY part.")
        }
        if frequency == .weekly, !monthDays.isEmpty {
            throw CalendarEntryProblem("Its repetition rule has BYMONTHDAY in a weekly rule.")
        }
        if frequency == .weekly || frequency == .daily, days.contains(where: { $0.ordinal != nil }) {
            throw CalendarEntryProblem(
                "Its repetition rule has a numbered BYDAY in a rule that is not monthly or yearly.")
        }
    }

    private static func invalid(_ name: String, _ value: Substring) -> CalendarEntryProblem {
        CalendarEntryProblem("Its repetition rule has \(name)=\(value.prefix(40)), which is not valid.")
    }

    private static func number(
        _ name: String, _ value: Substring, _ range: ClosedRange<Int>
    ) throws(CalendarEntryProblem) -> Int {
        // Larger numbers are valid, but make no difference.
        if let number = Int(value), number >= range.lowerBound { return min(number, range.upperBound) }
        guard !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), Int(value) == nil else {
            throw invalid(name, value)
        }
        return range.upperBound
    }

    private static func numbers(
        _ name: String, _ value: Substring, _ maximum: Int, isSigned: Bool
    ) throws(CalendarEntryProblem) -> Set<Int> {
        var numbers: Set<Int> = []
        for part in value.split(separator: ",", omittingEmptySubsequences: false).prefix(1000) {
            guard let number = Int(part), number != 0, abs(number) <= maximum, isSigned || number > 0 else {
                throw invalid(name, part)
            }
            numbers.insert(number)
        }
        return numbers
    }
}

// MARK: - Dates

/// The remaining work of a calendar: the number of dates that may still be examined.
package struct RecurrenceBudget: Sendable {
    package var dates: Int

    /// - Throws: When less work is left. Entries that need no more can still be used.
    mutating func spend(_ count: Int) throws(CalendarEntryProblem) {
        guard count <= dates else {
            throw CalendarEntryProblem("The repetitions of this calendar are too many to count.")
        }
        dates -= count
    }
}

extension RecurrenceRule {
    /// Returns the dates of an entry from its first date on, ascending and without duplicates.
    ///
    /// The first date is one of them even if the rule does not yield it (RFC 5545 section 3.8.5.3, where `DTSTART` counts
    /// as the first one).
    ///
    /// - Parameters:
    ///   - first: The first date of the entry.
    ///   - window: The dates to return.
    ///   - isIncluded: Whether a date is not after `UNTIL`. Dates after the first one for which it is false are not
    ///     examined.
    /// - Throws: When the budget is used up.
    package func dates(
        from first: ServiceDate, in window: ClosedRange<ServiceDate>, budget: inout RecurrenceBudget,
        isIncluded: (ServiceDate) -> Bool = { _ in true }
    ) throws(CalendarEntryProblem) -> [ServiceDate] {
        var dates = window.contains(first) && isIncluded(first) ? [first] : []
        var found = 1
        var number = count == nil ? firstPeriod(from: first, reaching: window.lowerBound) : 0
        while count.map({ found < $0 }) ?? true, let period = period(number, from: first),
            period.lowerBound <= window.upperBound
        {
            try budget.spend(period.count)
            for date in select(candidates(in: period, from: first)) where date > first {
                guard date <= window.upperBound, isIncluded(date), count.map({ found < $0 }) ?? true else {
                    return dates
                }
                found += 1
                if date >= window.lowerBound { dates.append(date) }
            }
            number += 1
        }
        return dates
    }

    /// Returns the number of the last period that begins before a date, so that earlier ones need not be examined.
    private func firstPeriod(from first: ServiceDate, reaching date: ServiceDate) -> Int {
        guard date > first else { return 0 }
        let (start, end) = (first.components, date.components)
        let periods =
            switch frequency {
            case .daily: first.days(to: date)
            case .weekly: first.days(to: date) / 7
            case .monthly: (end.year - start.year) * 12 + end.month - start.month
            case .yearly: end.year - start.year
            }
        return max(0, periods / interval - 1)
    }

    /// Returns the dates of a period of the rule; `nil` after the year 9999.
    private func period(_ number: Int, from first: ServiceDate) -> ClosedRange<ServiceDate>? {
        let (year, month, _) = first.components
        let offset = number * interval
        switch frequency {
        case .daily:
            guard offset < 4_000_000 else { return nil }
            let date = first.advanced(by: offset)
            return date...date
        case .weekly:
            guard offset < 600_000 else { return nil }
            let day = (Int(first.weekday.rawValue) - Int(weekStart.rawValue) + 7) % 7
            let start = first.advanced(by: offset * 7 - day)
            return start...start.advanced(by: 6)
        case .monthly:
            let months = year * 12 + month - 1 + offset
            return Self.month(year: months / 12, months % 12 + 1)
        case .yearly:
            // A single month is enough for most rules.
            if let only = onlyMonth(of: first) { return Self.month(year: year + offset, only) }
            guard year + offset <= 9998, let start = ServiceDate(year: year + offset, month: 1, day: 1),
                let next = ServiceDate(year: year + offset + 1, month: 1, day: 1)
            else { return nil }
            return start...next.advanced(by: -1)
        }
    }

    /// The month to which a yearly rule is limited; `nil` if it has several.
    private func onlyMonth(of first: ServiceDate) -> Int? {
        if months.count == 1 { return months.first }
        return months.isEmpty && days.isEmpty && monthDays.isEmpty ? first.components.month : nil
    }

    private static func month(year: Int, _ month: Int) -> ClosedRange<ServiceDate>? {
        guard year <= 9998, let start = ServiceDate(year: year, month: month, day: 1),
            let next = ServiceDate(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
        else { return nil }
        return start...next.advanced(by: -1)
    }

    /// Returns the dates of a period that the `BY` parts allow (the table in section 3.3.10).
    private func candidates(in period: ClosedRange<ServiceDate>, from first: ServiceDate) -> [ServiceDate] {
        let start = first.components
        let hasNoDay = days.isEmpty && monthDays.isEmpty
        return (0..<period.count).map { period.lowerBound.advanced(by: $0) }.filter { date in
            let (year, month, day) = date.components
            if !months.isEmpty, !months.contains(month) { return false }
            if hasNoDay {
                switch frequency {
                case .daily: return true
                case .weekly: return date.weekday == first.weekday
                case .monthly: return day == start.day
                case .yearly: return day == start.day && (!months.isEmpty || month == start.month)
                }
            }
            if !monthDays.isEmpty {
                let length = Self.month(year: year, month)?.count ?? 31
                guard monthDays.contains(day) || monthDays.contains(day - length - 1) else { return false }
            }
            return days.isEmpty || days.contains { matches($0, date) }
        }
    }

    /// Whether a date is a day of the week with its number. The number counts within the month in a monthly rule and in
    /// a yearly rule with `BYMONTH`, otherwise within the year.
    private func matches(_ day: Day, _ date: ServiceDate) -> Bool {
        guard date.weekday == day.weekday else { return false }
        guard let ordinal = day.ordinal else { return true }
        let (year, month, _) = date.components
        let isInMonth = frequency == .monthly || !months.isEmpty
        guard let first = ServiceDate(year: year, month: isInMonth ? month : 1, day: 1),
            let last = isInMonth
                ? Self.month(year: year, month)?.upperBound : ServiceDate(year: year, month: 12, day: 31)
        else { return false }
        return ordinal > 0 ? first.days(to: date) / 7 + 1 == ordinal : -(date.days(to: last) / 7 + 1) == ordinal
    }

    /// Applies `BYSETPOS`.
    private func select(_ dates: [ServiceDate]) -> [ServiceDate] {
        guard !positions.isEmpty else { return dates }
        return dates.enumerated().filter { position, _ in
            positions.contains(position + 1) || positions.contains(position - dates.count)
        }.map(\.element)
    }
}

extension ClosedRange<ServiceDate> {
    /// The number of dates.
    var count: Int { lowerBound.days(to: upperBound) + 1 }
}
