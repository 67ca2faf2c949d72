package import TransitWire

/// The members of a notification event with which programs identify it, and which they check before they use it. The agent
/// and the hooks of this project have the same limits.
package struct ReceivedEvent: Hashable {
    package var id: String
    /// The notification that the event shows, changes or withdraws.
    package var key: String
    package var rule: String
    package var operation: String
    /// The time until the event stops being useful, in seconds: 0 to a month.
    package var expiresIn: Int

    /// The maximum length of an event in bytes.
    package static let maximumLength = 256 << 10
    /// The maximum length of an `id` in bytes.
    private static let maximumIDLength = 128
    /// The maximum length of a `key` in bytes.
    private static let maximumKeyLength = 512
    /// The maximum length of the name of a rule or an action in bytes.
    private static let maximumNameLength = 32

    /// Why an event cannot be used, as a phrase.
    package struct Problem: Error, Equatable {
        /// The `id` of the event, if it has a valid one.
        package var id: String?
        package var reason: String

        package init(id: String?, reason: String) { (self.id, self.reason) = (id, reason) }
    }

    package init(_ event: JSONValue) throws(Problem) {
        guard let id = event["id"]?.text, Self.isID(id) else {
            throw Problem(id: nil, reason: "it has no valid \"id\"")
        }
        self.id = id
        key = try Self.text("key", of: event)
        rule = try Self.text("rule", of: event)
        operation = try Self.text("op", of: event)
        guard (1...Self.maximumKeyLength).contains(key.utf8.count) else {
            throw Problem(id: id, reason: "its \"key\" is empty or longer than \(Self.maximumKeyLength) bytes")
        }
        guard case .int(let seconds)? = event["expires_in"] else {
            throw Problem(id: id, reason: "it has no valid \"expires_in\"")
        }
        expiresIn = Int(min(max(seconds, 0), 31 * 86_400))
    }

    /// Returns a text that each event has.
    package static func text(_ name: String, of event: JSONValue) throws(Problem) -> String {
        if let text = event[name]?.text { return text }
        throw Problem(id: event["id"]?.text, reason: "it has no valid \"\(name)\"")
    }

    /// Whether a text is an identifier. It is stored as a word in a line, and becomes an argument of transitctl.
    package static func isID(_ text: String) -> Bool {
        isWord(text, maximumLength: maximumIDLength, allowing: "-_.:+/=@")
    }

    /// Whether a text is the name of an action.
    package static func isActionName(_ text: String) -> Bool {
        isWord(text, maximumLength: maximumNameLength, allowing: "-_")
    }

    /// Whether a text is the name of a rule, which has no uppercase letters. It becomes part of a path.
    package static func isRuleName(_ text: String) -> Bool {
        isActionName(text) && !text.utf8.contains { (0x41...0x5A).contains($0) }
    }

    /// Whether a text consists of ASCII letters, digits and the given others, and begins with a letter or digit.
    private static func isWord(_ text: String, maximumLength: Int, allowing others: StaticString) -> Bool {
        func isAlphanumeric(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: false
            }
        }
        guard let first = text.utf8.first, isAlphanumeric(first), text.utf8.count <= maximumLength else { return false }
        return text.utf8.allSatisfy { byte in isAlphanumeric(byte) || others.withUTF8Buffer { $0.contains(byte) } }
    }
}
