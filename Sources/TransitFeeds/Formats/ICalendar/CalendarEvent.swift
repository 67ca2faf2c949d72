internal import TransitModel
internal import TransitWire

/// An entry of a calendar, `VEVENT` (RFC 5545 section 3.6.1): when it takes place.
struct CalendarEvent {
    /// How long the entry takes, from the start of each repetition.
    enum Length: Hashable {
        /// Until a local time: days after the date of the start, and seconds after midnight.
        ///
        /// Section 3.8.5.3 gives repetitions of an entry with `DTEND` the same number of hours. Calendar programs show,
        /// and people mean, the same local time, which differs only on the days of clock changes.
        case localEnd(days: Int, seconds: Int, zone: ServiceZone?)
        /// A number of seconds, for an entry that ends in another zone.
        case exact(Int)
        /// `DURATION`: local days, then seconds.
        case duration(CalendarDuration)
    }

    /// A repetition: its first and last instant or, without times of day, the first and last date.
    enum Instance: Hashable {
        case dates(ClosedRange<ServiceDate>)
        case times(Range<Instant>)
    }

    /// Identifies the entry with all its changes; `nil` if the file does not say.
    var uid: String?
    var start: CalendarTime
    var length: Length
    var rule: RecurrenceRule?
    /// Additional starts, with the lengths that they have.
    var added: [(start: CalendarTime, length: Length)] = []
    /// Starts that do not take place.
    var excluded: [CalendarTime] = []
    /// The start of the repetition that this entry replaces.
    var replaced: CalendarTime?
    var isCanceled = false
    var isTransparent = false

    /// The properties that are read. Others, such as titles, are not needed.
    static let properties: Set<String> = [
        "DTSTART", "DTEND", "DURATION", "RRULE", "EXRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "UID", "TRANSP",
        "STATUS",
        "TZID", "TZOFFSETFROM", "TZOFFSETTO",
    ]
    /// The maximum number of `RDATE` and of `EXDATE` in an entry.
    private static let maximumDates = 4000

    init(_ component: ICalendarComponent, _ zones: inout CalendarZones) throws(CalendarEntryProblem) {
        if let line = component.malformedLine {
            throw CalendarEntryProblem("Line \(line) is not a property: it has no colon after the name.")
        }
        for name in ["DTSTART", "DTEND", "DURATION", "RRULE", "RECURRENCE-ID"] {
            guard component.properties.count(where: { $0.name == name }) <= 1 else {
                throw CalendarEntryProblem("It has \(name) more than once.")
            }
        }
        uid = component.property("UID")?.value
        isCanceled = component.property("STATUS")?.word == "CANCELLED"
        isTransparent = component.property("TRANSP")?.word == "TRANSPARENT"
        guard let start = component.property("DTSTART") else { throw CalendarEntryProblem("It has no DTSTART.") }
        self.start = try Self.time(start, &zones)
        length = try Self.length(component, self.start, &zones)
        guard component.property("EXRULE") == nil else {
            throw CalendarEntryProblem("Its repetition uses EXRULE, which is not supported.")
        }
        if let text = component.property("RRULE")?.value.trimmed { rule = try RecurrenceRule(text) }
        for property in component.properties where property.name == "EXDATE" {
            excluded += try Self.times(property, &zones)
        }
        for property in component.properties where property.name == "RDATE" { try readAdded(property, &zones) }
        guard added.count <= Self.maximumDates, excluded.count <= Self.maximumDates else {
            throw CalendarEntryProblem("It has more than \(Self.maximumDates) single dates.")
        }
        if let property = component.property("RECURRENCE-ID") {
            replaced = try Self.time(property, &zones)
            guard property.parameters["RANGE"] == nil else {
                throw CalendarEntryProblem("It changes all later repetitions (RANGE), which is not supported.")
            }
        }
    }

    private static func zone(
        _ property: ICalendarProperty, _ zones: inout CalendarZones
    ) throws(CalendarEntryProblem) -> ServiceZone? {
        guard let name = property.parameters["TZID"] else { return nil }
        return try zones.zone(name)
    }

    private static func time(
        _ property: ICalendarProperty, _ zones: inout CalendarZones
    ) throws(CalendarEntryProblem) -> CalendarTime {
        let text = property.value.trimmed[...]
        // A date has no zone, although some programs name one.
        return try CalendarTime(text, zone: text.utf8.count == 8 ? nil : zone(property, &zones))
    }

    private static func times(
        _ property: ICalendarProperty, _ zones: inout CalendarZones
    ) throws(CalendarEntryProblem) -> [CalendarTime] {
        let zone = try zone(property, &zones)
        var times: [CalendarTime] = []
        for text in property.value.trimmed.split(separator: ",").prefix(maximumDates + 1) {
            times.append(try CalendarTime(text, zone: zone))
        }
        return times
    }

    private static func length(
        _ component: ICalendarComponent, _ start: CalendarTime, _ zones: inout CalendarZones
    ) throws(CalendarEntryProblem) -> Length {
        if let property = component.property("DURATION") {
            guard component.property("DTEND") == nil else {
                throw CalendarEntryProblem("It has both DTEND and DURATION.")
            }
            return .duration(try duration(property.value.trimmed, start))
        }
        guard let property = component.property("DTEND") else {
            return .duration(try CalendarDuration(start.isDate ? "P1D" : "PT0S"))
        }
        return try length(from: start, to: time(property, &zones))
    }

    private static func duration(_ text: String, _ start: CalendarTime) throws(CalendarEntryProblem) -> CalendarDuration
    {
        let duration = try CalendarDuration(text)
        guard !start.isDate || duration.seconds == 0 && duration.days > 0 else {
            throw CalendarEntryProblem("It begins on a date without a time, but its DURATION is not a number of days.")
        }
        return duration
    }

    private static func length(from start: CalendarTime, to end: CalendarTime) throws(CalendarEntryProblem) -> Length {
        guard start.isDate == end.isDate else {
            throw CalendarEntryProblem("Only one of DTSTART and DTEND has a time of day.")
        }
        let backwards = CalendarEntryProblem("It ends before it begins.")
        if start.isDate {
            guard start.date <= end.date else { throw backwards }
            // Some programs give a single day the same date twice, although DTEND is exclusive (section 3.6.1).
            return .localEnd(days: max(1, start.date.days(to: end.date)), seconds: 0, zone: nil)
        }
        if start.zone == end.zone {
            guard (start.date, start.seconds ?? 0) <= (end.date, end.seconds ?? 0) else { throw backwards }
            return .localEnd(days: start.date.days(to: end.date), seconds: end.seconds ?? 0, zone: start.zone)
        }
        guard let first = start.zone, let last = end.zone else {
            throw CalendarEntryProblem("Only one of DTSTART and DTEND has a time zone.")
        }
        let seconds = start.instant(in: first).seconds(to: end.instant(in: last))
        guard seconds >= 0 else { throw backwards }
        return .exact(seconds)
    }

    private mutating func readAdded(
        _ property: ICalendarProperty, _ zones: inout CalendarZones
    ) throws(CalendarEntryProblem) {
        let zone = try Self.zone(property, &zones)
        for text in property.value.trimmed.split(separator: ",").prefix(Self.maximumDates + 1) {
            // A period: a start, and an end or a duration (section 3.3.9).
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            let first = try CalendarTime(parts[0], zone: zone)
            guard first.isDate == start.isDate else {
                throw CalendarEntryProblem("It has an RDATE of another type than its DTSTART.")
            }
            guard parts.count == 2 else {
                added.append((first, length))
                continue
            }
            if let last = try? CalendarTime(parts[1], zone: zone) {
                added.append((first, try Self.length(from: first, to: last)))
            } else {
                added.append((first, .duration(try Self.duration(String(parts[1]), first))))
            }
        }
    }
}

extension ICalendarProperty {
    fileprivate var word: String { value.trimmed.uppercased() }
}

extension String {
    /// The text without white space at its ends.
    fileprivate var trimmed: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}

// MARK: - Repetitions

extension CalendarEvent {
    /// Returns the repetitions that may touch a range of dates, and whether any takes place before and after it.
    ///
    /// - Parameters:
    ///   - window: The dates in the person's zone.
    ///   - replaced: The starts of the repetitions that other entries replace.
    ///   - own: The zone of the person.
    func instances(
        in window: ClosedRange<ServiceDate>, replaced: [CalendarTime], own: ServiceZone,
        budget: inout RecurrenceBudget
    ) throws(CalendarEntryProblem) -> [Instance] {
        // An earlier repetition may last until the window. Two more days allow for the difference between zones.
        let dates =
            window.lowerBound.advanced(by: -min(lengthInDays, 4000) - 2)...window.upperBound.advanced(by: 2)
        var starts: [(start: CalendarTime, length: Length)] = []
        if let rule {
            let limit = try Until(rule, start, own)
            let found = try rule.dates(from: start.date, in: dates, budget: &budget) { date in
                limit.includes(CalendarTime(date: date, seconds: start.seconds, zone: start.zone))
            }
            starts = found.map { (CalendarTime(date: $0, seconds: start.seconds, zone: start.zone), length) }
        } else {
            // A long entry can begin long before the window.
            starts = [(start, length)]
        }
        starts += added
        try budget.spend(added.count + excluded.count + replaced.count)
        let omitted = Set((excluded + replaced).map { Key($0, own) })
        var known: Set<Key> = []
        return starts.filter { one in
            let key = Key(one.start, own)
            return !omitted.contains(key) && !omitted.contains(.date(one.start.date)) && known.insert(key).inserted
        }.map { instance($0.start, $0.length, own) }
    }

    /// The number of dates that a repetition touches, at most.
    private var lengthInDays: Int {
        switch length {
        case .localEnd(let days, _, _): days + 1
        case .exact(let seconds): seconds / 86_400 + 2
        case .duration(let duration): duration.days + duration.seconds / 86_400 + 2
        }
    }

    /// Identifies a repetition by its start. A date without a time stands for all repetitions of that date.
    private enum Key: Hashable {
        case date(ServiceDate)
        case time(Instant)

        init(_ time: CalendarTime, _ own: ServiceZone) {
            self = time.isDate ? .date(time.date) : .time(time.instant(in: own))
        }
    }

    private func instance(_ start: CalendarTime, _ length: Length, _ own: ServiceZone) -> Instance {
        let maximumDate = 3_000_000
        func later(_ days: Int) -> ServiceDate {
            start.date.advanced(by: min(days, maximumDate - min(maximumDate, abs(Int(start.date.daysSince1970)))))
        }
        if start.isDate {
            let days =
                switch length {
                case .localEnd(let days, _, _): days
                case .exact(let seconds): seconds / 86_400
                case .duration(let duration): duration.days
                }
            return .dates(start.date...later(max(1, days) - 1))
        }
        let first = start.instant(in: own)
        let last =
            switch length {
            case .localEnd(let days, let seconds, let zone):
                (zone ?? own).instant(date: later(days), secondsOfDay: seconds)
            case .exact(let seconds): first.advanced(by: seconds)
            case .duration(let duration):
                CalendarTime(date: later(duration.days), seconds: start.seconds, zone: start.zone).instant(in: own)
                    .advanced(by: duration.seconds)
            }
        return .times(first..<max(first, last))
    }

    /// The last date or instant of a rule (section 3.3.10).
    private enum Until {
        case never
        case date(ServiceDate)
        case instant(Instant, ServiceZone)

        init(_ rule: RecurrenceRule, _ start: CalendarTime, _ own: ServiceZone) throws(CalendarEntryProblem) {
            guard let text = rule.until else {
                self = .never
                return
            }
            let time = try CalendarTime(text, zone: start.zone)
            if time.isDate {
                self = .date(time.date)
            } else if start.isDate {
                // The end of a repeated date should be a date. Its date counts in the zone in which the person sees it.
                self = .date(own.civil(at: time.instant(in: own)).date)
            } else {
                self = .instant(time.instant(in: own), own)
            }
        }

        func includes(_ time: CalendarTime) -> Bool {
            switch self {
            case .never: true
            case .date(let last): time.date <= last
            case .instant(let last, let own): time.instant(in: own) <= last
            }
        }
    }
}
