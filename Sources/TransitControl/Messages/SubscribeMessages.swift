public import TransitModel
public import TransitWire

/// The topic of a subscription, named for the method that it runs.
public enum TopicKind: String, WireEnum {
    case next
    case departures
    case vehicles
    case alerts
    case status
    /// Runs `favorite.show`.
    case favorite
}

/// A query that a subscription repeats. The members other than `topic` are parameters of the method with the topic's
/// name, or of `favorite.show` for the topic `favorite`.
public struct Topic: WireObject {
    public var topic: TopicKind
    public var commute: String?
    public var stop: String?
    public var feed: FeedID?
    public var route: String?
    public var trip: String?
    public var favorite: String?
    public var category: String?
    public var count: Int?
    public var language: String?

    public init(
        topic: TopicKind, commute: String? = nil, stop: String? = nil, feed: FeedID? = nil, route: String? = nil,
        trip: String? = nil, favorite: String? = nil, category: String? = nil, count: Int? = nil,
        language: String? = nil
    ) {
        self.topic = topic
        self.commute = commute
        self.stop = stop
        self.feed = feed
        self.route = route
        self.trip = trip
        self.favorite = favorite
        self.category = category
        self.count = count
        self.language = language
    }

    public static let wireSchema = WireSchema(
        "Topic",
        """
        A query that a subscription repeats. The members other than `topic` are parameters of the method with the \
        topic's name, or of `favorite.show` for the topic `favorite`.
        """,
        Self.init,
        Field("topic", \.topic, "The method to run."),
        Field("commute", \.commute, "For `next` and `alerts`: the commute.", in: 1...64),
        Field("stop", \.stop, "For `departures` (required), `vehicles` and `alerts`: the stop.", in: 1...300),
        Field(
            "feed", \.feed, "For all topics except `next` and `favorite`: limits the result to this feed.", in: 1...64),
        Field(
            "route", \.route, "For `departures`, `vehicles` and `alerts`: limits the result to this route.", in: 1...300
        ),
        Field("trip", \.trip, "For `vehicles`: limits the result to this trip.", in: 1...300),
        Field("favorite", \.favorite, "For `favorite`: limits the result to this favorite.", in: 1...64),
        Field("category", \.category, "For `favorite`: limits the result to this category.", in: 1...64),
        Field(
            "count", \.count,
            """
            For all topics except `status`: the maximum number of entries. For `favorite`: the maximum number of \
            departures for each favorite, at most 20.
            """, in: 1...200),
        Field("language", \.language, "For all topics except `status`: the language of names and texts.", in: 1...35))
}

/// Runs queries now, and sends an `event` notification whenever the result of a query changes.
public struct SubscribeParameters: ControlParameters {
    public typealias Reply = SubscribeResult
    public static let method = ControlMethod.subscribe

    public var topics: [Topic]

    public init(topics: [Topic]) {
        self.topics = topics
    }

    public static let wireSchema = WireSchema(
        "SubscribeParameters",
        """
        Runs queries now, and sends an `event` notification whenever the result of a query changes.
        """,
        Self.init,
        Field("topics", \.topics, "The queries. Each query becomes a subscription.", in: 1...16))
}

/// A subscription and its first result.
public struct Subscription: WireObject {
    public var subscription: Int
    public var sequence: Int
    public var topic: TopicKind
    public var age: Int?
    public var data: JSONValue

    public init(subscription: Int, sequence: Int, topic: TopicKind, age: Int? = nil, data: JSONValue) {
        self.subscription = subscription
        self.sequence = sequence
        self.topic = topic
        self.age = age
        self.data = data
    }

    public static let wireSchema = WireSchema(
        "Subscription", "A subscription and its first result.", Self.init,
        Field(
            "subscription", \.subscription,
            "The subscription's number, for `unsubscribe`. It is valid on this connection only."),
        Field("sequence", \.sequence, "The sequence number of this result, starting at 1. Each event increments it."),
        Field("topic", \.topic, "The subscription's topic."),
        Field("age", \.age, "The age of the realtime data behind the result; null when there is none.", unit: .seconds),
        Field("data", \.data, "The result of the topic's method."))
}

/// The new subscriptions.
public struct SubscribeResult: WireObject {
    public var at: Timestamp
    public var subscriptions: [Subscription]

    public init(at: Timestamp, subscriptions: [Subscription]) {
        self.at = at
        self.subscriptions = subscriptions
    }

    public static let wireSchema = WireSchema(
        "SubscribeResult", "The new subscriptions.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("subscriptions", \.subscriptions, "The subscriptions in the order of `topics`."))
}

/// Ends a subscription on the same connection.
public struct UnsubscribeParameters: ControlParameters {
    public typealias Reply = UnsubscribeResult
    public static let method = ControlMethod.unsubscribe

    public var subscription: Int

    public init(subscription: Int) {
        self.subscription = subscription
    }

    public static let wireSchema = WireSchema(
        "UnsubscribeParameters", "Ends a subscription on the same connection.", Self.init,
        Field("subscription", \.subscription, "The subscription's number.", in: 1...9_000_000_000_000_000))
}

/// The result of ending a subscription.
public struct UnsubscribeResult: WireObject {
    public var isEnded: Bool

    public init(isEnded: Bool) {
        self.isEnded = isEnded
    }

    public static let wireSchema = WireSchema(
        "UnsubscribeResult", "The result of ending a subscription.", Self.init,
        Field("is_ended", \.isEnded, "Whether the subscription existed."))
}
