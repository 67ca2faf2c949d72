/// One message of the D-Bus protocol (D-Bus Specification, "Message Format").
struct DBusMessage: Hashable {
    enum Kind: UInt8 {
        case call = 1
        case reply = 2
        case error = 3
        case signal = 4
    }

    var kind: Kind
    /// Of the sender's own counting; never 0.
    var serial: UInt32
    var path: String?
    var interface: String?
    var member: String?
    var errorName: String?
    /// The serial of the call that is answered.
    var replySerial: UInt32?
    var destination: String?
    var body: [DBusValue] = []

    /// The codes of the header's fields.
    enum Field: UInt8 {
        case path = 1
        case interface = 2
        case member = 3
        case errorName = 4
        case replySerial = 5
        case destination = 6
        case signature = 8
    }

    /// More is read of nobody; the protocol allows 128 MiB.
    static let largest = 1 << 20
    /// The fixed part of the header with the length of the fields.
    static let prefix = 16

    /// As it is sent: little-endian.
    var bytes: [UInt8] {
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

    /// The header's fields but for the signature, which is no text.
    var fields: [(Field, DBusValue)] {
        let texts: [(Field, DBusValue?)] = [
            (.path, path.map { .objectPath($0) }), (.interface, interface.map { .string($0) }),
            (.member, member.map { .string($0) }), (.errorName, errorName.map { .string($0) }),
            (.replySerial, replySerial.map { .uint32($0) }), (.destination, destination.map { .string($0) }),
        ]
        return texts.compactMap { field, value in value.map { (field, $0) } }
    }

    /// The types of the body.
    var signature: String { body.map(\.signature).joined() }
}

/// What arrived is not D-Bus, or not what is understood here.
struct DBusDecodingError: Error, Hashable {}

extension DBusMessage {
    /// How many bytes a message has, told from its first ``prefix``; `nil` while there are fewer.
    ///
    /// - Throws: ``DBusDecodingError`` for what is no message or too large.
    static func length(_ bytes: [UInt8]) throws(DBusDecodingError) -> Int? {
        guard bytes.count >= prefix else { return nil }
        var reader = try DBusReader(header: bytes)
        reader.position = 4
        let body = Int(try reader.uint32())
        reader.position = 12
        let fields = Int(try reader.uint32())
        let length = prefix + (fields + 7) / 8 * 8 + body
        guard length <= largest else { throw DBusDecodingError() }
        return length
    }

    /// Reads one whole message. A body of types that are not spoken here is left out.
    init(_ bytes: [UInt8]) throws(DBusDecodingError) {
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
