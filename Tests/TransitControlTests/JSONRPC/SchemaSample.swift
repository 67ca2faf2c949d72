import TransitControl
import TransitWire

/// Generates a sample value of a schema, with all members.
struct SchemaSample {
    let definitions: JSONValue

    func value(_ schema: JSONValue) -> JSONValue {
        if let name = schema["$ref"]?.text?.split(separator: "/").last {
            return value(definitions[String(name)] ?? .null)
        }
        if case .array(let choices)? = schema["anyOf"] { return value(choices[0]) }
        if case .array(let words)? = schema["enum"] { return words[0] }
        switch type(of: schema) {
        case "object": return object(schema)
        case "array": return .array([value(schema["items"] ?? .null)])
        case "boolean": return true
        case "integer": return .int(.init(Swift.min(max(7, minimum(schema) ?? 7), maximum(schema))))
        case "number": return .double(Swift.min(37.5, maximum(schema)))
        case "string": return text(schema)
        default: return ["any": ["json", 1]]
        }
    }

    private func object(_ schema: JSONValue) -> JSONValue {
        guard case .object(let properties)? = schema["properties"] else { return [:] }
        var object = JSONObject()
        for member in properties.members { object[member.name] = value(member.value) }
        return .object(object)
    }

    private func text(_ schema: JSONValue) -> JSONValue {
        switch schema["format"]?.text {
        case "date-time": "2026-03-28T08:12:00-07:00"
        case "date": "2026-03-28"
        default: "text"
        }
    }

    private func type(of schema: JSONValue) -> String? {
        if case .array(let types)? = schema["type"] { return types[0].text }
        return schema["type"]?.text
    }

    private func minimum(_ schema: JSONValue) -> Double? { number(schema["minimum"]) }
    private func maximum(_ schema: JSONValue) -> Double { number(schema["maximum"]) ?? .infinity }

    private func number(_ value: JSONValue?) -> Double? {
        switch value {
        case .int(let number)?: Double(number)
        case .double(let number)?: number
        default: nil
        }
    }
}

/// Validates values with the subset of JSON Schema 2020-12 that the protocol uses.
struct SchemaCheck {
    let definitions: JSONValue

    /// Returns the violations with their paths; empty for a valid value.
    func problems(_ value: JSONValue, _ schema: JSONValue, at place: String = "$") -> [String] {
        if let name = schema["$ref"]?.text?.split(separator: "/").last {
            guard let definition = definitions[String(name)] else { return ["\(place): no definition \(name)"] }
            return problems(value, definition, at: place)
        }
        if case .array(let choices)? = schema["anyOf"] {
            let fits = choices.contains { problems(value, $0, at: place).isEmpty }
            return fits ? [] : ["\(place): matches none of anyOf"]
        }
        var found: [String] = []
        if case .array(let words)? = schema["enum"], !words.contains(value) { found.append("\(place): not in enum") }
        if !types(schema).isEmpty, !types(schema).contains(where: { fits(value, $0) }) {
            return found + ["\(place): is not of type \(types(schema))"]
        }
        switch value {
        case .object(let object): found += members(object, schema, place)
        case .array(let elements):
            for (position, element) in elements.enumerated() {
                found += problems(element, schema["items"] ?? [:], at: "\(place)[\(position)]")
            }
        default: break
        }
        return found
    }

    private func members(_ object: JSONObject, _ schema: JSONValue, _ place: String) -> [String] {
        var found: [String] = []
        for member in object.members {
            if let known = schema["properties"]?[member.name] {
                found += problems(member.value, known, at: "\(place).\(member.name)")
            } else if schema["additionalProperties"] == false {
                found.append("\(place).\(member.name): is unknown")
            }
        }
        if case .array(let required)? = schema["required"] {
            found += required.compactMap(\.text).filter { object[$0] == nil }.map { "\(place).\($0): is missing" }
        }
        return found
    }

    private func types(_ schema: JSONValue) -> [String] {
        if case .array(let types)? = schema["type"] { return types.compactMap(\.text) }
        return schema["type"]?.text.map { [$0] } ?? []
    }

    private func fits(_ value: JSONValue, _ type: String) -> Bool {
        switch (value, type) {
        case (.null, "null"), (.bool, "boolean"), (.int, "integer"), (.int, "number"), (.double, "number"),
            (.string, "string"), (.array, "array"), (.object, "object"):
            true
        default: false
        }
    }
}
