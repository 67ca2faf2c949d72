/// Draws a text over the whole terminal, again and again in the same place (ECMA-48, section 8.3).
enum Screen {
    /// The second screen, so that the first is as it was afterwards; no cursor.
    static let open = "\u{1B}[?1049h\u{1B}[?25l"
    static let close = "\u{1B}[?25h\u{1B}[?1049l"

    /// Takes the place of what was drawn before, without a moment in which nothing is there.
    ///
    /// - Parameter rows: of the terminal; what does not fit is left out, and that is said.
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
