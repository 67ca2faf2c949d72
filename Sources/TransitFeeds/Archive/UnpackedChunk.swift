/// A piece of a member's unpacked bytes, in writable memory with room on both sides. The CSV reader puts the incomplete
/// last row of the previous piece before it, and a sentinel after it.
struct UnpackedChunk {
    /// The number of writable bytes before ``base``.
    static let headroom = 16 << 10
    /// The number of writable bytes after the last byte.
    static let padding = 16

    let base: UnsafeMutablePointer<UInt8>
    let count: Int
}

/// The memory of one ``UnpackedChunk``.
struct ChunkMemory: ~Copyable {
    private let memory: UnsafeMutableRawPointer
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        memory = .allocate(byteCount: UnpackedChunk.headroom + capacity + UnpackedChunk.padding, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// The destination of the unpacked bytes.
    var buffer: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: memory + UnpackedChunk.headroom, count: capacity)
    }

    func chunk(count: Int) -> UnpackedChunk {
        UnpackedChunk(base: (memory + UnpackedChunk.headroom).assumingMemoryBound(to: UInt8.self), count: count)
    }
}
