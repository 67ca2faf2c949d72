package import TransitModel

/// One row while it is read: its fields lie in the reader's memory and are gone after the call.
package struct CSVRow: ~Copyable {
    /// Where the row starts; the header's first line is 1.
    package let line: Int
    private let fields: UnsafePointer<UnsafeBufferPointer<UInt8>>
    private let table: Unmanaged<CSVTable>

    init(line: Int, fields: UnsafePointer<UnsafeBufferPointer<UInt8>>, table: Unmanaged<CSVTable>) {
        self.line = line
        self.fields = fields
        self.table = table
    }

    /// The field of a column, by its index among the columns asked for: valid UTF-8, without quotes and without
    /// surrounding blanks. Empty when the row or the header does not have it.
    package subscript(column: Int) -> UnsafeBufferPointer<UInt8> {
        @inline(__always)
        get {
            let field = fields[column]
            guard field.count > 0, field[0] <= 0x20 || field[field.count - 1] <= 0x20 else { return field }
            return Self.trimmed(field)
        }
    }

    /// The field as text.
    package func text(_ column: Int) -> String { String(decoding: self[column], as: UTF8.self) }

    /// Where a field is, for a report.
    package func place(_ column: Int) -> ValidationReport.Place {
        table.takeUnretainedValue().place(column, line: line)
    }

    /// Where the row is, for a report.
    package var place: ValidationReport.Place { .init(file: table.takeUnretainedValue().file, line: line) }

    /// Without blanks and control characters at either end.
    static func trimmed(_ field: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var start = 0
        var end = field.count
        while start < end, field[start] <= 0x20 { start += 1 }
        while end > start, field[end - 1] <= 0x20 { end -= 1 }
        return UnsafeBufferPointer(rebasing: field[start..<end])
    }
}
