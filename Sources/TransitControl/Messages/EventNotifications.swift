public import TransitWire

/// Sends the complete new result of a subscription after a change. For a client that reads slowly, a newer result
/// replaces an unsent older one.
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
        Sends the complete new result of a subscription after a change. For a client that reads slowly, a newer \
        result replaces an unsent older one.
        """,
        Self.init,
        Field("subscription", \.subscription, "The subscription's number."),
        Field("sequence", \.sequence, "The sequence number of this result, one more than that of the previous result."),
        Field("topic", \.topic, "The subscription's topic."),
        Field("at", \.at, "The time of the query."),
        Field("age", \.age, "The age of the realtime data behind the result; null when there is none.", unit: .seconds),
        Field(
            "data", \.data,
            "The result of the topic's method; null when the query fails."),
        Field(
            "error", \.error,
            "The error with which the query fails; null when it succeeds. The subscription stays active."))
}

/// The state of one subscription.
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
        "SubscriptionHeartbeat", "The state of one subscription.", Self.init,
        Field("subscription", \.subscription, "The subscription's number."),
        Field("sequence", \.sequence, "The sequence number of the last result sent."),
        Field("age", \.age, "The age of the realtime data behind that result; null when there is none.", unit: .seconds)
    )
}

/// Confirms every 30 seconds that the client has not missed an event, and reports the age of the data.
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
        "HeartbeatNotification",
        """
        Confirms every 30 seconds that the client has not missed an event, and reports the age of the data.
        """, Self.init,
        Field("at", \.at, "The daemon's current time."),
        Field("subscriptions", \.subscriptions, "All subscriptions of the connection."))
}

/// Announces that the connection is being closed because the client does not read its events. It is the last message on
/// the connection.
public struct LaggedNotification: WireObject {
    /// The notification's method.
    public static let name = "lagged"

    public var message: String

    public init(message: String) {
        self.message = message
    }

    public static let wireSchema = WireSchema(
        "LaggedNotification",
        """
        Announces that the connection is being closed because the client does not read its events. It is the last \
        message on the connection.
        """, Self.init,
        Field("message", \.message, "A human-readable sentence."))
}
