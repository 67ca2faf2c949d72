internal import TransitFeeds
internal import TransitModel
internal import TransitWire

internal import struct TransitSimulation.SeededGenerator

/// Passes mutated iCalendar files to their reader.
///
/// Mutations replace values by those of other properties and by boundary values, repeat and remove lines, and damage bytes.
/// Each entry has an outcome, whose dates are ascending and wanted.
package struct CalendarFuzz: FuzzTarget {
    package static let name = "calendar"
    package static let defaultCount = 50_000

    private static let today = ServiceDate(daysSince1970: 20_780)
    private static let zone =
        ServiceZone(name: "Europe/Berlin", posixRule: "CET-1CEST,M3.5.0,M10.5.0/3") ?? .utc

    package init() {}

    package mutating func run(seed: UInt64) throws { try read(sample(seed: seed)) }

    /// The lengths of the windows of dates, in days.
    private static let windows = [0, 30, 730]

    /// Returns a file after a byte that selects the window of dates, and whether only busy time counts.
    package func sample(seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        var lines = (0..<random.number(1...6)).flatMap { _ in random.pick(Self.entries) }
        for _ in 0..<random.number(0...6) { Self.change(&lines, &random) }
        var text = Array((["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR"]).joined(separator: "\r\n").utf8)
        if random.once(in: 3) {
            for _ in 0..<random.number(1...4) {
                text[random.number(0...text.count - 1)] ^= 1 << UInt8(random.number(0...7))
            }
        }
        return [UInt8(random.number(0...2)) + (random.once(in: 4) ? 3 : 0)] + text
    }

    package func read(_ bytes: [UInt8]) throws {
        let selector = Int(bytes.first ?? 0)
        let window = Self.today...Self.today.advanced(by: Self.windows[selector % 3])
        // Rejecting an unreadable file with an error is not a failure.
        guard
            let days = try? CalendarDays(
                String(decoding: bytes.dropFirst(), as: UTF8.self), in: window, zone: Self.zone,
                busyOnly: selector >= 3,
                zones: { $0.hasPrefix("Europe/") ? Self.zone : nil })
        else { return }
        for outcome in days.entries {
            switch outcome {
            case .none(let reason): if reason.isEmpty { throw FuzzFailure("an entry is skipped without a reason") }
            case .dates(let dates):
                guard let first = dates.first, let last = dates.last, window.contains(first), window.contains(last),
                    zip(dates, dates.dropFirst()).allSatisfy({ $0 < $1 })
                else { throw FuzzFailure("the dates are not ascending dates in \(window): \(dates)") }
            }
        }
    }

    // MARK: Mutations

    private static func change(_ lines: inout [String], _ random: inout SeededGenerator) {
        let place = random.number(0...lines.count - 1)
        switch random.number(0...4) {
        case 0: lines.insert(lines[place], at: random.number(0...lines.count))
        case 1: if lines.count > 1 { lines.remove(at: place) }
        case 2: lines[place] = String(lines[place].prefix { $0 != ":" }) + ":" + random.pick(values)
        case 3: lines[place] += (random.once(in: 2) ? ";" : ",") + random.pick(parts)
        default:
            let cut = lines[place].index(lines[place].startIndex, offsetBy: random.number(0...lines[place].count))
            lines[place].insert(contentsOf: random.pick(["\r\n ", "\n\t", "\n", "\r", ":", "\""]), at: cut)
        }
    }

    private static let values = [
        "", "00010101", "99991231", "99991231T235959Z", "20261231T240000", "20270328T023000", "20261025T020000",
        "P999999999D", "PT999999999H", "-P1D", "P", "20261224/20261226", "20261224T000000/P1D", "FREQ=DAILY",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "FREQ=MONTHLY;BYDAY=5MO;BYSETPOS=-1", "FREQ=DAILY;COUNT=2147483647",
        "FREQ=WEEKLY;INTERVAL=2147483647", "THISANDFUTURE", "CANCELLED", "TRANSPARENT", "+2359", "VEVENT", "🙂",
    ]
    private static let parts = [
        "COUNT=5", "UNTIL=20270101", "UNTIL=20270101T000000Z", "INTERVAL=0", "INTERVAL=99999999999999999999", "WKST=SU",
        "BYDAY=-53SU", "BYDAY=MO,TU,WE", "BYMONTHDAY=-31", "BYMONTHDAY=0", "BYSETPOS=366", "20261225",
        "TZID=Europe/Paris:",
    ]
    private static let entries: [[String]] = [
        ["BEGIN:VEVENT", "UID:1", "DTSTART;VALUE=DATE:20261224", "DTEND;VALUE=DATE:20261227", "END:VEVENT"],
        [
            "BEGIN:VEVENT", "UID:2", "DTSTART;TZID=Europe/Berlin:20261001T000000", "DURATION:P1D",
            "RRULE:FREQ=WEEKLY;BYDAY=FR", "EXDATE;TZID=Europe/Berlin:20261127T000000", "END:VEVENT",
        ],
        [
            "BEGIN:VEVENT", "UID:2", "RECURRENCE-ID;TZID=Europe/Berlin:20261204T000000",
            "DTSTART;TZID=Europe/Berlin:20261207T000000", "DURATION:PT24H", "END:VEVENT",
        ],
        [
            "BEGIN:VEVENT", "UID:3", "DTSTART:20261230T230000Z", "DTEND:20261231T230000Z", "RDATE:20270101T230000Z",
            "TRANSP:TRANSPARENT", "BEGIN:VALARM", "TRIGGER:-PT15M", "DURATION:PT5M", "END:VALARM", "END:VEVENT",
        ],
        ["BEGIN:VEVENT", "UID:4", "DTSTART;VALUE=DATE:20000229", "RRULE:FREQ=YEARLY;COUNT=40", "END:VEVENT"],
        [
            "BEGIN:VTIMEZONE", "TZID:Own", "BEGIN:STANDARD", "DTSTART:16011028T030000", "TZOFFSETFROM:+0200",
            "TZOFFSETTO:+0100", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10", "END:STANDARD", "BEGIN:DAYLIGHT",
            "DTSTART:16010325T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200",
            "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3", "END:DAYLIGHT", "END:VTIMEZONE", "BEGIN:VEVENT", "UID:5",
            "DTSTART;TZID=Own:20270601T000000", "DURATION:P1D", "END:VEVENT",
        ],
    ]
}
