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
