/// Control sequences for drawing text repeatedly over the whole terminal (ECMA-48, section 8.3).
enum Screen {
    /// Switches to the alternate screen, which preserves the primary one, and hides the cursor.
    static let open = "\u{1B}[?1049h\u{1B}[?25l"
    static let close = "\u{1B}[?25h\u{1B}[?1049l"

    /// Returns the sequence that replaces the previous frame without flicker.
    ///
    /// - Parameter rows: The height of the terminal. The last row shows the number of lines that do not fit.
    static func frame(_ text: String, rows: Int) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        if lines.count > rows, rows > 1 {
            let hidden = lines.count - (rows - 1)
            lines = Array(lines.prefix(rows - 1)) + ["… \(CountText.of(hidden, "more line"))"]
        }
        return "\u{1B}[H" + lines.joined(separator: "\u{1B}[K\r\n") + "\u{1B}[K\u{1B}[J"
    }
}
