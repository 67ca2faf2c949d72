/// A piece of a member's unpacked bytes, in memory that its reader may write to: a CSV reader puts the cut end of the
/// piece before in front of it, and a sentinel behind it.
struct UnpackedChunk {
    /// Writable bytes in front of ``base``.
    static let headroom = 16 << 10
    /// Writable bytes behind the last.
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

    /// Where unpacked bytes are written to.
    var buffer: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: memory + UnpackedChunk.headroom, count: capacity)
    }

    func chunk(count: Int) -> UnpackedChunk {
        UnpackedChunk(base: (memory + UnpackedChunk.headroom).assumingMemoryBound(to: UInt8.self), count: count)
    }
}
