/// Bytes that only grow, with one owner: appending a few of them costs a few instructions, where `[UInt8]` asks each time
/// whether it is shared.
struct ByteBuffer: ~Copyable, @unchecked Sendable {
    // Sendable: the memory belongs to this value alone, which cannot be copied.
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

    /// Forgets the bytes, and the memory too when it is more than `kept`.
    mutating func removeAll(keepingUpTo kept: Int) {
        count = 0
        guard capacity > kept else { return }
        base.deallocate()
        base = .allocate(capacity: kept)
        capacity = kept
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

    /// Lets `body` write up to `most` bytes and return how many it wrote.
    @inline(__always)
    mutating func append(atMost most: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
        if capacity - count < most { grow(by: most) }
        count += body(base + count)
    }

    @inline(never)
    private mutating func grow(by more: Int) {
        let larger = max(capacity * 2, count + more)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        memory.update(from: base, count: count)
        base.deallocate()
        base = memory
        capacity = larger
    }
}
