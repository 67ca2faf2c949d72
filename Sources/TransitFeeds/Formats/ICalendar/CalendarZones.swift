internal import TransitModel
internal import TransitWire

/// The time zones that the times of a calendar name (RFC 5545 sections 3.2.19 and 3.6.5).
struct CalendarZones {
    /// Returns the zone with an IANA name.
    private let named: (String) -> ServiceZone?
    /// The `VTIMEZONE` components by their names.
    private var defined: [String: ICalendarComponent] = [:]
    private var known: [String: ServiceZone?] = [:]

    /// The maximum number of zones that one calendar can define.
    private static let maximumZones = 200

    init(_ calendars: [ICalendarComponent], named: @escaping (String) -> ServiceZone?) {
        self.named = named
        for component in calendars.flatMap(\.components) where component.name == "VTIMEZONE" {
            guard defined.count < Self.maximumZones else { break }
            if let name = component.property("TZID")?.value, defined[name] == nil { defined[name] = component }
        }
    }

    /// Returns the zone with a name: the IANA zone, otherwise the zone that the calendar defines, otherwise the zone with
    /// this name in Windows.
    mutating func zone(_ name: String) throws(CalendarEntryProblem) -> ServiceZone {
        let known = self.known[name] ?? find(name)
        if self.known.count < Self.maximumZones { self.known[name] = known }
        guard let zone = known else {
            throw CalendarEntryProblem("Its time zone \"\(name.prefix(60))\" is not known.")
        }
        return zone
    }

    private func find(_ name: String) -> ServiceZone? {
        if name == "UTC" || name == "Etc/UTC" || name == "GMT" { return .utc }
        if let zone = iana(name) { return zone }
        if let own = defined[name] { return Self.zone(own) }
        return Self.windowsZones[name].flatMap { named($0) }
    }

    /// Some programs put a prefix before the IANA name: `/freeassociation.sourceforge.net/Europe/Berlin`.
    private func iana(_ name: String) -> ServiceZone? {
        guard name.utf8.count <= 200 else { return nil }
        let parts = name.split(separator: "/")
        guard name.first == "/" else { return parts.count > 1 ? named(name) : nil }
        for count in [2, 3] where parts.count > count {
            if let zone = named(parts.suffix(count).joined(separator: "/")) { return zone }
        }
        return nil
    }

    /// Returns the current rules of a zone that a calendar defines; `nil` if they are not changes on a day of the week
    /// in a month of every year.
    private static func zone(_ component: ICalendarComponent) -> ServiceZone? {
        func latest(_ name: String) -> ICalendarComponent? {
            let all = component.components.filter { $0.name == name }
            return all.max { ($0.property("DTSTART")?.value ?? "") < ($1.property("DTSTART")?.value ?? "") }
        }
        guard let standard = latest("STANDARD") ?? latest("DAYLIGHT") else { return nil }
        guard let offset = offset(standard, "TZOFFSETTO") else { return nil }
        let name = component.property("TZID")?.value ?? ""
        let rule = "<STD>\(posix(-offset))"
        guard let daylight = latest("DAYLIGHT"), standard.name == "STANDARD" else {
            return ServiceZone(name: name, posixRule: rule)
        }
        guard let summer = self.offset(daylight, "TZOFFSETTO"), let start = change(daylight),
            let end = change(standard)
        else { return nil }
        return ServiceZone(name: name, posixRule: "\(rule)<DST>\(posix(-summer)),\(start),\(end)")
    }

    /// Returns a change as POSIX writes it: `M10.5.0/3` for the last Sunday in October at 03:00.
    private static func change(_ component: ICalendarComponent) -> String? {
        guard let text = component.property("RRULE")?.value, let rule = try? RecurrenceRule(text),
            let start = component.property("DTSTART").flatMap({ try? CalendarTime(Substring($0.value), zone: nil) }),
            rule.frequency == .yearly, rule.interval == 1, rule.until == nil, rule.count == nil,
            let month = rule.months.first, rule.months.count == 1, let day = rule.days.first, rule.days.count == 1
        else { return nil }
        let week: Int
        if let ordinal = day.ordinal, rule.monthDays.isEmpty {
            guard ordinal == -1 || (1...4).contains(ordinal) else { return nil }
            week = ordinal == -1 ? 5 : ordinal
        } else {
            // `BYMONTHDAY=8,9,10,11,12,13,14;BYDAY=SU` is the second Sunday.
            let sorted = rule.monthDays.sorted()
            guard day.ordinal == nil, sorted.count == 7, let first = sorted.first, sorted.last == first + 6,
                first % 7 == 1, first <= 22
            else { return nil }
            week = first / 7 + 1
        }
        let weekday = (Int(day.weekday.rawValue) + 1) % 7
        return "M\(month).\(week).\(weekday)/\(posix(start.seconds ?? 0))"
    }

    /// Returns an offset from UTC in seconds, from text such as `+0100`.
    private static func offset(_ component: ICalendarComponent, _ name: String) -> Int? {
        guard let text = component.property(name)?.value, let sign = text.first, sign == "+" || sign == "-",
            let number = Int(text.dropFirst()), number >= 0, [4, 6].contains(text.utf8.count - 1)
        else { return nil }
        let (hours, minutes, seconds) =
            text.utf8.count == 5
            ? (number / 100, number % 100, 0) : (number / 10_000, number / 100 % 100, number % 100)
        guard hours < 24, minutes < 60, seconds < 60 else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds)
    }

    /// Returns seconds as `[-]H:MM:SS`.
    private static func posix(_ seconds: Int) -> String {
        let text = ServiceTime(seconds: Int32(abs(seconds))).description
        return seconds < 0 ? "-\(text)" : text
    }

    /// The common names of Windows, from `windowsZones.xml` of the Unicode CLDR project.
    private static let windowsZones = [
        "AUS Eastern Standard Time": "Australia/Sydney", "Alaskan Standard Time": "America/Anchorage",
        "Arabian Standard Time": "Asia/Dubai", "Argentina Standard Time": "America/Buenos_Aires",
        "Atlantic Standard Time": "America/Halifax", "Canada Central Standard Time": "America/Regina",
        "Central Europe Standard Time": "Europe/Budapest", "Central European Standard Time": "Europe/Warsaw",
        "Central Standard Time": "America/Chicago", "China Standard Time": "Asia/Shanghai",
        "E. South America Standard Time": "America/Sao_Paulo", "Eastern Standard Time": "America/New_York",
        "FLE Standard Time": "Europe/Kiev", "GMT Standard Time": "Europe/London",
        "GTB Standard Time": "Europe/Bucharest", "Greenwich Standard Time": "Atlantic/Reykjavik",
        "Hawaiian Standard Time": "Pacific/Honolulu", "India Standard Time": "Asia/Calcutta",
        "Israel Standard Time": "Asia/Jerusalem", "Korea Standard Time": "Asia/Seoul",
        "Mountain Standard Time": "America/Denver", "New Zealand Standard Time": "Pacific/Auckland",
        "Pacific Standard Time": "America/Los_Angeles", "Romance Standard Time": "Europe/Paris",
        "Russian Standard Time": "Europe/Moscow", "SE Asia Standard Time": "Asia/Bangkok",
        "Singapore Standard Time": "Asia/Singapore", "South Africa Standard Time": "Africa/Johannesburg",
        "Tokyo Standard Time": "Asia/Tokyo", "Turkey Standard Time": "Europe/Istanbul",
        "US Mountain Standard Time": "America/Phoenix", "W. Europe Standard Time": "Europe/Berlin",
    ]
}
