internal import Glibc

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
            var text = text
            return text.withUTF8 { text in
                guard text.count == prefix.count + middle.count + suffix.count else { return false }
                let text = UnsafeRawBufferPointer(text)
                return Self.stands(prefix, in: text, at: 0) && Self.stands(middle, in: text, at: prefix.count)
                    && Self.stands(suffix, in: text, at: prefix.count + middle.count)
            }
        }

        /// Whether a piece stands at a place of a text that is long enough for it.
        private static func stands(
            _ piece: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, at place: Int
        ) -> Bool {
            guard let bytes = piece.baseAddress, let start = text.baseAddress else { return piece.isEmpty }
            return memcmp(bytes, start + place, piece.count) == 0
        }
    }

    /// The text at a position of the run that begins where the reader stands.
    static func read(_ position: Int, from reader: inout ByteReader) throws(MalformedDataError) -> Text {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        let base = try reader.slice(try reader.count())
        if position == 0 { return Text(prefix: none, middle: base, suffix: none) }
        for _ in 1..<position { try skip(&reader) }
        return try next(&reader, base)
    }

    /// Reads some texts of a run, in their order, and passes over the others.
    struct Cursor {
        private var reader: ByteReader
        private let base: UnsafeRawBufferPointer
        /// Of the text behind ``text``.
        private var next = 1
        private var text: Text

        /// `reader` stands where the run begins.
        init(_ reader: ByteReader) throws(MalformedDataError) {
            self.reader = reader
            base = try self.reader.slice(try self.reader.count())
            let none = UnsafeRawBufferPointer(start: nil, count: 0)
            text = Text(prefix: none, middle: base, suffix: none)
        }

        /// The text at a position that is not before the one that was asked for last.
        mutating func text(at position: Int) throws(MalformedDataError) -> Text {
            guard position >= next else { return text }
            while next < position {
                try FrontCoding.skip(&reader)
                next += 1
            }
            text = try FrontCoding.next(&reader, base)
            next += 1
            return text
        }
    }

    fileprivate static func next(_ reader: inout ByteReader, _ base: UnsafeRawBufferPointer) throws(MalformedDataError)
        -> Text
    {
        let prefix = Int(try reader.number())
        let suffix = Int(try reader.number())
        guard prefix + suffix <= base.count else { throw MalformedDataError("shares more than the first text has") }
        return Text(
            prefix: UnsafeRawBufferPointer(rebasing: base[..<prefix]), middle: try reader.slice(try reader.count()),
            suffix: UnsafeRawBufferPointer(rebasing: base[(base.count - suffix)...]))
    }

    fileprivate static func skip(_ reader: inout ByteReader) throws(MalformedDataError) {
        _ = try reader.number()
        _ = try reader.number()
        _ = try reader.slice(try reader.count())
    }
}
