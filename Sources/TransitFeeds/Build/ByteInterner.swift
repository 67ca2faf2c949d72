package import TransitModel

#if canImport(Glibc)
    internal import Glibc
#endif

/// Deduplicates byte strings, such as identifiers, headsigns and packed patterns, and numbers them from 0 in the order
/// of their first appearance.
///
/// The interner is an open-addressing hash table over one arena. Creating a `String` for each field of a large feed
/// would take most of the reading time and four times the memory.
package struct ByteInterner: Sendable {
    private var bytes: [UInt8] = []
    /// The end offset of each byte string in ``bytes``.
    private var ends: [UInt32] = []
    /// The hash table. A free slot is 0. A used slot contains the upper half of the hash in its upper half and the
    /// number plus one in its lower half.
    private var slots: [UInt64]
    /// A random seed per table, so that a malicious feed cannot cause hash collisions.
    private let seed = UInt64.random(in: .min ... .max)

    package init() { slots = Array(repeating: 0, count: 64) }

    package var count: Int { ends.count }
    package var byteCount: Int { bytes.count }

    /// Reserves capacity for `extra` more bytes.
    package mutating func reserve(bytes extra: Int) { bytes.reserveCapacity(bytes.count + extra) }

    /// Returns the number of `text` and whether `text` was added by this call.
    package mutating func intern(_ text: UnsafeBufferPointer<UInt8>) -> (number: UInt32, isNew: Bool) {
        let hash = Self.hash(text, seed: seed)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count &- 1)
        while slots[slot] != 0 {
            if let number = number(in: slots[slot], hash), matches(number, text) { return (number, false) }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        let number = UInt32(ends.count)
        bytes.append(contentsOf: text)
        ends.append(UInt32(bytes.count))
        slots[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(number &+ 1)
        if ends.count &* 4 > slots.count &* 3 { grow() }
        return (number, true)
    }

    package mutating func intern(_ text: [UInt8]) -> (number: UInt32, isNew: Bool) {
        text.withUnsafeBufferPointer { intern($0) }
    }

    package func find(_ text: UnsafeBufferPointer<UInt8>) -> UInt32? {
        let hash = Self.hash(text, seed: seed)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count &- 1)
        while slots[slot] != 0 {
            if let number = number(in: slots[slot], hash), matches(number, text) { return number }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        return nil
    }

    /// Returns whether `text` has the given number. Returns false if the number is not in use.
    @inline(__always)
    package func matches(_ number: UInt32, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let position = Int(number)
        guard position < ends.count else { return false }
        let start = position == 0 ? 0 : Int(ends[position &- 1])
        guard Int(ends[position]) &- start == text.count else { return false }
        guard let other = text.baseAddress else { return true }
        return bytes.withUnsafeBufferPointer {
            memcmp($0.baseAddress.unsafelyUnwrapped + start, other, text.count) == 0
        }
    }

    package func withBytes<Result>(of number: UInt32, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let position = Int(number)
        let start = position == 0 ? 0 : Int(ends[position - 1])
        return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[start..<Int(ends[position])])) }
    }

    /// Returns whether the bytes with the first number precede the bytes with the second in lexicographic order.
    func precedes(_ first: UInt32, _ second: UInt32) -> Bool {
        withBytes(of: first) { left in
            withBytes(of: second) { right in left.lexicographicallyPrecedes(right) }
        }
    }

    package func text(_ number: UInt32) -> String {
        withBytes(of: number) { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns all byte strings in the order of their numbers, and releases the hash table.
    package consuming func column() -> TextColumn { TextColumn(bytes: bytes, ends: ends) }

    @inline(__always)
    private func number(in slot: UInt64, _ hash: UInt64) -> UInt32? {
        slot ^ hash < 1 << 32 ? UInt32(truncatingIfNeeded: slot) &- 1 : nil
    }

    private mutating func grow() {
        var larger = [UInt64](repeating: 0, count: slots.count * 2)
        let mask = larger.count - 1
        for number in 0..<UInt32(ends.count) {
            let hash = withBytes(of: number) { Self.hash($0, seed: seed) }
            var slot = Int(truncatingIfNeeded: hash) & mask
            while larger[slot] != 0 { slot = (slot + 1) & mask }
            larger[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(number + 1)
        }
        slots = larger
    }

    /// Hashes eight bytes at a time with folded multiplication, like wyhash.
    private static func hash(_ text: UnsafeBufferPointer<UInt8>, seed: UInt64) -> UInt64 {
        var state = seed ^ UInt64(text.count)
        guard let base = UnsafeRawPointer(text.baseAddress) else { return fold(state, 0x9E37_79B9_7F4A_7C15) }
        var remaining = text.count
        var at = base
        while remaining >= 8 {
            state = fold(state ^ at.loadUnaligned(as: UInt64.self), 0x9E37_79B9_7F4A_7C15)
            at += 8
            remaining &-= 8
        }
        var tail: UInt64 = 0
        if remaining >= 4 {
            tail = UInt64(at.loadUnaligned(as: UInt32.self))
            tail |= UInt64((at + remaining - 4).loadUnaligned(as: UInt32.self)) << 32
        } else {
            for position in 0..<remaining {
                tail = tail << 8 | UInt64(at.load(fromByteOffset: position, as: UInt8.self))
            }
        }
        return fold(fold(state ^ tail, 0xE703_7ED1_A0B4_28DB), 0x8EBC_6AF0_9C88_C6E3)
    }

    @inline(__always)
    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
