/// A sequence of bytes that can be read at any offset, such as a file or an array.
public protocol ByteSource: Sendable {
    /// The number of bytes.
    var count: UInt64 { get }

    /// Fills the buffer with the bytes from `offset` and returns the number of bytes read. The number is less than the
    /// size of the buffer only if the source ends there, and 0 past its end.
    ///
    /// Throws ``FeedError/unreadable(path:reason:)``. Safe to call from several threads at once.
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int
}

/// A byte source backed by an array.
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
