import Testing
import TransitClient
import TransitControl

@testable import NotificationAgent
@testable import TransitWire

@Suite struct DeliveryTests {
    @Test func hooksGetMembersThatTheAgentDoesNotKnow() throws {
        let event = Sample.event("e1")
        let delivery = try Delivery(event)
        #expect(delivery.id == "e1" && delivery.rule == "leave" && delivery.operation == "show")
        #expect(try JSONValue(parsing: delivery.json) == event)
    }

    @Test(arguments: ["../leave", "", "Leave", "a/b", ".", "leave now", String(repeating: "a", count: 33)])
    func ruleThatIsNotAWordIsRejected(rule: String) throws {
        #expect(throws: Delivery.Problem(id: "e1", reason: "its \"rule\" is not a name")) {
            try Delivery(Sample.event("e1", rule: rule))
        }
    }

    @Test(arguments: ["", "a b", "a\nb", "é", String(repeating: "a", count: 129)])
    func idThatIsNotAWordIsRejected(id: String) throws {
        #expect(throws: Delivery.Problem(id: nil, reason: "it has no valid \"id\"")) { try Delivery(Sample.event(id)) }
    }

    @Test(arguments: ["key", "rule", "op", "urgency", "expires_in"])
    func missingMemberIsReported(name: String) throws {
        guard case .object(var object) = Sample.event("e1") else { return }
        object[name] = nil
        #expect(throws: Delivery.Problem(id: "e1", reason: "it has no valid \"\(name)\"")) {
            try Delivery(.object(object))
        }
    }

    @Test func eventThatIsTooLargeIsRejected() throws {
        guard case .object(var object) = Sample.event("e1") else { return }
        object["body"] = .string(String(repeating: "x", count: ReceivedEvent.maximumLength))
        #expect(throws: Delivery.Problem(id: "e1", reason: "it is larger than 256 KiB")) {
            try Delivery(.object(object))
        }
    }

    @Test func onlyUnfinishedEventsAreDelivered() throws {
        let list = try #require(
            DeliveryList(
                Sample.result([Sample.event("e1"), Sample.event("e2"), "no event"], unfinished: ["e2", "e9"])))
        #expect(list.deliveries.map(\.id) == ["e2"])
        #expect(list.problems.isEmpty)
    }

    @Test func resultWithoutListsIsRejected() {
        #expect(DeliveryList(["events": []]) == nil)
        #expect(DeliveryList(["events": 1, "unfinished": []]) == nil)
        #expect(DeliveryList("text") == nil)
    }

    /// The members that the agent reads are those of the wire type.
    @Test func agentReadsTheWireType() throws {
        let names = Set(SchemaBuilder.memberNames(of: NotificationEvent.self))
        #expect(names.isSuperset(of: ["id", "key", "rule", "op", "urgency", "expires_in"]))
        let result = Set(SchemaBuilder.memberNames(of: NotificationsResult.self))
        #expect(result.isSuperset(of: ["events", "unfinished"]))
    }
}
