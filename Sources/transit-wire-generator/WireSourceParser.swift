/// Reads the declarations of wire objects from a source file, line by line. The file is formatted by `swift format`, so a
/// declaration of the file begins in the first column and ends with a brace there.
struct WireSourceParser {
    private var source = WireSource()
    private var documentation: [Substring] = []
    /// The object whose body is being read.
    private var declaration: WireDeclaration?
    private var line = 0

    /// - Throws: ``WireSourceError`` for everything in a wire object that is not listed at `WireObject`.
    static func parse(_ text: String) throws(WireSourceError) -> WireSource {
        var parser = WireSourceParser()
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            parser.line += 1
            if parser.declaration == nil { try parser.readOutside(line) } else { try parser.readInside(line) }
        }
        if parser.declaration != nil { throw parser.error("the structure does not end") }
        return parser.source
    }

    private mutating func readOutside(_ line: Substring) throws(WireSourceError) {
        if line.starts(with: "public import ") || line.starts(with: "internal import ") {
            source.imports.append(String(line))
        } else if line.starts(with: "///") {
            documentation.append(line)
            return
        } else if let (name, isParameters) = Self.header(line) {
            let about = try takeDocumentation()
            guard about == WireDeclaration.Documentation(text: about.text) else {
                throw error("the documentation of a structure has no fields")
            }
            declaration = WireDeclaration(name: name, isParameters: isParameters, description: about.text)
            if line.hasSuffix("{}") { endDeclaration() }
        } else if line.contains("struct "), line.contains("WireObject") || line.contains("ControlParameters") {
            throw error("a wire object must be declared as: public struct NAME: WireObject {")
        }
        documentation = []
    }

    /// Returns the name in `public struct NAME: WireObject {`, and whether the object is the parameters of a method.
    private static func header(_ line: Substring) -> (name: String, isParameters: Bool)? {
        let words = line.split(separator: " ")
        guard words.count == 5, words[0] == "public", words[1] == "struct", words[2].last == ":",
            words[3] == "WireObject" || words[3] == "ControlParameters", words[4] == "{" || words[4] == "{}"
        else { return nil }
        return (String(words[2].dropLast()), words[3] == "ControlParameters")
    }

    private mutating func readInside(_ line: Substring) throws(WireSourceError) {
        if line == "}" { return endDeclaration() }
        if line.isEmpty { return }
        guard line.starts(with: "    "), line.dropFirst(4).first != " " else {
            throw error("expected a property on one line, indented by four spaces")
        }
        let text = line.dropFirst(4)
        if text.starts(with: "///") {
            documentation.append(text)
        } else if text.starts(with: "public var ") {
            let member = try member(text.dropFirst("public var ".count))
            declaration?.members.append(member)
        } else if text.starts(with: "public static let ") || text.starts(with: "public typealias ") {
            documentation = []
        } else {
            throw error("a wire object has only stored properties, type aliases and static constants")
        }
    }

    private mutating func endDeclaration() {
        if let declaration { source.declarations.append(declaration) }
        declaration = nil
    }

    /// Parses the rest of a property's declaration, such as `count: Int = 10`.
    private mutating func member(_ text: Substring) throws(WireSourceError) -> WireDeclaration.Member {
        guard let colon = text.firstRange(of: ": ") else { throw error("the property has no type") }
        guard !text.contains("{") else { throw error("a computed property must be in an extension") }
        let rest = text[colon.upperBound...]
        let equals = rest.firstRange(of: " = ")
        let member = WireDeclaration.Member(
            property: String(text[..<colon.lowerBound]),
            type: String(rest[..<(equals?.lowerBound ?? rest.endIndex)]),
            fallback: equals.map { String(rest[$0.upperBound...]) },
            documentation: try takeDocumentation())
        if member.isOptional, member.fallback != nil { throw error("an optional property has the default nil") }
        if declaration?.members.contains(where: { $0.name == member.name }) == true {
            throw error("there are two members \(member.name)")
        }
        return member
    }

    /// Parses the doc comment above the current line.
    private mutating func takeDocumentation() throws(WireSourceError) -> WireDeclaration.Documentation {
        defer { documentation = [] }
        var result = WireDeclaration.Documentation()
        var sentences: [Substring] = []
        for line in documentation {
            let text = line.dropFirst(4)
            guard text.starts(with: "- ") else {
                if text.isEmpty { throw error("the documentation must be one paragraph") }
                sentences.append(text)
                continue
            }
            try add(field: text.dropFirst(2), to: &result)
        }
        guard !sentences.isEmpty else { throw error("the documentation is missing") }
        result.text = sentences.joined(separator: " ")
        return result
    }

    /// Adds a field such as `Unit: meters`.
    private func add(
        field: Substring, to documentation: inout WireDeclaration.Documentation
    ) throws(WireSourceError) {
        guard let colon = field.firstRange(of: ": ") else { throw error("the field \"\(field)\" has no value") }
        let value = String(field[colon.upperBound...])
        switch field[..<colon.lowerBound] {
        case "Name": documentation.name = value
        case "Unit": documentation.unit = value
        case "Range":
            let digits = value.filter { $0 != "_" }
            guard let dots = digits.firstRange(of: "..."), Double(digits[..<dots.lowerBound]) != nil,
                Double(digits[dots.upperBound...]) != nil
            else { throw error("the range \(value) is not of the form 1...100") }
            documentation.range = value
        default: throw error("there is no field \"\(field[..<colon.lowerBound])\"; the fields are Name, Unit and Range")
        }
    }

    private func error(_ problem: String) -> WireSourceError { WireSourceError(line: line, problem: problem) }
}
