public import TransitModel
public import TransitWire

/// An instant with the UTC offset for its display. On the wire it is an RFC 3339 timestamp such as
/// `2026-03-28T08:12:00-07:00`.
public struct Timestamp: Hashable, Sendable {
    public var instant: Instant
    /// The offset in seconds east of UTC: whole minutes, less than 24 hours. Times of trips use the agency's offset.
    public var offset: Int

    public init(_ instant: Instant, offset: Int = 0) {
        self.instant = instant
        self.offset = offset
    }
}

extension Timestamp: WireValue {
    public func write(to writer: inout JSONWriter) {
        let local = instant.secondsSince1970 + Int64(offset)
        let days = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
        let second = UInt64(local - days * 86_400)
        let date = ServiceDate(daysSince1970: Int32(clamping: days))
        writer.asciiString { writer in
            writer.append(date: date)
            writer.appendASCII(UInt8(ascii: "T"))
            writer.appendDigits(second / 3600, width: 2)
            writer.appendASCII(UInt8(ascii: ":"))
            writer.appendDigits(second / 60 % 60, width: 2)
            writer.appendASCII(UInt8(ascii: ":"))
            writer.appendDigits(second % 60, width: 2)
            writer.append(offset: offset)
        }
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let text = try String(reading: value, as: role)
        guard let timestamp = Timestamp(rfc3339: text) else {
            throw WireSchemaMismatch("must be a time such as 2026-03-28T08:12:00-07:00, not \"\(text.prefix(40))\"")
        }
        self = timestamp
    }

    /// Parses an RFC 3339 timestamp. Returns `nil` if the text is not one.
    public init?(rfc3339 text: String) {
        guard let instant = Instant(rfc3339: text) else { return nil }
        self.init(instant, offset: 0)
        let suffix = Array(text.utf8.suffix(6))
        guard suffix[3] == UInt8(ascii: ":"), suffix[0] == UInt8(ascii: "+") || suffix[0] == UInt8(ascii: "-") else {
            return
        }
        let digits = [suffix[1], suffix[2], suffix[4], suffix[5]].map { Int($0) - 0x30 }
        let minutes = (digits[0] * 10 + digits[1]) * 60 + digits[2] * 10 + digits[3]
        offset = (suffix[0] == UInt8(ascii: "-") ? -60 : 60) * minutes
    }

    public static func schema(in builder: inout SchemaBuilder) -> JSONObject {
        ["type": "string", "format": "date-time"]
    }
}

extension JSONWriter {
    /// Appends an offset such as `Z` or `+05:30`, without quotes.
    fileprivate mutating func append(offset: Int) {
        guard offset != 0 else { return appendASCII(UInt8(ascii: "Z")) }
        appendASCII(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        let minutes = offset.magnitude / 60
        appendDigits(UInt64(minutes / 60), width: 2)
        appendASCII(UInt8(ascii: ":"))
        appendDigits(UInt64(minutes % 60), width: 2)
    }
}
