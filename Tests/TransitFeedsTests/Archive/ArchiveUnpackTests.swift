import Testing
import TransitModel
import TransitTestSupport

@testable import TransitFeeds

@Suite("Unpacking on a second thread")
struct ArchiveUnpackTests {
    /// About 2.4 MB of data that compresses poorly and is therefore unpacked in many pieces.
    private static let contents: [UInt8] = {
        var generator = SeededGenerator(seed: 7)
        var bytes = Array("stop_id,stop_name\n".utf8)
        for line in 0..<90_000 {
            bytes += Array("\(line),\(UInt64.random(in: .min ... .max, using: &generator))\n".utf8)
        }
        return bytes
    }()
    private static let entry = RawZip.Entry("stops.txt", contents)

    private struct Large {
        var archive: ZipArchive
        var member: ZipMember

        init(isStored: Bool = false, _ change: (inout RawZip.Entry) -> Void = { _ in }) throws {
            var entry = ArchiveUnpackTests.entry
            if isStored { entry = RawZip.Entry("stops.txt", ArchiveUnpackTests.contents, isStored: true) }
            change(&entry)
            archive = try ZipArchive(RawZip([entry]).source)
            member = try #require(archive.table("stops.txt"))
        }
    }

    @Test("All bytes are delivered in order", arguments: [true, false])
    func bytesAreDeliveredInOrder(isStored: Bool) throws {
        let large = try Large(isStored: isStored)
        var bytes: [UInt8] = []
        try large.archive.inflate(large.member) { piece throws(FeedError) in bytes.append(contentsOf: piece) }
        #expect(bytes == Self.contents)
    }

    @Test("An error from the reader stops the unpacking at any piece", arguments: 0..<18)
    func readerErrorStopsUnpacking(piece failing: Int) throws {
        let large = try Large()
        let error = FeedError.table(.init(file: "stops.txt", line: failing), reason: "enough")
        // The test is repeated because a race condition would occur only in some runs.
        for _ in 0..<10 {
            var pieces = 0
            #expect(throws: error) {
                try large.archive.inflate(large.member) { _ throws(FeedError) in
                    if pieces == failing { throw error }
                    pieces += 1
                }
            }
            #expect(pieces == failing)
        }
    }

    @Test("Corruption after the first pieces is reported after those pieces were delivered")
    func damageIsThrownAfterEarlierPieces() throws {
        let large = try Large { $0.packed[$0.packed.count - 9] ^= 0x55 }
        var count = 0
        #expect(throws: FeedError.self) {
            try large.archive.inflate(large.member) { piece throws(FeedError) in count += piece.count }
        }
        #expect(count > 1 << 20)
    }

    @Test("A wrong CRC-32 is thrown at the end")
    func wrongChecksumIsThrownAtTheEnd() throws {
        let large = try Large { $0.crc32 ^= 1 }
        var count = 0
        let error = #expect(throws: FeedError.self) {
            try large.archive.inflate(large.member) { piece throws(FeedError) in count += piece.count }
        }
        #expect(count == Self.contents.count)
        guard case .archive("stops.txt", .checksum) = error else {
            Issue.record("unexpected error: \(String(describing: error))")
            return
        }
    }

    @Test("The caller can cancel, and progress is reported until then")
    func callerCanCancel() throws {
        let large = try Large()
        var last: UInt64 = 0
        let context = ReadingContext(progress: { _, done in last = done }, isCancelled: { last > 1_000_000 })
        #expect(throws: FeedError.canceled) {
            try CSVReader.read(large.archive, "stops.txt", columns: [], context) { _ throws(FeedError) in }
        }
        #expect(last > 1_000_000 && last < 1_300_000)
    }

    @Test("Rows that span pieces are complete")
    func rowsSpanPieces() throws {
        let large = try Large()
        var expected = 0
        let context = ReadingContext()
        let table = try CSVReader.read(large.archive, "stops.txt", columns: ["stop_id"], context) {
            row throws(FeedError) in
            #expect(row[0].elementsEqual("\(expected)".utf8))
            expected += 1
        }
        #expect(table?.rowCount == 90_000)
        #expect(context.report.findings.isEmpty)
    }
}
