internal import CZlib

/// Unpacks one raw deflate stream (RFC 1951) with zlib.
struct Inflater: ~Copyable {
    /// The zlib stream. The stream is on the heap because zlib stores a pointer to it and rejects a stream that has
    /// moved.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Whether the end of the deflate stream was reached.
    private(set) var isAtEnd = false

    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Negative window bits select raw deflate without a zlib header. If memory is exhausted, the first write fails
        // as if the stream were corrupt.
        inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Whether all input was consumed.
    var needsInput: Bool { stream.pointee.avail_in == 0 }

    /// Sets the input. Its memory must stay valid until ``needsInput`` is true.
    func feed(_ input: UnsafeRawBufferPointer) {
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(input.count)
    }

    /// Unpacks into the buffer and returns the number of bytes, or `nil` if the data is corrupt or truncated.
    mutating func write(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(buffer.count)
        let status = inflate(stream, Z_NO_FLUSH)
        guard status == Z_OK || status == Z_STREAM_END else { return nil }
        isAtEnd = status == Z_STREAM_END
        return buffer.count - Int(stream.pointee.avail_out)
    }
}
