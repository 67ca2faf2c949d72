/// A file in a zip archive, as described by the archive's directory.
public struct ZipMember: Hashable, Sendable {
    /// The compression method (APPNOTE.TXT 4.4.5).
    public enum Method: Hashable, Sendable {
        case stored
        case deflate
        case other(UInt16)
    }

    /// The path in the archive, with `/` between components.
    public var path: String
    /// The last component of the path.
    public var name: String
    /// The number of compressed bytes.
    public var compressedSize: UInt64
    /// The declared number of unpacked bytes, which is verified when the member is read.
    public var size: UInt64
    /// The declared CRC-32 of the unpacked bytes, which is verified when the member is read.
    public var crc32: UInt32
    public var method: Method
    var isEncrypted: Bool
    /// The offset of the local header in bytes from the start of the source.
    var headerOffset: UInt64

    /// The path without the name. The folder ends in `/`, or is empty at the top level.
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
