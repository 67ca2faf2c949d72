import Testing

@testable import TransitClient

@Suite struct DBusMessageTests {
    private let set = DBusMessage.call(
        "Set", of: "org.freedesktop.DBus.Properties", at: "/client/1", to: "org.example",
        [.string("org.example.Client"), .string("Level"), .variant(.uint32(8))])

    @Test func encodesCall() {
        let hello = DBusMessage(kind: .call, serial: 1, path: "/a", member: "Hi", body: [.boolean(true)])
        let expected: [UInt8] =
            [0x6C, 1, 0, 1, 4, 0, 0, 0, 1, 0, 0, 0, 39, 0, 0, 0]
            + [1, 1, 0x6F, 0, 2, 0, 0, 0, 0x2F, 0x61, 0, 0, 0, 0, 0, 0]
            + [3, 1, 0x73, 0, 2, 0, 0, 0, 0x48, 0x69, 0, 0, 0, 0, 0, 0]
            + [8, 1, 0x67, 0, 1, 0x62, 0, 0] + [1, 0, 0, 0]
        #expect(hello.bytes == expected)
    }

    @Test func roundTrips() throws {
        #expect(try DBusMessage(set.bytes) == set)
        #expect(try DBusMessage.length(set.bytes) == set.bytes.count)
        let reply = DBusMessage(
            kind: .reply, serial: 7, replySerial: 3, destination: ":1.2",
            body: [.variant(.double(-33.25)), .objectPath("/x"), .variant(.variant(.string("\u{FC}")))])
        #expect(try DBusMessage(reply.bytes) == reply)
        #expect(reply.body[0].number == -33.25)
    }

    /// The bus forwards messages in the sender's byte order.
    @Test func decodesBigEndianMessage() throws {
        let bytes: [UInt8] =
            [
                0x42, 2, 1, 1, 0, 0, 0, 16, 0, 0, 0, 9, 0, 0, 0, 15, 5, 1, 0x75, 0, 0, 0, 0, 2, 8, 1, 0x67, 0, 1, 0x76,
                0, 0,
            ]
            + [1, 0x64, 0, 0, 0, 0, 0, 0, 0x40, 0x4A, 0xC5, 0x2F, 0x1A, 0x9F, 0xBE, 0x77]
        let message = try DBusMessage(bytes)
        #expect(message.replySerial == 2)
        #expect(abs((message.body.first?.number ?? 0) - 53.540500) < 0.001)
    }

    @Test func rejectsCorruptMessages() {
        let bytes = set.bytes
        for end in 0..<bytes.count { _ = try? DBusMessage(Array(bytes[..<end])) }
        for place in bytes.indices {
            for value in [UInt8(0), 0x7F, 0xFF] {
                var corrupt = bytes
                corrupt[place] = value
                _ = try? DBusMessage.length(corrupt)
                _ = try? DBusMessage(corrupt)
            }
        }
        #expect(throws: DBusDecodingError.self) { try DBusMessage.length(Array("HTTP/1.1 400 Bad Request".utf8)) }
        #expect(throws: DBusDecodingError.self) {
            try DBusMessage.length([0x6C, 1, 0, 1] + [UInt8](repeating: 0xFF, count: 12))
        }
        #expect(throws: DBusDecodingError.self) { try DBusMessage(Array(bytes.prefix(40))) }
    }

    @Test(
        arguments: [
            ("unix:path=/run/bus,guid=1", Array("/run/bus".utf8)),
            ("tcp:host=a;unix:abstract=/tmp/x", [0] + Array("/tmp/x".utf8)),
            ("unix:path=/a%20b%2c", Array("/a b,".utf8)), ("unix:guid=2", nil), ("", nil), ("unix:path=%4", nil),
        ] as [(String, [UInt8]?)])
    func parsesAddress(_ address: String, _ socket: [UInt8]?) {
        #expect(DBusAddress.socket(address) == socket)
    }
}
