/// Encodes values in the D-Bus wire format (D-Bus Specification, "Marshaling").
package struct DBusWriter {
    package var bytes: [UInt8] = []

    package mutating func align(to width: Int) { while bytes.count % width != 0 { bytes.append(0) } }

    package mutating func write(_ number: UInt32) {
        align(to: 4)
        for shift in stride(from: UInt32(0), to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    package mutating func write(_ value: DBusValue) {
        switch value {
        case .boolean(let flag): write(flag ? 1 as UInt32 : 0)
        case .byte(let byte): bytes.append(byte)
        case .int32(let number): write(UInt32(bitPattern: number))
        case .uint32(let number): write(number)
        case .double(let number):
            align(to: 8)
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> shift))
            }
        case .string(let text), .objectPath(let text):
            write(UInt32(clamping: text.utf8.count))
            bytes += Array(text.utf8) + [0]
        case .variant(let value):
            write(signature: value.signature)
            write(value)
        case .strings(let texts):
            let place = bytes.count + (4 - bytes.count % 4) % 4
            write(0 as UInt32)
            for text in texts { write(.string(text)) }
            var length = DBusWriter()
            // The strings begin after the length without padding, since both are aligned to 4 bytes.
            length.write(UInt32(clamping: bytes.count - place - 4))
            bytes.replaceSubrange(place..<place + 4, with: length.bytes)
        case .dictionary(let entries):
            write(0 as UInt32)
            let place = bytes.count - 4
            // The length does not count the padding before the first entry.
            align(to: 8)
            let start = bytes.count
            for (name, value) in entries.sorted(by: { $0.key < $1.key }) {
                align(to: 8)
                write(.string(name))
                write(.variant(value))
            }
            var length = DBusWriter()
            length.write(UInt32(clamping: bytes.count - start))
            bytes.replaceSubrange(place..<place + 4, with: length.bytes)
        }
    }

    private mutating func write(signature: String) {
        bytes.append(UInt8(clamping: signature.utf8.count))
        bytes += Array(signature.utf8) + [0]
    }

    /// Writes the header fields, an array of structures of a code and a variant.
    package mutating func writeFields(of message: DBusMessage) {
        let place = bytes.count
        write(0 as UInt32)
        let start = bytes.count
        for (field, value) in message.fields {
            begin(field)
            write(.variant(value))
        }
        if !message.body.isEmpty {
            begin(.signature)
            write(signature: "g")
            write(signature: message.signature)
        }
        var length = DBusWriter()
        length.write(UInt32(clamping: bytes.count - start))
        bytes.replaceSubrange(place..<place + 4, with: length.bytes)
    }

    private mutating func begin(_ field: DBusMessage.Field) {
        align(to: 8)
        bytes.append(field.rawValue)
    }
}
