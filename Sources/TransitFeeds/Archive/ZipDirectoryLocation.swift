/// The location of an archive's central directory, as given by the records at the archive's end (APPNOTE.TXT 4.3.14 to
/// 4.3.16).
struct ZipDirectoryLocation {
    var offset: UInt64
    var size: UInt64
    var memberCount: UInt64
    /// The number of bytes before the archive, such as the executable of a self-extracting archive. Offsets in the
    /// archive do not include them.
    var prefix: UInt64

    private static let endSize = 22
    private static let locatorSize = 20
    private static let end64Size = 56
    private static let maximumCommentLength = 65_535

    /// Returns `nil` if the source has no end record. Throws if the end record is invalid.
    static func find(in source: any ByteSource) throws(FeedError) -> ZipDirectoryLocation? {
        let tailSize = min(source.count, UInt64(endSize + maximumCommentLength + locatorSize + end64Size))
        let tailStart = source.count - tailSize
        let tail = try source.bytes(at: tailStart, count: Int(tailSize))
        guard let position = endPosition(in: tail) else { return nil }
        let end = LittleEndian(tail[position..<(position + endSize)])
        guard end.u16(4) == end.u16(6) || end.u16(4) == 0xFFFF else {
            throw .archive(member: nil, fault: .multipleDisks)
        }
        var location = ZipDirectoryLocation(
            offset: UInt64(end.u32(16)), size: UInt64(end.u32(12)), memberCount: UInt64(end.u16(10)), prefix: 0)
        var recordsStart = tailStart + UInt64(position)
        if position >= locatorSize,
            let (wide, start) = try zip64(
                tail[(position - locatorSize)..<position], endsAt: tailStart + UInt64(position), source)
        {
            location = wide
            recordsStart = start
        }
        let (directoryEnd, overflow) = location.offset.addingReportingOverflow(location.size)
        guard !overflow, directoryEnd <= recordsStart else { throw damaged("end of central directory record") }
        location.prefix = recordsStart - directoryEnd
        location.offset += location.prefix
        return location
    }

    /// Returns the position of the last end record whose comment fits into the source. A record whose comment ends
    /// exactly at the end of the source takes precedence.
    private static func endPosition(in tail: [UInt8]) -> Int? {
        guard tail.count >= endSize else { return nil }
        var found: Int?
        for position in stride(from: tail.count - endSize, through: 0, by: -1) {
            guard tail[position] == 0x50, tail[position + 1] == 0x4B, tail[position + 2] == 5, tail[position + 3] == 6
            else { continue }
            let commentEnd = position + endSize + Int(LittleEndian(tail[position...]).u16(20))
            if commentEnd == tail.count { return position }
            if commentEnd < tail.count, found == nil { found = position }
        }
        return found
    }

    /// Reads the Zip64 record that the locator before the end record points to, and returns it with its position.
    /// Returns `nil` if there is no locator.
    private static func zip64(
        _ bytes: ArraySlice<UInt8>, endsAt locatorEnd: UInt64, _ source: any ByteSource
    ) throws(FeedError) -> (ZipDirectoryLocation, start: UInt64)? {
        let locator = LittleEndian(bytes)
        guard locator.u32(0) == 0x0706_4B50 else { return nil }
        // If bytes precede the archive, the offset is too low. The record is then directly before the locator.
        for start in [locator.u64(8), locatorEnd &- UInt64(locatorSize + end64Size)] {
            guard start <= source.count, source.count - start >= UInt64(end64Size) else { continue }
            let record = LittleEndian(try source.bytes(at: start, count: end64Size)[...])
            guard record.u32(0) == 0x0606_4B50 else { continue }
            guard record.u32(16) == record.u32(20) else { throw .archive(member: nil, fault: .multipleDisks) }
            let location = ZipDirectoryLocation(
                offset: record.u64(48), size: record.u64(40), memberCount: record.u64(32), prefix: 0)
            return (location, start)
        }
        throw damaged("Zip64 end of central directory record")
    }

    private static func damaged(_ record: String) -> FeedError {
        .archive(member: nil, fault: .damaged(record: record))
    }
}

extension ByteSource {
    /// Returns exactly `count` bytes. Throws ``ArchiveFault/damaged(record:)`` if the source is too short.
    func bytes(at offset: UInt64, count: Int) throws(FeedError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var result: Result<Int, FeedError> = .success(0)
        bytes.withUnsafeMutableBytes { buffer in
            do throws(FeedError) { result = .success(try read(at: offset, into: buffer)) } catch {
                result = .failure(error)
            }
        }
        guard try result.get() == count else { throw .archive(member: nil, fault: .damaged(record: "end of the file")) }
        return bytes
    }
}
