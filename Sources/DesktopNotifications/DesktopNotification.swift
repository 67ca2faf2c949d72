internal import TransitClient
package import TransitWire

/// A failure of the hook.
package struct DesktopNotificationFailure: Error, Equatable {
    package enum Kind: Int32 {
        /// Running the hook again does not help.
        case permanent = 1
        /// The event is invalid (EX_DATAERR of sysexits.h).
        case invalidEvent = 65
        /// A program or a setting of the session is missing (EX_UNAVAILABLE).
        case unavailable = 69
        /// Running the hook again may help (EX_TEMPFAIL).
        case temporary = 75
    }

    /// Determines the exit status.
    package var kind: Kind
    /// The cause as a sentence in one line, without the name of the program.
    package var message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

/// What the hook uses of a notification event.
///
/// Other members are ignored, and optional ones may be missing, so that the hook works with newer daemons.
package struct DesktopNotification: Equatable {
    package enum Operation: Equatable {
        /// Shows the notification, or replaces the one with the same key.
        case show
        case withdraw
        /// An operation that this version does not know.
        case other(String)
    }

    package struct Action: Equatable {
        package var id: String
        package var label: String
    }

    package var id: String
    package var key: String
    package var operation: Operation
    package var rule: String
    package var urgency: String
    package var hasSound: Bool
    /// The time until the notification expires, in seconds.
    package var expiresIn: Int
    package var title: String
    package var body: String
    package var actions: [Action]
    package var attribution: [String]
    package var isTest: Bool

    /// The version of the event that this program reads.
    private static let schema: Int64 = 1
    private static let maximumActionCount = 4
    private static let maximumAttributionCount = 8
    /// The longest time until a notification expires, in seconds: a day.
    private static let maximumTime = 86_400

    /// Reads an event from JSON.
    package init(json bytes: [UInt8]) throws(DesktopNotificationFailure) {
        guard !bytes.isEmpty else { throw Self.invalid("there is no event on standard input") }
        guard bytes.count <= ReceivedEvent.maximumLength else {
            throw Self.invalid("it is larger than \(ReceivedEvent.maximumLength >> 10) KiB")
        }
        let event: JSONValue
        do { event = try JSONValue(parsing: bytes) } catch { throw Self.invalid("\(error)") }
        try self.init(event)
    }

    /// Reads an event from a value.
    package init(_ event: JSONValue) throws(DesktopNotificationFailure) {
        guard case .int(let version)? = event["schema"] else { throw Self.invalid("it has no valid \"schema\"") }
        guard version == Self.schema else {
            throw Self.invalid(
                "its schema is \(version), and this version of transitd-notify-send reads \(Self.schema)")
        }
        let received: ReceivedEvent
        do throws(ReceivedEvent.Problem) {
            received = try ReceivedEvent(event)
            title = try ReceivedEvent.text("title", of: event)
        } catch { throw Self.invalid(error.reason) }
        (id, key, rule) = (received.id, received.key, received.rule)
        switch received.operation {
        case "show", "update": operation = .show
        case "withdraw": operation = .withdraw
        case let name: operation = .other(DesktopNotificationText.line(name, maximumLength: 40))
        }
        expiresIn = min(received.expiresIn, Self.maximumTime)
        body = event["body"]?.text ?? ""
        urgency = event["urgency"]?.text ?? "normal"
        hasSound = event["sound"] == .bool(true)
        isTest = event["test"] == .bool(true)
        actions = Self.actions(event["actions"])
        attribution = []
        if case .array(let names)? = event["attribution"] {
            attribution = names.prefix(Self.maximumAttributionCount).compactMap(\.text)
        }
    }

    /// The event as JSON, with what this program uses of it. The texts are shortened to the length that is shown.
    package var json: JSONValue {
        let operationName: String =
            switch operation {
            case .show: "show"
            case .withdraw: "withdraw"
            case .other(let name): name
            }
        let actionValues = actions.map { action -> JSONValue in
            ["id": .string(action.id), "label": .string(action.label)]
        }
        return [
            "schema": .int(Self.schema), "id": .string(id), "key": .string(key), "op": .string(operationName),
            "rule": .string(rule), "urgency": .string(urgency), "sound": .bool(hasSound),
            "expires_in": .int(Int64(expiresIn)), "title": .string(DesktopNotificationText.line(title)),
            "body": .string(DesktopNotificationText.body(body)), "actions": .array(actionValues),
            "attribution": .array(attribution.map { .string(DesktopNotificationText.line($0, maximumLength: 80)) }),
            "test": .bool(isTest),
        ]
    }

    /// The category of the notification (Desktop Notifications Specification, "Categories"): vendor-specific, because the
    /// specification has none for transit.
    package var category: String {
        "x-transitd." + (ReceivedEvent.isRuleName(rule) ? rule : "other")
    }

    private static func actions(_ value: JSONValue?) -> [Action] {
        guard case .array(let values)? = value else { return [] }
        return values.prefix(maximumActionCount).compactMap { value in
            guard let id = value["id"]?.text, ReceivedEvent.isActionName(id), let label = value["label"]?.text
            else {
                return nil
            }
            let clean = DesktopNotificationText.line(label, maximumLength: 40)
            return clean.isEmpty ? nil : Action(id: id, label: clean)
        }
    }

    private static func invalid(_ reason: String) -> DesktopNotificationFailure {
        DesktopNotificationFailure(.invalidEvent, "the event is invalid: \(reason)")
    }
}
