package import TransitControl
package import TransitWire

/// A query of the daemon as a tool of the Model Context Protocol.
package struct Tool: Sendable {
    package let method: ControlMethod
    private let offersPersonalData: Bool

    init(_ method: ControlMethod, offersPersonalData: Bool) {
        self.method = method
        self.offersPersonalData = offersPersonalData
    }

    /// The name: that of the method with underscores, because many clients accept no dots.
    package var name: String { Self.name(of: method) }

    static func name(of method: ControlMethod) -> String { String(method.rawValue.map { $0 == "." ? "_" : $0 }) }

    /// The name for people, such as "Stops: search".
    package var title: String {
        let words = method.rawValue.map { $0 == "_" ? " " : $0 }.split(separator: ".", maxSplits: 1).map { String($0) }
        guard let first = words.first else { return method.rawValue }
        return ([first.prefix(1).uppercased() + first.dropFirst()] + words.dropFirst()).joined(separator: ": ")
    }

    // MARK: The arguments

    /// The members of parameters that concern the client rather than the query: whether a person typed the request, and
    /// whether to send progress notifications.
    static let clientMembers: Set = ["interactive", "progress"]

    /// The default number of results of methods that list up to 500, and the maximum of all methods. A model reads slowly,
    /// and can ask for the next page.
    static let defaultCount: Int64 = 20
    static let maximumCount: Int64 = 50

    /// The members of the parameters that are not arguments.
    var hiddenMembers: Set<String> {
        Self.clientMembers.union(offersPersonalData ? [] : method.call.personalMembers.names)
    }

    /// The schema of the arguments: that of the method's parameters in `describe`, as far as a model needs it.
    package var inputSchema: JSONObject {
        var builder = SchemaBuilder(role: .parameters)
        let schema = Self.object(method.call, in: &builder)
        var properties = JSONObject()
        if case .object(let members)? = schema["properties"] {
            for member in members.members where !hiddenMembers.contains(member.name) {
                properties[member.name] = Self.argument(member.name, member.value)
            }
        }
        var required: [JSONValue] = []
        if case .array(let names)? = schema["required"] { required = names }
        for name in requiredMembers where !required.contains(.string(name)) { required.append(.string(name)) }
        var result: JSONObject = ["type": "object", "properties": .object(properties)]
        if !required.isEmpty { result["required"] = .array(required) }
        result["additionalProperties"] = false
        return result
    }

    /// The members without which the method needs personal data, in alphabetical order.
    private var requiredMembers: [String] {
        offersPersonalData ? [] : method.call.personalMembers.requiredOtherwise.sorted()
    }

    private static func object(_ type: (some WireObject).Type, in builder: inout SchemaBuilder) -> JSONObject {
        builder.object(type)
    }

    /// Simplifies the schema of a member. Null has the same meaning as omitting the member, and not every client knows
    /// schemas with several types.
    private static func argument(_ name: String, _ value: JSONValue) -> JSONValue {
        guard case .object(var schema) = value else { return value }
        schema["x-unit"] = nil
        if case .array(let types)? = schema["type"], let type = types.first { schema["type"] = type }
        if case .array(let choices)? = schema["anyOf"], case .object(var choice)? = choices.first {
            for member in schema.members where member.name != "anyOf" { choice[member.name] = member.value }
            schema = choice
        }
        if name == "count" {
            if case .int(let maximum)? = schema["maximum"] { schema["maximum"] = .int(min(maximum, maximumCount)) }
            if case .int(let count)? = schema["default"] { schema["default"] = .int(min(count, defaultCount)) }
        }
        return .object(schema)
    }

    /// Reads the arguments of a call.
    ///
    /// - Parameter language: The language of the user, for names and texts.
    /// - Throws: ``WireSchemaMismatch`` if an argument is unknown, missing or out of range.
    func parameters(
        _ arguments: JSONObject, language: String?
    ) throws(WireSchemaMismatch) -> any ControlParameters {
        let type = method.call
        for member in arguments.members where hiddenMembers.contains(member.name) {
            throw WireSchemaMismatch(
                "is not available", hint: type.personalMembers.names.contains(member.name) ? Self.personalHint : nil
            ).inside(member.name)
        }
        for name in requiredMembers where arguments[name] == nil || arguments[name] == .null {
            throw WireSchemaMismatch("is missing", hint: Self.personalHint).inside(name)
        }
        var arguments = arguments
        try limitCount(&arguments)
        if let language, type.memberNames.contains("language"), arguments["language"] == nil {
            arguments["language"] = .string(language)
        }
        return try type.init(reading: .object(arguments), as: .parameters)
    }

    /// Applies ``maximumCount`` and ``defaultCount``, as ``inputSchema`` declares them.
    private func limitCount(_ arguments: inout JSONObject) throws(WireSchemaMismatch) {
        if case .int(let count)? = arguments["count"], count > Self.maximumCount,
            method.call.memberNames.contains("count")
        {
            throw WireSchemaMismatch("must be at most \(Self.maximumCount), not \(count)").inside("count")
        }
        guard arguments["count"] == nil, case .object(let properties)? = inputSchema["properties"],
            let count = properties["count"]?["default"]
        else { return }
        arguments["count"] = count
    }

    /// What makes the user's own data available.
    static let personalHint =
        "The user's places, commutes and favorites are not available here. To allow them, the user starts "
        + "transitctl mcp with the option --personal."

    // MARK: The result

    /// The schema of the structured result. The definitions that it refers to are part of it.
    package var outputSchema: JSONObject { Self.output(of: method.call) }

    private static func output<Call: ControlParameters>(of call: Call.Type) -> JSONObject {
        var builder = SchemaBuilder(role: .result)
        var schema = builder.object(Call.Reply.self)
        if !builder.definitions.members.isEmpty { schema["$defs"] = .object(builder.definitions) }
        guard case .object(let result) = open(.object(schema)) else { return schema }
        return result
    }

    /// Makes a schema valid for the results of later versions of the daemon, which may contain further values, and for a
    /// document of its own. Of the documentation, only the units remain: transitd-protocol(7) has it, the texts of the
    /// results explain themselves, and clients may pass the schemas of all tools to the model.
    private static func open(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map(open))
        case .object(let object):
            var result = JSONObject()
            for member in object.members {
                switch (member.name, member.value) {
                case ("properties", .object(let schemas)), ("$defs", .object(let schemas)):
                    // The names of these members are those of values.
                    var opened = JSONObject()
                    for schema in schemas.members { opened[schema.name] = open(schema.value) }
                    result[member.name] = .object(opened)
                case ("x-unit", .string(let unit)): result["description"] = .string("In \(unit).")
                case ("description", .string), ("enum", .array), ("default", _): continue
                case ("$ref", .string(let path)):
                    result["$ref"] = .string("#/$defs/" + path.dropFirst(SchemaBuilder.referencePrefix.count))
                default: result[member.name] = open(member.value)
                }
            }
            return .object(result)
        case .null, .bool, .int, .double, .string: return value
        }
    }

    // MARK: The description

    /// The tool in a revision of the protocol (specification, *Tools*, "Data Types").
    package func description(in revision: ProtocolRevision) -> JSONObject {
        var tool: JSONObject = ["name": .string(name)]
        if revision.hasStructuredContent { tool["title"] = .string(title) }
        tool["description"] = .string(method.summary)
        tool["inputSchema"] = .object(inputSchema)
        if revision.hasStructuredContent { tool["outputSchema"] = .object(outputSchema) }
        if revision.hasAnnotations {
            tool["annotations"] = [
                "title": .string(title), "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true,
                // Public data comes from agencies and other services.
                "openWorldHint": .bool(method.purpose == .query),
            ]
        }
        return tool
    }
}

/// The tools: all methods of the control protocol that are queries.
package struct ToolCatalog: Sendable {
    package let offersPersonalData: Bool
    /// In the order of the protocol's documentation.
    package let tools: [Tool]

    package init(offersPersonalData: Bool) {
        self.offersPersonalData = offersPersonalData
        tools = ControlMethod.allCases.filter { method in
            method.purpose == .query || method.purpose == .personalQuery && offersPersonalData
        }.map { Tool($0, offersPersonalData: offersPersonalData) }
    }

    package func tool(named name: String) -> Tool? { tools.first { $0.name == name } }

    /// The error message for a name that is not that of a tool.
    func unknown(_ name: String) -> String {
        let message = "There is no tool \"\(name.prefix(40))\"."
        if ControlMethod.allCases.contains(where: { $0.purpose == .personalQuery && Tool.name(of: $0) == name }) {
            return message + " " + Tool.personalHint
        }
        return message + (Spelling.closest(to: name, among: tools.map(\.name)).map { " Did you mean \"\($0)\"?" } ?? "")
    }

    /// What a model should know about all tools.
    package var instructions: String {
        let start =
            "transitd knows timetables, realtime departures, alerts and vehicles of the user's public transport. "
        let own =
            offersPersonalData
            ? "To answer \"when must I leave?\", call next without arguments: it takes the user's own commute, and "
                + "each departure has the time to leave by. place_list, commute_list and favorite_list show what "
                + "else the user has saved. "
            : "To answer \"when must I leave?\", call next with from and to, which are stops; stops_search and "
                + "stops_near find them. \(Tool.personalHint) "
        return start + own
            + "Times in texts are local times at the stops. If a text says that a time is only scheduled, old or "
            + "uncertain, tell the user. Nothing can be changed with these tools."
    }
}
