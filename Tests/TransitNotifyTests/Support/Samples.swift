import TransitControl
import TransitWire

@testable import NotificationAgent

enum Sample {
    /// Returns an event with the members that the agent reads, and one that it does not know.
    static func event(
        _ id: String, key: String = "leave/home", rule: String = "leave", op: String = "show", expiresIn: Int64 = 600
    ) -> JSONValue {
        [
            "schema": 1, "id": .string(id), "key": .string(key), "revision": 1, "op": .string(op),
            "rule": .string(rule), "urgency": "high", "expires_in": .int(expiresIn), "title": "Leave now",
            "from_the_future": ["a", 1.5, nil],
        ]
    }

    static func delivery(
        _ id: String, key: String = "leave/home", rule: String = "leave", op: String = "show", expiresIn: Int64 = 600
    ) throws -> Delivery {
        try Delivery(event(id, key: key, rule: rule, op: op, expiresIn: expiresIn))
    }

    static func result(_ events: [JSONValue], unfinished: [String]? = nil) -> JSONValue {
        let ids = unfinished ?? events.compactMap { $0["id"]?.text }
        return [
            "at": "2026-11-23T08:00:00-08:00", "events": .array(events),
            "unfinished": .array(ids.map { .string($0) }), "notices": [],
        ]
    }
}

extension DeliveryList {
    init(_ deliveries: [Delivery]) {
        self.init(Sample.result([]))!
        self.deliveries = deliveries
    }
}
