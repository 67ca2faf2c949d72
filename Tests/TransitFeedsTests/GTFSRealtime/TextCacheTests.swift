import Testing

@testable import TransitFeeds

struct TextCacheTests {
    /// The texts consist of few letters, so that many have the same beginning, end and cache slot.
    @Test func textsAreNeverConfused() {
        var random = SeededGenerator(17)
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
