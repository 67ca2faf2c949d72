/// What a view says: lines and tables, still without width, colour and padding.
struct Page: Equatable {
    enum Block: Equatable {
        case line(Line, indent: Int)
        /// Pieces joined by " · ", broken between pieces where the terminal ends.
        case pieces([Line], indent: Int)
        case table(Table)
        case blank
    }

    private(set) var blocks: [Block] = []

    mutating func line(_ line: Line, indent: Int = 0) { blocks.append(.line(line, indent: indent)) }
    mutating func line(_ text: String, _ style: Style = .normal, indent: Int = 0) {
        line(Line(text, style), indent: indent)
    }
    mutating func pieces(_ pieces: [Line], indent: Int = 0) {
        if !pieces.isEmpty { blocks.append(.pieces(pieces, indent: indent)) }
    }
    mutating func table(_ table: Table) { if !table.rows.isEmpty { blocks.append(.table(table)) } }
    /// Everything of another page.
    mutating func append(_ page: Page) { blocks += page.blocks }
    /// An empty line between two blocks; never the first.
    mutating func blank() { if !blocks.isEmpty, blocks.last != .blank { blocks.append(.blank) } }
}

/// Rows of cells in aligned columns.
struct Table: Equatable {
    enum Alignment: Equatable { case leading, trailing }

    struct Column: Equatable {
        var title: String
        var alignment: Alignment = .leading
        /// Gives way when the terminal is too narrow.
        var shrinks = false
    }

    var columns: [Column]
    var rows: [[Line]] = []
    var indent = 0
    /// Whether the titles are shown; they are also left out when the table has a single row of words.
    var showsTitles = true

    init(_ columns: [Column], indent: Int = 0, showsTitles: Bool = true) {
        self.columns = columns
        self.indent = indent
        self.showsTitles = showsTitles
    }

    mutating func add(_ cells: [Line]) { rows.append(cells) }
}
