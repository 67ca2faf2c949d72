import TransitControl

/// The reference part of transitd-protocol(7), written from the description that `describe` gives.
struct ProtocolManual {
    let description: DescribeResult
    private var lines: [String] = []

    /// The mdoc lines between the page's markers.
    static func lines(of description: DescribeResult = DescribeResult()) -> [String] {
        var manual = ProtocolManual(description: description)
        manual.writeMethods()
        manual.writeEvents()
        manual.writeObjects()
        manual.writeErrors()
        return manual.lines
    }

    private init(description: DescribeResult) { self.description = description }

    private mutating func writeMethods() {
        lines.append(".Sh METHODS")
        for method in description.methods {
            lines.append(".Ss \(method.name)")
            sentence(method.summary)
            members(of: method.params, title: "Parameters")
            if let name = reference(method.result) {
                lines += [".Pp", "Answers", ".Sx \(name) ."]
            } else {
                members(of: method.result, title: "Answer")
            }
        }
    }

    private mutating func writeEvents() {
        lines.append(".Sh NOTIFICATIONS")
        for event in description.events {
            lines.append(".Ss \(event.name)")
            sentence(event.summary)
            members(of: event.params, title: "Members")
        }
    }

    private mutating func writeObjects() {
        lines.append(".Sh OBJECTS")
        guard case .object(let definitions) = description.defs else { return }
        for definition in definitions.members.sorted(by: { $0.name < $1.name }) {
            lines.append(".Ss \(definition.name)")
            guard case .object(let schema) = definition.value else { continue }
            if case .string(let about)? = schema["description"] { sentence(about) }
            members(of: definition.value, title: nil)
        }
    }

    private mutating func writeErrors() {
        lines += [".Sh ERROR KINDS", ".Bl -tag -width Ds"]
        for error in description.errors {
            lines.append(".It Cm \(error.kind) Pq \(error.code)\(error.retryable ? ", retryable" : "")")
            sentence(error.summary)
        }
        lines.append(".El")
    }

    private mutating func members(of schema: JSONValue, title: String?) {
        guard case .object(let object) = schema, case .object(let properties)? = object["properties"],
            !properties.members.isEmpty
        else { return }
        var required: Set<JSONValue> = []
        if case .array(let names)? = object["required"] { required = Set(names) }
        if let title { lines += [".Pp", "\(title):"] }
        lines.append(".Bl -tag -width Ds -compact")
        for property in properties.members {
            let isRequired = required.contains(.string(property.name)) && title == "Parameters"
            lines.append(".It Va \(property.name) Pq \(form(property.value))\(isRequired ? ", required" : "")")
            if case .object(let member) = property.value, case .string(let about)? = member["description"] {
                sentence(about)
            }
        }
        lines.append(".El")
    }

    /// "integer", "string or null", "array of Departure".
    private func form(_ schema: JSONValue) -> String {
        guard case .object(let object) = schema else { return "any" }
        if let name = reference(schema) { return name }
        if case .array(let choices)? = object["anyOf"] { return choices.map(form).joined(separator: " or ") }
        if case .array(let values)? = object["enum"] {
            return values.map { if case .string(let text) = $0 { text } else { "null" } }.joined(separator: " | ")
        }
        switch object["type"] {
        case .string("array")?: return "array of " + form(object["items"] ?? .null)
        case .string(let name)?: return name
        case .array(let names)?:
            return names.map { if case .string(let name) = $0 { name } else { "any" } }.joined(separator: " or ")
        default: return "any"
        }
    }

    private func reference(_ schema: JSONValue) -> String? {
        guard case .object(let object) = schema, case .string(let path)? = object["$ref"] else { return nil }
        return path.split(separator: "/").last.map(String.init)
    }

    /// Text as mdoc wants it: a line never begins with a control character, and each sentence has a line.
    private mutating func sentence(_ text: String) {
        let escaped = text.replacing("\\", with: "\\e").replacing("`", with: "")
        for line in escaped.replacing(". ", with: ".\n").split(separator: "\n") {
            lines.append((line.first == "." || line.first == "'" ? "\\&" : "") + line)
        }
    }
}
