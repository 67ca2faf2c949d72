@testable import transitctl

/// The cells of a terminal of a fixed size, for tests of control sequences (ECMA-48 and the private modes of xterm).
///
/// After a character in the last column, the cursor stays on that cell, and the next character begins a new row: the
/// *pending wrap* of the VT100. Sequences that erase act on the cell under the cursor, also in that state.
struct TerminalCells {
    let columns: Int
    let rows: Int
    /// `nil` is the second half of a wide character.
    private var cells: [[Character?]]
    private var row = 0
    private var column = 0
    private var isWrapPending = false
    private var wraps = true

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    /// The rows as text, without trailing spaces.
    var lines: [String] {
        cells.map { row in
            let end = row.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0
            return String(row[..<end].compactMap { $0 })
        }
    }

    mutating func write(_ text: String) {
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "\r\n":
                carriageReturn()
                lineFeed()
            case "\r": carriageReturn()
            case "\n": lineFeed()
            case "\u{1B}":
                guard rest.popFirst() == "[" else { continue }
                let parameters = rest.prefix { !$0.isLetter }
                rest = rest.dropFirst(parameters.count)
                if let final = rest.popFirst() { control(final, String(parameters)) }
            default: put(character)
            }
        }
    }

    private mutating func carriageReturn() { (column, isWrapPending) = (0, false) }

    private mutating func lineFeed() {
        isWrapPending = false
        guard row == rows - 1 else {
            row += 1
            return
        }
        cells.removeFirst()
        cells.append(Array(repeating: " ", count: columns))
    }

    private mutating func put(_ character: Character) {
        let width = DisplayWidth.of(character)
        guard width > 0, width <= columns else { return }
        if wraps, isWrapPending || column + width > columns {
            carriageReturn()
            lineFeed()
        }
        // Without wrapping, characters overwrite the last cells.
        column = min(column, columns - width)
        // Half of a wide character cannot remain.
        if column > 0, cells[row][column] == nil { cells[row][column - 1] = " " }
        cells[row][column] = character
        if width == 2 { cells[row][column + 1] = nil }
        let next = column + width
        if next < columns, cells[row][next] == nil { cells[row][next] = " " }
        isWrapPending = next >= columns
        column = min(next, columns - 1)
    }

    private mutating func control(_ final: Character, _ parameters: String) {
        switch (final, parameters) {
        case ("H", ""): (row, column, isWrapPending) = (0, 0, false)
        case ("K", ""): eraseLine()
        case ("J", ""):
            eraseLine()
            for below in cells.indices where below > row { cells[below] = Array(repeating: " ", count: columns) }
        case ("h", "?7"): wraps = true
        case ("l", "?7"): wraps = false
        default: break
        }
    }

    private mutating func eraseLine() {
        if cells[row][column] == nil, column > 0 { cells[row][column - 1] = " " }
        for position in column..<columns { cells[row][position] = " " }
    }
}
