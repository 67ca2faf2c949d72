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
    case notifications
    /// Runs `journeys.pinned`.
    case journey
}

/// A query that a subscription repeats. The members other than `topic` are parameters of the method with the topic's
/// name, of `favorite.show` for the topic `favorite`, or of `journeys.pinned` for the topic `journey`.
public struct Topic: WireObject {
    /// The method to run.
    public var topic: TopicKind
    /// For `next` and `alerts`: the commute.
    /// - Range: 1...64
    public var commute: String?
    /// For `next`: the origin of a journey that is not a commute.
    /// - Range: 1...300
    public var from: String?
    /// For `next`: the destination of a journey that is not a commute.
    /// - Range: 1...300
    public var to: String?
    /// For `next`: the maximum number of changes of the journeys that are returned with the direct trips. The default is 0:
    /// only direct trips.
    /// - Range: 0...7
    public var changes: Int?
    /// For `next`: the modes of transport that riders use; empty for all.
    /// - Range: 0...14
    public var modes: [String] = []
    /// For `next`: whether to leave out vehicles and stops that do not accommodate wheelchairs.
    public var wheelchair: Bool = false
    /// For `next`: whether to leave out vehicles that do not accommodate bicycles.
    public var bicycles: Bool = false
    /// For `departures` (required), `vehicles` and `alerts`: the stop.
    /// - Range: 1...300
    public var stop: String?
    /// For all topics except `next` and `favorite`: limits the result to this feed.
    /// - Range: 1...64
    public var feed: FeedID?
    /// For `departures`, `vehicles` and `alerts`: limits the result to this route.
    /// - Range: 1...300
    public var route: String?
    /// For `vehicles`: limits the result to this trip.
    /// - Range: 1...300
    public var trip: String?
    /// For `favorite`: limits the result to this favorite.
    /// - Range: 1...64
    public var favorite: String?
    /// For `favorite`: limits the result to this category.
    /// - Range: 1...64
    public var category: String?
    /// For all topics except `status`, `notifications` and `journey`: the maximum number of entries. For `favorite`: the maximum number of departures
    /// for each favorite, at most 20.
    /// - Range: 1...200
    public var count: Int?
    /// For all topics except `status`: the language of names and texts. For `notifications`: the user's language, which
    /// the daemon remembers.
    /// - Range: 1...35
    public var language: String?
}

/// Runs queries now, and sends an `event` notification whenever the result of a query changes.
public struct SubscribeParameters: ControlParameters {
    public typealias Reply = SubscribeResult
    public static let method = ControlMethod.subscribe

    /// The queries. Each query becomes a subscription.
    /// - Range: 1...16
    public var topics: [Topic]
}

/// A subscription and its first result.
public struct Subscription: WireObject {
    /// The subscription's number, for `unsubscribe`. It is valid on this connection only.
    public var subscription: Int
    /// The sequence number of this result, starting at 1. Each event increments it.
    public var sequence: Int
    /// The subscription's topic.
    public var topic: TopicKind
    /// The age of the realtime data behind the result; null when there is none.
    /// - Unit: seconds
    public var age: Int?
    /// The result of the topic's method.
    public var data: JSONValue
}

/// The new subscriptions.
public struct SubscribeResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The subscriptions in the order of `topics`.
    public var subscriptions: [Subscription]
}

/// Ends a subscription on the same connection.
public struct UnsubscribeParameters: ControlParameters {
    public typealias Reply = UnsubscribeResult
    public static let method = ControlMethod.unsubscribe

    /// The subscription's number.
    /// - Range: 1...9_000_000_000_000_000
    public var subscription: Int
}

/// The result of ending a subscription.
public struct UnsubscribeResult: WireObject {
    /// Whether the subscription existed.
    public var isEnded: Bool
}

/// Sends the complete new result of a subscription after a change. For a client that reads slowly, a newer result
/// replaces an unsent older one.
public struct TopicUpdate: WireObject {
    /// The notification's method.
    public static let name = "event"

    /// The subscription's number.
    public var subscription: Int
    /// The sequence number of this result, one more than that of the previous result.
    public var sequence: Int
    /// The subscription's topic.
    public var topic: TopicKind
    /// The time of the query.
    public var at: Timestamp
    /// The age of the realtime data behind the result; null when there is none.
    /// - Unit: seconds
    public var age: Int?
    /// The result of the topic's method; null when the query fails.
    public var data: JSONValue?
    /// The error with which the query fails; null when it succeeds. The subscription stays active.
    public var error: ControlError?
}

/// The state of one subscription.
public struct SubscriptionHeartbeat: WireObject {
    /// The subscription's number.
    public var subscription: Int
    /// The sequence number of the last result sent.
    public var sequence: Int
    /// The age of the realtime data behind that result; null when there is none.
    /// - Unit: seconds
    public var age: Int?
}

/// Confirms every 30 seconds that the client has not missed an event, and reports the age of the data.
public struct HeartbeatNotification: WireObject {
    /// The notification's method.
    public static let name = "heartbeat"

    /// The daemon's current time.
    public var at: Timestamp
    /// All subscriptions of the connection.
    public var subscriptions: [SubscriptionHeartbeat]
}

/// Announces that the connection is being closed because the client does not read its events. It is the last message on
/// the connection.
public struct LaggedNotification: WireObject {
    /// The notification's method.
    public static let name = "lagged"

    /// A human-readable sentence.
    public var message: String
}
