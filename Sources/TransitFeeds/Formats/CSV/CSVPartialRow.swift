/// Stores an incomplete row at the end of a piece and joins it with the next piece.
struct CSVPartialRow: ~Copyable {
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var count = 0

    init() {
        capacity = 1 << 10
        memory = .allocate(capacity: capacity + UnpackedChunk.padding)
    }

    deinit { memory.deallocate() }

    /// Returns the stored bytes followed by the bytes of a piece. The result is valid until the next call.
    ///
    /// The stored bytes are copied into the headroom of the piece if they fit. Otherwise all bytes are copied into the
    /// memory of this struct.
    mutating func join(_ base: UnsafeMutablePointer<UInt8>, _ length: Int) -> UnsafeMutableBufferPointer<UInt8> {
        if count <= UnpackedChunk.headroom {
            (base - count).update(from: memory, count: count)
            return UnsafeMutableBufferPointer(start: base - count, count: count + length)
        }
        reserve(count + length)
        (memory + count).update(from: base, count: length)
        return UnsafeMutableBufferPointer(start: memory, count: count + length)
    }

    /// The stored bytes at the end of the file.
    func remaining() -> UnsafeMutableBufferPointer<UInt8> { UnsafeMutableBufferPointer(start: memory, count: count) }

    /// Stores bytes for the next ``join(_:_:)``. The bytes can be part of the result of the last ``join(_:_:)``.
    mutating func store(_ start: UnsafeMutablePointer<UInt8>, _ length: Int) {
        if length > capacity {
            // The bytes cannot be in this memory, because there are more of them than its capacity.
            count = 0
            reserve(length)
        }
        memory.update(from: start, count: length)
        count = length
    }

    private mutating func reserve(_ needed: Int) {
        guard needed > capacity else { return }
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: needed * 2 + UnpackedChunk.padding)
        larger.update(from: memory, count: count)
        memory.deallocate()
        (memory, capacity) = (larger, needed * 2)
    }
}
