import Testing
import TransitControl
import TransitModel

@testable import TransitWire

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
        #expect(one.components.schemas["Departure"] == nil)
        #expect(DescribeResult(of: .next).components.schemas["Departure"] != nil)
    }

    /// The required members of each object of OpenRPC 1.3, and the uniqueness that it demands.
    @Test func documentFollowsOpenRPC() throws {
        let document = try JSONValue(parsing: description.encoded)
        #expect(document["openrpc"]?.text?.hasPrefix("1.") == true)
        #expect(document["$schema"]?.text == "https://meta.open-rpc.org/")
        #expect(document["info"]?["title"]?.text != nil)
        #expect(document["info"]?["version"]?.text == "1")
        let known: Set = ["$schema", "openrpc", "info", "methods", "components", "x-events"]
        #expect(Set(names(document)) == known)
        #expect(Set(description.methods.map(\.name)).count == description.methods.count)
        guard case .array(let methods)? = document["methods"] else { return #expect(Bool(false)) }
        for method in methods {
            #expect(method["paramStructure"] == "by-name")
            #expect(method["result"]?["name"] == "result")
            #expect(method["result"]?["schema"]?["$ref"] != nil)
            guard case .array(let parameters)? = method["params"] else { return #expect(Bool(false)) }
            #expect(Set(parameters.map { $0["name"] }).count == parameters.count)
            for parameter in parameters {
                guard case .object? = parameter["schema"] else { return #expect(Bool(false)) }
            }
        }
        guard case .object(let errors)? = document["components"]?["errors"] else { return #expect(Bool(false)) }
        #expect(errors.members.count == ErrorKind.all.count)
        for error in errors.members {
            guard case .int? = error.value["code"] else { return #expect(Bool(false)) }
            #expect(error.value["message"]?.text != nil)
            #expect(error.value["data"]?["kind"]?.text == error.name)
        }
    }

    @Test func everyReferenceResolves() throws {
        let found = Set(references(try JSONValue(parsing: description.encoded)))
        #expect(found.count > 40)
        for reference in found {
            let name = reference.split(separator: "/").last.map(String.init) ?? ""
            #expect(reference == "#/components/schemas/" + name)
            #expect(description.components.schemas[name] != nil)
        }
    }

    @Test func discoveryMethodIsAnAlias() throws {
        let call = MethodCall(method: "rpc.discover", parameters: nil)
        #expect(try ControlProtocol.parse(call) as? DescribeParameters == DescribeParameters())
    }

    @Test func everyMemberHasDescription() {
        for method in description.methods {
            for parameter in method.params { expectSentence(parameter.description, method.name, parameter.name) }
            expectSentence(method.result.description, method.name, "result")
        }
        guard case .object(let definitions) = description.components.schemas else { return }
        #expect(definitions.members.count > 40)
        for definition in definitions.members where definition.name != "Error" {
            #expect(definition.value["description"] != nil)
            guard case .object(let properties)? = definition.value["properties"] else { continue }
            for property in properties.members {
                expectSentence(property.value["description"]?.text ?? "", definition.name, property.name)
            }
        }
    }

    @Test func schemaHasUnitsAndRanges() {
        let method = description.methods.first { $0.name == "stops.near" }
        let parameters = method.map(parametersSchema)?["properties"]
        #expect(
            parameters?["radius"] == [
                "type": ["integer", "null"], "x-unit": "meters", "minimum": 1, "maximum": 20000,
            ])
        #expect(
            method?.params.first { $0.name == "radius" }?.description
                == "The search radius. The default is 1000, or 3000 if there are no stops within 1000. In meters.")
        #expect(parameters?["feed"]?["type"] == ["string", "null"])
        #expect(parameters?["count"]?["default"] == 10)
    }

    /// Generates a sample from the schema of each message. The message's type must decode and encode the sample
    /// unchanged, and the sample must match the schema.
    @Test(arguments: ControlMethod.allCases)
    func sampleOfEveryMessageRoundTrips(_ method: ControlMethod) throws {
        let described = try #require(description.methods.first { $0.name == method.rawValue })
        let definitions = description.components.schemas
        let (sample, check) = (SchemaSample(definitions: definitions), SchemaCheck(definitions: definitions))
        let schema = parametersSchema(described)
        let parameters = sample.value(schema)
        #expect(check.problems(parameters, schema) == [])
        let call = try method.parse(parameters)
        #expect(type(of: call).method == method)
        let result = sample.value(described.result.schema)
        #expect(try JSONValue(parsing: reencode(result, as: method.call)) == result)
        #expect(check.problems(result, described.result.schema) == [])
        try Snapshot.expect(["params": parameters, "result": result], named: method.rawValue)
    }

    private func reencode<Call: ControlParameters>(_ result: JSONValue, as call: Call.Type) throws -> [UInt8] {
        try Call.reply(from: result).encoded
    }

    /// The schema of an object with the parameters of a method.
    private func parametersSchema(_ method: MethodDescription) -> JSONValue {
        var properties = JSONObject()
        for parameter in method.params { properties[parameter.name] = parameter.schema }
        let required = method.params.filter(\.required).map { JSONValue.string($0.name) }
        return [
            "type": "object", "properties": .object(properties), "required": .array(required),
            "additionalProperties": false,
        ]
    }

    private func names(_ value: JSONValue) -> [String] {
        guard case .object(let object) = value else { return [] }
        return object.members.map(\.name)
    }

    private func references(_ value: JSONValue) -> [String] {
        switch value {
        case .array(let elements): elements.flatMap(references)
        case .object(let object):
            (object["$ref"]?.text.map { [$0] } ?? []) + object.members.flatMap { references($0.value) }
        default: []
        }
    }

    private func expectSentence(_ text: String, _ object: String, _ member: String) {
        #expect(text.hasSuffix(".") || text.hasSuffix("\""), "\(object).\(member): \(text)")
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
        let check = SchemaCheck(definitions: description.components.schemas)
        for error in [
            ControlError(.stopNotFound, "x"), ControlError(.stopAmbiguous, "x", hint: "y", details: ["z": 1]),
        ] {
            #expect(
                try check.problems(JSONValue(parsing: error.encoded), description.components.schemas["Error"] ?? .null)
                    == [])
        }
    }
}
