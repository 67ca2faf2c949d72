/// A GTFS time: seconds since noon minus twelve hours of a service date (GTFS reference, *Time*).
///
/// It may exceed 24:00:00, and even 48:00:00, on trips that started on an earlier date.
public struct ServiceTime: Hashable, Comparable, Sendable {
    /// 0 or more; at most ``maximum``.
    public var seconds: Int32

    public init(seconds: Int32) { self.seconds = seconds }

    /// The maximum accepted time, 30 days. A larger value is an error in the feed and would make every query consider
    /// that many service dates.
    public static let maximum: Int32 = 30 * 24 * 3600

    /// Parses `H:MM:SS`, `HH:MM:SS` or `HHH:MM:SS`, with minutes and seconds up to 59. Returns `nil` if the text is
    /// invalid.
    @inlinable
    public init?(gtfs text: UnsafeBufferPointer<UInt8>) {
        let count = text.count
        guard count >= 7, count <= 9, text[count - 3] == 0x3A, text[count - 6] == 0x3A else { return nil }
        var hours: Int32 = 0
        for position in 0..<(count - 6) {
            let digit = text[position] &- 0x30
            guard digit <= 9 else { return nil }
            hours = hours &* 10 &+ Int32(digit)
        }
        let digits = (
            text[count - 5] &- 0x30, text[count - 4] &- 0x30, text[count - 2] &- 0x30, text[count - 1] &- 0x30
        )
        guard digits.0 <= 5, digits.1 <= 9, digits.2 <= 5, digits.3 <= 9 else { return nil }
        let minutes = Int32(digits.0) &* 10 &+ Int32(digits.1)
        seconds = hours &* 3600 &+ minutes &* 60 &+ Int32(digits.2) &* 10 &+ Int32(digits.3)
        guard seconds <= Self.maximum else { return nil }
    }

    public static func < (left: Self, right: Self) -> Bool { left.seconds < right.seconds }
}

extension ServiceTime: CustomStringConvertible {
    /// `HH:MM:SS`.
    public var description: String {
        let total = Int(seconds)
        return DecimalText.padded(total / 3600, to: 2) + ":" + DecimalText.padded(total / 60 % 60, to: 2) + ":"
            + DecimalText.padded(total % 60, to: 2)
    }
}
