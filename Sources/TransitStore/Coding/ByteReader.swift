/// An error in the content of a blob, such as an unexpected length or a value out of range. The reason completes a
/// sentence whose subject is the blob.
struct MalformedDataError: Error {
    var reason: String
    init(_ reason: String) { self.reason = reason }
}

/// Decodes the output of ``ByteWriter``. Every read is bounds-checked.
///
/// The reader borrows the memory, so it must not outlive the closure or the statement that provides it.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Verifies the ``Checksum`` at the end of a blob and creates a reader of the content before it.
    init(sealed blob: UnsafeRawBufferPointer) throws(MalformedDataError) {
        let size = blob.count - Checksum.size
        guard size >= 0 else { throw MalformedDataError("is shorter than its checksum") }
        let stored = UInt32(littleEndian: blob.loadUnaligned(fromByteOffset: size, as: UInt32.self))
        let content = UnsafeRawBufferPointer(rebasing: blob[..<size])
        guard stored == Checksum.of(content) else { throw MalformedDataError("has a wrong checksum") }
        bytes = content
    }

    var remaining: Int { bytes.count - position }
    /// The bytes that have not been read yet.
    var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[position...]) }
    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() throws(MalformedDataError) -> UInt8 {
        guard position < bytes.count else { throw MalformedDataError("is truncated") }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func number() throws(MalformedDataError) -> UInt32 {
        guard position < bytes.count else { throw MalformedDataError("is truncated") }
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
            guard shift < 28 || next <= 0x0F else { throw MalformedDataError("contains a number that is too large") }
            value |= UInt32(next & 0x7F) << shift
            if next < 0x80 { return value }
            shift += 7
        }
    }

    /// Advances past numbers without decoding them.
    mutating func skipNumbers(_ count: Int) throws(MalformedDataError) {
        var (left, place) = (count, position)
        while left > 0 {
            guard place < bytes.count else { throw MalformedDataError("is truncated") }
            // The last byte of a number is less than 0x80.
            if bytes[place] < 0x80 { left -= 1 }
            place += 1
        }
        position = place
    }

    mutating func signed() throws(MalformedDataError) -> Int32 {
        let value = try number()
        return Int32(bitPattern: value >> 1) ^ -Int32(bitPattern: value & 1)
    }

    /// Reads a count of elements that take at least `size` bytes each. A count that exceeds the remaining bytes is
    /// rejected, so that a corrupt count cannot cause a multi-gigabyte allocation.
    mutating func count(ofSize size: Int = 1) throws(MalformedDataError) -> Int {
        let value = Int(try number())
        guard value <= remaining / size else { throw MalformedDataError("contains a count that exceeds its size") }
        return value
    }

    mutating func slice(_ count: Int) throws(MalformedDataError) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= remaining else { throw MalformedDataError("is truncated") }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
    }

    func finish() throws(MalformedDataError) {
        guard isAtEnd else { throw MalformedDataError("has extra bytes at the end") }
    }
}
