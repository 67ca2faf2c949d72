import Testing
import TransitModel
import TransitTestSupport

@testable import TransitFeeds

@Suite("Corrupt and malicious archives")
struct ArchiveHostileTests {
    private static let text = "stop_id,stop_name\n1,Harbor\n2,Market\n"

    /// Returns the error from reading an archive with a single table whose entry `change` has corrupted.
    private func fault(isStored: Bool = false, _ change: (inout RawZip.Entry) -> Void) -> FeedError? {
        var entry = RawZip.Entry("stops.txt", Self.text, isStored: isStored)
        change(&entry)
        return #expect(throws: FeedError.self) { try ZipArchive.readAll(RawZip([entry]).source) }
    }

    private func member(_ fault: ArchiveFault) -> FeedError { .archive(member: "stops.txt", fault: fault) }

    @Test("A wrong CRC-32 is detected")
    func wrongChecksumIsDetected() {
        let actual = ZipWriter.checksum(Array(Self.text.utf8))
        #expect(fault { $0.crc32 = 1 } == member(.checksum(claimed: 1, actual: actual)))
        #expect(fault(isStored: true) { $0.crc32 = 1 } == member(.checksum(claimed: 1, actual: actual)))
    }

    @Test("A size that differs from the declared size is detected")
    func wrongSizeIsDetected() {
        let size = UInt64(Self.text.utf8.count)
        #expect(fault { $0.size = size - 1 } == member(.size(claimed: size - 1, actual: nil)))
        #expect(fault { $0.size = 0 } == member(.size(claimed: 0, actual: nil)))
        #expect(fault { $0.size = size + 1 } == member(.size(claimed: size + 1, actual: size)))
        #expect(fault(isStored: true) { $0.size = size + 9 } == member(.size(claimed: size + 9, actual: size)))
    }

    @Test("Truncated, corrupt and excess compressed data is detected")
    func damagedDeflateStreamIsDetected() {
        #expect(fault { $0.compressedSize -= 3 } == member(.deflate))
        #expect(fault { $0.packed[0] = 0xFF } == member(.deflate))
        #expect(
            fault {
                $0.packed += [0, 0]
                $0.compressedSize += 2
            } == member(.deflate))
    }

    @Test("Encrypted members and unsupported compression methods are rejected")
    func unsupportedMembersAreRejected() {
        #expect(fault { $0.flags = 1 } == member(.encrypted))
        #expect(fault { $0.method = 9 } == member(.method(9)))
        #expect(
            fault { $0.method = 12 }?.description
                == "stops.txt: it is compressed with bzip2; only stored and deflate are supported")
        #expect(fault { $0.localMethod = 0 } == member(.damaged(record: "local file header")))
    }

    @Test("A part of a multi-part archive is rejected")
    func multiPartArchiveIsRejected() {
        var zip = RawZip([.init("stops.txt", Self.text)])
        zip.disk = 1
        #expect(throws: FeedError.archive(member: nil, fault: .multipleDisks)) { try ZipArchive(zip.source) }
    }

    @Test("A wrong offset is detected")
    func wrongOffsetIsDetected() {
        #expect(fault { $0.claimedOffset = 3 } == member(.damaged(record: "local file header")))
        #expect(fault { $0.claimedOffset = 0xFFFF_FF00 } == member(.damaged(record: "central directory header")))
        #expect(
            fault {
                $0.claimedOffset = .max - 2
                $0.isZip64 = true
            } == member(.damaged(record: "central directory header")))
    }

    @Test("A table with an excessive compression ratio is rejected before unpacking")
    func excessiveRatioIsRejected() {
        let zip = RawZip([.init("stops.txt", [UInt8](repeating: 0x20, count: 9 << 20))])
        let error = #expect(throws: FeedError.self) { try ZipArchive(zip.source) }
        guard case .limit(.ratio("stops.txt", 9_437_184, _, limit: 200)) = error else {
            Issue.record("unexpected error: \(String(describing: error))")
            return
        }
        #expect(throws: Never.self) { try ZipArchive(zip.source, limits: ArchiveLimits(ratio: 1100)) }
        #expect(throws: Never.self) { try ZipArchive(zip.source, limits: ArchiveLimits(ratioAllowance: 9 << 20)) }
    }

    @Test("Unpacking stops at the declared size")
    func unpackingStopsAtDeclaredSize() throws {
        var entry = RawZip.Entry("stops.txt", [UInt8](repeating: 0x20, count: 12 << 20))
        entry.size = 2 << 20
        let archive = try ZipArchive(RawZip([entry]).source, limits: ArchiveLimits(ratio: 1100))
        var count = 0
        #expect(throws: member(.size(claimed: 2 << 20, actual: nil))) {
            try archive.inflate(try #require(archive.table("stops.txt"))) { piece throws(FeedError) in
                count += piece.count
            }
        }
        #expect(count <= 2 << 20)
    }

    @Test("Overlapping members are rejected")
    func overlappingMembersAreRejected() {
        var zip = RawZip([.init("stops.txt", Self.text), .init("trips.txt", Self.text)])
        zip.entries[1].claimedOffset = 0
        zip.entries[1].compressedSize += 1
        #expect(throws: FeedError.self) { try ZipArchive(zip.source) }
        zip.entries[1].claimedOffset = 5
        #expect(throws: FeedError.archive(member: "trips.txt", fault: .overlap(with: "stops.txt"))) {
            try ZipArchive(zip.source)
        }
    }

    @Test("The limits on files, tables and the directory apply")
    func limitsApply() {
        let zip = RawZip([.init("stops.txt", Self.text), .init("trips.txt", Self.text)]).source
        let size = UInt64(Self.text.utf8.count)
        #expect(throws: FeedError.limit(.members(count: 2, limit: 1))) {
            try ZipArchive(zip, limits: ArchiveLimits(members: 1))
        }
        #expect(throws: FeedError.limit(.memberSize(member: "stops.txt", size: size, limit: 10))) {
            try ZipArchive(zip, limits: ArchiveLimits(memberSize: 10))
        }
        #expect(throws: FeedError.limit(.totalSize(size * 2, limit: size * 2 - 1))) {
            try ZipArchive(zip, limits: ArchiveLimits(totalSize: size * 2 - 1))
        }
        #expect(throws: FeedError.limit(.directorySize(110, limit: 100))) {
            try ZipArchive(zip, limits: ArchiveLimits(directorySize: 100))
        }
        #expect(throws: Never.self) { try ZipArchive(zip, limits: ArchiveLimits(totalSize: size * 2, members: 2)) }
    }

    @Test("A truncated archive is rejected")
    func truncatedArchiveIsRejected() {
        let bytes = FeedBuilder.small.zip()
        for count in 0..<bytes.count {
            let error = #expect(throws: FeedError.self) {
                try ZipArchive.readAll(MemoryByteSource(Array(bytes.prefix(count))))
            }
            if count == 0 { #expect(error == .notAZip(.empty)) }
            if count > 4 { #expect(error == .notAZip(.truncated(count: UInt64(count)))) }
        }
    }

    @Test("An archive without its first bytes is rejected")
    func archiveWithoutItsStartIsRejected() {
        let bytes = FeedBuilder.small.zip()
        for count in 1..<(bytes.count - 22) {
            #expect(throws: FeedError.self) { try ZipArchive.readAll(MemoryByteSource(Array(bytes.dropFirst(count)))) }
        }
    }

    @Test("Randomly corrupted archives give an error or the original text")
    func randomDamageGivesErrorOrOriginalText() {
        var generator = SeededGenerator(seed: 20_260_101)
        var zip = RawZip([
            .init("stops.txt", FeedBuilder.small["stops.txt"]), .init("agency.txt", "agency_id\n", isStored: true),
        ])
        zip.entries[0].isZip64 = true
        zip.entries[1].hasDescriptor = true
        zip.hasZip64End = true
        let original = zip.bytes
        var refused = 0
        for _ in 0..<2000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let position = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[position] = [0, 0xFF, UInt8.random(in: 0...255, using: &generator)].randomElement(
                    using: &generator)!
            }
            do { try ZipArchive.readAll(MemoryByteSource(bytes)) } catch { refused += 1 }
        }
        #expect(refused > 1000)
    }
}
