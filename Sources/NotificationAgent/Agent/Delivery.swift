internal import TransitClient
internal import TransitWire

/// A notification event as the agent handles it.
///
/// The agent reads only what it needs to run hooks and passes the object on as it was received, so that hooks also get
/// the members that a newer daemon adds.
struct Delivery: Hashable {
    /// The `id` of the event.
    let id: String
    /// The `key` of the event. The hooks of events with the same key run in order.
    let key: String
    /// The name of the rule, which is the name of its hooks folder.
    let rule: String
    let operation: String
    let urgency: String
    /// The time until the event stops being useful, when it was received, in seconds. For a withdrawal, at least
    /// ``minimumWithdrawalTime``.
    let expiresIn: Int
    /// The JSON object of the event.
    let json: [UInt8]

    /// Whether the event removes a notification.
    var isWithdrawal: Bool { operation == "withdraw" }

    /// The minimum time for which a withdrawal is valid, in seconds. Those of earlier releases were not valid at all.
    static let minimumWithdrawalTime = 600

    typealias Problem = ReceivedEvent.Problem

    init(_ event: JSONValue) throws(Problem) {
        let received = try ReceivedEvent(event)
        (id, key, rule, operation) = (received.id, received.key, received.rule, received.operation)
        urgency = try ReceivedEvent.text("urgency", of: event)
        guard ReceivedEvent.isRuleName(rule) else { throw Problem(id: id, reason: "its \"rule\" is not a name") }
        expiresIn = max(received.expiresIn, operation == "withdraw" ? Self.minimumWithdrawalTime : 0)
        json = event.encoded
        guard json.count <= ReceivedEvent.maximumLength else {
            throw Problem(id: id, reason: "it is larger than \(ReceivedEvent.maximumLength >> 10) KiB")
        }
    }
}

/// The deliveries in a result of the topic `notifications`.
struct DeliveryList: Equatable {
    /// The events whose hooks have to run, in the daemon's order.
    var deliveries: [Delivery] = []
    var problems: [Delivery.Problem] = []

    /// The maximum number of events that are read of one result.
    static let maximumCount = 1000

    /// Reads a result. Returns `nil` if it is not a list of notifications.
    init?(_ result: JSONValue) {
        guard case .array(let events)? = result["events"], case .array(let unfinished)? = result["unfinished"] else {
            return nil
        }
        let wanted = Set(unfinished.prefix(Self.maximumCount).compactMap(\.text))
        for event in events where wanted.contains(event["id"]?.text ?? "") {
            guard deliveries.count + problems.count < Self.maximumCount else { break }
            do throws(Delivery.Problem) { deliveries.append(try Delivery(event)) } catch { problems.append(error) }
        }
    }
}
