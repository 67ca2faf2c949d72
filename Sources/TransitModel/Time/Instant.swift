/// A point in time: whole seconds since 1970-01-01T00:00:00Z.
public struct Instant: Hashable, Comparable, Sendable {
    public var secondsSince1970: Int64

    public init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

    public func advanced(by seconds: Int) -> Instant { Instant(secondsSince1970: secondsSince1970 + Int64(seconds)) }
    /// Returns the number of seconds from this instant to `other`, which is negative if `other` is earlier.
    public func seconds(to other: Instant) -> Int { Int(other.secondsSince1970 - secondsSince1970) }

    public static func < (left: Self, right: Self) -> Bool { left.secondsSince1970 < right.secondsSince1970 }
}

extension Instant {
    /// Formats the instant in RFC 3339 with the given offset from UTC in seconds, for example
    /// `2026-03-28T08:12:00-07:00`, or `…Z` for offset 0.
    public func rfc3339(offset: Int = 0) -> String {
        let local = secondsSince1970 + Int64(offset)
        let days = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
        let second = Int(local - days * 86_400)
        let date = ServiceDate(daysSince1970: Int32(clamping: days))
        let time = ServiceTime(seconds: Int32(second))
        return "\(date)T\(time)" + Self.suffix(offset: offset)
    }

    /// Parses RFC 3339: a date, `T` or a space, a time with an optional fraction, which is dropped, and `Z` or an
    /// offset. Returns `nil` if the text is invalid.
    public init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[10] == 0x54 || bytes[10] == 0x74 || bytes[10] == 0x20,
            bytes[4] == 0x2D, bytes[7] == 0x2D,
            let date = ServiceDate(gtfs: Array(bytes[0..<4] + bytes[5..<7] + bytes[8..<10])),
            let time = bytes[11..<19].withContiguousStorageIfAvailable({ ServiceTime(gtfs: $0) }) ?? nil,
            time.seconds < 86_400
        else { return nil }
        var position = 19
        if bytes[position] == 0x2E {
            position += 1
            let digits = bytes[position...].prefix { $0 >= 0x30 && $0 <= 0x39 }
            guard !digits.isEmpty else { return nil }
            position = digits.endIndex
        }
        guard position < bytes.count, let offset = Self.offset(suffix: bytes[position...]) else { return nil }
        self.init(secondsSince1970: Int64(date.daysSince1970) * 86_400 + Int64(time.seconds) - Int64(offset))
    }

    private static func suffix(offset: Int) -> String {
        guard offset != 0 else { return "Z" }
        let minutes = abs(offset) / 60
        return (offset < 0 ? "-" : "+") + DecimalText.padded(minutes / 60, to: 2) + ":"
            + DecimalText.padded(minutes % 60, to: 2)
    }

    private static func offset(suffix: ArraySlice<UInt8>) -> Int? {
        let bytes = Array(suffix)
        if bytes == [0x5A] || bytes == [0x7A] { return 0 }
        guard bytes.count == 6, bytes[0] == 0x2B || bytes[0] == 0x2D, bytes[3] == 0x3A else { return nil }
        let digits = [bytes[1], bytes[2], bytes[4], bytes[5]].map { Int($0) - 0x30 }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let (hours, minutes) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        guard hours <= 23, minutes <= 59 else { return nil }
        return (bytes[0] == 0x2D ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}

/// The source of the current time. The daemon creates a single clock at its composition root. Tests use a manual clock,
/// and `--replay-clock` starts a clock at another instant. Pure code takes an ``Instant`` instead.
public protocol WallClock: Sendable {
    func now() -> Instant
}
