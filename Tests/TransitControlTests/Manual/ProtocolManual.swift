import TransitControl
import TransitWire

/// Generates the reference part of transitd-protocol(7) from the result of `describe`.
struct ProtocolManual {
    let description: DescribeResult
    private var lines: [String] = []

    /// Returns the mdoc lines between the markers of the page.
    static func lines(of description: DescribeResult = DescribeResult()) -> [String] {
        var manual = ProtocolManual(description: description)
        manual.writeMethods()
        manual.writeEvents()
        manual.writeObjects()
        manual.writeErrors()
        return manual.lines
    }

    /// Returns the mdoc lines of transitd-hooks(5) that describe the event, between the markers of the page.
    static func hookLines() -> [String] {
        var builder = SchemaBuilder(role: .result)
        let event = JSONValue.object(builder.object(NotificationEvent.self))
        var manual = ProtocolManual(description: DescribeResult())
        manual.lines.append(".Sh EVENT")
        manual.sentence(event["description"]?.text ?? "")
        manual.sentence("All members are present. Members that are not listed here may be added.")
        manual.members(of: event)
        for name in ["NotificationSubject", "PreviousNotification", "NotificationItem", "NotificationAction"] {
            guard let definition = builder.definitions[name] else { preconditionFailure("\(name) is not in the event") }
            manual.lines.append(".Ss \(name)")
            manual.sentence(definition["description"]?.text ?? "")
            manual.members(of: definition)
        }
        manual.lines += [".Ss Other objects", ".Xr transitd-protocol 7"]
        manual.sentence("describes the other objects, such as `Departure`.")
        return manual.lines
    }

    private init(description: DescribeResult) { self.description = description }

    private mutating func writeMethods() {
        lines.append(".Sh METHODS")
        for method in description.methods {
            lines.append(".Ss \(method.name)")
            sentence(method.summary)
            parameters(method.params, title: "Parameters")
            lines += [".Pp", "Returns", ".Sx \(form(method.result.schema)) ."]
        }
    }

    private mutating func writeEvents() {
        lines.append(".Sh NOTIFICATIONS")
        for event in description.events {
            lines.append(".Ss \(event.name)")
            sentence(event.summary)
            parameters(event.params, title: "Members")
        }
    }

    private mutating func writeObjects() {
        lines.append(".Sh OBJECTS")
        guard case .object(let definitions) = description.components.schemas else { return }
        for definition in definitions.members.sorted(by: { $0.name < $1.name }) {
            lines.append(".Ss \(definition.name)")
            guard case .object(let schema) = definition.value else { continue }
            if case .string(let about)? = schema["description"] { sentence(about) }
            members(of: definition.value)
        }
    }

    private mutating func writeErrors() {
        lines += [".Sh ERROR KINDS", ".Bl -tag -width Ds"]
        guard case .object(let errors) = description.components.errors else { return }
        for error in errors.members {
            let code = error.value["code"]?.description ?? ""
            let isRetryable = error.value["data"]?["retryable"] == true
            lines.append(".It Cm \(error.name) Pq \(code)\(isRetryable ? ", retryable" : "")")
            sentence(error.value["message"]?.text ?? "")
        }
        lines.append(".El")
    }

    private mutating func parameters(_ parameters: [ContentDescriptor], title: String) {
        guard !parameters.isEmpty else { return }
        lines += [".Pp", "\(title):"]
        list(
            parameters.map {
                ($0.name, $0.schema, $0.description, $0.required && title == "Parameters" ? "required" : nil)
            })
    }

    private mutating func members(of schema: JSONValue) {
        guard case .object(let properties)? = schema["properties"], !properties.members.isEmpty else { return }
        list(properties.members.map { ($0.name, $0.value, $0.value["description"]?.text ?? "", nil) })
    }

    private mutating func list(
        _ members: [(name: String, schema: JSONValue, description: String, requirement: String?)]
    ) {
        lines.append(".Bl -tag -width Ds -compact")
        for member in members {
            let details = [form(member.schema), bounds(member.schema), member.requirement]
            lines.append(".It Va \(member.name) Pq \(details.compactMap { $0 }.joined(separator: ", "))")
            sentence(member.description)
        }
        lines.append(".El")
    }

    /// Returns the type of a member, such as "integer", "string or null" or "array of Departure".
    private func form(_ schema: JSONValue) -> String {
        guard case .object(let object) = schema else { return "any" }
        if let name = reference(schema) { return name }
        if case .array(let choices)? = object["anyOf"] { return choices.map(form).joined(separator: " or ") }
        if case .array(let values)? = object["enum"] {
            let names = values.map { if case .string(let text) = $0 { text } else { "null" } }
            return names.count > 20 ? "string" : names.joined(separator: " | ")
        }
        switch object["type"] {
        case .string("array")?: return "array of " + form(object["items"] ?? .null)
        case .string(let name)?: return name
        case .array(let names)?:
            return names.map { if case .string(let name) = $0 { name } else { "any" } }.joined(separator: " or ")
        default: return "any"
        }
    }

    /// Returns the range and the default of a member, such as "1 to 100, default 10", or `nil` if it has neither.
    private func bounds(_ schema: JSONValue) -> String? {
        var bounds: [String] = []
        for (low, high, noun) in [
            ("minimum", "maximum", ""), ("minLength", "maxLength", " characters"),
            ("minItems", "maxItems", " elements"),
        ] {
            if let low = schema[low], let high = schema[high] { bounds.append("\(low) to \(high)\(noun)") }
        }
        if let value = schema["default"], value != "", value != [] {
            bounds.append("default \(value.text ?? "\(value)")")
        }
        return bounds.isEmpty ? nil : bounds.joined(separator: ", ")
    }

    private func reference(_ schema: JSONValue) -> String? {
        guard case .object(let object) = schema, case .string(let path)? = object["$ref"] else { return nil }
        return path.split(separator: "/").last.map(String.init)
    }

    /// Appends text as mdoc source: one sentence per line, and no line begins with a control character.
    private mutating func sentence(_ text: String) {
        // Code is printed in bold type.
        let parts = text.replacing("\\", with: "\\e").split(separator: "`", omittingEmptySubsequences: false)
        let escaped = parts.enumerated().map { $0.isMultiple(of: 2) ? "\($1)" : "\\fB\($1)\\fP" }.joined()
        for line in escaped.replacing(". ", with: ".\n").split(separator: "\n") {
            lines.append((line.first == "." || line.first == "'" ? "\\&" : "") + line)
        }
    }
}
