/// Formats words for a shell.
enum ShellText {
    /// Returns the text as one word of a POSIX shell, in quotes if it is not one without them.
    static func quoted(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_./:@+,%=".unicodeScalars.contains($0)
        }
        if isPlain, !text.isEmpty { return text }
        if !text.contains(where: { "\"$`\\!".contains($0) }) { return "\"\(text)\"" }
        var quoted = "'"
        for character in text { quoted += character == "'" ? "'\\''" : String(character) }
        return quoted + "'"
    }
}
