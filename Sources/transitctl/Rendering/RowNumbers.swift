/// The numbers before the rows of a page, and what they stand for.
///
/// Numbers are shown only on a terminal, where a following command can refer to them.
struct RowNumbers: Equatable {
    /// In the order of their numbers, from 1.
    private(set) var rows: [TerminalRows.Row] = []
    /// Departures that the page shows without a number.
    private(set) var mentioned: [TerminalRows.Row] = []
    /// The width of the largest number; `nil` if the page has no numbers.
    private let digits: Int?

    /// No numbers.
    static let none = RowNumbers(digits: nil)

    private init(digits: Int?) { self.digits = digits }

    /// - Parameter count: The number of rows of the page.
    init(count: Int) { digits = String(max(1, count)).count }

    /// The columns that a number takes, with the space after it.
    var width: Int { digits.map { $0 + 2 } ?? 0 }

    /// Returns the next number as the beginning of a line; an empty line without numbers.
    mutating func next(_ row: @autoclosure () -> TerminalRows.Row) -> Line {
        guard let digits else { return Line() }
        rows.append(row())
        let number = String(rows.count)
        return Line(String(repeating: " ", count: digits - number.count) + number + "  ", .faint)
    }

    /// Records departures that the page shows without a number, so that a following command can name them.
    mutating func mention(_ rows: @autoclosure () -> [TerminalRows.Row]) {
        if digits != nil { mentioned += rows() }
    }
}

/// A page with numbered rows.
struct ListedPage {
    var page: Page
    var kind: TerminalRows.Kind
    /// The command that shows such a list.
    var command: String
    var rows: [TerminalRows.Row]
    /// Departures that the page shows without a number.
    var mentioned: [TerminalRows.Row] = []
}
