/// A run of texts, each kept as its difference from the one before it: how many bytes they share at the beginning and
/// at the end, and what stands between.
///
/// Identifiers of one line differ in a few characters: "…-Sunday-00_000600_1..S03R", "…-Sunday-00_002600_1..S03R".
enum FrontCoding {
    struct Writer {
        private var previous: [UInt8] = []

        mutating func put(_ text: ArraySlice<UInt8>, to writer: inout ByteWriter) {
            let (prefix, suffix) = previous.withUnsafeBufferPointer { previous in
                text.withUnsafeBufferPointer { FrontCoding.shared(previous, $0) }
            }
            writer.put(prefix)
            writer.put(suffix)
            writer.put(text.count - prefix - suffix)
            writer.put(bytes: text.dropFirst(prefix).dropLast(suffix))
            previous.replaceSubrange(0..., with: text)
        }
    }

    /// How many bytes two texts share at the beginning, and how many of the rest at the end.
    private static func shared(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
    ) -> (prefix: Int, suffix: Int) {
        let most = min(left.count, right.count)
        var prefix = 0
        while prefix < most, left[prefix] == right[prefix] { prefix += 1 }
        var suffix = 0
        while suffix < most - prefix, left[left.count - 1 - suffix] == right[right.count - 1 - suffix] { suffix += 1 }
        return (prefix, suffix)
    }

    /// Passes over `count` texts and returns the last one.
    static func read(_ count: Int, from reader: inout ByteReader) throws(Malformed) -> [UInt8] {
        var text: [UInt8] = []
        for _ in 0..<count {
            let prefix = Int(try reader.number())
            let suffix = Int(try reader.number())
            let middle = try reader.slice(try reader.count())
            guard prefix + suffix <= text.count else { throw Malformed("shares more than the text before it has") }
            text.replaceSubrange(prefix..<(text.count - suffix), with: middle)
        }
        return text
    }
}
