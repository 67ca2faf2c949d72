/// A cache of recently read texts, keyed by their bytes.
///
/// Consecutive trips usually have the same stops, and creating a string takes several times as long as a lookup.
struct TextCache {
    /// The bytes of a text of up to 32 bytes. The machine words overlap if the text is shorter. Together with the
    /// count, they identify the text.
    private struct Key: Equatable {
        var count: Int
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

        /// Creates the key of the empty text.
        init() { count = 0 }

        @inline(__always)
        init(_ start: UnsafeRawPointer, _ count: Int) {
            self.count = count
            func word(_ offset: Int) -> UInt64 { start.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
            func half(_ offset: Int) -> UInt64 {
                UInt64(start.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            }
            func byte(_ offset: Int) -> UInt64 { UInt64(start.load(fromByteOffset: offset, as: UInt8.self)) }
            switch count {
            case 16...: words = (word(0), word(8), word(count - 16), word(count - 8))
            case 8...: (words.0, words.1) = (word(0), word(count - 8))
            case 4...: (words.0, words.1) = (half(0), half(count - 4))
            case 1...: words.0 = byte(0) | byte(count / 2) << 8 | byte(count - 1) << 16
            default: break
            }
        }

        @inline(__always)
        static func == (left: Self, right: Self) -> Bool {
            left.count == right.count && left.words.0 == right.words.0 && left.words.1 == right.words.1
                && left.words.2 == right.words.2 && left.words.3 == right.words.3
        }

        @inline(__always)
        var slot: Int {
            let mixed = (words.0 ^ words.1 &* 31 ^ words.2 &* 17 ^ words.3) &* 0x9E37_79B9_7F4A_7C15
            return Int(truncatingIfNeeded: mixed >> 53)
        }
    }

    private struct Entry {
        var key: Key
        var text: String
    }

    /// The maximum length of a cached text in bytes.
    static let maximumLength = 32
    /// The number of slots, which is the number of values of the hash (the upper eleven bits of a product).
    private static let slots = 1 << 11

    private var entries = [Entry](repeating: Entry(key: Key(), text: ""), count: slots)

    /// Returns the text of the bytes. Returns `nil` for a text that is longer than ``maximumLength`` or not ASCII,
    /// because such texts are not cached.
    @inline(__always)
    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard bytes.count <= Self.maximumLength, let base = bytes.baseAddress else { return nil }
        let key = Key(base, bytes.count)
        let slot = key.slot
        if entries[slot].key == key { return entries[slot].text }
        return store(bytes, key, slot)
    }

    @inline(never)
    private mutating func store(_ bytes: UnsafeBufferPointer<UInt8>, _ key: Key, _ slot: Int) -> String? {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        entries[slot] = Entry(key: key, text: text)
        return text
    }
}
