internal import TransitModel
internal import TransitWire

/// Why an entry of a calendar is not used, as a sentence.
package struct CalendarEntryProblem: Error, Hashable, Sendable {
    package var sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}

/// A date, or a date and time, of a calendar (RFC 5545 sections 3.3.4 and 3.3.5).
struct CalendarTime: Hashable, Sendable {
    /// The local date.
    var date: ServiceDate
    /// The local time in seconds since midnight; `nil` for a date without a time.
    var seconds: Int?
    /// The zone of the local time; `nil` for a date, and for a time in the zone of the person who reads it.
    var zone: ServiceZone?

    var isDate: Bool { seconds == nil }

    /// Returns the first instant, for a date midnight.
    ///
    /// - Parameter own: The zone of the person.
    func instant(in own: ServiceZone) -> Instant {
        (zone ?? own).instant(date: date, secondsOfDay: seconds ?? 0)
    }

    /// Parses `20261224`, `20261224T180000` or `20261224T180000Z`.
    ///
    /// - Parameter zone: The zone of a time without `Z`.
    init(_ text: Substring, zone: ServiceZone?) throws(CalendarEntryProblem) {
        let problem = CalendarEntryProblem("\"\(text.prefix(40))\" is not a date such as 20261224.")
        let bytes = Array(text.utf8.prefix(20))
        guard bytes.count >= 8, let date = ServiceDate(gtfs: bytes[..<8]), date.components.year >= 1 else {
            throw problem
        }
        self.date = date
        if bytes.count == 8 { return }
        guard bytes[8] == 0x54, bytes.count == 15 || (bytes.count == 16 && bytes[15] == 0x5A),
            let number = Int(String(decoding: bytes[9..<15], as: UTF8.self)), bytes[9] != 0x2B, bytes[9] != 0x2D
        else { throw problem }
        let (hour, minute, second) = (number / 10_000, number / 100 % 100, number % 100)
        // A leap second counts as the one before it.
        guard hour < 24, minute < 60, second <= 60 else { throw problem }
        seconds = hour * 3600 + minute * 60 + min(59, second)
        self.zone = bytes.count == 16 ? .utc : zone
    }

    init(date: ServiceDate, seconds: Int?, zone: ServiceZone?) {
        self.date = date
        self.seconds = seconds
        self.zone = zone
    }
}

/// A duration (RFC 5545 section 3.3.6). Days are local dates, regardless of their number of hours.
struct CalendarDuration: Hashable, Sendable {
    var days = 0
    var seconds = 0

    /// The maximum number of days, and of seconds.
    private static let maximum = 1_000_000_000

    init() {}

    /// Parses a duration such as `P2D`, `PT90M`, `P1W` or `P1DT12H`.
    init(_ text: some StringProtocol) throws(CalendarEntryProblem) {
        let problem = CalendarEntryProblem("Its duration \"\(text.prefix(40))\" is not one such as P1D or PT2H.")
        var rest = text.uppercased()[...]
        if rest.first == "+" { rest.removeFirst() }
        guard rest.first == "P", rest.count <= 40 else { throw problem }
        rest.removeFirst()
        var (isTime, number, count) = (false, "", 0)
        for character in rest {
            if character == "T", !isTime, number.isEmpty {
                isTime = true
                continue
            }
            if character.isASCII, character.isNumber {
                number.append(character)
                continue
            }
            guard let value = Int(number), value <= Self.maximum else { throw problem }
            switch (character, isTime) {
            case ("W", false): days += value * 7
            case ("D", false): days += value
            case ("H", true): seconds += value * 3600
            case ("M", true): seconds += value * 60
            case ("S", true): seconds += value
            default: throw problem
            }
            (number, count) = ("", count + 1)
        }
        guard number.isEmpty, count > 0 else { throw problem }
    }
}
