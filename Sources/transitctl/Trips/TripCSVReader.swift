internal import TransitControl
internal import TransitWire

/// Reads records of CSV (RFC 4180), with the position of each field.
///
/// Lines end with CRLF or LF. A byte order mark is skipped. Text that is not UTF-8 is repaired.
struct TripCSVReader {
    struct Field: Hashable {
        var text: String
        var position: TripFile.Position
    }

    struct Record {
        var fields: [Field] = []
        var position: TripFile.Position
        /// Why the record cannot be used.
        var problem: TripFile.Problem?
    }

    /// The maximum number of fields in a record.
    private static let maximumFields = 64

    private let characters: [Character]
    private var index = 0
    private var position = TripFile.Position(line: 1, column: 1)

    init(_ bytes: [UInt8]) {
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        characters = Array(String(decoding: hasMark ? bytes.dropFirst(3) : bytes[...], as: UTF8.self))
    }

    /// Returns the next record; `nil` at the end.
    mutating func next() -> Record? {
        guard index < characters.count else { return nil }
        var record = Record(position: position)
        while true {
            readField(&record)
            guard index < characters.count, characters[index] == "," else { break }
            advance()
            if index == characters.count { record.fields.append(Field(text: "", position: position)) }
            if index == characters.count { break }
        }
        // The rest of the line after a problem.
        while index < characters.count, !characters[index].isNewline { advance() }
        if index < characters.count { advance() }
        return record
    }

    private mutating func readField(_ record: inout Record) {
        let start = position
        var text = ""
        if index < characters.count, characters[index] == "\"" {
            advance()
            guard readQuoted(&text) else {
                record.problem = TripFile.Problem(
                    position: start, message: "The quotation mark has no end, so the rest of the file is not read.")
                return
            }
            if index < characters.count, characters[index] != ",", !characters[index].isNewline {
                record.problem =
                    record.problem
                    ?? TripFile.Problem(position: position, message: "There is text after the closing quotation mark.")
                while index < characters.count, characters[index] != ",", !characters[index].isNewline { advance() }
            }
        } else {
            while index < characters.count, characters[index] != ",", !characters[index].isNewline {
                if characters[index] == "\"" {
                    record.problem =
                        record.problem
                        ?? TripFile.Problem(
                            position: position, message: "A field with quotation marks has to begin with one.")
                }
                text.append(characters[index])
                advance()
            }
        }
        if record.fields.count < Self.maximumFields {
            record.fields.append(Field(text: text, position: start))
        } else {
            record.problem =
                record.problem
                ?? TripFile.Problem(position: start, message: "The row has more than \(Self.maximumFields) fields.")
        }
    }

    /// Reads the rest of a quoted field. Returns false if it has no end.
    private mutating func readQuoted(_ text: inout String) -> Bool {
        while index < characters.count {
            let character = characters[index]
            advance()
            guard character == "\"" else {
                text.append(character)
                continue
            }
            guard index < characters.count, characters[index] == "\"" else { return true }
            text.append("\"")
            advance()
        }
        return false
    }

    private mutating func advance() {
        if characters[index].isNewline {
            position = TripFile.Position(line: position.line + 1, column: 1)
        } else {
            position.column += 1
        }
        index += 1
    }
}

/// Formats and parses fields of CSV.
enum CSVText {
    /// Returns a record with CRLF. Fields with commas, quotation marks or line breaks are quoted (RFC 4180, section 2).
    static func record(_ fields: [String]) -> String { fields.map(quoted).joined(separator: ",") + "\r\n" }

    private static func quoted(_ text: String) -> String {
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"" + text.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }

    /// The characters with which spreadsheets begin a formula (OWASP, "CSV Injection").
    private static let formulaStarts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]
    /// A field that begins with this character is text in spreadsheets.
    private static let textMark: Unicode.Scalar = "'"

    /// Returns a value of JSON as a field. Text that spreadsheets would evaluate begins with an additional apostrophe, which
    /// ``value(_:of:)`` removes.
    static func field(_ value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .bool(let isTrue): isTrue ? "true" : "false"
        case .int(let number): String(number)
        case .string(let text): (startsFormula(text[...]) ? String(textMark) : "") + text
        default: value.description
        }
    }

    /// Whether text begins with a character that starts a formula, after any number of apostrophes.
    private static func startsFormula(_ text: Substring) -> Bool {
        text.unicodeScalars.first { $0 != textMark }.map(formulaStarts.contains) ?? false
    }

    /// Returns the value of a field for the schema of ``LoggedTrip``; `nil` for an empty field.
    static func value(_ text: String, of column: String) -> JSONValue? {
        if text.isEmpty { return nil }
        switch column {
        case "direction_id", "distance": return Int64(text).map { .int($0) } ?? .string(text)
        case "straight_line":
            switch text.lowercased() {
            case "true", "1", "yes": return .bool(true)
            case "false", "0", "no": return .bool(false)
            default: return .string(text)
            }
        default:
            let isMarked = text.unicodeScalars.first == textMark && startsFormula(text[...])
            return .string(isMarked ? String(text.unicodeScalars.dropFirst()) : text)
        }
    }
}
