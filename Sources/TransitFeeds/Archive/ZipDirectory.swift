/// The central directory of an archive, which has one entry per member (APPNOTE.TXT 4.3.12).
struct ZipDirectory {
    /// All files, without folders. Path components are separated by `/`. Paths are not checked for safety.
    private(set) var members: [ZipMember] = []
    /// The paths of the members that are symbolic links.
    private(set) var links: Set<String> = []

    private static let entrySize = 46

    init(_ source: any ByteSource, limits: ArchiveLimits) throws(FeedError) {
        guard let location = try ZipDirectoryLocation.find(in: source) else {
            throw .notAZip(try UnexpectedArchiveContent.recognize(source))
        }
        guard location.memberCount <= UInt64(limits.members) else {
            throw .limit(.members(count: location.memberCount, limit: limits.members))
        }
        guard location.size <= limits.directorySize else {
            throw .limit(.directorySize(location.size, limit: limits.directorySize))
        }
        let bytes = try source.bytes(at: location.offset, count: Int(location.size))
        var position = 0
        for _ in 0..<location.memberCount {
            position += try readEntry(bytes[position...], prefix: location.prefix)
        }
        try checkRanges(before: location.offset)
    }

    /// Adds the member whose entry is at the start of `bytes`, and returns the length of the entry.
    private mutating func readEntry(_ bytes: ArraySlice<UInt8>, prefix: UInt64) throws(FeedError) -> Int {
        let entry = LittleEndian(bytes)
        guard entry.count >= Self.entrySize, entry.u32(0) == 0x0201_4B50 else { throw Self.damaged }
        let nameEnd = Self.entrySize + Int(entry.u16(28))
        let extraEnd = nameEnd + Int(entry.u16(30))
        let length = extraEnd + Int(entry.u16(32))
        guard entry.count >= length else { throw Self.damaged }
        let start = bytes.startIndex
        let path = Self.path(bytes[(start + Self.entrySize)..<(start + nameEnd)])
        var member = ZipMember(
            path: path, name: String(path.split(separator: "/").last ?? ""), compressedSize: UInt64(entry.u32(20)),
            size: UInt64(entry.u32(24)), crc32: entry.u32(16), method: .init(entry.u16(10)),
            isEncrypted: entry.u16(8) & 0x2041 != 0, headerOffset: UInt64(entry.u32(42)))
        try Self.widen(&member, extra: LittleEndian(bytes[(start + nameEnd)..<(start + extraEnd)]))
        let (offset, overflow) = member.headerOffset.addingReportingOverflow(prefix)
        guard !overflow else { throw Self.damaged }
        member.headerOffset = offset
        // The upper half of the external attributes is the Unix mode (S_IFMT, S_IFLNK).
        if entry.u16(40) & 0xF000 == 0xA000 { links.insert(path) }
        if !path.isEmpty, !path.hasSuffix("/") { members.append(member) }
        return length
    }

    /// Decodes a path. Some Windows programs separate folders with `\`, which violates APPNOTE.TXT 4.4.17.1.
    private static func path(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.lazy.map { $0 == 0x5C ? 0x2F : $0 }, as: UTF8.self)
    }

    /// Replaces values of 0xFFFFFFFF with the 64-bit values of the Zip64 extra field (APPNOTE.TXT 4.5.3).
    private static func widen(_ member: inout ZipMember, extra: LittleEndian) throws(FeedError) {
        let wide: [WritableKeyPath<ZipMember, UInt64>] = [\.size, \.compressedSize, \.headerOffset].filter {
            member[keyPath: $0] == 0xFFFF_FFFF
        }
        guard !wide.isEmpty else { return }
        var position = 0
        while position + 4 <= extra.count {
            let length = Int(extra.u16(position + 2))
            if extra.u16(position) == 1 {
                guard length >= 8 * wide.count, position + 4 + length <= extra.count else { throw damaged }
                for (index, path) in wide.enumerated() { member[keyPath: path] = extra.u64(position + 4 + 8 * index) }
                return
            }
            position += 4 + length
        }
    }

    /// Throws if members overlap each other or the directory. Zip bombs overlap members to evade ratio limits.
    private func checkRanges(before directory: UInt64) throws(FeedError) {
        var previous: ZipMember?
        for member in members.sorted(by: { $0.headerOffset < $1.headerOffset }) {
            let (dataEnd, overflow) = member.headerOffset.addingReportingOverflow(member.compressedSize)
            guard !overflow, dataEnd <= directory else {
                throw .archive(member: member.path, fault: .damaged(record: "central directory header"))
            }
            if let previous, previous.headerOffset + previous.compressedSize > member.headerOffset {
                throw .archive(member: member.path, fault: .overlap(with: previous.path))
            }
            previous = member
        }
    }

    private static let damaged = FeedError.archive(member: nil, fault: .damaged(record: "central directory"))
}

/// The location of an archive's central directory, as given by the records at the archive's end (APPNOTE.TXT 4.3.14 to
/// 4.3.16).
private struct ZipDirectoryLocation {
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

/// Reads the little-endian numbers of zip records from an array. Offsets must be within the array.
struct LittleEndian {
    let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var count: Int { bytes.count }

    func u16(_ offset: Int) -> UInt16 { number(offset) }
    func u32(_ offset: Int) -> UInt32 { number(offset) }
    func u64(_ offset: Int) -> UInt64 { number(offset) }

    private func number<Number: FixedWidthInteger>(_ offset: Int) -> Number {
        var value: Number = 0
        for position in (0..<(Number.bitWidth / 8)).reversed() {
            value = value << 8 | Number(bytes[bytes.startIndex + offset + position])
        }
        return value
    }
}
