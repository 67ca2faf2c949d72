extension Line {
    /// Wraps the line into parts of at most `width` columns; parts after the first are two columns narrower. Longer words
    /// are not split.
    func broken(to width: Int) -> [Line] {
        guard self.width > width else { return [self] }
        var parts = [Line()]
        for word in words {
            let limit = parts.count == 1 ? width : width - 2
            let isFirst = parts[parts.count - 1].isEmpty
            if !isFirst, parts[parts.count - 1].width + word.blanks.width + word.text.width > limit {
                parts.append(word.text)
            } else {
                parts[parts.count - 1].append(isFirst && parts.count > 1 ? word.text : word.blanks + word.text)
            }
        }
        return parts
    }

    /// A word, which may have several styles, and the spaces before it.
    private struct Word {
        var blanks = Line()
        var text = Line()
    }

    private var words: [Word] {
        var words = [Word()]
        for span in spans {
            for (isBlank, text) in Self.runs(span.text) {
                if isBlank, !words[words.count - 1].text.isEmpty { words.append(Word()) }
                if isBlank {
                    words[words.count - 1].blanks.append(text, span.style)
                } else {
                    words[words.count - 1].text.append(text, span.style)
                }
            }
        }
        return words
    }

    /// Splits text into runs of spaces and runs of other characters.
    private static func runs(_ text: String) -> [(isBlank: Bool, text: String)] {
        var runs: [(isBlank: Bool, text: String)] = []
        for character in text {
            let isBlank = character == " "
            if runs.last?.isBlank != isBlank { runs.append((isBlank, "")) }
            runs[runs.count - 1].text.append(character)
        }
        return runs
    }
}
