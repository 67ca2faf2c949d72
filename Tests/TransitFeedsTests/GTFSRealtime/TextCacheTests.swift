import Testing

@testable import TransitFeeds

struct TextCacheTests {
    /// Texts of few letters, so that many share their beginning, their end and their place in the cache.
    @Test func neverTakesOneTextForAnother() {
        var random = SeededGenerator(17)
        var cache = TextCache()
        for _ in 0..<5_000 {
            let count = Int.random(in: 1...(TextCache.longest + 1), using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0x61...0x62, using: &random) }
            let found = bytes.withUnsafeBufferPointer { cache.text($0) }
            #expect(found == (count > TextCache.longest ? nil : String(decoding: bytes, as: UTF8.self)))
        }
    }

    @Test func leavesOtherTextsThanASCIIAlone() {
        var cache = TextCache()
        for text in ["ö", "Zürich HB"] {
            #expect(Array(text.utf8).withUnsafeBufferPointer { cache.text($0) } == nil)
        }
    }
}
