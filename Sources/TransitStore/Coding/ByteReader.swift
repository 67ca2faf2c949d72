internal import TransitModel

/// A blob that is not what the writer makes: too short, too long, or with a value out of its range.
struct MalformedDataError: Error {
    var reason: String
    init(_ reason: String) { self.reason = reason }
}

/// Unpacks what ``ByteWriter`` packed. Every step checks that the bytes are there.
///
/// It borrows the memory: it must not outlive the closure or the statement that lends it.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Checks the ``Checksum`` at the end and reads what stands before it.
    init(sealed blob: UnsafeRawBufferPointer) throws(MalformedDataError) {
        let size = blob.count - Checksum.size
        guard size >= 0 else { throw MalformedDataError("shorter than its checksum") }
        let stored = UInt32(littleEndian: blob.loadUnaligned(fromByteOffset: size, as: UInt32.self))
        let content = UnsafeRawBufferPointer(rebasing: blob[..<size])
        guard stored == Checksum.of(content) else { throw MalformedDataError("wrong checksum") }
        bytes = content
    }

    var remaining: Int { bytes.count - position }
    /// What was not read yet.
    var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[position...]) }
    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() throws(MalformedDataError) -> UInt8 {
        guard position < bytes.count else { throw MalformedDataError("ends too early") }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func number() throws(MalformedDataError) -> UInt32 {
        guard position < bytes.count else { throw MalformedDataError("ends too early") }
        let first = bytes[position]
        position += 1
        if first < 0x80 { return UInt32(first) }
        return try longNumber(first)
    }

    private mutating func longNumber(_ first: UInt8) throws(MalformedDataError) -> UInt32 {
        var value = UInt32(first & 0x7F)
        var shift: UInt32 = 7
        while true {
            let next = try byte()
            guard shift < 28 || next <= 0x0F else { throw MalformedDataError("a number is too large") }
            value |= UInt32(next & 0x7F) << shift
            if next < 0x80 { return value }
            shift += 7
        }
    }

    mutating func signed() throws(MalformedDataError) -> Int32 {
        let value = try number()
        return Int32(bitPattern: value >> 1) ^ -Int32(bitPattern: value & 1)
    }

    /// How many things follow of at least `size` bytes each: a larger count than the bytes allow is refused, so that
    /// a damaged one never makes the reader ask for gigabytes.
    mutating func count(ofSize size: Int = 1) throws(MalformedDataError) -> Int {
        let value = Int(try number())
        guard value <= remaining / size else { throw MalformedDataError("a count is larger than what follows") }
        return value
    }

    /// The reverse of `ByteWriter.put(_: Index?)`, with the number of things that the index may point to.
    mutating func optionalIndex<Subject>(below limit: Int) throws(MalformedDataError) -> Index<Subject>? {
        let value = try number()
        guard value > 0 else { return nil }
        guard value <= limit else { throw MalformedDataError("points past the end of a table") }
        return Index(value - 1)
    }

    mutating func slice(_ count: Int) throws(MalformedDataError) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= remaining else { throw MalformedDataError("ends too early") }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
    }

    func finish() throws(MalformedDataError) {
        guard isAtEnd else { throw MalformedDataError("has bytes after its end") }
    }
}
