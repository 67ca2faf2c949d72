internal import CZlib

/// Unpacks one raw deflate stream (RFC 1951) with zlib.
struct Inflater: ~Copyable {
    /// On the heap: zlib keeps a pointer back to its stream and refuses one that has moved.
    private let stream: UnsafeMutablePointer<z_stream>
    /// The stream has ended as it should.
    private(set) var isAtEnd = false

    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Negative window bits: no zlib header. A failure (no memory) shows at the first write as a damaged stream.
        inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// All input was used.
    var needsInput: Bool { stream.pointee.avail_in == 0 }

    /// Sets the input, which must stay until it is used up.
    func feed(_ input: UnsafeRawBufferPointer) {
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(input.count)
    }

    /// Unpacks into the buffer and returns the number of bytes; `nil` when the data is damaged or cut.
    mutating func write(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(buffer.count)
        let status = inflate(stream, Z_NO_FLUSH)
        guard status == Z_OK || status == Z_STREAM_END else { return nil }
        isAtEnd = status == Z_STREAM_END
        return buffer.count - Int(stream.pointee.avail_out)
    }
}
