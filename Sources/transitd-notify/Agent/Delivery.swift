internal import TransitWire

/// A notification event as the agent handles it.
///
/// The agent reads only what it needs to run hooks and passes the object on as it was received, so that hooks also get
/// the members that a newer daemon adds.
struct Delivery: Hashable {
    /// The `id` of the event.
    let id: String
    /// The `key` of the bubble. The hooks of events with the same key run in order.
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

    /// The maximum length of an event in bytes.
    static let maximumLength = 256 << 10
    /// The maximum length of an event's `id` in bytes.
    static let maximumIDLength = 128
    /// The maximum length of a `key` in bytes.
    static let maximumKeyLength = 512

    /// Why an event cannot be handled, as a phrase.
    struct Problem: Error, Equatable {
        /// The `id` of the event, if it has a valid one.
        var id: String?
        var reason: String
    }

    init(_ event: JSONValue) throws(Problem) {
        guard let id = event["id"]?.text, Self.isID(id) else {
            throw Problem(id: nil, reason: "it has no valid \"id\"")
        }
        self.id = id
        func text(_ name: String) throws(Problem) -> String {
            guard let text = event[name]?.text else { throw Problem(id: id, reason: "it has no valid \"\(name)\"") }
            return text
        }
        key = try text("key")
        rule = try text("rule")
        operation = try text("op")
        urgency = try text("urgency")
        guard (1...Self.maximumKeyLength).contains(key.utf8.count) else {
            throw Problem(id: id, reason: "its \"key\" is empty or longer than \(Self.maximumKeyLength) bytes")
        }
        guard Self.isWord(rule) else { throw Problem(id: id, reason: "its \"rule\" is not a name") }
        guard case .int(let seconds)? = event["expires_in"] else {
            throw Problem(id: id, reason: "it has no valid \"expires_in\"")
        }
        // A longer time than a month means no more than a month.
        let minimum = operation == "withdraw" ? Int64(Self.minimumWithdrawalTime) : 0
        expiresIn = Int(min(max(seconds, minimum), 31 * 86_400))
        json = event.encoded
        guard json.count <= Self.maximumLength else {
            throw Problem(id: id, reason: "it is larger than \(Self.maximumLength >> 10) KiB")
        }
    }

    /// Whether a text is an identifier: printable ASCII without spaces, since it is stored as a word in a line.
    static func isID(_ text: String) -> Bool {
        (1...maximumIDLength).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Whether a text is a name of lowercase letters, digits, "-" and "_". The name of a rule becomes part of a path.
    static func isWord(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
                    || $0 == UInt8(ascii: "_")
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
