/// How a table fits into the width of a terminal: which columns are shown, how wide they are, and in which form.
struct TableLayout {
    /// The width of each column; 0 for a column that is not shown.
    let widths: [Int]
    /// The position of the rows' shorter first cells; `nil` for the first cells themselves.
    private let shortCell: Int?
    /// The columns with content that are not shown.
    private let hidden: Set<Int>
    private let columns: [Table.Column]

    /// The number of spaces between two columns.
    static let gap = 2
    /// The minimum width of a shrinking column.
    private static let minimum = 8
    /// The width to which a column shrinks before optional columns are left out.
    private static let comfortable = 16

    /// The columns whose cells are below their rows.
    var below: [Int] { columns.indices.filter { hidden.contains($0) && columns[$0].movesBelow } }
    /// The columns that are left out.
    var leftOut: [Int] { columns.indices.filter { hidden.contains($0) && columns[$0].isOptional } }

    /// Chooses the first of these layouts that fits: all columns; without optional columns, one after the other; with the
    /// shorter first cells, one after the other; without the major ones of the optional columns; with narrower columns; with
    /// cells below the rows; and with the last of several shorter first cells. `nil` if none fits.
    ///
    /// - Parameters:
    ///   - table: All rows that are aligned with one another.
    ///   - width: The width of the terminal; `nil` for any.
    init?(_ table: Table, _ titles: [[Line]], width: Int?) {
        let columns = table.columns
        self.columns = columns
        let choices = Self.choices(for: table)
        var naturalWidths: [Int?: [Int]] = [:]
        for shortCell in Self.firstCells(of: table) {
            naturalWidths[shortCell] = Self.naturalWidths(of: table, titles, shortCell)
        }
        for (form, floor, shortCell, leftOut) in choices {
            guard let natural = naturalWidths[shortCell] else { continue }
            var widths = natural
            for column in columns.indices where leftOut.contains(column) || form == .below && columns[column].movesBelow
            {
                widths[column] = 0
            }
            guard Self.shrink(&widths, table, to: width, floor: floor) else { continue }
            (self.widths, self.shortCell) = (widths, shortCell)
            hidden = Set(columns.indices.filter { [widths] in widths[$0] == 0 && natural[$0] > 0 })
            return
        }
        return nil
    }

    /// Where the cells of columns are that move below the rows.
    private enum Form { case inline, below }

    /// Returns the layouts in the order in which they are tried.
    private static func choices(
        for table: Table
    ) -> [(form: Form, floor: Int, shortCell: Int?, leftOut: Set<Int>)] {
        let optional = table.columns.indices.filter { table.columns[$0].isOptional }
        let major = optional.filter { table.columns[$0].isMajor }
        let minor = optional.filter { !table.columns[$0].isMajor }
        let firstCells = firstCells(of: table)
        let forms: [Form] = table.columns.contains(where: \.movesBelow) ? [.inline, .below] : [.inline]
        var choices: [(form: Form, floor: Int, shortCell: Int?, leftOut: Set<Int>)] = []
        for form in forms {
            for floor in optional.isEmpty ? [minimum] : [comfortable, minimum] {
                for count in 0...major.count {
                    for shortCell in firstCells.count > 2 ? firstCells.dropLast() : firstCells[...] {
                        // The minor columns precede the major ones.
                        for minorCount in count == 0 ? 0...minor.count : minor.count...minor.count {
                            choices.append(
                                (form, floor, shortCell, Set(minor.suffix(minorCount) + major.suffix(count))))
                        }
                    }
                }
            }
        }
        choices.append((forms[forms.count - 1], minimum, firstCells[firstCells.count - 1], Set(optional)))
        return choices
    }

    /// The forms of the first cells: `nil`, then the positions of shorter ones.
    private static func firstCells(of table: Table) -> [Int?] {
        [nil] + (table.shortCells.first?.indices.map { Optional($0) } ?? [])
    }

    /// Returns the rows of one of the tables.
    func rows(of table: Table) -> [[Line]] {
        guard let shortCell else { return table.rows }
        return zip(table.shortCells, table.rows).map { [$0[shortCell]] + $1.dropFirst() }
    }

    /// Returns the widths of the columns; 0 for columns without content.
    private static func naturalWidths(of table: Table, _ titles: [[Line]], _ shortCell: Int?) -> [Int] {
        table.columns.indices.map { column in
            if table.rows.allSatisfy({ $0[column].isEmpty }) { return 0 }
            var cells = table.rows.map { $0[column] }
            if column == 0, let shortCell { cells = table.shortCells.map { $0[shortCell] } }
            return (titles.map { $0[column] } + cells).map(\.width).max() ?? 0
        }
    }

    /// Shrinks columns to a width. Returns whether the table fits.
    private static func shrink(_ widths: inout [Int], _ table: Table, to width: Int?, floor: Int) -> Bool {
        guard let width else { return true }
        let shown = widths.count { $0 > 0 }
        var excess = table.indent + widths.reduce(0, +) + gap * max(0, shown - 1) - width
        for column in widths.indices.reversed() where table.columns[column].shrinks && excess > 0 {
            let taken = min(excess, max(0, widths[column] - floor))
            widths[column] -= taken
            excess -= taken
        }
        return excess <= 0
    }
}
