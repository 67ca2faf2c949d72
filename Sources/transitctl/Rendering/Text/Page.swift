/// The content of a view as lines and tables, independent of width, color and padding.
struct Page: Equatable {
    enum Block: Equatable {
        case line(Line, indent: Int)
        /// Pieces joined by " · ". Lines break between pieces.
        case pieces([Line], indent: Int)
        case table(Table)
        case blank
    }

    private(set) var blocks: [Block] = []
    /// The numbers of rows, which a page has only on a terminal.
    var numbers = RowNumbers.none

    mutating func line(_ line: Line, indent: Int = 0) { blocks.append(.line(line, indent: indent)) }
    mutating func line(_ text: String, _ style: Style = .normal, indent: Int = 0) {
        line(Line(text, style), indent: indent)
    }
    mutating func pieces(_ pieces: [Line], indent: Int = 0) {
        if !pieces.isEmpty { blocks.append(.pieces(pieces, indent: indent)) }
    }
    mutating func table(_ table: Table) { if !table.rows.isEmpty { blocks.append(.table(table)) } }
    /// Appends a table with a row for each element, if there are elements.
    mutating func table<Element>(
        _ columns: [Table.Column], indent: Int = 0, showsTitles: Bool = true, of elements: some Sequence<Element>,
        cells: (Element) -> [Line]
    ) {
        table(Table(columns, indent: indent, showsTitles: showsTitles, of: elements, cells: cells))
    }
    /// Returns the tables with the same columns as `table`, such as those of the groups of a board.
    func tables(like table: Table) -> [Table] {
        blocks.compactMap {
            guard case .table(let other) = $0, other.columns.elementsEqual(table.columns, by: { $0.isLike($1) }),
                other.indent == table.indent, other.showsTitles == table.showsTitles
            else { return nil }
            return other
        }
    }
    /// Appends the blocks of another page.
    mutating func append(_ page: Page) { blocks += page.blocks }
    /// Appends an empty line unless the page is empty or already ends with one.
    mutating func blank() { if !blocks.isEmpty, blocks.last != .blank { blocks.append(.blank) } }
}

/// Rows of cells in aligned columns.
struct Table: Equatable {
    enum Alignment: Equatable { case leading, trailing }

    /// A column. A text alone is the title of a column with leading alignment.
    struct Column: Equatable, ExpressibleByStringLiteral {
        var title: String
        var alignment: Alignment = .leading
        /// Whether the column shrinks when the terminal is too narrow.
        var shrinks = false
        /// Whether the column is left out when the terminal is too narrow. The last such column is left out first.
        var isOptional = false
        /// Whether an optional column is left out only if the table is too wide even with the shorter first cells.
        var isMajor = false
        /// Whether the cells move to a line below their rows when the terminal is too narrow.
        var movesBelow = false
        /// A line after the table if the column is left out; `nil` for none.
        var substitute: Line?

        static func trailing(_ title: String) -> Column { Column(title: title, alignment: .trailing) }
        static func shrinking(_ title: String) -> Column { Column(title: title, shrinks: true) }
        static func optional(_ title: String, substitute: Line? = nil) -> Column {
            Column(title: title, isOptional: true, substitute: substitute)
        }
        static func major(_ title: String) -> Column { Column(title: title, isOptional: true, isMajor: true) }
        static func movingBelow(_ title: String) -> Column { Column(title: title, movesBelow: true) }
    }

    var columns: [Column]
    var rows: [[Line]] = []
    var indent = 0
    /// Whether to show the column titles.
    var showsTitles = true
    /// A line above the rows, which is left out if the table is too wide for the terminal.
    var heading: Line?
    /// Shorter first cells of the rows, for terminals that are too narrow for the others: for each row the same number of
    /// cells, the widest first; empty for none. The last of several is used only if the
    /// table fits in no other way.
    var shortCells: [[Line]] = []
    /// What is below each row in every layout: paragraphs of pieces; empty for none.
    var notes: [[[Line]]] = []
    /// The pieces below the first cell of each row if the table is too wide for the terminal or there is no terminal; empty
    /// for the other cells.
    var details: [[Line]] = []
    /// The indent of what is below a row, relative to the row.
    var detailIndent = 2

    init(_ columns: [Column], indent: Int = 0, showsTitles: Bool = true) {
        self.columns = columns
        self.indent = indent
        self.showsTitles = showsTitles
    }

    /// Creates a table with a row for each element.
    init<Element>(
        _ columns: [Column], indent: Int = 0, showsTitles: Bool = true, of elements: some Sequence<Element>,
        cells: (Element) -> [Line]
    ) {
        self.init(columns, indent: indent, showsTitles: showsTitles)
        rows = elements.map(cells)
    }

    mutating func add(_ cells: [Line]) { rows.append(cells) }
}

extension Table.Column {
    init(stringLiteral title: String) { self.init(title: title) }

    /// Whether two columns differ at most in what replaces them.
    fileprivate func isLike(_ other: Self) -> Bool {
        var other = other
        other.substitute = substitute
        return self == other
    }
}
