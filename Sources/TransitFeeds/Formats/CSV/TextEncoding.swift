/// The text encoding of a table.
enum TextEncoding: Hashable {
    /// UTF-8. Individual fields that are not UTF-8 are detected later.
    case utf8(markSize: Int)
    case utf16(isBigEndian: Bool, markSize: Int)

    /// The size of the byte order mark in bytes.
    var markSize: Int {
        switch self {
        case .utf8(let size), .utf16(_, let size): size
        }
    }

    /// Detects the encoding from the byte order mark, or UTF-16 from alternating zero bytes at the start.
    static func recognize(_ start: UnsafeBufferPointer<UInt8>) -> TextEncoding {
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8(markSize: 3) }
        if start.starts(with: [0xFE, 0xFF]) { return .utf16(isBigEndian: true, markSize: 2) }
        if start.starts(with: [0xFF, 0xFE]) { return .utf16(isBigEndian: false, markSize: 2) }
        guard start.count >= 4, (start[0] == 0) != (start[1] == 0), (start[0] == 0) == (start[2] == 0),
            (start[1] == 0) == (start[3] == 0)
        else { return .utf8(markSize: 0) }
        return .utf16(isBigEndian: start[0] == 0, markSize: 0)
    }
}
