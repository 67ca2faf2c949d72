import Testing
import TransitTestSupport

@testable import TransitFeeds

/// Numbers of all lengths at all positions, because several bytes are read at once.
struct ProtobufReaderTests {
    private static let numbers: [UInt64] = (0..<64).flatMap { shift -> [UInt64] in
        let power = UInt64(1) << UInt64(shift)
        return [power, power - 1, power | 0x55, ~power]
    }

    private func varint(_ value: UInt64) -> [UInt8] {
        value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + varint(value >> 7)
    }

    private func read(_ bytes: [UInt8]) throws -> UInt64 {
        try bytes.withUnsafeBufferPointer { bytes in
            var wire = ProtobufReader(bytes)
            return try wire.varint()
        }
    }

    /// Reads the first number of a message of `count` bytes inside a larger buffer.
    private func readInside(_ bytes: [UInt8], count: Int) throws -> UInt64 {
        try ([UInt8(count)] + bytes).withUnsafeBufferPointer { bytes in
            var wire = ProtobufReader(bytes)
            var message = try wire.message()
            let value = try message.varint()
            #expect(try message.nextTag() == nil && wire.offset == 1 + count)
            return value
        }
    }

    @Test("Encoded numbers are read back", arguments: numbers)
    func numbersAreReadBack(number: UInt64) throws {
        let bytes = varint(number)
        #expect(try read(bytes) == number)
        for behind in [[UInt8](repeating: 0xFF, count: 12), [UInt8](repeating: 0, count: 12), [1, 0x80, 3]] {
            #expect(try read(bytes + behind) == number)
            #expect(try readInside(bytes + behind, count: bytes.count) == number)
        }
    }

    @Test("A number that exceeds its message is rejected", arguments: 1...9)
    func numberBeyondMessageEndIsRejected(count: Int) {
        let bytes = [UInt8](repeating: 0x80, count: count) + [1] + [UInt8](repeating: 0, count: 12)
        #expect(throws: MalformedMessageError.self) { try readInside(bytes, count: count) }
        #expect(throws: MalformedMessageError.self) { try read(Array(bytes.prefix(count))) }
    }

    @Test("A number of more than ten bytes is rejected")
    func overlongNumberIsRejected() {
        #expect(throws: MalformedMessageError.self) { try read([UInt8](repeating: 0x80, count: 11) + [1]) }
    }
}

struct TextCacheTests {
    /// The texts consist of few letters, so that many have the same beginning, end and cache slot.
    @Test(arguments: testSeeds(17)) func textsAreNeverConfused(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var cache = TextCache()
        for _ in 0..<5_000 {
            let count = Int.random(in: 1...(TextCache.maximumLength + 1), using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0x61...0x62, using: &random) }
            let found = bytes.withUnsafeBufferPointer { cache.text($0) }
            #expect(found == (count > TextCache.maximumLength ? nil : String(decoding: bytes, as: UTF8.self)))
        }
    }

    @Test func nonASCIITextsAreNotCached() {
        var cache = TextCache()
        for text in ["ö", "Zürich HB"] {
            #expect(Array(text.utf8).withUnsafeBufferPointer { cache.text($0) } == nil)
        }
    }
}
