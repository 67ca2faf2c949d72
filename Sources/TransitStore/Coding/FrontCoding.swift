/// A run of texts: the first one whole, every other one as its difference from the first: how many bytes they share at
/// the beginning and at the end, and what stands between.
///
/// Identifiers of one line differ in a few characters: "…-Sunday-00_000600_1..S03R", "…-Sunday-00_002600_1..S03R".
/// The first, not the one before, so that a reader passes over a text without putting it together.
enum FrontCoding {
    struct Writer {
        private var base: ArraySlice<UInt8>?

        mutating func put(_ text: ArraySlice<UInt8>, to writer: inout ByteWriter) {
            guard let base else {
                writer.put(text.count)
                writer.put(bytes: text)
                base = text
                return
            }
            let (prefix, suffix) = base.withUnsafeBufferPointer { base in
                text.withUnsafeBufferPointer { FrontCoding.shared(base, $0) }
            }
            writer.put(prefix)
            writer.put(suffix)
            writer.put(text.count - prefix - suffix)
            writer.put(bytes: text.dropFirst(prefix).dropLast(suffix))
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

    /// The three pieces of a text, lent by the blob.
    struct Text {
        var prefix: UnsafeRawBufferPointer
        var middle: UnsafeRawBufferPointer
        var suffix: UnsafeRawBufferPointer

        /// Bytes that are not UTF-8 are repaired.
        var string: String {
            let count = prefix.count + middle.count + suffix.count
            return withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { buffer in
                var end = 0
                for piece in [prefix, middle, suffix] where !piece.isEmpty {
                    UnsafeMutableRawBufferPointer(rebasing: buffer[end...]).copyMemory(from: piece)
                    end += piece.count
                }
                return String(decoding: buffer, as: UTF8.self)
            }
        }

        func equals(_ text: String) -> Bool {
            var rest = text.utf8[...]
            for piece in [prefix, middle, suffix] {
                guard rest.starts(with: piece) else { return false }
                rest = rest.dropFirst(piece.count)
            }
            return rest.isEmpty
        }
    }

    /// The text at a position of the run that begins where the reader stands.
    static func read(_ position: Int, from reader: inout ByteReader) throws(Malformed) -> Text {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        let base = try reader.slice(try reader.count())
        if position == 0 { return Text(prefix: none, middle: base, suffix: none) }
        for _ in 1..<position { try skip(&reader) }
        return try next(&reader, base)
    }

    /// All texts of a run, in their order.
    static func readAll(_ count: Int, from reader: inout ByteReader) throws(Malformed) -> [String] {
        guard count > 0 else { return [] }
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        let base = try reader.slice(try reader.count())
        var texts = [Text(prefix: none, middle: base, suffix: none).string]
        for _ in 1..<count { texts.append(try next(&reader, base).string) }
        return texts
    }

    private static func next(_ reader: inout ByteReader, _ base: UnsafeRawBufferPointer) throws(Malformed) -> Text {
        let prefix = Int(try reader.number())
        let suffix = Int(try reader.number())
        guard prefix + suffix <= base.count else { throw Malformed("shares more than the first text has") }
        return Text(
            prefix: UnsafeRawBufferPointer(rebasing: base[..<prefix]), middle: try reader.slice(try reader.count()),
            suffix: UnsafeRawBufferPointer(rebasing: base[(base.count - suffix)...]))
    }

    private static func skip(_ reader: inout ByteReader) throws(Malformed) {
        _ = try reader.number()
        _ = try reader.number()
        _ = try reader.slice(try reader.count())
    }
}
