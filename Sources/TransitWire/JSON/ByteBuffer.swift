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
        if capacity &- count < bytes.count { grow(by: bytes.count) }
        Self.copy(source, bytes.count, to: base + count)
        count &+= bytes.count
    }

    /// Appends up to `maximumCount` bytes that `body` writes. `body` returns the number of bytes written.
    @inline(__always)
    mutating func append(upTo maximumCount: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
        // Neither can overflow, because both are lengths of memory.
        if capacity &- count < maximumCount { grow(by: maximumCount) }
        count &+= body(base + count)
    }

    /// Copies bytes to a place that does not overlap them. Most names and texts are short, and calling `memcpy` takes more
    /// instructions than copying their first and their last bytes, which can overlap.
    @inline(__always)
    static func copy(_ source: UnsafePointer<UInt8>, _ count: Int, to place: UnsafeMutablePointer<UInt8>) {
        switch count {
        case 4..<8: copyEnds(UInt32.self, source, count, to: place)
        case 8..<16: copyEnds(UInt64.self, source, count, to: place)
        case 16...32: copyEnds(SIMD16<UInt8>.self, source, count, to: place)
        case 33...: UnsafeMutableRawPointer(place).copyMemory(from: source, byteCount: count)
        case 1...3:
            place[0] = source[0]
            place[count / 2] = source[count / 2]
            place[count &- 1] = source[count &- 1]
        default: break
        }
    }

    /// Copies bytes as two words, which overlap unless there are twice as many bytes as a word has.
    @inline(__always)
    private static func copyEnds<Word: BitwiseCopyable>(
        _ word: Word.Type, _ source: UnsafePointer<UInt8>, _ count: Int, to place: UnsafeMutablePointer<UInt8>
    ) {
        let (from, to) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(place))
        let last = count &- MemoryLayout<Word>.size
        to.storeBytes(of: from.loadUnaligned(as: Word.self), as: Word.self)
        to.storeBytes(of: from.loadUnaligned(fromByteOffset: last, as: Word.self), toByteOffset: last, as: Word.self)
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
