internal import CTOML

/// A value of a TOML document with its position.
struct TOMLValue {
    enum Content {
        case table([String: TOMLEntry])
        case array([TOMLValue])
        case text(String)
        case integer(Int)
        case number(Double)
        case boolean(Bool)
        case date
        case time
        case dateTime
    }

    var content: Content
    var position: TextPosition
    /// The position after the last character. Not meaningful for a table that is not inline, and for an array of such tables.
    var end: TextPosition
}

/// A key of a TOML table with its value.
struct TOMLEntry {
    /// The position of the key or, for `[table]` and `[[table]]`, of the first bracket.
    var position: TextPosition
    var value: TOMLValue
}

/// The reason why a text is not a TOML document.
enum TOMLFailure: Error, Equatable {
    /// The parser's own message. `position` is `nil` if the parser reports none.
    case invalid(reason: String, position: TextPosition?)
    case tooDeep(position: TextPosition)
    case noMemory
}

/// Parses TOML 1.0 with toml++, wrapped by ``CTOML``.
enum TOMLDocument {
    /// Returns the top-level keys of the document.
    static func read(_ text: String) throws(TOMLFailure) -> [String: TOMLEntry] {
        var text = text
        let document = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { ctoml_parse($0.baseAddress, $0.count) }
        }
        guard let document else { throw .noMemory }
        defer { ctoml_free(document) }
        let position = TextPosition(
            line: Int(ctoml_failure_line(document)), column: Int(ctoml_failure_column(document)))
        switch ctoml_result(document) {
        case CTOML_READ: break
        case CTOML_INVALID:
            throw .invalid(
                reason: String(cString: ctoml_failure_text(document)), position: position.line > 0 ? position : nil)
        case CTOML_TOO_DEEP: throw .tooDeep(position: position)
        default: throw .noMemory
        }
        var count = 0
        let nodes = ctoml_nodes(document, &count)
        var reader = TOMLNodeReader(nodes: UnsafeBufferPointer(start: nodes, count: count))
        guard case .table(let entries) = reader.readValue().content else { return [:] }
        return entries
    }
}

/// Builds values from a flat list of nodes, in which a table is followed by its children.
private struct TOMLNodeReader {
    let nodes: UnsafeBufferPointer<ctoml_node>
    private var next = 0

    init(nodes: UnsafeBufferPointer<ctoml_node>) { self.nodes = nodes }

    /// Recursive. The document's depth limit also limits the recursion.
    mutating func readValue() -> TOMLValue {
        let node = nodes[next]
        next += 1
        let position = TextPosition(line: Int(node.line), column: Int(node.column))
        let end = TextPosition(line: Int(node.end_line), column: Int(node.end_column))
        return TOMLValue(content: content(of: node), position: position, end: end)
    }

    private mutating func content(of node: ctoml_node) -> TOMLValue.Content {
        switch node.kind {
        case CTOML_TABLE: .table(readEntries(node.children))
        case CTOML_ARRAY: .array((0..<node.children).map { _ in readValue() })
        case CTOML_STRING: .text(Self.text(node.text, node.text_length))
        case CTOML_INTEGER: .integer(Int(node.integer))
        case CTOML_FLOAT: .number(node.number)
        case CTOML_BOOLEAN: .boolean(node.integer != 0)
        case CTOML_DATE: .date
        case CTOML_TIME: .time
        default: .dateTime
        }
    }

    private mutating func readEntries(_ count: Int) -> [String: TOMLEntry] {
        var entries: [String: TOMLEntry] = [:]
        for _ in 0..<count {
            let node = nodes[next]
            let key = TextPosition(line: Int(node.key_line), column: Int(node.key_column))
            let value = readValue()
            // The position of a table with a header is that of the bracket before its name.
            entries[Self.text(node.key, node.key_length)] = TOMLEntry(position: min(key, value.position), value: value)
        }
        return entries
    }

    private static func text(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
        bytes?.withMemoryRebound(to: UInt8.self, capacity: count) {
            String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
        } ?? ""
    }
}
