package import TransitModel

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
