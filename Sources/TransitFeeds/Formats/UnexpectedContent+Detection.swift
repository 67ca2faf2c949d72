extension UnexpectedContent {
    /// Detects the kind of a response body, and returns it with the first byte after a byte order mark and whitespace.
    ///
    /// The result is `unknown` for binary data, which includes protobuf, and `otherJSON` for any JSON document. A body
    /// of either kind can be the expected message.
    static func detect(_ bytes: UnsafeBufferPointer<UInt8>) -> (kind: UnexpectedContent, first: UInt8?) {
        guard !bytes.isEmpty else { return (.empty, nil) }
        if let archive = archives.first(where: { bytes.starts(with: $0.magic) }) {
            return (.archive(archive.name), nil)
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = (bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]).prefix(512)
        let text = start.drop { blanks.contains($0) }
        guard let first = text.first else { return (.empty, nil) }
        if first == 0x7B { return (.otherJSON, first) }
        if start.contains(where: { $0 < 0x20 && !blanks.contains($0) }) { return (.unknown, first) }
        return (kind(ofText: text), first)
    }

    private static let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]

    private static let archives: [(magic: [UInt8], name: String)] = [
        ([0x1F, 0x8B], "gzip"), ([0x50, 0x4B, 3, 4], "zip"), ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard"),
    ]

    private static func kind(ofText text: Slice<UnsafeBufferPointer<UInt8>>) -> UnexpectedContent {
        let start = asciiLowercased(String(decoding: text.prefix(64), as: UTF8.self))
        if start.hasPrefix("version https://git-lfs") { return .gitLargeFilePointer }
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return .htmlPage }
        if start.hasPrefix("<") { return .xml }
        return start.hasPrefix("[") || start.hasPrefix("\"") ? .otherJSON : .text
    }
}
