internal import TransitModel

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
