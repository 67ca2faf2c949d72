public import TransitModel

/// What a subscription is about: the method whose answer it keeps up to date.
public enum TopicKind: String, WireEnum {
    case next
    case departures
    case vehicles
    case alerts
    case status
    /// `favorite.show`.
    case favorite
}

/// A question whose answer is kept up to date. The members besides `topic` are those of the method of that name, for
/// ``TopicKind/favorite`` those of `favorite.show`.
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
        A question whose answer is kept up to date. The members besides `topic` are those of the method of that name; \
        `favorite` is answered by `favorite.show`.
        """,
        Self.init,
        Field("topic", \.topic, "The method that answers it."),
        Field("commute", \.commute, "Of `next` and `alerts`: the commute.", in: 1...64),
        Field("stop", \.stop, "Of `departures`, which needs it, `vehicles` and `alerts`: the stop.", in: 1...300),
        Field("feed", \.feed, "Of all but `next` and `favorite`: only in this feed.", in: 1...64),
        Field("route", \.route, "Of `departures`, `vehicles` and `alerts`: only this route.", in: 1...300),
        Field("trip", \.trip, "Of `vehicles`: only this trip.", in: 1...300),
        Field("favorite", \.favorite, "Of `favorite`: only this one.", in: 1...64),
        Field("category", \.category, "Of `favorite`: only those of this category.", in: 1...64),
        Field("count", \.count, "Of all but `status`: how many at most; of `favorite` up to 20 of each.", in: 1...200),
        Field("language", \.language, "Of all but `status`: the language of names and texts.", in: 1...35))
}

/// Answers questions now, and again in `event` notifications whenever an answer changes.
public struct SubscribeParameters: ControlParameters {
    public typealias Reply = SubscribeResult
    public static let method = ControlMethod.subscribe

    public var topics: [Topic]

    public init(topics: [Topic]) {
        self.topics = topics
    }

    public static let wireSchema = WireSchema(
        "SubscribeParameters", "Answers questions now, and again in `event` notifications whenever an answer changes.",
        Self.init,
        Field("topics", \.topics, "The questions; each becomes a subscription.", in: 1...16))
}

/// A subscription, with the answer of now.
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
        "Subscription", "A subscription, with the answer of now.", Self.init,
        Field("subscription", \.subscription, "Its number, for `unsubscribe`; on this connection only."),
        Field("sequence", \.sequence, "The number of this answer, from 1; each event has the next."),
        Field("topic", \.topic, "What it is about."),
        Field("age", \.age, "How old the live data behind the answer is; null without any.", unit: .seconds),
        Field("data", \.data, "The result of the method that answers the topic."))
}

/// The subscriptions.
public struct SubscribeResult: WireObject {
    public var at: Timestamp
    public var subscriptions: [Subscription]

    public init(at: Timestamp, subscriptions: [Subscription]) {
        self.at = at
        self.subscriptions = subscriptions
    }

    public static let wireSchema = WireSchema(
        "SubscribeResult", "The subscriptions.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("subscriptions", \.subscriptions, "In the order of `topics`."))
}

/// Ends a subscription of the same connection.
public struct UnsubscribeParameters: ControlParameters {
    public typealias Reply = UnsubscribeResult
    public static let method = ControlMethod.unsubscribe

    public var subscription: Int

    public init(subscription: Int) {
        self.subscription = subscription
    }

    public static let wireSchema = WireSchema(
        "UnsubscribeParameters", "Ends a subscription of the same connection.", Self.init,
        Field("subscription", \.subscription, "Its number.", in: 1...9_000_000_000_000_000))
}

/// What became of it.
public struct UnsubscribeResult: WireObject {
    public var isEnded: Bool

    public init(isEnded: Bool) {
        self.isEnded = isEnded
    }

    public static let wireSchema = WireSchema(
        "UnsubscribeResult", "What became of it.", Self.init,
        Field("is_ended", \.isEnded, "Whether there was such a subscription."))
}
