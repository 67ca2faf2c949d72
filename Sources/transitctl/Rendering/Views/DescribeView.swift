internal import TransitControl
internal import TransitWire

extension View where Result == DescribeResult {
    /// All methods, or one method with its parameters and the members of its result.
    static let describe = View(page: page, rows: { $0.methods.map { [$0.name, $0.summary] } })

    private static func page(_ page: inout Page, _ result: DescribeResult) {
        guard result.methods.count == 1, let method = result.methods.first else {
            var table = Table(["method", .shrinking("what it does")], showsTitles: false)
            for method in result.methods { table.add([Line(method.name, .strong), Line(method.summary)]) }
            page.table(table)
            page.blank()
            page.line(
                "For the parameters of a method, run: transitctl describe METHOD. For the OpenRPC document, add --json.",
                .faint)
            return
        }
        page.line(Line(method.name, .strong) + Line("  \(method.summary)"))
        page.add("parameters", method.params.map { ($0.name, $0.schema, $0.description) })
        page.add("result", members(of: method.result.schema, in: result.components.schemas))
    }

    /// Returns the members of an object's schema, or of the schema to which it refers.
    private static func members(
        of schema: JSONValue, in schemas: JSONValue
    ) -> [(name: String, schema: JSONValue, description: String)] {
        let object = SchemaType.reference(schema).flatMap { schemas[$0] } ?? schema
        guard case .object(let members)? = object["properties"] else { return [] }
        return members.members.map { ($0.name, $0.value, $0.value["description"]?.text ?? "") }
    }
}

extension Page {
    fileprivate mutating func add(
        _ title: String, _ members: [(name: String, schema: JSONValue, description: String)]
    ) {
        blank()
        line(members.isEmpty ? "\(title): none" : title, .faint)
        self.table(["name", "type", .shrinking("meaning")], indent: 2, showsTitles: false, of: members) { member in
            [Line(member.name, .strong), Line(SchemaType.name(of: member.schema), .faint), Line(member.description)]
        }
    }
}

/// The type that a JSON Schema describes.
private enum SchemaType {
    /// Returns the last component of a `$ref`: "Departure" for `#/components/schemas/Departure`.
    static func reference(_ schema: JSONValue) -> String? {
        schema["$ref"]?.text?.split(separator: "/").last.map(String.init)
    }

    /// Returns the type of a schema, such as "string", "integer or null" or "array of Departure".
    static func name(of schema: JSONValue) -> String {
        if let name = reference(schema) { return name }
        switch schema["type"] {
        case .string("array")?: return "array of " + (schema["items"].map(name) ?? "anything")
        case .string(let name)?: return name
        case .array(let names)?: return names.compactMap(\.text).joined(separator: " or ")
        default: break
        }
        guard case .array(let choices)? = schema["anyOf"] else { return "anything" }
        return choices.map(name).joined(separator: " or ")
    }
}
