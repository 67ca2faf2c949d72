internal import Glibc

/// A compact encoding of similar texts. The first text is stored in full. Each later text is stored as the lengths of
/// the prefix and suffix that it shares with the first, and the bytes in between.
///
/// The trip identifiers of a route differ in only a few characters: "…-Sunday-00_000600_1..S03R",
/// "…-Sunday-00_002600_1..S03R". Texts are compared with the first one, not the previous one, so that a reader can skip
/// a text without decoding it.
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

    /// Returns the length of the shared prefix, and the length of the shared suffix of the remaining bytes.
    private static func shared(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
    ) -> (prefix: Int, suffix: Int) {
        let limit = min(left.count, right.count)
        var prefix = 0
        while prefix < limit, left[prefix] == right[prefix] { prefix += 1 }
        var suffix = 0
        while suffix < limit - prefix, left[left.count - 1 - suffix] == right[right.count - 1 - suffix] { suffix += 1 }
        return (prefix, suffix)
    }

    /// The three parts of a text. The bytes belong to the blob.
    struct Text {
        var prefix: UnsafeRawBufferPointer
        var middle: UnsafeRawBufferPointer
        var suffix: UnsafeRawBufferPointer

        /// The text as a string. Invalid UTF-8 is repaired.
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
                return Self.matches(prefix, in: text, at: 0) && Self.matches(middle, in: text, at: prefix.count)
                    && Self.matches(suffix, in: text, at: prefix.count + middle.count)
            }
        }

        /// Whether `text` contains `piece` at an offset. The text must be long enough.
        private static func matches(
            _ piece: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, at offset: Int
        ) -> Bool {
            guard let bytes = piece.baseAddress, let start = text.baseAddress else { return piece.isEmpty }
            return memcmp(bytes, start + offset, piece.count) == 0
        }
    }

    /// Reads the text at a position. The reader must be at the start of the encoded texts.
    static func read(_ position: Int, from reader: inout ByteReader) throws(MalformedDataError) -> Text {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        let base = try reader.slice(try reader.count())
        if position == 0 { return Text(prefix: none, middle: base, suffix: none) }
        for _ in 1..<position { try skip(&reader) }
        return try next(&reader, base)
    }

    /// Reads texts in ascending order of their positions and skips those in between.
    struct Cursor {
        private var reader: ByteReader
        private let base: UnsafeRawBufferPointer
        /// Position of the text after ``text``.
        private var next = 1
        private var text: Text

        /// Creates a cursor. `reader` must be at the start of the encoded texts.
        init(_ reader: ByteReader) throws(MalformedDataError) {
            self.reader = reader
            base = try self.reader.slice(try self.reader.count())
            let none = UnsafeRawBufferPointer(start: nil, count: 0)
            text = Text(prefix: none, middle: base, suffix: none)
        }

        /// Returns the text at a position, which must not be before the position of the previous call.
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
        guard prefix + suffix <= base.count else {
            throw MalformedDataError("contains a text that shares more bytes than the first text has")
        }
        return Text(
            prefix: UnsafeRawBufferPointer(rebasing: base[..<prefix]), middle: try reader.slice(try reader.count()),
            suffix: UnsafeRawBufferPointer(rebasing: base[(base.count - suffix)...]))
    }

    fileprivate static func skip(_ reader: inout ByteReader) throws(MalformedDataError) {
        try reader.skipNumbers(2)
        _ = try reader.slice(try reader.count())
    }
}
