import Testing

@testable import TransitFeeds

/// A zip archive built field by field, so that tests can create invalid archives.
struct RawZip {
    struct Entry {
        var path: String
        /// The bytes as stored in the archive.
        var packed: [UInt8]
        var method: UInt16
        var flags: UInt16 = 0
        var crc32: UInt32
        var size: UInt64
        var compressedSize: UInt64
        /// The upper half of the external attributes, which is the Unix mode.
        var mode: UInt16 = 0
        /// Whether the sizes and the offset are in a Zip64 extra field.
        var isZip64 = false
        /// Whether the sizes and the CRC-32 follow the data, with zeros in the local header.
        var hasDescriptor = false
        /// The offset of the local header as given in the directory, if it differs from the actual offset.
        var claimedOffset: UInt64?
        var localMethod: UInt16?

        /// Creates a valid entry.
        init(_ path: String, _ text: String, isStored: Bool = false) {
            self.init(path, Array(text.utf8), isStored: isStored)
        }

        init(_ path: String, _ contents: [UInt8], isStored: Bool = false) {
            self.path = path
            packed = isStored ? contents : ZipWriter.deflated(contents)
            method = isStored ? 0 : 8
            crc32 = ZipWriter.checksum(contents)
            size = UInt64(contents.count)
            compressedSize = UInt64(packed.count)
        }
    }

    var entries: [Entry]
    /// The bytes before the archive, which offsets do not include.
    var prefix: [UInt8] = []
    var comment: [UInt8] = []
    var hasZip64End = false
    var disk: UInt16 = 0

    init(_ entries: [Entry]) { self.entries = entries }

    var bytes: [UInt8] {
        var body = ZipRecordWriter()
        var directory = ZipRecordWriter()
        for entry in entries {
            let offset = UInt64(body.bytes.count)
            writeLocal(entry, to: &body)
            writeDirectory(entry, at: entry.claimedOffset ?? offset, to: &directory)
        }
        let offset = UInt64(body.bytes.count)
        body.bytes += directory.bytes
        if hasZip64End { writeZip64End(directory.bytes.count, offset, to: &body) }
        body.u32(0x0605_4B50)
        body.u16(0)
        body.u16(disk)
        body.u16(hasZip64End ? 0xFFFF : UInt16(entries.count))
        body.u16(hasZip64End ? 0xFFFF : UInt16(entries.count))
        body.u32(hasZip64End ? 0xFFFF_FFFF : UInt32(directory.bytes.count))
        body.u32(hasZip64End ? 0xFFFF_FFFF : UInt32(offset))
        body.u16(UInt16(comment.count))
        return prefix + body.bytes + comment
    }

    var source: MemoryByteSource { MemoryByteSource(bytes) }

    private func writeLocal(_ entry: Entry, to body: inout ZipRecordWriter) {
        body.u32(0x0403_4B50)
        body.u16(20)
        body.u16(entry.flags | (entry.hasDescriptor ? 8 : 0))
        body.u16(entry.localMethod ?? entry.method)
        body.u32(0)
        body.u32(entry.hasDescriptor ? 0 : entry.crc32)
        body.u32(entry.hasDescriptor ? 0 : UInt32(truncatingIfNeeded: entry.compressedSize))
        body.u32(entry.hasDescriptor ? 0 : UInt32(truncatingIfNeeded: entry.size))
        body.u16(UInt16(entry.path.utf8.count))
        body.u16(4)
        body.bytes += Array(entry.path.utf8)
        // An extra field that only the local header has. The data starts after this field.
        body.u16(0xCAFE)
        body.u16(0)
        body.bytes += entry.packed
        guard entry.hasDescriptor else { return }
        body.u32(0x0807_4B50)
        body.u32(entry.crc32)
        body.u32(UInt32(truncatingIfNeeded: entry.compressedSize))
        body.u32(UInt32(truncatingIfNeeded: entry.size))
    }

    private func writeDirectory(_ entry: Entry, at offset: UInt64, to directory: inout ZipRecordWriter) {
        directory.u32(0x0201_4B50)
        directory.u16(0x0314)
        directory.u16(20)
        directory.u16(entry.flags | (entry.hasDescriptor ? 8 : 0))
        directory.u16(entry.method)
        directory.u32(0)
        directory.u32(entry.crc32)
        directory.u32(entry.isZip64 ? 0xFFFF_FFFF : UInt32(truncatingIfNeeded: entry.compressedSize))
        directory.u32(entry.isZip64 ? 0xFFFF_FFFF : UInt32(truncatingIfNeeded: entry.size))
        directory.u16(UInt16(entry.path.utf8.count))
        directory.u16(entry.isZip64 ? 32 : 0)
        directory.u16(0)
        directory.u16(0)
        directory.u16(0)
        directory.u16(0)
        directory.u16(entry.mode)
        directory.u32(entry.isZip64 ? 0xFFFF_FFFF : UInt32(truncatingIfNeeded: offset))
        directory.bytes += Array(entry.path.utf8)
        guard entry.isZip64 else { return }
        // Another field precedes the Zip64 field, so that a reader must search for the right field.
        directory.u16(0xCAFE)
        directory.u16(0)
        directory.u16(1)
        directory.u16(24)
        directory.u64(entry.size)
        directory.u64(entry.compressedSize)
        directory.u64(offset)
    }

    private func writeZip64End(_ size: Int, _ offset: UInt64, to body: inout ZipRecordWriter) {
        let start = UInt64(body.bytes.count)
        body.u32(0x0606_4B50)
        body.u64(44)
        body.u32(0x002D_002D)
        body.u64(0)
        body.u64(UInt64(entries.count))
        body.u64(UInt64(entries.count))
        body.u64(UInt64(size))
        body.u64(offset)
        body.u32(0x0706_4B50)
        body.u32(0)
        body.u64(start)
        body.u32(1)
    }
}

/// Appends little-endian numbers.
struct ZipRecordWriter {
    var bytes: [UInt8] = []

    mutating func u16(_ value: UInt16) { append(value) }
    mutating func u32(_ value: UInt32) { append(value) }
    mutating func u64(_ value: UInt64) { append(value) }

    private mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

extension ZipArchive {
    /// Returns the whole text of a table.
    func text(_ name: String) throws -> String {
        var bytes: [UInt8] = []
        let member = try #require(table(name), "the archive has no \(name)")
        try inflate(member) { piece throws(FeedError) in bytes.append(contentsOf: piece) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads everything in an archive, for tests that only check whether reading completes or throws.
    static func readAll(_ source: any ByteSource, limits: ArchiveLimits = ArchiveLimits()) throws(FeedError) {
        let archive = try ZipArchive(source, limits: limits)
        let context = ReadingContext()
        context.add(findingsOf: archive)
        for table in archive.tables {
            try CSVReader.read(archive, table.name, columns: ["stop_id", "stop_name"], context) {
                row throws(FeedError) in _ = row[0].count + row[1].count
            }
        }
        _ = try archive.contentDigest(context)
    }
}
