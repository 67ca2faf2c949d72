/// The output properties of a stream.
struct Canvas: Equatable {
    /// The width in columns; `nil` without a terminal, in which case lines are neither truncated nor wrapped.
    var width: Int?
    /// How styles are shown; `nil` without color.
    var coloring: Coloring?
    /// Whether to paint the background of the theme behind whole lines. This requires a width.
    var paintsBackground = false

    init(width: Int?, coloring: Coloring?, paintsBackground: Bool = false) {
        self.width = width
        self.coloring = coloring
        self.paintsBackground = paintsBackground
    }

    /// Creates a canvas without color, or with the terminal's own colors.
    init(width: Int? = nil, color: Bool = false) { self.init(width: width, coloring: color ? .terminal : nil) }

    var color: Bool { coloring != nil }
}

/// Renders a ``Page`` as text.
struct Painter {
    let canvas: Canvas

    func paint(_ page: Page) -> String {
        var text = ""
        for block in page.blocks {
            switch block {
            case .line(let line, let indent): write(line, indent: indent, into: &text)
            case .pieces(let pieces, let indent): write(pieces, indent: indent, into: &text)
            case .table(let table): write(table, like: page.tables(like: table), into: &text)
            case .blank: write(whole: Line(), indent: 0, into: &text)
            }
        }
        return text
    }

    /// Writes a line, wrapped between words. Continuation lines are indented by two more columns.
    private func write(_ line: Line, indent: Int, into text: inout String) {
        for (position, part) in line.broken(to: (canvas.width ?? .max) - indent).enumerated() {
            write(whole: part, indent: position == 0 ? indent : indent + 2, into: &text)
        }
    }

    private func write(whole line: Line, indent: Int, into text: inout String) {
        if canvas.paintsBackground, let width = canvas.width, let base = canvas.coloring?.backgroundCode {
            return write(line.cut(to: width - indent), indent: indent, on: base, width: width, into: &text)
        }
        text += String(repeating: " ", count: indent)
        for span in line.spans { paint(span, into: &text) }
        text += "\n"
    }

    /// Writes a line with a background that fills the width.
    private func write(_ line: Line, indent: Int, on base: String, width: Int, into text: inout String) {
        text += "\u{1B}[\(base)m" + String(repeating: " ", count: indent)
        for span in line.spans {
            guard let code = canvas.coloring?.code(span.style) else {
                text += span.text
                continue
            }
            text += "\u{1B}[\(code)m\(span.text)\u{1B}[0;\(base)m"
        }
        text += String(repeating: " ", count: max(0, width - indent - line.width)) + "\u{1B}[0m\n"
    }

    private func paint(_ span: Line.Span, into text: inout String) {
        guard let code = canvas.coloring?.code(span.style) else {
            text += span.text
            return
        }
        text += "\u{1B}[\(code)m\(span.text)\u{1B}[0m"
    }

    private func write(_ pieces: [Line], indent: Int, into text: inout String) {
        var line = Line()
        for piece in pieces {
            if !line.isEmpty, let width = canvas.width, indent + line.width + 3 + piece.width > width {
                write(line, indent: indent, into: &text)
                line = Line()
            }
            if !line.isEmpty { line.append(" · ", .faint) }
            line.append(piece)
        }
        write(line, indent: indent, into: &text)
    }

    /// Writes a table. The columns of similar tables have the same widths, and either all of them fit or none does.
    private func write(_ table: Table, like similar: [Table], into text: inout String) {
        let titles = table.showsTitles ? [table.columns.map { Line($0.title, .faint) }] : []
        var all = table
        all.rows = similar.flatMap(\.rows)
        all.shortCells = similar.flatMap(\.shortCells)
        let needsNoTable = canvas.width == nil && !table.details.isEmpty
        guard !needsNoTable, let layout = TableLayout(all, titles, width: canvas.width) else {
            return writeStacked(table, into: &text)
        }
        if let heading = table.heading { write(heading, indent: table.indent, into: &text) }
        for cells in titles { write(whole: row(cells, table, layout.widths), indent: table.indent, into: &text) }
        for (position, cells) in layout.rows(of: table).enumerated() {
            // Rows are never wrapped, to keep the columns aligned.
            write(whole: row(cells, table, layout.widths), indent: table.indent, into: &text)
            let below = layout.below.map { cells[$0] }.filter { !$0.isEmpty }
            if !below.isEmpty { write(below, indent: table.indent + table.detailIndent, into: &text) }
            writeNotes(of: position, table, into: &text)
        }
        for column in layout.leftOut {
            if let line = table.columns[column].substitute { write(line, indent: table.indent, into: &text) }
        }
    }

    /// Writes a table that is too wide even after shrinking: the first cell of each row, and below it the details or the
    /// other cells with their titles.
    private func writeStacked(_ table: Table, into text: inout String) {
        for (position, cells) in table.rows.enumerated() {
            var pieces: [Line] = []
            for (cell, column) in zip(cells, table.columns).dropFirst() where !cell.isEmpty {
                let title = table.showsTitles && !column.title.isEmpty ? Line(column.title + " ", .faint) : Line()
                pieces.append(title + cell)
            }
            if !table.details.isEmpty { pieces = table.details[position] }
            write(cells.first ?? Line(), indent: table.indent, into: &text)
            if !pieces.isEmpty { write(pieces, indent: table.indent + table.detailIndent, into: &text) }
            writeNotes(of: position, table, into: &text)
        }
    }

    private func writeNotes(of position: Int, _ table: Table, into text: inout String) {
        guard table.notes.indices.contains(position) else { return }
        for pieces in table.notes[position] where !pieces.isEmpty {
            write(pieces, indent: table.indent + table.detailIndent, into: &text)
        }
    }

    private func row(_ cells: [Line], _ table: Table, _ widths: [Int]) -> Line {
        var line = Line()
        // Spaces are written only before other content, so that lines have no trailing spaces.
        var pendingSpaces = 0
        for column in widths.indices where widths[column] > 0 {
            let cell = cells[column].cut(to: widths[column])
            let padding = widths[column] - cell.width
            let before = table.columns[column].alignment == .trailing ? padding : 0
            pendingSpaces += before
            if !cell.isEmpty {
                line.append(String(repeating: " ", count: pendingSpaces))
                line.append(cell)
                pendingSpaces = 0
            }
            pendingSpaces += padding - before + TableLayout.gap
        }
        return line
    }
}
