internal import TransitClient
internal import TransitControl
internal import TransitModel
internal import TransitWire

/// The text of a departure with fields, such as `{route} {leave_in:minutes}`.
///
/// A field is the path of a member in the JSON of a departure, such as `stop.name`, or one of ``BarField/added``. A
/// colon and a ``Modifier`` can follow. `{{` is a brace.
struct BarTemplate: Equatable {
    /// The form of a value.
    enum Modifier: Equatable {
        /// Whole minutes of a duration, or until a time, rounded toward zero.
        case minutes
        /// A duration, or the time until a time, such as "7 min" or "1 h 5 min".
        case duration
        /// Whole minutes of a delay with a sign, such as "+2"; empty for less than a minute.
        case signed
        /// The time of day, such as "08:12".
        case clock
        /// A text of at most this many columns.
        case maximum(Int)
        /// The contents of a JSON string.
        case json

        /// The names of all modifiers, as a person types them.
        static let names = ["minutes", "duration", "signed", "clock", "max=N", "json"]

        fileprivate init?(_ text: Substring) {
            switch text {
            case "minutes": self = .minutes
            case "duration": self = .duration
            case "signed": self = .signed
            case "clock": self = .clock
            case "json": self = .json
            default:
                guard text.hasPrefix("max="), let columns = Int(text.dropFirst(4)), (1...200).contains(columns) else {
                    return nil
                }
                self = .maximum(columns)
            }
        }
    }

    enum Piece: Equatable {
        case literal(String)
        case field(BarField, Modifier?)
    }

    let pieces: [Piece]

    /// - Throws: A ``ClientError/usage(_:)`` that names the closest field, or all fields and modifiers.
    init(_ text: String) throws(ClientError) {
        var pieces: [Piece] = []
        var literal = ""
        var rest = Substring(text)
        let fields = BarField.all
        while let character = rest.popFirst() {
            guard character == "{", rest.first != "{" else {
                if character == "{" { rest.removeFirst() }
                literal.append(character)
                continue
            }
            guard let end = rest.firstIndex(of: "}") else {
                throw .usage("--format: \"{\(rest)\" has no closing brace\nfor a brace in the text, write {{")
            }
            if !literal.isEmpty { pieces.append(.literal(literal)) }
            literal = ""
            pieces.append(try Self.field(rest[..<end], fields))
            rest = rest[rest.index(after: end)...]
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        self.pieces = pieces
    }

    private static func field(_ text: Substring, _ fields: [BarField]) throws(ClientError) -> Piece {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let path = String(parts[0])
        guard let field = fields.first(where: { $0.path == path }) else {
            throw .usage(unknown(path, fields))
        }
        guard field.kind != .group else {
            let members = fields.filter { $0.path.hasPrefix(path + ".") }.map { "{\($0.path)}" }
            throw .usage("--format: {\(path)} has several members\nuse one of \(members.joined(separator: ", "))")
        }
        guard parts.count > 1 else { return .field(field, nil) }
        guard let modifier = Modifier(parts[1]) else {
            throw .usage(
                "--format: unknown modifier \"\(parts[1])\" in {\(text)}\n"
                    + "the modifiers are \(Modifier.names.joined(separator: ", ")), with N from 1 to 200")
        }
        guard field.kind.allows(modifier) else {
            throw .usage("--format: {\(path)} is \(field.kind.words), which \"\(parts[1])\" does not apply to")
        }
        return .field(field, modifier)
    }

    private static func unknown(_ path: String, _ fields: [BarField]) -> String {
        let near = Spelling.closest(to: path, among: fields.map(\.path))
        let names = fields.filter { $0.kind != .group }.map(\.path).joined(separator: ", ")
        return "--format: unknown field {\(path)}" + (near.map { "; did you mean {\($0)}?" } ?? "")
            + "\nfor a brace in the text, write {{; the fields are \(names)"
    }

    /// Whether the template shows ``BarField/note`` itself. Otherwise, it is added at the end.
    var hasNote: Bool {
        pieces.contains { if case .field(.note, _) = $0 { true } else { false } }
    }
}

/// A field of a template: a member of a departure or of an object in it.
struct BarField: Equatable {
    enum Kind: Equatable {
        case text
        case number
        /// A length of time in seconds.
        case seconds
        case time
        /// An object without a text of its own.
        case group

        func allows(_ modifier: BarTemplate.Modifier) -> Bool {
            switch (modifier, self) {
            case (.minutes, .seconds), (.minutes, .time), (.duration, .seconds), (.duration, .time): true
            case (.signed, .seconds), (.clock, .time): true
            case (.maximum, .text), (.json, .text): true
            default: false
            }
        }

        fileprivate var words: String {
            switch self {
            case .text: "a text"
            case .number: "a number"
            case .seconds: "a duration"
            case .time: "a time"
            case .group: "an object"
            }
        }
    }

    /// The path in the JSON of a departure, such as `stop.name`.
    let path: String
    let kind: Kind

    /// The seconds until ``Departure/leaveBy`` or, without a walk, until the departure.
    static let leaveIn = BarField(path: "leave_in", kind: .seconds)
    /// What limits the departure or its data, such as "canceled" or "offline"; empty if nothing does.
    static let note = BarField(path: "note", kind: .text)
    /// The classes of the bar, such as "live late".
    static let classes = BarField(path: "class", kind: .text)
    /// The fields that the JSON does not have.
    static let added = [note, classes]

    /// All fields, from the schema of a departure. Routes and stops also have a text of their own, their name.
    static var all: [BarField] {
        var builder = SchemaBuilder(role: .parameters)
        var fields: [BarField] = []
        add(builder.object(Departure.self), prefix: "", to: &fields)
        return fields + added
    }

    private static func add(_ schema: JSONObject, prefix: String, to fields: inout [BarField]) {
        guard case .object(let properties)? = schema["properties"] else { return }
        for member in properties.members {
            guard case .object(let documented) = member.value else { continue }
            let schema = choice(documented)
            let path = prefix + member.name
            let isObject = schema["properties"] != nil
            fields.append(BarField(path: path, kind: kind(of: schema, documented, named: member.name)))
            if isObject { add(schema, prefix: path + ".", to: &fields) }
        }
    }

    /// Returns the schema of an optional member without null.
    private static func choice(_ schema: JSONObject) -> JSONObject {
        guard case .array(let choices)? = schema["anyOf"], case .object(let first)? = choices.first else {
            return schema
        }
        return first
    }

    private static func kind(of schema: JSONObject, _ documented: JSONObject, named name: String) -> Kind {
        if schema["properties"] != nil { return ["route", "stop", "scheduled_stop"].contains(name) ? .text : .group }
        if documented["x-unit"]?.text == WireUnit.seconds.rawValue { return .seconds }
        if schema["format"]?.text == "date-time" { return .time }
        let types = if case .array(let types)? = schema["type"] { types } else { [schema["type"] ?? .null] }
        return types.contains("string") ? .text : .number
    }
}
