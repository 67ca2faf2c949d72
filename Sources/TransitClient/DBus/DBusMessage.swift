/// A D-Bus message (D-Bus Specification, "Message Format").
package struct DBusMessage: Hashable {
    package enum Kind: UInt8 {
        case call = 1
        case reply = 2
        case error = 3
        case signal = 4
    }

    package var kind: Kind
    /// The sender's serial number of the message; never 0.
    package var serial: UInt32
    package var path: String?
    package var interface: String?
    package var member: String?
    package var errorName: String?
    /// The serial number of the call that this message replies to.
    package var replySerial: UInt32?
    package var destination: String?
    package var body: [DBusValue] = []

    /// The codes of the header fields.
    package enum Field: UInt8 {
        case path = 1
        case interface = 2
        case member = 3
        case errorName = 4
        case replySerial = 5
        case destination = 6
        case signature = 8
    }

    /// The maximum length of a received message in bytes. The protocol allows 128 MiB.
    package static let maximumLength = 1 << 20
    /// The length of the fixed part of the header, including the length of the header fields, in bytes.
    package static let prefix = 16

    /// The encoded message, in little-endian byte order.
    package var bytes: [UInt8] {
        var content = DBusWriter()
        for value in body { content.write(value) }
        var writer = DBusWriter()
        writer.bytes = [UInt8(ascii: "l"), kind.rawValue, 0, 1]
        writer.write(UInt32(clamping: content.bytes.count))
        writer.write(serial)
        writer.writeFields(of: self)
        writer.align(to: 8)
        return writer.bytes + content.bytes
    }

    /// The header fields except the signature.
    package var fields: [(Field, DBusValue)] {
        let optionalFields: [(Field, DBusValue?)] = [
            (.path, path.map { .objectPath($0) }), (.interface, interface.map { .string($0) }),
            (.member, member.map { .string($0) }), (.errorName, errorName.map { .string($0) }),
            (.replySerial, replySerial.map { .uint32($0) }), (.destination, destination.map { .string($0) }),
        ]
        return optionalFields.compactMap { field, value in value.map { (field, $0) } }
    }

    /// The type signature of the body.
    package var signature: String { body.map(\.signature).joined() }
}

/// The error for a message that is invalid or uses unsupported types.
package struct DBusDecodingError: Error, Hashable {}

extension DBusMessage {
    /// Returns the length of a message from its first ``prefix`` bytes, or `nil` if there are fewer.
    ///
    /// - Throws: ``DBusDecodingError`` if the bytes are not a message or the message is too large.
    package static func length(_ bytes: [UInt8]) throws(DBusDecodingError) -> Int? {
        guard bytes.count >= prefix else { return nil }
        var reader = try DBusReader(header: bytes)
        reader.position = 4
        let body = Int(try reader.uint32())
        reader.position = 12
        let fields = Int(try reader.uint32())
        let length = prefix + (fields + 7) / 8 * 8 + body
        guard length <= maximumLength else { throw DBusDecodingError() }
        return length
    }

    /// Decodes a complete message. A body with unsupported types is decoded as empty.
    package init(_ bytes: [UInt8]) throws(DBusDecodingError) {
        var reader = try DBusReader(header: bytes)
        guard let kind = Kind(rawValue: bytes[1]) else { throw DBusDecodingError() }
        reader.position = 8
        self.init(kind: kind, serial: try reader.uint32())
        let end = try reader.uint32()
        guard let length = Int(exactly: end), length <= bytes.count - Self.prefix else { throw DBusDecodingError() }
        var types = ""
        while reader.position < Self.prefix + length {
            reader.align(to: 8)
            let code = try reader.byte()
            let value = try reader.fieldValue()
            switch (Field(rawValue: code), value) {
            case (.path, .text(let text)): path = text
            case (.interface, .text(let text)): interface = text
            case (.member, .text(let text)): member = text
            case (.errorName, .text(let text)): errorName = text
            case (.destination, .text(let text)): destination = text
            case (.signature, .text(let text)): types = text
            case (.replySerial, .number(let number)): replySerial = number
            default: break
            }
        }
        reader.align(to: 8)
        body = (try? reader.values(types)) ?? []
    }
}
