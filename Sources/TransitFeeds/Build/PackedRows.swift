/// Rows of a table as bytes, which are read back in order once it is known which of them are kept.
///
/// If the caller provides a folder, all but the last rows are in an unnamed file, so that a table with millions of rows
/// that nothing refers to takes disk space instead of memory.
struct PackedRows: Sendable {
    /// The number of bytes that are written to the file together, and read from it together.
    private static let blockSize = 1 << 18

    private let file: ScratchFile?
    /// The rows after those in the file. Each row follows its size.
    private var buffer: [UInt8] = []
    /// The number of bytes in the file.
    private var fileSize = 0
    private(set) var count = 0

    /// The error for a row that cannot be read back.
    static let unreadable = FeedError.unreadable(
        path: "temporary file", reason: "Rows of a temporary file cannot be read back")

    /// The size of the buffer at which it is moved to the file; doubled after a failure.
    private var nextSpill = PackedRows.blockSize

    /// - Parameter folder: The folder for the unnamed file, or `nil` to keep all rows in memory.
    init(folder: String?) { file = folder.flatMap { ScratchFile(in: $0) } }

    /// The number of bytes that the rows take in memory.
    var bytesInMemory: Int { buffer.count }

    mutating func append(_ row: PackedRowWriter) {
        Varint.append(UInt64(row.bytes.count), to: &buffer)
        buffer.append(contentsOf: row.bytes)
        count += 1
        if buffer.count >= nextSpill { spill() }
    }

    /// Moves the buffer to the file. If that fails, the rows stay in memory.
    private mutating func spill() {
        guard let file, file.write(buffer, at: fileSize) else {
            nextSpill = file == nil ? .max : buffer.count * 2
            return
        }
        nextSpill = Self.blockSize
        fileSize += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }

    /// Passes every row with its position to `body`, in the order in which they were added. Returns false if a row in
    /// the file cannot be read back.
    consuming func read(_ body: (Int, inout PackedRowReader) -> Void) -> Bool {
        var (block, position, filePosition, usesBuffer) = ([UInt8](), 0, 0, false)
        for number in 0..<count {
            var row = Self.row(in: block, at: position)
            while row == nil {
                block.removeFirst(position)
                position = 0
                if filePosition < fileSize {
                    let size = min(Self.blockSize, fileSize - filePosition)
                    let bytes = [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
                        count = file?.read(at: filePosition, into: UnsafeMutableRawBufferPointer(bytes)) ?? 0
                    }
                    guard bytes.count == size else { return false }
                    block += bytes
                    filePosition += size
                } else if !usesBuffer {
                    block += buffer
                    usesBuffer = true
                } else {
                    return false
                }
                row = Self.row(in: block, at: position)
            }
            guard let range = row else { return false }
            block.withUnsafeBufferPointer { bytes in
                var reader = PackedRowReader(UnsafeBufferPointer(rebasing: bytes[range]))
                body(number, &reader)
            }
            position = range.upperBound
        }
        return true
    }

    /// Returns the range of the row whose size is at a position, or `nil` if the block ends before the row.
    private static func row(in block: [UInt8], at position: Int) -> Range<Int>? {
        var (size, shift, start) = (0, 0, position)
        while start < block.count {
            let byte = block[start]
            size |= Int(byte & 0x7F) << shift
            (shift, start) = (shift + 7, start + 1)
            guard byte < 0x80 else { continue }
            return block.count - start >= size ? start..<start + size : nil
        }
        return nil
    }
}

/// Packs the fields of a row for ``PackedRows``.
struct PackedRowWriter {
    private(set) var bytes: [UInt8] = []

    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    mutating func put(_ number: UInt64) { Varint.append(number, to: &bytes) }

    mutating func put(_ text: String?) {
        guard var text else { return put(0) }
        text.withUTF8 { utf8 in
            put(UInt64(utf8.count) + 1)
            bytes.append(contentsOf: utf8)
        }
    }
}

/// Reads the fields of a row in the order in which ``PackedRowWriter`` packed them.
struct PackedRowReader {
    private var reader: Varint.Reader

    init(_ bytes: UnsafeBufferPointer<UInt8>) { reader = Varint.Reader(bytes) }

    mutating func number() -> UInt64 { reader.next() }

    mutating func text() -> String? {
        let size = reader.next()
        return size == 0 ? nil : String(decoding: reader.bytes(Int(size) - 1), as: UTF8.self)
    }
}
