/// Keeps the end of a piece that holds the beginning of a row, and joins it to the next piece.
struct CSVPartialRow: ~Copyable {
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var count = 0

    init() {
        capacity = 1 << 10
        memory = .allocate(capacity: capacity + UnpackedChunk.padding)
    }

    deinit { memory.deallocate() }

    /// What was kept, followed by the bytes of a piece. Mostly in the piece's own memory, in front of its bytes; a long
    /// rest is joined here instead. Valid until the next call.
    mutating func join(_ base: UnsafeMutablePointer<UInt8>, _ length: Int) -> UnsafeMutableBufferPointer<UInt8> {
        if count <= UnpackedChunk.headroom {
            (base - count).update(from: memory, count: count)
            return UnsafeMutableBufferPointer(start: base - count, count: count + length)
        }
        reserve(count + length)
        (memory + count).update(from: base, count: length)
        return UnsafeMutableBufferPointer(start: memory, count: count + length)
    }

    /// What was kept, as the last text of the file.
    func rest() -> UnsafeMutableBufferPointer<UInt8> { UnsafeMutableBufferPointer(start: memory, count: count) }

    /// Keeps these bytes for the next ``join(_:_:)``; they may lie in what the last one returned.
    mutating func keep(_ start: UnsafeMutablePointer<UInt8>, _ length: Int) {
        if length > capacity {
            // Longer than what is kept here, so it does not lie here.
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
