internal import ArgumentParser
internal import TransitWire

/// An argument, option or flag of a command, as its declaration describes it.
struct DeclaredArgument: Equatable {
    enum Form: String { case flag, option, positional }

    /// The values that an argument accepts.
    enum Values: Equatable {
        case kind(ValueKind)
        case list([String])
        case files
        case folders
    }

    var form: Form
    /// The names as typed, such as "--count" and "-n"; empty for a positional argument.
    var names: [String]
    var valueName: String
    var isRepeating: Bool
    var help: String
    /// `nil` if the declaration does not say what the values are.
    var values: Values?

    /// The name with two dashes; the only name if there is none.
    var longName: String { names.first { $0.hasPrefix("--") } ?? names.first ?? "" }

    /// Returns what a command declares, in its order. Hidden options are not included.
    ///
    /// ArgumentParser's description of a command is the only source, so that no other list has to be kept.
    static func all(of command: any ParsableArguments.Type) -> [DeclaredArgument] {
        guard let dump = try? JSONValue(parsing: command._dumpHelp()),
            case .array(let elements)? = dump["command"]?["arguments"]
        else { return [] }
        return elements.compactMap(Self.init)
    }

    private init?(_ json: JSONValue) {
        guard json["shouldDisplay"] == .bool(true), let form = json["kind"]?.text.flatMap({ Form(rawValue: $0) }) else {
            return nil
        }
        self.form = form
        valueName = json["valueName"]?.text ?? ""
        isRepeating = json["isRepeating"] == .bool(true)
        help = json["abstract"]?.text ?? ""
        names =
            json["names"]?.elements.compactMap { name in
                name["name"]?.text.map { name["kind"]?.text == "long" ? "--\($0)" : "-\($0)" }
            } ?? []
        values = form == .flag ? nil : Self.values(json, valueName)
    }

    private static func values(_ json: JSONValue, _ valueName: String) -> Values? {
        let completion = json["completionKind"]
        if let name = completion?["shellCommand"]?["command"]?.text {
            return ValueKind(rawValue: name).map { .kind($0) }
        }
        if completion?["file"] != nil { return .files }
        if completion?["directory"] != nil { return .folders }
        if let list = completion?["list"]?["values"] { return .list(list.elements.compactMap(\.text)) }
        if let kind = ValueKind(rawValue: valueName) { return [.file, .path].contains(kind) ? .files : .kind(kind) }
        return json["allValueStrings"].map { .list($0.elements.compactMap(\.text)) }
    }
}

extension JSONValue {
    /// The elements of an array; empty for any other value.
    fileprivate var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }
}
