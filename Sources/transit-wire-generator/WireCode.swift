/// The generated file for one source file.
struct WireCode {
    /// The text of the file.
    private(set) var text: String

    init(for source: WireSource, in file: String) {
        text = """
            // Generated from \(file) by transit-wire-generator. Do not edit; run: make generate
            // swift-format-ignore-file

            """
        for line in source.imports.sorted() { write(line) }
        for declaration in source.declarations {
            write("\nextension \(declaration.name)\(declaration.hasNotices ? ": HasNotices" : "") {")
            writeInitializer(declaration)
            writeReading(declaration)
            writeWriting(declaration)
            writeDescription(declaration)
            write("}")
        }
    }

    private mutating func write(_ line: String) { text += line + "\n" }

    /// Swift synthesizes an initializer with the same parameters that is not public. The last parameter, which callers
    /// omit and which occupies no memory, distinguishes the public one.
    private mutating func writeInitializer(_ declaration: WireDeclaration) {
        let parameters =
            declaration.members.map { member in
                let fallback = member.isOptional ? "nil" : member.fallback
                return "\(member.property): \(member.type)" + (fallback.map { " = \($0)" } ?? "")
            } + ["_: Void = ()"]
        let list = parameters.joined(separator: ", ")
        if list.count < 100 {
            write("    public init(\(list)) {")
        } else {
            write("    public init(\n\(wrapped(parameters, indent: "        "))\n    ) {")
        }
        // Assigning the properties one by one would copy a large object.
        let arguments = declaration.members.map { "\($0.property.filter { $0 != "`" }): \($0.property)" }
        let call = "        self.init(\(arguments.joined(separator: ", ")))"
        write(
            call.count <= 120
                ? call : "        self.init(\n\(wrapped(arguments, indent: "            "))\n        )")
        write("    }\n")
    }

    private mutating func writeReading(_ declaration: WireDeclaration) {
        write("    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {")
        let isEmpty = declaration.members.isEmpty
        write("        \(isEmpty ? "_" : "let members") = try WireMembers.of(Self.self, in: value, as: role)")
        for member in declaration.members {
            var function = member.isOptional || member.fallback != nil ? "optional" : "required"
            var arguments = [literal(member.name)]
            if let range = member.documentation.range { arguments.append("in: \(range)") }
            if let fallback = member.fallback { arguments.append("default: \(fallback)") }
            if function == "required", arguments.count == 1, member.type.first == "[" { function = "array" }
            write("        self.\(member.property) = try members.\(function)(\(arguments.joined(separator: ", ")))")
        }
        write("    }\n")
    }

    private mutating func writeWriting(_ declaration: WireDeclaration) {
        write("    public func write(to writer: inout JSONWriter) {")
        write("        writer.beginObject()")
        for member in declaration.members {
            let statement = "writer.member(\(literal(member.name)), self.\(member.property))"
            let fallback = member.isOptional ? "nil" : member.fallback
            if declaration.isParameters, let fallback {
                write("        if self.\(member.property) != \(fallback) { \(statement) }")
            } else {
                write("        \(statement)")
            }
        }
        write("        writer.endObject()")
        write("    }\n")
    }

    private mutating func writeDescription(_ declaration: WireDeclaration) {
        write("    public static var schemaName: String { \(literal(declaration.name)) }")
        write("    public static var description: String { \(literal(declaration.description)) }\n")
        guard !declaration.members.isEmpty else {
            return write("    public static func describeMembers(to builder: inout SchemaBuilder) {}")
        }
        if declaration.isParameters {
            write("    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)\n")
        }
        write("    public static func describeMembers(to builder: inout SchemaBuilder) {")
        for member in declaration.members {
            var arguments = [
                literal(member.name), "\(member.type).self", literal(member.documentation.text),
            ]
            if let unit = member.documentation.unit { arguments.append("unit: .\(unit)") }
            if let range = member.documentation.range { arguments.append("in: \(range)") }
            if let fallback = member.fallback { arguments.append("default: \(fallback)") }
            write("        builder.member(\(arguments.joined(separator: ", ")))")
        }
        write("    }")
    }

    /// Returns a string literal.
    private func literal(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// Joins parameters with commas, and breaks lines after 120 characters.
    private func wrapped(_ parameters: [String], indent: String) -> String {
        var lines = [indent]
        for (position, parameter) in parameters.enumerated() {
            let text = parameter + (position + 1 < parameters.count ? "," : "")
            if lines[lines.count - 1].count + 1 + text.count > 120 { lines.append(indent) }
            if lines[lines.count - 1] != indent { lines[lines.count - 1] += " " }
            lines[lines.count - 1] += text
        }
        return lines.joined(separator: "\n")
    }
}
