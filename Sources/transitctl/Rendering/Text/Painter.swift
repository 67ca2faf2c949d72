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
        let widths = widths(of: all, titles + all.rows)
        guard fits(table, widths) else { return writeStacked(table, into: &text) }
        for cells in titles + table.rows {
            // Rows are never wrapped, to keep the columns aligned.
            write(whole: row(cells, table, widths), indent: table.indent, into: &text)
        }
    }

    private static let gap = 2

    /// Returns the widths of the columns; 0 for columns without content.
    private func widths(of table: Table, _ rows: [[Line]]) -> [Int] {
        var widths = table.columns.indices.map { column in
            table.rows.allSatisfy { $0[column].isEmpty } ? 0 : rows.map { $0[column].width }.max() ?? 0
        }
        guard let width = canvas.width else { return widths }
        let shown = widths.count { $0 > 0 }
        var excess = table.indent + widths.reduce(0, +) + Self.gap * max(0, shown - 1) - width
        for column in widths.indices.reversed() where table.columns[column].shrinks && excess > 0 {
            let taken = min(excess, max(0, widths[column] - 8))
            widths[column] -= taken
            excess -= taken
        }
        return widths
    }

    private func fits(_ table: Table, _ widths: [Int]) -> Bool {
        guard let width = canvas.width else { return true }
        let shown = widths.count { $0 > 0 }
        return table.indent + widths.reduce(0, +) + Self.gap * max(0, shown - 1) <= width
    }

    /// Writes a table that is too wide even after shrinking: the first cell of each row, and below it the other cells with
    /// their titles.
    private func writeStacked(_ table: Table, into text: inout String) {
        for cells in table.rows {
            var pieces: [Line] = []
            for (cell, column) in zip(cells, table.columns).dropFirst() where !cell.isEmpty {
                let title = table.showsTitles && !column.title.isEmpty ? Line(column.title + " ", .faint) : Line()
                pieces.append(title + cell)
            }
            write(cells.first ?? Line(), indent: table.indent, into: &text)
            if !pieces.isEmpty { write(pieces, indent: table.indent + 2, into: &text) }
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
            pendingSpaces += padding - before + Self.gap
        }
        return line
    }
}
