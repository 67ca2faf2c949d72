extension RealtimeReader {
    /// Tells from the first bytes how a message is written down.
    ///
    /// Text is told from protobuf by its control characters: a protobuf message begins with a tag and a length, and
    /// at the latest the length of "2.0" is one. An object of JSON would be a group of protobuf, which the schema does
    /// not have.
    static func encoding(of bytes: UnsafeBufferPointer<UInt8>) throws(FeedError) -> Encoding {
        guard !bytes.isEmpty else { throw .notRealtime(.empty) }
        if let archive = archives.first(where: { bytes.starts(with: $0.magic) }) {
            throw .notRealtime(.archive(archive.name))
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = (bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]).prefix(512)
        let text = start.drop { blanks.contains($0) }
        guard let first = text.first else { throw .notRealtime(.empty) }
        if first == 0x7B { return .json }
        guard !start.contains(where: { $0 < 0x20 && !blanks.contains($0) }) else { return .protobuf }
        throw .notRealtime(kind(ofText: text))
    }

    private static let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]

    private static let archives: [(magic: [UInt8], name: String)] = [
        ([0x1F, 0x8B], "gzip"), ([0x50, 0x4B, 3, 4], "zip"), ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard"),
    ]

    private static func kind(ofText text: Slice<UnsafeBufferPointer<UInt8>>) -> NotRealtime {
        let start = asciiLowercased(String(decoding: text.prefix(64), as: UTF8.self))
        if start.hasPrefix("version https://git-lfs") { return .gitLargeFilePointer }
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return .htmlPage }
        if start.hasPrefix("<") { return .xml }
        return start.hasPrefix("[") || start.hasPrefix("\"") ? .otherJSON : .text
    }
}
