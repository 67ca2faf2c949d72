/// Content received in place of a zip archive, recognized by its first bytes.
public enum UnexpectedArchiveContent: Hashable, Sendable {
    case empty
    /// A git-lfs pointer, the text that git stores in place of a large file.
    case gitLargeFilePointer
    case htmlPage
    /// A JSON document, usually an API error. `excerpt` is its beginning on one line.
    case json(excerpt: String)
    case xml(excerpt: String)
    case text(excerpt: String)
    /// Another kind of archive, such as "gzip".
    case otherArchive(String)
    /// A zip archive without a directory at its end, usually an incomplete download of `count` bytes.
    case truncated(count: UInt64)
    case unknown
}

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

extension UnexpectedArchiveContent: CustomStringConvertible {
    /// A sentence that names the content and, where possible, the remedy.
    public var description: String {
        switch self {
        case .empty: "The file is empty; a GTFS feed is a zip archive"
        case .gitLargeFilePointer:
            "The file is a git-lfs pointer, not the feed itself; use the URL of the large file"
        case .htmlPage: "The file is an HTML page, not a zip archive; the URL may require a key or may have moved"
        case .json(let excerpt): "The file is a JSON document, not a zip archive; it begins with \(excerpt)"
        case .xml(let excerpt): "The file is an XML document, not a zip archive; it begins with \(excerpt)"
        case .text(let excerpt): "The file is text, not a zip archive; it begins with \(excerpt)"
        case .otherArchive(let kind): "The file is a \(kind) archive; a GTFS feed is a zip archive"
        case .truncated(let count): "The zip archive is truncated after \(count) bytes: its directory is missing"
        case .unknown: "The file is not a zip archive"
        }
    }
}

/// Content received in place of a GTFS-Realtime message or a JSON document. The content itself is not stored.
public enum UnexpectedContent: Hashable, Sendable {
    case empty
    /// A git-lfs pointer, the text that git stores in place of a large file.
    case gitLargeFilePointer
    case htmlPage
    case xml
    /// Plain text, usually an API error.
    case text
    /// A JSON document without a header and without entities, usually an API error.
    case otherJSON
    /// A compressed file or an archive, such as "gzip".
    case archive(String)
    case unknown
}

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

extension UnexpectedContent: CustomStringConvertible {
    /// A sentence that names the content of the response without quoting it.
    public var description: String {
        switch self {
        case .empty: "The response is empty; a GTFS-Realtime message has at least a header"
        case .gitLargeFilePointer:
            "The response is a git-lfs pointer, not the message itself; use the URL of the large file"
        case .htmlPage: "The response is an HTML page, not GTFS-Realtime; the URL may require a key or may have moved"
        case .xml: "The response is an XML document, not GTFS-Realtime; request protobuf or JSON"
        case .text: "The response is plain text, not GTFS-Realtime; the key may be missing or rejected"
        case .otherJSON: "The response is a JSON document, not GTFS-Realtime: it has neither a header nor entities"
        case .archive(let kind): "The response is a \(kind) archive, not a GTFS-Realtime message"
        case .unknown: "The response is neither GTFS-Realtime protobuf nor GTFS-Realtime JSON"
        }
    }
}

extension UnexpectedContent {
    /// Returns a sentence for a response that is not the expected document, such as "a list of stops".
    func description(wanted: String) -> String {
        switch self {
        case .empty: "The response is empty; expected \(wanted)"
        case .gitLargeFilePointer: "The response is a git-lfs pointer, not \(wanted); use the URL of the large file"
        case .htmlPage: "The response is an HTML page, not \(wanted); the URL may require a key or may have moved"
        case .xml: "The response is an XML document, not \(wanted); request JSON"
        case .text: "The response is plain text, not \(wanted); the key may be missing or rejected"
        case .otherJSON: "The response is a JSON document, but not \(wanted)"
        case .archive(let kind): "The response is a \(kind) archive, not \(wanted)"
        case .unknown: "The response is not \(wanted)"
        }
    }
}
