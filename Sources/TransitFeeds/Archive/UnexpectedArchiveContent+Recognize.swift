extension UnexpectedArchiveContent {
    /// Detects, from its first bytes, the content of a source that has no zip end record.
    static func recognize(_ source: any ByteSource) throws(FeedError) -> UnexpectedArchiveContent {
        let start = try source.bytes(at: 0, count: Int(min(source.count, 512)))
        if start.isEmpty { return .empty }
        if start.starts(with: [0x50, 0x4B, 3, 4]) { return .truncated(count: source.count) }
        if let archive = otherArchives.first(where: { start.starts(with: $0.magic) }) {
            return .otherArchive(archive.name)
        }
        return text(start)
    }

    private static let otherArchives: [(magic: [UInt8], name: String)] = [
        ([0x1F, 0x8B], "gzip"), ([0x42, 0x5A, 0x68], "bzip2"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz"),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "7z"), ([0x52, 0x61, 0x72, 0x21], "rar"),
        ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard"),
    ]

    private static func text(_ bytes: [UInt8]) -> UnexpectedArchiveContent {
        let bom: [UInt8] = [0xEF, 0xBB, 0xBF]
        let body = (bytes.starts(with: bom) ? bytes[3...] : bytes[...]).drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        // Text contains no control characters other than tabs and line ends.
        guard !body.isEmpty, !body.contains(where: { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D].contains($0) }) else {
            return .unknown
        }
        let lowercased = String(decoding: body.prefix(64), as: UTF8.self).lowercased()
        if lowercased.hasPrefix("version https://git-lfs") { return .gitLargeFilePointer }
        if lowercased.hasPrefix("<!doctype html") || lowercased.hasPrefix("<html") { return .htmlPage }
        if lowercased.hasPrefix("{") || lowercased.hasPrefix("[") { return .json(excerpt: excerpt(body)) }
        if lowercased.hasPrefix("<") { return .xml(excerpt: excerpt(body)) }
        return .text(excerpt: excerpt(body))
    }

    /// Returns the first 60 characters on one line, in quotation marks.
    private static func excerpt(_ bytes: ArraySlice<UInt8>) -> String {
        let line = String(decoding: bytes.prefix(240), as: UTF8.self).map { $0.isNewline || $0 == "\t" ? " " : $0 }
        return "“\(String(line.prefix(60)))\(line.count > 60 ? "…" : "")”"
    }
}
