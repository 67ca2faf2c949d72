/// Bytes that can be read at any offset: a file, or an array.
public protocol ByteSource: Sendable {
    /// How many bytes there are.
    var count: UInt64 { get }

    /// Reads bytes from `offset` on and returns how many; fewer than asked for only at the end, 0 past it.
    /// Throws ``FeedError/unreadable(path:reason:)``. May be called from several threads at once.
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int
}

/// An array of bytes as a source.
public struct MemoryByteSource: ByteSource {
    private let bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    public var count: UInt64 { UInt64(bytes.count) }

    public func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
        guard offset < count else { return 0 }
        let length = min(buffer.count, bytes.count - Int(offset))
        bytes.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[Int(offset)..<(Int(offset) + length)])) }
        return length
    }
}
