/// Brings the new answer of a subscription, whole, after it changed. While a client is slow to read, what is newer
/// takes the place of what is older.
public struct EventNotification: WireObject {
    /// The notification's method.
    public static let name = "event"

    public var subscription: Int
    public var sequence: Int
    public var topic: TopicKind
    public var at: Timestamp
    public var age: Int?
    public var data: JSONValue?
    public var error: ControlError?

    public init(
        subscription: Int, sequence: Int, topic: TopicKind, at: Timestamp, age: Int? = nil, data: JSONValue? = nil,
        error: ControlError? = nil
    ) {
        self.subscription = subscription
        self.sequence = sequence
        self.topic = topic
        self.at = at
        self.age = age
        self.data = data
        self.error = error
    }

    public static let wireSchema = WireSchema(
        "EventNotification",
        """
        Brings the new answer of a subscription, whole, after it changed. While a client is slow to read, what \
        is newer takes the place of what is older.
        """,
        Self.init,
        Field("subscription", \.subscription, "The subscription's number."),
        Field("sequence", \.sequence, "The number of this answer: one more than that of the one before."),
        Field("topic", \.topic, "What it is about."),
        Field("at", \.at, "The time that the answer is for."),
        Field("age", \.age, "How old the live data behind the answer is; null without any.", unit: .seconds),
        Field(
            "data", \.data,
            "The result of the method that answers the topic; null when it cannot be answered any more."),
        Field("error", \.error, "Why it cannot be answered; the subscription stays."))
}

/// How one subscription stands.
public struct SubscriptionHeartbeat: WireObject {
    public var subscription: Int
    public var sequence: Int
    public var age: Int?

    public init(subscription: Int, sequence: Int, age: Int? = nil) {
        self.subscription = subscription
        self.sequence = sequence
        self.age = age
    }

    public static let wireSchema = WireSchema(
        "SubscriptionHeartbeat", "How one subscription stands.", Self.init,
        Field("subscription", \.subscription, "The subscription's number."),
        Field("sequence", \.sequence, "The number of the last answer that was sent."),
        Field("age", \.age, "How old the live data behind it is; null without any.", unit: .seconds))
}

/// Tells every 30 seconds that nothing was missed, and how old the data is.
public struct HeartbeatNotification: WireObject {
    /// The notification's method.
    public static let name = "heartbeat"

    public var at: Timestamp
    public var subscriptions: [SubscriptionHeartbeat]

    public init(at: Timestamp, subscriptions: [SubscriptionHeartbeat]) {
        self.at = at
        self.subscriptions = subscriptions
    }

    public static let wireSchema = WireSchema(
        "HeartbeatNotification", "Tells every 30 seconds that nothing was missed, and how old the data is.", Self.init,
        Field("at", \.at, "The time that the daemon goes by."),
        Field("subscriptions", \.subscriptions, "All of the connection."))
}

/// Ends a connection that does not read its events: nothing follows it.
public struct LaggedNotification: WireObject {
    /// The notification's method.
    public static let name = "lagged"

    public var message: String

    public init(message: String) {
        self.message = message
    }

    public static let wireSchema = WireSchema(
        "LaggedNotification", "Ends a connection that does not read its events: nothing follows it.", Self.init,
        Field("message", \.message, "A sentence for people."))
}
