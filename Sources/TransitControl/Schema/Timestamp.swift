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
        let second = Int(local - days * 86_400)
        let date = ServiceDate(daysSince1970: Int32(clamping: days))
        writer.asciiString(upTo: 25) { place in
            let time = date.put(at: place)
            time[0] = UInt8(ascii: "T")
            DecimalText.put(second / 3600, at: time + 1)
            time[3] = UInt8(ascii: ":")
            DecimalText.put(second / 60 % 60, at: time + 4)
            time[6] = UInt8(ascii: ":")
            DecimalText.put(second % 60, at: time + 7)
            return putOffset(at: time + 9)
        }
    }

    /// Writes the offset, such as `Z` or `+05:30`, and returns the place after it.
    private func putOffset(at place: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        guard offset != 0 else {
            place[0] = UInt8(ascii: "Z")
            return place + 1
        }
        let minutes = Int(offset.magnitude / 60)
        place[0] = offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")
        DecimalText.put(minutes / 60, at: place + 1)
        place[3] = UInt8(ascii: ":")
        DecimalText.put(minutes % 60, at: place + 4)
        return place + 6
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
