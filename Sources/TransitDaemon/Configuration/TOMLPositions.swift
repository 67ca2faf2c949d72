/// Where each key of a TOML document stands, found by a second reading of its text.
///
/// TOMLKit tells a position only for syntax errors. This reader is given documents that TOMLKit has accepted, so it
/// need not refuse anything: on a text that is not TOML it finds less, and never runs past the end.
struct TOMLPositions {
    private var keys: [TOMLPath: TextPosition] = [:]
    private var values: [TOMLPath: TextPosition] = [:]

    init(_ text: String) {
        var reader = TOMLPositionReader(text)
        reader.readDocument()
        (keys, values) = (reader.keys, reader.values)
    }

    /// Where the value begins; where its key or table header is when that is all there is.
    func value(_ path: TOMLPath) -> TextPosition? { values[path] ?? key(path) }

    /// Where the key, or the table's header, begins; of the nearest table around it when it is not in the text.
    func key(_ path: TOMLPath) -> TextPosition? {
        var path: TOMLPath? = path
        while let here = path {
            if let position = keys[here] ?? values[here] { return position }
            path = here.parent
        }
        return nil
    }
}

/// The walk over the text that fills ``TOMLPositions``.
private struct TOMLPositionReader {
    private(set) var keys: [TOMLPath: TextPosition] = [:]
    private(set) var values: [TOMLPath: TextPosition] = [:]

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var line = 1
    private var lineStart = 0
    /// Nested arrays and inline tables; more are not followed.
    private var depth = 0
    /// How many `[[path]]` there have been.
    private var elements: [TOMLPath: Int] = [:]

    private static let deepest = 64

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func readDocument() {
        var table = TOMLPath.root
        while true {
            skipBlank(newlines: true)
            guard let next = peek else { return }
            let before = position
            if next == "[" { table = readHeader() } else { readPair(in: table) }
            // A text that is not TOML: go on at least by one character.
            if position == before { advance() }
        }
    }

    /// `[a.b]` or `[[a.b]]`.
    private mutating func readHeader() -> TOMLPath {
        let start = here
        advance()
        let isElement = peek == "["
        if isElement { advance() }
        let names = readKey()
        var path = TOMLPath.root
        for (offset, name) in names.enumerated() {
            path = path[name]
            let isLast = offset == names.count - 1
            if isLast && isElement { elements[path, default: 0] += 1 }
            if let count = elements[path] { path = path[count - 1] }
        }
        keys[path] = start
        while let next = peek, next != "\n" { advance() }
        return path
    }

    /// `a.b = value`.
    private mutating func readPair(in table: TOMLPath) {
        let start = here
        var path = table
        for name in readKey() {
            path = path[name]
            if keys[path] == nil { keys[path] = start }
        }
        skipBlank(newlines: false)
        guard peek == "=" else { return }
        advance()
        skipBlank(newlines: false)
        readValue(path)
    }

    /// The names of a dotted key.
    private mutating func readKey() -> [String] {
        var names: [String] = []
        while true {
            skipBlank(newlines: false)
            names.append(readName())
            skipBlank(newlines: false)
            guard peek == "." else { return names }
            advance()
        }
    }

    private mutating func readName() -> String {
        if peek == "\"" || peek == "'" { return readString() }
        var name = ""
        while let next = peek, next.properties.isAlphabetic || ("0"..."9").contains(next) || next == "-" || next == "_"
        {
            name.unicodeScalars.append(next)
            advance()
        }
        return name
    }

    private mutating func readValue(_ path: TOMLPath) {
        values[path] = here
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.deepest else { return }
        switch peek {
        case "\"", "'": _ = readString()
        case "[": readArray(path)
        case "{": readInlineTable(path)
        default:
            while let next = peek, next != ",", next != "]", next != "}", next != "\n", next != "#" { advance() }
        }
    }

    private mutating func readArray(_ path: TOMLPath) {
        advance()
        var index = 0
        while true {
            skipBlank(newlines: true)
            guard let next = peek else { return }
            if next == "]" { return advance() }
            let before = position
            if next == "," {
                advance()
            } else {
                readValue(path[index])
                index += 1
            }
            if position == before { advance() }
        }
    }

    private mutating func readInlineTable(_ path: TOMLPath) {
        advance()
        while true {
            skipBlank(newlines: true)
            guard let next = peek else { return }
            if next == "}" { return advance() }
            let before = position
            if next == "," { advance() } else { readPair(in: path) }
            if position == before { advance() }
        }
    }

    /// A string of any of the four kinds; returns what stands between the quotes, escapes as they are.
    private mutating func readString() -> String {
        guard let quote = peek else { return "" }
        let isLong = position + 2 < scalars.count && scalars[position + 1] == quote && scalars[position + 2] == quote
        let width = isLong ? 3 : 1
        for _ in 0..<width { advance() }
        var text = ""
        while let next = peek {
            if isEnd(quote, width) { break }
            if next == "\n" && !isLong { return text }
            text.unicodeScalars.append(next)
            advance()
            if next == "\\", quote == "\"", let escaped = peek {
                text.unicodeScalars.append(escaped)
                advance()
            }
        }
        // A long string may end in up to two quotes of its own.
        while peek == quote { advance() }
        return text
    }

    private func isEnd(_ quote: Unicode.Scalar, _ width: Int) -> Bool {
        position + width <= scalars.count && scalars[position..<position + width].allSatisfy { $0 == quote }
    }

    private mutating func skipBlank(newlines: Bool) {
        while let next = peek {
            if next == "#" {
                while let skipped = peek, skipped != "\n" { advance() }
            } else if next == " " || next == "\t" || next == "\r" || next == "\u{FEFF}" || (newlines && next == "\n") {
                advance()
            } else {
                return
            }
        }
    }

    private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }
    private var here: TextPosition { TextPosition(line: line, column: position - lineStart + 1) }

    private mutating func advance() {
        guard position < scalars.count else { return }
        if scalars[position] == "\n" {
            line += 1
            lineStart = position + 1
        }
        position += 1
    }
}
