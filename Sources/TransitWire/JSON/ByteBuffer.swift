/// A growable buffer with a single owner. Appending a few bytes takes a few instructions, whereas `[UInt8]` checks each
/// time whether its storage is shared.
struct ByteBuffer: ~Copyable, @unchecked Sendable {
    // Sendable because this value is the only owner of the memory and cannot be copied.
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = max(64, capacity)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    func withBytes<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        body(UnsafeBufferPointer(start: base, count: count))
    }

    /// Removes all bytes, and reduces the capacity to at most `maximumCapacity`.
    mutating func removeAll(keepingCapacityUpTo maximumCapacity: Int) {
        count = 0
        guard capacity > maximumCapacity else { return }
        base.deallocate()
        base = .allocate(capacity: maximumCapacity)
        capacity = maximumCapacity
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if count == capacity { grow(by: 1) }
        base[count] = byte
        count += 1
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        if capacity - count < bytes.count { grow(by: bytes.count) }
        (base + count).update(from: source, count: bytes.count)
        count += bytes.count
    }

    /// Appends up to `maximumCount` bytes that `body` writes. `body` returns the number of bytes written.
    @inline(__always)
    mutating func append(upTo maximumCount: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
        if capacity - count < maximumCount { grow(by: maximumCount) }
        count += body(base + count)
    }

    @inline(never)
    private mutating func grow(by additionalCount: Int) {
        let newCapacity = max(capacity * 2, count + additionalCount)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity)
        memory.update(from: base, count: count)
        base.deallocate()
        base = memory
        capacity = newCapacity
    }
}
