internal import TransitControl

extension SuggestionLineEditor {
    /// Returns the lines to display: the prompt with the text, and the suggestions below it. No line exceeds `width`.
    func lines(_ question: String, width: Int) -> [Line] {
        var lines = [Line(Self.end(of: question + ": " + text, width: width))]
        for (place, address) in suggestions.enumerated() {
            let isChosen = place == chosen
            lines.append(Line((isChosen ? "> " : "  ") + address.name, isChosen ? .strong : .faint).cut(to: width))
        }
        if let problem { lines.append(Line("  " + problem, .caution).cut(to: width)) }
        return lines
    }

    /// Returns the end of a text that does not fit, where the user types.
    private static func end(of text: String, width: Int) -> String {
        var text = SafeText.clean(text)[...]
        while DisplayWidth.of(String(text)) > width, !text.isEmpty { text = text.dropFirst() }
        return String(text)
    }

    /// Returns the sequence that replaces the previous lines and places the cursor after the text (ECMA-48, section 8.3).
    static func drawing(_ lines: [Line], _ painter: Painter) -> String {
        let texts = lines.map { line in
            var page = Page()
            page.line(line)
            return painter.paint(page).filter { $0 != "\n" }
        }
        let below = lines.count - 1
        let column = lines.first?.width ?? 0
        return "\r\u{1B}[J" + texts.joined(separator: "\r\n") + (below > 0 ? "\u{1B}[\(below)A" : "") + "\r"
            + (column > 0 ? "\u{1B}[\(column)C" : "")
    }
}
