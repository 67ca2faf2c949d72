internal import TransitModel

/// Writes the fields of a protobuf message (protobuf documentation, *Encoding*).
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    mutating func varint(_ number: UInt32, _ value: UInt64) {
        append(UInt64(ProtobufTag.varint(number)))
        append(value)
    }

    /// Writes an `int32` or `int64`, which takes ten bytes if it is negative.
    mutating func integer(_ number: UInt32, _ value: Int64) { varint(number, UInt64(bitPattern: value)) }

    mutating func float(_ number: UInt32, _ value: Float) {
        append(UInt64(ProtobufTag.fixed32(number)))
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func text(_ number: UInt32, _ value: String) {
        append(UInt64(ProtobufTag.bytes(number)))
        append(UInt64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    /// Writes an embedded message. The length precedes the message but is known only afterward. One byte is reserved
    /// for it, which is enough for most messages.
    mutating func message(_ number: UInt32, _ body: (inout ProtobufWriter) -> Void) {
        append(UInt64(ProtobufTag.bytes(number)))
        let place = bytes.count
        bytes.append(0)
        body(&self)
        var length = UInt64(bytes.count - place - 1)
        guard length >= 0x80 else {
            bytes[place] = UInt8(length)
            return
        }
        var prefix: [UInt8] = []
        while length >= 0x80 {
            prefix.append(UInt8(truncatingIfNeeded: length) | 0x80)
            length >>= 7
        }
        prefix.append(UInt8(length))
        bytes.replaceSubrange(place...place, with: prefix)
    }

    private mutating func append(_ value: UInt64) {
        var value = value
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(value))
    }
}

// MARK: - Optional values
extension ProtobufWriter {
    mutating func text(_ number: UInt32, _ value: String?) {
        if let value { text(number, value) }
    }

    mutating func identifier<Subject>(_ number: UInt32, _ value: Identifier<Subject>?) {
        if let value { text(number, value.rawValue) }
    }

    mutating func integer(_ number: UInt32, _ value: (some BinaryInteger)?) {
        if let value { integer(number, Int64(truncatingIfNeeded: value)) }
    }

    mutating func float(_ number: UInt32, _ value: Float?) {
        if let value { float(number, value) }
    }

    mutating func instant(_ number: UInt32, _ value: Instant?) {
        if let value { integer(number, value.secondsSince1970) }
    }

    /// Writes a date in the format `YYYYMMDD`.
    mutating func date(_ number: UInt32, _ value: ServiceDate?) {
        if let value { text(number, value.description.filter { $0 != "-" }) }
    }

    /// Writes the number of an enumeration value.
    mutating func value(_ number: UInt32, _ value: (some GTFSRealtimeEnum)?) {
        if let value { varint(number, UInt64(value.rawValue)) }
    }
}
