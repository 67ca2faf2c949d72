/// One file in a zip archive, as the archive's directory describes it.
public struct ZipMember: Hashable, Sendable {
    /// How the bytes are kept (APPNOTE.TXT 4.4.5).
    public enum Method: Hashable, Sendable {
        case stored
        case deflate
        case other(UInt16)
    }

    /// With folders, separated by `/`.
    public var path: String
    /// The last part of the path.
    public var name: String
    /// Bytes in the archive.
    public var compressedSize: UInt64
    /// Bytes unpacked: a claim until the member was read.
    public var size: UInt64
    /// Of the unpacked bytes: a claim, too.
    public var crc32: UInt32
    public var method: Method
    var isEncrypted: Bool
    /// Where the local header starts, in bytes from the start of the source.
    var headerOffset: UInt64

    /// The path without the name, ending in `/`; empty at the top level.
    var folder: String { String(decoding: path.utf8.dropLast(name.utf8.count), as: UTF8.self) }
}

extension ZipMember.Method {
    init(_ number: UInt16) {
        switch number {
        case 0: self = .stored
        case 8: self = .deflate
        default: self = .other(number)
        }
    }
}
