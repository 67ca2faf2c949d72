import Testing
import TransitControl
import TransitModel
import TransitWire

@Suite struct SubscribableResultTests {
    /// Numbers that change with time alone, at any depth of a result.
    private static let volatile: [String: JSONValue] = [
        "age": .null, "leave_in": .null, "free": .null, "uptime": 0, "memory": 0, "connections": 0,
    ]

    /// A sample with every member has the same content as the sample without the volatile members, so that the content
    /// leaves out these members and no others.
    @Test(arguments: [
        (ControlMethod.next, [1]), (.departures, [1]), (.vehicles, [1]), (.alerts, [1]), (.status, [1]),
        // Each board has its own time.
        (.favoriteShow, [1, 3]),
    ])
    func contentLeavesOutVolatileMembersOnly(_ method: ControlMethod, _ depthsOfTimes: [Int]) throws {
        let description = DescribeResult(of: method)
        let sample = SchemaSample(definitions: description.components.schemas).value(
            description.methods[0].result.schema)
        let content = try #require(try result(sample, of: method.call) as? any SubscribableResult).content
        let expected = try withoutVolatileMembers(sample, depthsOfTimes)
        #expect(try JSONValue(parsing: content.encoded) == expected)
        #expect(expected != sample)
        #expect(content.content.isSameContent(as: content))
    }

    private func result<Call: ControlParameters>(_ value: JSONValue, of call: Call.Type) throws -> any WireValue {
        try Call.reply(from: value)
    }

    private func withoutVolatileMembers(_ value: JSONValue, _ times: [Int], depth: Int = 0) throws -> JSONValue {
        switch value {
        case .array(let elements):
            return .array(try elements.map { try withoutVolatileMembers($0, times, depth: depth + 1) })
        case .object(let object):
            var result = JSONObject()
            for member in object.members {
                if member.name == "leave_in", object["legs"] != nil {
                    // A journey always has this member.
                    result[member.name] = 0
                } else if let placeholder = Self.volatile[member.name] {
                    result[member.name] = placeholder
                } else if member.name == "at", times.contains(depth + 1) {
                    result[member.name] = try JSONValue(
                        parsing: Timestamp(Instant(secondsSince1970: 0)).encoded)
                } else {
                    result[member.name] = try withoutVolatileMembers(member.value, times, depth: depth + 1)
                }
            }
            return .object(result)
        default: return value
        }
    }

    @Test func resultsOfDifferentMethodsDiffer() throws {
        let at = Timestamp(Instant(secondsSince1970: 5))
        let alerts = AlertsResult(at: at, alerts: [], nextCursor: nil, notices: []).content
        let vehicles = VehiclesResult(at: at, vehicles: [], nextCursor: nil, notices: []).content
        #expect(!alerts.isSameContent(as: vehicles))
    }
}
