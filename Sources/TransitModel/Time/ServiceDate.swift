/// A service date in the agency's time zone (GTFS reference, *service day*).
///
/// Stored as days since 1970-01-01 in the proleptic Gregorian calendar. A service date is not an instant:
/// ``ServiceZone`` determines when its service day starts.
public struct ServiceDate: Hashable, Comparable, Sendable {
    public var daysSince1970: Int32

    public init(daysSince1970: Int32) { self.daysSince1970 = daysSince1970 }

    /// Returns `nil` if the date does not exist. Years are 1...9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.length(ofMonth: month, year: year)
        else { return nil }
        // Days from civil: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        daysSince1970 = Int32(era * 146_097 + dayOfEra - 719_468)
    }

    /// Parses `YYYYMMDD` (GTFS reference, *Date*). Returns `nil` if the text is invalid.
    public init?(gtfs digits: some Collection<UInt8>) {
        guard digits.count == 8 else { return nil }
        var value = 0
        for digit in digits {
            guard digit >= 0x30, digit <= 0x39 else { return nil }
            value = value * 10 + Int(digit - 0x30)
        }
        self.init(year: value / 10_000, month: value / 100 % 100, day: value % 100)
    }

    /// Parses `YYYY-MM-DD`. Returns `nil` if the text is invalid.
    public init?(iso8601 text: String) {
        let parts = text.utf8.split(separator: 0x2D, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2 else { return nil }
        self.init(gtfs: parts.flatMap { Array($0) })
    }

    public var components: (year: Int, month: Int, day: Int) {
        let z = Int(daysSince1970) + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    public var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        let position = (Int(daysSince1970) + 3) % 7
        return Weekday(rawValue: UInt8(position < 0 ? position + 7 : position))!
    }

    public func advanced(by days: Int) -> ServiceDate {
        ServiceDate(daysSince1970: daysSince1970 + Int32(days))
    }

    /// Returns the number of days from this date to `other`, which is negative if `other` is earlier.
    public func days(to other: ServiceDate) -> Int { Int(other.daysSince1970) - Int(daysSince1970) }

    public static func < (left: Self, right: Self) -> Bool { left.daysSince1970 < right.daysSince1970 }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension ServiceDate: CustomStringConvertible {
    /// `YYYY-MM-DD`.
    public var description: String {
        let (year, month, day) = components
        guard (0...9999).contains(year) else {
            return DecimalText.padded(year, to: 4) + "-" + DecimalText.padded(month, to: 2) + "-"
                + DecimalText.padded(day, to: 2)
        }
        return String(unsafeUninitializedCapacity: 10) { text in
            guard let start = text.baseAddress else { return 0 }
            return put(at: start) - start
        }
    }

    /// Writes `YYYY-MM-DD` and returns the place after it. A year that does not have four digits is replaced by the
    /// nearest one that has.
    package func put(at place: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        let (anyYear, month, day) = components
        let year = min(max(anyYear, 0), 9999)
        DecimalText.put(year / 100, at: place)
        DecimalText.put(year % 100, at: place + 2)
        place[4] = UInt8(ascii: "-")
        DecimalText.put(month, at: place + 5)
        place[7] = UInt8(ascii: "-")
        DecimalText.put(day, at: place + 8)
        return place + 10
    }
}

public enum Weekday: UInt8, Hashable, Sendable, CaseIterable {
    case monday = 0
    case tuesday, wednesday, thursday, friday, saturday, sunday
}

/// Formats decimal numbers with leading zeros, which the standard library does not support.
package enum DecimalText {
    package static func padded(_ value: Int, to width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Writes the two digits of a number below 100.
    @inlinable
    package static func put(_ value: Int, at place: UnsafeMutablePointer<UInt8>) {
        place[0] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10)
        place[1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)
    }
}
