package import TransitModel

/// Dates on which a user does not commute.
package struct DaysOff: Hashable, Sendable {
    /// A text that does not list days off. The description gives the line and the remedy.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String
    }

    private var dates: Set<ServiceDate> = []
    /// The first day of each event that is repeated every year, and the number of its days.
    private var yearly: [Yearly] = []

    private struct Yearly: Hashable, Sendable {
        var first: ServiceDate
        var length: Int
        var until: ServiceDate?
        var interval: Int
    }

    package init() {}

    package var isEmpty: Bool { dates.isEmpty && yearly.isEmpty }

    package func contains(_ date: ServiceDate) -> Bool {
        if dates.contains(date) { return true }
        return yearly.contains { event in
            (0..<event.length).contains { offset in
                let start = date.advanced(by: -offset)
                let (first, day) = (event.first.components, start.components)
                return start >= event.first && day.month == first.month && day.day == first.day
                    && (day.year - first.year) % event.interval == 0 && start <= event.until ?? start
            }
        }
    }

    package mutating func formUnion(_ other: DaysOff) {
        dates.formUnion(other.dates)
        yearly += other.yearly.filter { !yearly.contains($0) }
    }

    /// Parses dates (`2026-12-24`) and ranges (`2026-12-24..2027-01-02`), separated by commas or white space.
    package init(list text: String) throws(Failure) {
        guard text.utf8.count <= Self.maximumListLength else {
            throw Failure(description: "The list is longer than \(Self.maximumListLength) bytes.")
        }
        for word in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            let ends = Self.ends(word)
            guard let first = ServiceDate(iso8601: ends.first), let last = ServiceDate(iso8601: ends.last) else {
                throw Failure(
                    description:
                        "\"\(word.prefix(40))\" is not a date such as 2026-12-24 or a range such as 2026-12-24..2027-01-02."
                )
            }
            try add(first, length: first.days(to: last) + 1, place: "\"\(word.prefix(40))\"")
        }
    }

    private static func ends(_ word: Substring) -> (first: String, last: String) {
        guard let separator = word.firstIndex(of: ".") else { return (String(word), String(word)) }
        return (String(word[..<separator]), String(word[separator...].drop { $0 == "." }))
    }

    private mutating func add(_ first: ServiceDate, length: Int, place: String) throws(Failure) {
        guard length >= 1 else { throw Failure(description: "\(place): the last day is before the first day.") }
        guard length <= 366 else { throw Failure(description: "\(place): more than 366 days.") }
        guard dates.count + length <= Self.maximumDates else {
            throw Failure(description: "\(place): more than \(Self.maximumDates) days off.")
        }
        for offset in 0..<length { dates.insert(first.advanced(by: offset)) }
    }

    private static let maximumListLength = 16_384
    private static let maximumDates = 4000
}

// MARK: - iCalendar

extension DaysOff {
    /// The maximum length of an iCalendar file in bytes.
    package static let maximumCalendarLength = 1 << 20
    private static let maximumEvents = 2000

    /// Parses the events of an iCalendar file (RFC 5545). Each event is off from the date of its `DTSTART` to the date
    /// of its `DTEND`, which is exclusive if it is a date or midnight (section 3.6.1). `RRULE:FREQ=YEARLY` without
    /// further parts than `INTERVAL`, `UNTIL`, `BYMONTH` and `BYMONTHDAY` repeats an event; of other rules, only the
    /// first event is used. Canceled events are left out.
    package init(calendar text: String) throws(Failure) {
        guard text.utf8.count <= Self.maximumCalendarLength else {
            throw Failure(description: "The calendar is larger than 1 MiB. Export only the events that are days off.")
        }
        let lines = Self.unfolded(text)
        guard lines.first?.text.uppercased() == "BEGIN:VCALENDAR" else {
            throw Failure(
                description:
                    "The file is not an iCalendar file: its first line is not BEGIN:VCALENDAR. Export the calendar as .ics."
            )
        }
        var event: CalendarEvent?
        var depth = 0
        var count = 0
        for line in lines {
            let upper = line.text.uppercased()
            if upper == "BEGIN:VEVENT" {
                guard event == nil else { throw Failure(description: "Line \(line.number): an event inside an event.") }
                event = CalendarEvent(line: line.number)
                depth = 0
            } else if upper == "END:VEVENT" {
                guard let ended = event else {
                    throw Failure(description: "Line \(line.number): END:VEVENT without BEGIN:VEVENT.")
                }
                count += 1
                guard count <= Self.maximumEvents else {
                    throw Failure(description: "Line \(line.number): more than \(Self.maximumEvents) events.")
                }
                try add(ended)
                event = nil
            } else if event != nil {
                // Alarms have properties of their own.
                if upper.hasPrefix("BEGIN:") { depth += 1 }
                if depth == 0 { try event?.read(line.text, line: line.number) }
                if upper.hasPrefix("END:") { depth -= 1 }
            }
        }
        if let event {
            throw Failure(description: "Line \(event.line): the event has no END:VEVENT. The file is incomplete.")
        }
        guard lines.last?.text.uppercased() == "END:VCALENDAR" else {
            throw Failure(description: "The file does not end with END:VCALENDAR. It is incomplete.")
        }
    }

    private mutating func add(_ event: CalendarEvent) throws(Failure) {
        guard let first = event.start else {
            throw Failure(description: "Line \(event.line): the event has no DTSTART.")
        }
        guard !event.isCanceled else { return }
        let last = event.end ?? first
        try add(first, length: first.days(to: last) + 1, place: "Line \(event.line)")
        if let interval = event.yearlyInterval {
            yearly.append(
                Yearly(first: first, length: first.days(to: last) + 1, until: event.until, interval: interval))
        }
    }

    private static func unfolded(_ text: String) -> [(text: String, number: Int)] {
        var lines: [(text: String, number: Int)] = []
        var number = 0
        // In Swift, CR LF is one character.
        for line in text.split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" || $0 == "\r" })
        {
            number += 1
            if let first = line.first, first == " " || first == "\t", !lines.isEmpty {
                lines[lines.count - 1].text += line.dropFirst()
            } else if !line.isEmpty {
                let plain = number == 1 && line.hasPrefix("\u{FEFF}") ? line.dropFirst() : line[...]
                lines.append((String(plain), number))
            }
        }
        return lines
    }
}

/// A VEVENT while it is read (RFC 5545 section 3.6.1).
private struct CalendarEvent {
    var line: Int
    var start: ServiceDate?
    /// The last day.
    var end: ServiceDate?
    var yearlyInterval: Int?
    var until: ServiceDate?
    var isCanceled = false

    init(line: Int) { self.line = line }

    mutating func read(_ text: String, line: Int) throws(DaysOff.Failure) {
        guard let colon = text.firstIndex(of: ":") else {
            throw DaysOff.Failure(description: "Line \(line): no colon after the name of the property.")
        }
        let value = text[text.index(after: colon)...]
        switch text[..<colon].prefix(while: { $0 != ";" }).uppercased() {
        case "DTSTART": start = try Self.date(value, line: line).date
        case "DTEND":
            let (date, isMidnight) = try Self.date(value, line: line)
            end = isMidnight && date > start ?? date.advanced(by: -1) ? date.advanced(by: -1) : date
        case "STATUS": isCanceled = value.uppercased() == "CANCELLED"
        case "RRULE": readRule(value)
        default: break
        }
    }

    private mutating func readRule(_ value: Substring) {
        var parts: [String: Substring] = [:]
        for part in value.split(separator: ";") {
            let sides = part.split(separator: "=", maxSplits: 1)
            if sides.count == 2 { parts[sides[0].uppercased()] = sides[1] }
        }
        let known: Set<String> = ["FREQ", "INTERVAL", "UNTIL", "BYMONTH", "BYMONTHDAY", "WKST"]
        guard parts["FREQ"]?.uppercased() == "YEARLY", known.isSuperset(of: parts.keys),
            let interval = Int(parts["INTERVAL"] ?? "1"), (1...100).contains(interval)
        else { return }
        yearlyInterval = interval
        until = parts["UNTIL"].flatMap { ServiceDate(gtfs: Array($0.utf8.prefix(8))) }
    }

    /// Parses a DATE or DATE-TIME (sections 3.3.4 and 3.3.5). The date of a DATE-TIME is used as it is written, in any
    /// zone.
    private static func date(_ text: Substring, line: Int) throws(DaysOff.Failure) -> (
        date: ServiceDate, isMidnight: Bool
    ) {
        let bytes = Array(text.utf8)
        guard bytes.count == 8 || (bytes.count >= 15 && bytes[8] == 0x54), let date = ServiceDate(gtfs: bytes[..<8])
        else {
            throw DaysOff.Failure(description: "Line \(line): \"\(text.prefix(40))\" is not a date such as 20261224.")
        }
        return (date, bytes.count == 8 || bytes[9..<15].allSatisfy { $0 == 0x30 })
    }
}
