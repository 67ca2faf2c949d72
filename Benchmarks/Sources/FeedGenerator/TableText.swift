/// Writes a CSV table.
struct TableText {
    private(set) var bytes: [UInt8] = []

    init(header: String) { line(header) }

    mutating func line(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        bytes.append(0x0A)
    }

    mutating func append(_ text: [UInt8]) { bytes.append(contentsOf: text) }
    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    /// A time as `HH:MM:SS`.
    mutating func append(time seconds: Int) {
        two(seconds / 3600)
        bytes.append(0x3A)
        two(seconds / 60 % 60)
        bytes.append(0x3A)
        two(seconds % 60)
    }

    private mutating func two(_ value: Int) {
        bytes.append(0x30 + UInt8(value / 10))
        bytes.append(0x30 + UInt8(value % 10))
    }
}

/// Formats decimal numbers without Foundation.
enum Decimals {
    /// Returns a fixed-point number as text: `text(-1234567, 6)` is `-1.234567`.
    static func text(_ value: Int, _ places: Int) -> String {
        let digits = String(value.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return (value < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
    }

    static func padded(_ value: Int, to width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Returns a CSV field, quoted if necessary.
    static func field(_ text: String) -> String { text.utf8.contains(0x2C) ? "\"\(text)\"" : text }
}
