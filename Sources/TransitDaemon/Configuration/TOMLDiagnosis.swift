/// The probable mistake in a text that is not valid TOML: a description and a remedy.
///
/// It is derived mainly from the line at which toml++ stopped. The message of toml++ only helps to choose among the
/// possible mistakes.
struct TOMLDiagnosis: Equatable {
    var message: String
    var remedy: String

    init(_ message: String, remedy: String) {
        self.message = message
        self.remedy = remedy
    }

    /// - Parameters:
    ///   - reason: The message of toml++, such as "Error while parsing string: encountered end-of-file".
    ///   - position: The position in `text` at which toml++ stopped.
    init(reason: String, at position: TextPosition?, in text: String) {
        guard let position else {
            self.init("this is not TOML", remedy: "see transitd.toml(5) for examples")
            return
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let line = lines.indices.contains(position.line - 1) ? String(lines[position.line - 1]) : ""
        let stopped = ParserFailureLine(reason: reason, column: position.column, line: TOMLLine(line))
        let mistake =
            stopped.inHeader ?? stopped.atDuplicate ?? stopped.missingEquals ?? stopped.inString ?? stopped.inArray
            ?? stopped.inValue
            ?? TOMLDiagnosis("this is not TOML: \(reason)", remedy: "see transitd.toml(5) for examples")
        self = mistake
    }
}

/// A line of TOML, parsed as far as possible despite the mistake.
private struct TOMLLine {
    let text: String
    /// The text before the first `=`; `nil` if there is none.
    let key: String?
    /// The text after the first `=`, without a comment.
    let value: String

    init(_ line: String) {
        text = Self.trimmed(line)
        guard let equals = text.firstIndex(of: "="), !text.hasPrefix("["), equals > text.startIndex else {
            (key, value) = (nil, "")
            return
        }
        key = Self.trimmed(text[..<equals])
        let afterEquals = Self.trimmed(text[text.index(after: equals)...])
        let isQuoted = afterEquals.first == "\"" || afterEquals.first == "'"
        value = isQuoted ? afterEquals : Self.trimmed(afterEquals.prefix { $0 != "#" })
    }

    /// The value in quotes, for a remedy. Parts that may be secret are omitted.
    var quoted: String {
        if key?.lowercased().contains("key") == true { return "\"…\"" }
        let known = value.prefix { $0 != "?" && $0 != "\"" && $0 != "'" }.prefix(60)
        return "\"\(known)\(value.contains("?") || known.count == 60 ? "…" : "")\""
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        func isBlank(_ character: Character) -> Bool { character.isWhitespace }
        return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}

/// The line at which toml++ stopped, and the reason. Each property detects one group of mistakes and is `nil` for
/// others.
private struct ParserFailureLine {
    let reason: String
    let column: Int
    let line: TOMLLine

    private func reasonContains(_ words: String...) -> Bool { words.contains { reason.contains($0) } }
    private var name: String { line.key.map { "`\($0)`" } ?? "the value" }

    /// Mistakes in a table header.
    var inHeader: TOMLDiagnosis? {
        guard line.text.hasPrefix("["), reasonContains("table header", "parsing key:") else { return nil }
        let isList = line.text.hasPrefix("[[")
        if reasonContains("redefine") {
            let table = line.text.drop { $0 == "[" }.prefix { $0 != "]" }
            if reasonContains("array") || isList {
                return TOMLDiagnosis(
                    "`[\(table)]` and `[[\(table)]]` cannot both be used",
                    remedy: "write each of them as `[[\(table)]]`")
            }
            return TOMLDiagnosis(
                "the table `[\(table)]` is defined twice", remedy: "put the keys of both below the first one")
        }
        if reasonContains("expected a comment or whitespace") {
            return TOMLDiagnosis(
                "there is text after the table's `]`", remedy: "write each key on a line of its own below it")
        }
        if reasonContains("expected ']'", "end-of-file") {
            let closing = isList ? "]]" : "]"
            return TOMLDiagnosis("the table header does not end with `\(closing)`", remedy: "add `\(closing)`")
        }
        return TOMLDiagnosis(
            "this is not a valid table name", remedy: "write `[name]`, with quotes around a name that contains spaces")
    }

    var atDuplicate: TOMLDiagnosis? {
        guard reasonContains("redefine") else { return nil }
        return TOMLDiagnosis("\(name) is defined twice", remedy: "remove one of them")
    }

    var missingEquals: TOMLDiagnosis? {
        guard line.key == nil, reasonContains("expected '='", "expected keys") else { return nil }
        if line.text.hasPrefix("=") {
            return TOMLDiagnosis("there is no key before the `=`", remedy: "write `key = value`")
        }
        let word = line.text.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        let rest = line.text.dropFirst(word.count).drop { $0 == " " }
        if !word.isEmpty, rest.hasPrefix(":") {
            return TOMLDiagnosis("there is a `:` after `\(word)`", remedy: "write `\(word) = …`")
        }
        return TOMLDiagnosis(
            "there is no `=` on this line", remedy: "write `key = value`, or begin a comment with `#`")
    }

    /// Mistakes in a quoted string.
    var inString: TOMLDiagnosis? {
        if reasonContains("escape sequence", "unicode scalar sequence") {
            return TOMLDiagnosis(
                "a `\\` in double quotes begins an escape sequence",
                remedy: "write `\\\\`, or use single quotes")
        }
        guard reasonContains("string:"), reasonContains("control characters", "end-of-file") else { return nil }
        guard reasonContains("end-of-file") || column > line.text.unicodeScalars.count else {
            return TOMLDiagnosis("the string contains a control character", remedy: "remove it")
        }
        let quote = reasonContains("literal") ? "'" : "\""
        // Only a multi-line string continues beyond its first line.
        let isLong = line.value.hasPrefix(quote + quote + quote) || !line.value.hasPrefix(quote)
        let closing = isLong ? quote + quote + quote : quote
        return TOMLDiagnosis("the string has no closing quote", remedy: "end it with `\(closing)`")
    }

    /// Mistakes in an array or an inline table.
    var inArray: TOMLDiagnosis? {
        if reasonContains("parsing inline table"), reasonContains("'\\n'", "end-of-file", "'\\r'") {
            return TOMLDiagnosis(
                "the inline table does not end on its line", remedy: "write it on one line and end it with `}`")
        }
        guard reasonContains("parsing array"), reasonContains("end-of-file", "expected") else { return nil }
        return TOMLDiagnosis(
            "the list has no closing bracket", remedy: "separate its values with `,` and end it with `]`")
    }

    /// Mistakes in an unquoted value.
    var inValue: TOMLDiagnosis? {
        guard line.key != nil else { return nil }
        guard let first = line.value.first else {
            return TOMLDiagnosis("\(name) has no value", remedy: "write it after the `=`, or remove the line")
        }
        if "“”„‟«»‘’‚".contains(first) {
            return TOMLDiagnosis("\(name) is in curly quotes", remedy: "use straight quotes: `\"`")
        }
        if reasonContains("expected a comment or whitespace") {
            if line.value.hasSuffix(",") {
                return TOMLDiagnosis("there is a comma after \(name)", remedy: "remove it")
            }
            if line.value.contains("=") || first == "\"" || first == "'" {
                return TOMLDiagnosis(
                    "there is text after the value of \(name)", remedy: "write each key on a line of its own")
            }
        }
        if "\"'[{".contains(first) { return nil }
        return inNumber ?? missingQuotes
    }

    private var inNumber: TOMLDiagnosis? {
        // The value is a number with an exponent that is too large.
        if let key = line.key, line.value.contains(where: \.isNumber), Double(line.value)?.isInfinite == true {
            return TOMLDiagnosis("`\(key)` is too large", remedy: "use a smaller number")
        }
        guard line.value.allSatisfy({ $0.isNumber || "+-.,".contains($0) }), line.value.contains(where: \.isNumber),
            let key = line.key
        else { return nil }
        let parts = line.value.split(separator: ",", omittingEmptySubsequences: false)
        if parts.count == 2, !parts[0].contains("."), !parts[1].contains("."), !parts[1].isEmpty {
            return TOMLDiagnosis(
                "`\(key)` has a comma", remedy: "use a decimal point: `\(key) = \(parts[0]).\(parts[1])`")
        }
        if reasonContains("leading zero") {
            return TOMLDiagnosis("`\(key)` begins with a zero", remedy: "remove the zero, or put the value in quotes")
        }
        if reasonContains("representable") {
            return TOMLDiagnosis("`\(key)` is too large", remedy: "use a smaller number")
        }
        if line.value.first == "." || line.value.hasPrefix("-.") || line.value.last == "." {
            return TOMLDiagnosis(
                "`\(key)` needs digits on both sides of its decimal point", remedy: "write a number such as `0.5`")
        }
        return nil
    }

    private var missingQuotes: TOMLDiagnosis {
        TOMLDiagnosis(
            "\(name) is a string without quotes", remedy: "put it in quotes: `\(line.key ?? "key") = \(line.quoted)`"
        )
    }
}
