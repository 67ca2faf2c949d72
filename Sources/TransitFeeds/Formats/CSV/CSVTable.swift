internal import TransitModel

/// The header of one table, and how many rows were read.
package final class CSVTable {
    /// Such as "stops.txt".
    package let file: String
    /// The names of the header in its order: trimmed, in lower case.
    package let header: [String]
    /// Rows handed over; without the header, blank lines and rows that were skipped.
    package internal(set) var rowCount = 0
    /// For every column asked for, its place in the header.
    private let positions: [Int?]

    init(file: String, header: [String], columns: [String]) {
        self.file = file
        self.header = header
        positions = columns.map { header.firstIndex(of: $0) }
    }

    /// Whether the header names the column with this index among those asked for.
    package func has(_ column: Int) -> Bool { positions[column] != nil }

    /// The place of a field in a row that starts at `line`.
    func place(_ column: Int, line: Int) -> ValidationReport.Place {
        let position = positions[column]
        return .init(file: file, line: line, column: position.map { $0 + 1 }, field: position.map { header[$0] })
    }
}
