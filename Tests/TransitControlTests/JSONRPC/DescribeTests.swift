import Testing
import TransitControl
import TransitModel
import TransitWire

@Suite struct DescribeTests {
    let description = DescribeResult()

    @Test func namesOfMethodsAreUnique() {
        #expect(Set(ControlProtocol.methods.map { $0.method.rawValue }).count == ControlProtocol.methods.count)
        #expect(ControlMethod.allCases.allSatisfy { ControlMethod(rawValue: $0.rawValue) == $0 })
    }

    @Test func everyMethodIsDescribed() {
        #expect(description.methods.map(\.name) == ControlMethod.allCases.map(\.rawValue))
        #expect(description.methods.allSatisfy { $0.summary.hasSuffix(".") })
    }

    @Test func singleMethodHasOnlyItsDefinitions() {
        let one = DescribeResult(of: .cancel)
        #expect(one.methods.map(\.name) == ["cancel"])
        #expect(one.defs["Departure"] == nil)
        #expect(DescribeResult(of: .next).defs["Departure"] != nil)
    }

    @Test func everyReferenceResolves() {
        for method in description.methods {
            for name in references(method.result) + references(method.params) { #expect(description.defs[name] != nil) }
        }
        for name in references(description.defs) { #expect(description.defs[name] != nil) }
    }

    @Test func everyMemberHasDescription() {
        for method in description.methods {
            #expect(method.params["additionalProperties"] == false)
            expectDescriptions(method.params, method.name)
        }
        guard case .object(let definitions) = description.defs else { return }
        #expect(definitions.members.count > 40)
        for definition in definitions.members { expectDescriptions(definition.value, definition.name) }
    }

    @Test func schemaHasUnitsAndRanges() {
        let parameters = description.methods.first { $0.name == "stops.near" }?.params["properties"]
        #expect(
            parameters?["radius"] == [
                "type": ["integer", "null"],
                "description":
                    "The search radius. The default is 1000, or 3000 if there are no stops within 1000. In meters.",
                "x-unit": "meters", "minimum": 1, "maximum": 20000,
            ])
        #expect(parameters?["feed"]?["type"] == ["string", "null"])
        #expect(parameters?["count"]?["default"] == 10)
    }

    /// Generates a sample from the schema of each message. The message's type must decode and encode the sample
    /// unchanged, and the sample must match the schema.
    @Test(arguments: ControlMethod.allCases)
    func sampleOfEveryMessageRoundTrips(_ method: ControlMethod) throws {
        let described = try #require(description.methods.first { $0.name == method.rawValue })
        let (sample, check) = (SchemaSample(definitions: description.defs), SchemaCheck(definitions: description.defs))
        let parameters = sample.value(described.params)
        #expect(check.problems(parameters, described.params) == [])
        let call = try method.parse(parameters)
        #expect(type(of: call).method == method)
        let result = sample.value(described.result)
        #expect(try JSONValue(parsing: reencode(result, as: method.call)) == result)
        #expect(check.problems(result, described.result) == [])
        try Snapshot.expect(["params": parameters, "result": result], named: method.rawValue)
    }

    private func reencode<Call: ControlParameters>(_ result: JSONValue, as call: Call.Type) throws -> [UInt8] {
        try Call.reply(from: result).encoded
    }

    private func references(_ value: JSONValue) -> [String] {
        switch value {
        case .array(let elements): return elements.flatMap(references)
        case .object(let object):
            let own = object["$ref"]?.text?.split(separator: "/").last.map(String.init)
            return (own.map { [$0] } ?? []) + object.members.flatMap { references($0.value) }
        default: return []
        }
    }

    private func expectDescriptions(_ schema: JSONValue, _ name: String) {
        guard case .object(let properties)? = schema["properties"] else { return }
        #expect(schema["description"] != nil)
        for property in properties.members {
            let text = property.value["description"]?.text ?? ""
            #expect(text.hasSuffix(".") || text.hasSuffix("\""), "\(name).\(property.name): \(text)")
        }
    }
}

@Suite struct ErrorKindTests {
    @Test func kindsAndCodesAreUnique() {
        #expect(Set(ErrorKind.all.map(\.rawValue)).count == ErrorKind.all.count)
        #expect(Set(ErrorKind.all.map(\.code)).count == ErrorKind.all.count)
    }

    @Test func codesAreInJSONRPCRanges() {
        for entry in ErrorKind.all {
            #expect(
                (-32099...(-32000)).contains(entry.code)
                    || [-32700, -32600, -32601, -32602, -32603].contains(entry.code))
            #expect(ControlError(entry, "x").code == entry.code)
        }
    }

    @Test func errorMatchesSchema() throws {
        let description = DescribeResult(of: .hello)
        let check = SchemaCheck(definitions: description.defs)
        for error in [
            ControlError(.stopNotFound, "x"), ControlError(.stopAmbiguous, "x", hint: "y", details: ["z": 1]),
        ] {
            #expect(try check.problems(JSONValue(parsing: error.encoded), description.error) == [])
        }
    }
}
