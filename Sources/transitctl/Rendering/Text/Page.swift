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
            guard case .table(let other) = $0, other.columns == table.columns, other.indent == table.indent,
                other.showsTitles == table.showsTitles
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

        static func trailing(_ title: String) -> Column { Column(title: title, alignment: .trailing) }
        static func shrinking(_ title: String) -> Column { Column(title: title, shrinks: true) }
    }

    var columns: [Column]
    var rows: [[Line]] = []
    var indent = 0
    /// Whether to show the column titles.
    var showsTitles = true

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
}
