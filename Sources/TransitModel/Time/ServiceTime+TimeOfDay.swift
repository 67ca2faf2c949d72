extension ServiceTime {
    /// The time that a clock shows, such as `02:40` for 26:40.
    public var timeOfDay: String {
        let minutes = Int(seconds) / 60 % 1440
        return DecimalText.padded(minutes / 60, to: 2) + ":" + DecimalText.padded(minutes % 60, to: 2)
    }

    /// The number of days after the service date: 1 for 26:40.
    public var daysAfterServiceDate: Int { Int(seconds) / 86_400 }

    /// Returns when a departure on some service days takes place, in words: `in the night from Friday to Saturday` for
    /// 26:40 on Fridays.
    ///
    /// - Parameters:
    ///   - days: The service days.
    ///   - date: The only service date; `nil` for all dates on these days.
    public func words(ofServiceDays days: Set<Weekday>, date: ServiceDate? = nil) -> String {
        let later = daysAfterServiceDate
        if later == 0 { return date.map { "on \($0)" } ?? Weekday.words(days) }
        // Until 06:00 is the night, as people call it.
        let isNight = seconds % 86_400 < 6 * 3600
        if let date {
            let last = date.advanced(by: later)
            return isNight ? "in the night from \(last.advanced(by: -1)) to \(last)" : "on \(last)"
        }
        if days.count == 1, let day = days.first {
            let last = (0..<later).reduce(day) { last, _ in last.next }
            return isNight ? "in the night from \(last.previous.name) to \(last.name)" : "on \(last.name)"
        }
        if later > 1 { return "\(later) days after \(Weekday.words(days))" }
        if !isNight { return "on the day after \(Weekday.words(days))" }
        return days.count == 7 ? "every night" : "in the nights after \(Weekday.words(days))"
    }
}

extension ServiceZone {
    /// The time that a clock in the zone shows, such as `08:05`.
    public func timeOfDay(at instant: Instant) -> String {
        ServiceTime(seconds: Int32(civil(at: instant).secondsOfDay)).timeOfDay
    }
}

extension Weekday {
    /// The English name, such as `Monday`.
    public var name: String {
        ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][Int(rawValue)]
    }

    /// The short form that commands accept, such as `mon`.
    public var shortName: String { String(name.lowercased().prefix(3)) }

    /// The following day of the week.
    public var next: Weekday { Weekday(rawValue: (rawValue + 1) % 7) ?? self }
    fileprivate var previous: Weekday { Weekday(rawValue: (rawValue + 6) % 7) ?? self }

    /// Returns days of the week in the forms that commands accept: `mon-fri`, `weekends`, `every day` or `mon wed`.
    public static func words(_ days: Set<Weekday>) -> String {
        switch days {
        case [.monday, .tuesday, .wednesday, .thursday, .friday]: "mon-fri"
        case [.saturday, .sunday]: "weekends"
        case _ where days.count == allCases.count: "every day"
        default: allCases.filter(days.contains).map(\.shortName).joined(separator: " ")
        }
    }
}
