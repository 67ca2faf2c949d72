import Testing

@testable import transit_wire_generator

@Suite struct WireGeneratorTests {
    private static let source = #"""
        public import TransitWire

        /// A kind.
        public enum Kind: String, WireEnum {
            case near
        }

        /// The stops near a place,
        /// nearest first.
        public struct Stops: WireObject {
            public static let name = "stops"

            /// The "radius" of the search.
            /// - Unit: meters
            /// - Range: 1...20_000
            public var searchRadius: Int?
            /// The kind.
            /// - Name: x-kind
            public var kind: Kind = .near
        }

        extension Stops {
            public var isEmpty: Bool { false }
        }
        """#

    @Test func readsDeclarations() throws {
        let source = try WireSourceParser.parse(Self.source)
        #expect(source.imports == ["public import TransitWire"])
        let declaration = try #require(source.declarations.first)
        #expect(source.declarations.count == 1)
        #expect(declaration.name == "Stops")
        #expect(!declaration.isParameters)
        #expect(declaration.description == "The stops near a place, nearest first.")
        #expect(declaration.members.map(\.name) == ["search_radius", "x-kind"])
        #expect(declaration.members.map(\.type) == ["Int?", "Kind"])
        #expect(declaration.members.map(\.fallback) == [nil, ".near"])
        #expect(declaration.members[0].documentation.unit == "meters")
        #expect(declaration.members[0].documentation.range == "1...20_000")
    }

    @Test func writesCode() throws {
        let text = WireCode(for: try WireSourceParser.parse(Self.source), in: "Stops.swift").text
        for line in [
            #"public init(searchRadius: Int? = nil, kind: Kind = .near, _: Void = ()) {"#,
            #"self.searchRadius = try members.optional("search_radius", in: 1...20_000)"#,
            #"self.kind = try members.optional("x-kind", default: .near)"#,
            #"writer.member("search_radius", self.searchRadius)"#,
            #"builder.member("x-kind", Kind.self, "The kind.", default: .near)"#,
            ##"builder.member("search_radius", Int?.self, "The \"radius\" of the search.", "##
                + "unit: .meters, in: 1...20_000)",
        ] {
            #expect(text.contains(line))
        }
    }

    @Test func parametersOmitDefaults() throws {
        let source = Self.source.replacing("WireObject", with: "ControlParameters")
        let text = WireCode(for: try WireSourceParser.parse(source), in: "Stops.swift").text
        #expect(text.contains(#"if self.searchRadius != nil { writer.member("search_radius", self.searchRadius) }"#))
        #expect(text.contains(#"if self.kind != .near { writer.member("x-kind", self.kind) }"#))
    }

    @Test(
        arguments: [
            ("/// A stop.\npublic struct Stop: WireObject {\n    public var id: Int\n}", 3, "documentation is missing"),
            ("public struct Stop: WireObject {}", 1, "documentation is missing"),
            ("/// A stop.\nstruct Stop: WireObject {}", 2, "public struct NAME"),
            ("/// A stop.\npublic struct Stop: Sendable, WireObject {}", 2, "public struct NAME"),
            ("/// A stop.\n/// - Unit: meters\npublic struct Stop: WireObject {}", 3, "no fields"),
            ("/// A stop.\n///\n/// It is.\npublic struct Stop: WireObject {}", 4, "one paragraph"),
            ("/// A stop.\npublic struct Stop: WireObject {\n    func f() {}\n}", 3, "only stored properties"),
            ("/// A stop.\npublic struct Stop: WireObject {\n    public var id =\n        3\n}", 3, "no type"),
            ("/// A.\npublic struct A: WireObject {\n    /// B.\n    public var b: Int { 3 }\n}", 4, "extension"),
            ("/// A.\npublic struct A: WireObject {\n    /// B.\n    public var b: Int? = 3\n}", 4, "default nil"),
            (
                "/// A.\npublic struct A: WireObject {\n    /// B.\n    /// - Limit: 3\n    public var b: Int\n}", 5,
                "no field"
            ),
            (
                "/// A.\npublic struct A: WireObject {\n    /// B.\n    /// - Range: 3\n    public var b: Int\n}", 5,
                "1...100"
            ),
            ("/// A.\npublic struct A: WireObject {", 2, "does not end"),
        ] as [(String, Int, String)])
    func refusesOtherDeclarations(_ text: String, _ line: Int, _ problem: String) {
        #expect {
            try WireSourceParser.parse(text)
        } throws: { error in
            guard let error = error as? WireSourceError else { return false }
            return error.line == line && error.problem.contains(problem)
        }
    }
}
