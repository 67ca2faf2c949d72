import Foundation
import Testing
import TransitControl
import TransitWire

@testable import ModelContextProtocol

@Suite struct ToolCatalogTests {
    private static let catalogs = [ToolCatalog(offersPersonalData: false), ToolCatalog(offersPersonalData: true)]

    @Test(arguments: [false, true]) func toolsAreQueriesOnly(personal: Bool) {
        let catalog = ToolCatalog(offersPersonalData: personal)
        let purposes: Set<ControlMethod.Purpose> = personal ? [.query, .personalQuery] : [.query]
        #expect(catalog.tools.map(\.method) == ControlMethod.allCases.filter { purposes.contains($0.purpose) })
    }

    /// The restriction that the client asks of the daemon allows each tool.
    @Test func daemonAllowsEveryTool() {
        #expect(Self.catalogs[0].tools.allSatisfy { $0.method.isAllowed(with: .anonymous) })
        #expect(Self.catalogs[1].tools.allSatisfy { $0.method.isAllowed(with: .readOnly) })
    }

    @Test func namesAreUniqueAndValid() throws {
        let names = Self.catalogs[1].tools.map(\.name)
        #expect(Set(names).count == names.count)
        for name in names { #expect(try /[a-zA-Z0-9_-]{1,64}/.wholeMatch(in: name) != nil, "\(name)") }
    }

    @Test func argumentsHaveNoMembersOfClients() {
        for tool in Self.catalogs[1].tools {
            guard case .object(let properties)? = tool.inputSchema["properties"] else { continue }
            for member in properties.members {
                let words = member.value["description"]?.text ?? ""
                #expect(!words.contains("by hand") && !words.contains("progress"), "\(tool.name).\(member.name)")
            }
        }
    }

    @Test func personalArgumentsAreHiddenAndReplaced() throws {
        let next = try #require(Self.catalogs[0].tool(named: "next")).inputSchema
        #expect(next["properties"]?["commute"] == nil)
        #expect(next["required"] == ["from", "to"])
        let own = try #require(Self.catalogs[1].tool(named: "next")).inputSchema
        #expect(own["properties"]?["commute"] != nil)
        #expect(own["required"] == nil)
        #expect(own["properties"]?["interactive"] == nil)
    }

    @Test func countsAreLimited() throws {
        let tool = try #require(Self.catalogs[0].tool(named: "alerts"))
        #expect(tool.inputSchema["properties"]?["count"]?["default"] == 20)
        #expect(tool.inputSchema["properties"]?["count"]?["maximum"] == 50)
        let alerts = try #require(try tool.parameters([:], language: nil) as? AlertsParameters)
        #expect(alerts.count == 20)
        #expect(throws: WireSchemaMismatch.self) { try tool.parameters(["count": 51], language: nil) }
    }

    @Test func languageOfUserIsTheDefault() throws {
        let tool = try #require(Self.catalogs[0].tool(named: "departures"))
        func language(_ arguments: JSONObject) throws -> String? {
            try #require(try tool.parameters(arguments, language: "de") as? DeparturesParameters).language
        }
        #expect(try language(["stop": "a"]) == "de")
        #expect(try language(["stop": "a", "language": "fr"]) == "fr")
    }

    /// All references of an output schema lead to its definitions.
    @Test func outputSchemasAreComplete() throws {
        for tool in Self.catalogs[1].tools {
            let schema = JSONValue.object(tool.outputSchema)
            #expect(schema["type"] == "object", "\(tool.name)")
            let text = String(decoding: schema.encoded, as: UTF8.self)
            #expect(!text.contains("#/components"))
            for match in text.matches(of: /"#\/\$defs\/([A-Za-z]+)"/) {
                #expect(schema["$defs"]?[String(match.1)] != nil, "\(tool.name): \(match.1)")
            }
        }
    }

    @Test(arguments: [("public", false), ("personal", true)]) func listOfToolsMatchesSnapshot(
        name: String, personal: Bool
    )
        throws
    {
        let tools = ToolCatalog(offersPersonalData: personal).tools.map { tool in
            var description = tool.description(in: .july2026)
            // The schemas of results are those of the protocol, whose tests pin them.
            description["outputSchema"] = nil
            return String(decoding: JSONValue.object(description).encoded, as: UTF8.self)
        }
        let text = tools.joined(separator: "\n") + "\n"
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Snapshots/\(name).jsonl")
        if ProcessInfo.processInfo.environment["TRANSIT_RECORD"] != nil {
            try Data(text.utf8).write(to: file)
            return
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test func listIsSmallEnoughForModel() {
        for (catalog, limit) in zip(Self.catalogs, [120_000, 190_000]) {
            let tools = catalog.tools.map { JSONValue.object($0.description(in: .july2026)).encoded.count }
            #expect(tools.reduce(0, +) < limit)
            let withoutResults = catalog.tools.map { JSONValue.object($0.description(in: .march2025)).encoded.count }
            #expect(withoutResults.reduce(0, +) < limit / 3)
        }
    }
}
