import Testing
import TransitTestSupport

@testable import TransitFeeds

@Suite("The digest of a feed's contents")
struct ContentHashTests {
    private static func digest(_ zip: [UInt8]) throws -> String {
        try ZipArchive(MemoryByteSource(zip)).contentDigest()
    }

    @Test("The digest is a SHA-256 of names and contents")
    func digestIsSHA256OfNamesAndContents() throws {
        // The output of sha256sum(1) for the bytes of printf 'stops.txt\0' followed by the SHA-256 of "stop_id\n".
        let digest = try Self.digest(FeedBuilder().file("stops.txt", "stop_id\n").zip())
        #expect(digest == "61c36f4f480842c69c0161a6e2af0c3ee2c76d7e5be938b51defb09dc153550a")
    }

    @Test("Order, compression, folder and system files do not change the digest")
    func packingDoesNotChangeDigest() throws {
        let small = FeedBuilder.small
        let expected = try Self.digest(small.zip())
        #expect(try Self.digest(small.zip(isStored: true)) == expected)
        #expect(try Self.digest(small.inFolder("feed").zip()) == expected)
        #expect(try Self.digest(small.file("read me.pdf", "x").zip()) == expected)
        let stops = small["stops.txt"]
        #expect(try Self.digest(small.without("stops.txt").file("stops.txt", stops).zip()) == expected)
    }

    @Test("A different byte, table or name changes the digest")
    func contentsChangeDigest() throws {
        let small = FeedBuilder.small
        let digests = try [
            small.zip(), small.adding("x", to: "stops.txt").zip(), small.file("fare_rules.txt", "").zip(),
            small.without("stops.txt").zip(), small.without("stops.txt").file("stop.txt", small["stops.txt"]).zip(),
        ].map(Self.digest)
        #expect(Set(digests).count == digests.count)
    }

    @Test("The digest is the same if some tables were already read")
    func digestIsSameAfterReading() throws {
        let archive = try ZipArchive(FeedBuilder.small.source)
        let context = ReadingContext()
        try CSVReader.read(archive, "stops.txt", columns: ["stop_id"], context) { _ throws(FeedError) in }
        #expect(try archive.contentDigest(context) == archive.contentDigest())
    }
}
