internal import TransitControl
internal import TransitWire

extension View where Result == DescribeResult {
    /// All methods, or one method with its parameters and the members of its result.
    static let describe = View(page: page, rows: { $0.methods.map { [$0.name, $0.summary] } })

    private static func page(_ result: DescribeResult) -> Page {
        var page = Page()
        guard result.methods.count == 1, let method = result.methods.first else {
            var table = Table(
                [.init(title: "method"), .init(title: "what it does", shrinks: true)], showsTitles: false)
            for method in result.methods { table.add([Line(method.name, .strong), Line(method.summary)]) }
            page.table(table)
            page.blank()
            page.line(
                "For the parameters of a method, run: transitctl describe METHOD. For the JSON Schema, add --json.",
                .faint)
            return page
        }
        page.line(Line(method.name, .strong) + Line("  \(method.summary)"))
        page.add("parameters", SchemaMembers.table(method.params, result.defs))
        page.add("result", SchemaMembers.table(method.result, result.defs))
        return page
    }
}

extension Page {
    fileprivate mutating func add(_ title: String, _ members: Table) {
        blank()
        line(members.rows.isEmpty ? "\(title): none" : title, .faint)
        table(members)
    }
}

/// The members of an object's JSON Schema.
private enum SchemaMembers {
    static func table(_ schema: JSONValue, _ definitions: JSONValue) -> Table {
        var table = Table(
            [.init(title: "name"), .init(title: "type"), .init(title: "meaning", shrinks: true)], indent: 2,
            showsTitles: false)
        guard case .object(let members)? = resolve(schema, definitions)["properties"] else { return table }
        for member in members.members {
            table.add([
                Line(member.name, .strong), Line(type(of: member.value), .faint),
                Line(member.value["description"]?.text ?? ""),
            ])
        }
        return table
    }

    private static func resolve(_ schema: JSONValue, _ definitions: JSONValue) -> JSONValue {
        guard let name = reference(schema) else { return schema }
        return definitions[name] ?? schema
    }

    /// Returns the last component of a `$ref`: "Departure" for `#/$defs/Departure`.
    private static func reference(_ schema: JSONValue) -> String? {
        schema["$ref"]?.text?.split(separator: "/").last.map(String.init)
    }

    /// Returns the type of a schema, such as "string", "integer or null" or "array of Departure".
    private static func type(of schema: JSONValue) -> String {
        if let name = reference(schema) { return name }
        switch schema["type"] {
        case .string("array")?: return "array of " + (schema["items"].map(type) ?? "anything")
        case .string(let name)?: return name
        case .array(let names)?: return names.compactMap(\.text).joined(separator: " or ")
        default: break
        }
        guard case .array(let choices)? = schema["anyOf"] else { return "anything" }
        return choices.map(type).joined(separator: " or ")
    }
}
