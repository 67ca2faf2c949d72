package import TransitModel

/// Reads the tables of a feed row by row, without copying the fields or creating a `String` for each field.
package enum CSVReader {
    /// Passes every row of a table to `body` and returns the header, or `nil` if the feed does not have the table.
    ///
    /// `columns` are the names of the columns to read: `row[0]` is the field of the first name. The file can contain
    /// the columns in any order or lack some of them. Defects are added to the context's report, for example rows with
    /// too many or too few fields, unclosed quotes, duplicate columns, and an encoding other than UTF-8.
    ///
    /// Throws ``FeedError/table(_:reason:)`` if the table cannot be parsed further, ``FeedError/canceled``, the errors
    /// of ``ZipArchive/inflate(_:_:)`` (even after the last row), and the errors of `body`.
    @discardableResult
    package static func read(
        _ archive: ZipArchive, _ name: String, columns: [String], _ context: ReadingContext,
        _ body: (borrowing CSVRow) throws(FeedError) -> Void
    ) throws(FeedError) -> CSVTable? {
        guard let member = archive.table(name) else { return nil }
        var parser = CSVParser(file: name, columns: columns, context)
        let digest = try archive.unpack(member) { chunk throws(FeedError) in
            try context.advance(name, by: chunk.count)
            try parser.read(chunk, body)
        }
        let table = try parser.finish(body)
        context.digest.add(member, sha256: digest)
        return table
    }

    /// Passes every row of a file in memory to `body` and returns the header. The encoding and defects are handled as in a
    /// table of a feed.
    package static func read(
        _ bytes: [UInt8], _ name: String, columns: [String], _ context: ReadingContext,
        _ body: (borrowing CSVRow) throws(FeedError) -> Void
    ) throws(FeedError) -> CSVTable {
        var parser = CSVParser(file: name, columns: columns, context)
        var start = 0
        while start < bytes.count {
            // The parser changes the bytes of a piece and the memory around it.
            let piece = bytes[start..<min(bytes.count, start + pieceSize)]
            let memory = ChunkMemory(capacity: piece.count)
            memory.buffer.copyBytes(from: piece)
            try context.advance(name, by: piece.count)
            try parser.read(memory.chunk(count: piece.count), body)
            start += piece.count
        }
        return try parser.finish(body)
    }

    /// The number of bytes that are parsed at a time.
    private static let pieceSize = 128 << 10
}

/// A row of a table. Its fields point into the reader's memory and are valid only during the call of the row handler.
package struct CSVRow: ~Copyable {
    /// The line on which the row starts. The header starts on line 1.
    package let line: Int
    private let fields: UnsafePointer<UnsafeBufferPointer<UInt8>>
    private let table: Unmanaged<CSVTable>

    init(line: Int, fields: UnsafePointer<UnsafeBufferPointer<UInt8>>, table: Unmanaged<CSVTable>) {
        self.line = line
        self.fields = fields
        self.table = table
    }

    /// The field of a column, by the column's index in the requested columns.
    ///
    /// The field is valid UTF-8, without quotes and surrounding whitespace. It is empty if the row or the header lacks
    /// the field.
    package subscript(column: Int) -> UnsafeBufferPointer<UInt8> {
        @inline(__always)
        get {
            let field = fields[column]
            guard field.count > 0, field[0] <= 0x20 || field[field.count - 1] <= 0x20 else { return field }
            return Self.trimmed(field)
        }
    }

    /// Returns the field as a string.
    package func text(_ column: Int) -> String { String(decoding: self[column], as: UTF8.self) }

    /// Returns the place of a field for a report.
    package func place(_ column: Int) -> ValidationReport.Location {
        table.takeUnretainedValue().place(column, line: line)
    }

    /// The place of the row for a report.
    package var place: ValidationReport.Location { .init(file: table.takeUnretainedValue().file, line: line) }

    /// Returns the field without leading and trailing blanks and control characters.
    static func trimmed(_ field: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var start = 0
        var end = field.count
        while start < end, field[start] <= 0x20 { start += 1 }
        while end > start, field[end - 1] <= 0x20 { end -= 1 }
        return UnsafeBufferPointer(rebasing: field[start..<end])
    }
}

/// The header and the row count of a table.
package final class CSVTable {
    /// The file name, such as "stops.txt".
    package let file: String
    /// The column names in the order of the header, trimmed and in lowercase.
    package let header: [String]
    /// The number of rows read, without the header, blank lines and skipped rows.
    package internal(set) var rowCount = 0
    /// The position of every requested column in the header.
    private let positions: [Int?]

    init(file: String, header: [String], columns: [String]) {
        self.file = file
        self.header = header
        positions = columns.map { header.firstIndex(of: $0) }
    }

    /// Returns whether the header contains the requested column with this index.
    package func has(_ column: Int) -> Bool { positions[column] != nil }

    /// Returns the place of a field in a row that starts on `line`.
    func place(_ column: Int, line: Int) -> ValidationReport.Location {
        let position = positions[column]
        return .init(file: file, line: line, column: position.map { $0 + 1 }, field: position.map { header[$0] })
    }
}
