import Testing

@testable import TransitFeeds

/// Numbers of every length, wherever they stand: several bytes of them are read at once.
struct WireReaderTests {
    private static let numbers: [UInt64] = (0..<64).flatMap { shift -> [UInt64] in
        let power = UInt64(1) << UInt64(shift)
        return [power, power - 1, power | 0x55, ~power]
    }

    private func varint(_ value: UInt64) -> [UInt8] {
        value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + varint(value >> 7)
    }

    private func read(_ bytes: [UInt8]) throws -> UInt64 {
        try bytes.withUnsafeBufferPointer { bytes in
            var wire = WireReader(bytes)
            return try wire.varint()
        }
    }

    /// The first number of a message of `count` bytes inside a larger one.
    private func readInside(_ bytes: [UInt8], count: Int) throws -> UInt64 {
        try ([UInt8(count)] + bytes).withUnsafeBufferPointer { bytes in
            var wire = WireReader(bytes)
            var message = try wire.message()
            let value = try message.varint()
            #expect(try message.nextTag() == nil && wire.offset == 1 + count)
            return value
        }
    }

    @Test("Numbers come back", arguments: numbers)
    func numbersComeBack(number: UInt64) throws {
        let bytes = varint(number)
        #expect(try read(bytes) == number)
        for behind in [[UInt8](repeating: 0xFF, count: 12), [UInt8](repeating: 0, count: 12), [1, 0x80, 3]] {
            #expect(try read(bytes + behind) == number)
            #expect(try readInside(bytes + behind, count: bytes.count) == number)
        }
    }

    @Test("A number does not go on behind its message", arguments: 1...9)
    func cut(count: Int) {
        let bytes = [UInt8](repeating: 0x80, count: count) + [1] + [UInt8](repeating: 0, count: 12)
        #expect(throws: MalformedMessageError.self) { try readInside(bytes, count: count) }
        #expect(throws: MalformedMessageError.self) { try read(Array(bytes.prefix(count))) }
    }

    @Test("More than ten bytes are no number")
    func tooLong() {
        #expect(throws: MalformedMessageError.self) { try read([UInt8](repeating: 0x80, count: 11) + [1]) }
    }
}
