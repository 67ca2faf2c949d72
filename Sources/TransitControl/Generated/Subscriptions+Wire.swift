// Generated from Sources/TransitControl/Messages/Subscriptions.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension Topic {
    public init(
        topic: TopicKind, commute: String? = nil, from: String? = nil, to: String? = nil, changes: Int? = nil,
        modes: [String] = [], wheelchair: Bool = false, bicycles: Bool = false, stop: String? = nil,
        feed: FeedID? = nil, route: String? = nil, trip: String? = nil, favorite: String? = nil,
        category: String? = nil, count: Int? = nil, language: String? = nil, _: Void = ()
    ) {
        self.init(
            topic: topic, commute: commute, from: from, to: to, changes: changes, modes: modes, wheelchair: wheelchair,
            bicycles: bicycles, stop: stop, feed: feed, route: route, trip: trip, favorite: favorite,
            category: category, count: count, language: language
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.topic = try members.required("topic")
        self.commute = try members.optional("commute", in: 1...64)
        self.from = try members.optional("from", in: 1...300)
        self.to = try members.optional("to", in: 1...300)
        self.changes = try members.optional("changes", in: 0...7)
        self.modes = try members.optional("modes", in: 0...14, default: [])
        self.wheelchair = try members.optional("wheelchair", default: false)
        self.bicycles = try members.optional("bicycles", default: false)
        self.stop = try members.optional("stop", in: 1...300)
        self.feed = try members.optional("feed", in: 1...64)
        self.route = try members.optional("route", in: 1...300)
        self.trip = try members.optional("trip", in: 1...300)
        self.favorite = try members.optional("favorite", in: 1...64)
        self.category = try members.optional("category", in: 1...64)
        self.count = try members.optional("count", in: 1...200)
        self.language = try members.optional("language", in: 1...35)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("topic", self.topic)
        writer.member("commute", self.commute)
        writer.member("from", self.from)
        writer.member("to", self.to)
        writer.member("changes", self.changes)
        writer.member("modes", self.modes)
        writer.member("wheelchair", self.wheelchair)
        writer.member("bicycles", self.bicycles)
        writer.member("stop", self.stop)
        writer.member("feed", self.feed)
        writer.member("route", self.route)
        writer.member("trip", self.trip)
        writer.member("favorite", self.favorite)
        writer.member("category", self.category)
        writer.member("count", self.count)
        writer.member("language", self.language)
        writer.endObject()
    }

    public static var schemaName: String { "Topic" }
    public static var description: String { "A query that a subscription repeats. The members other than `topic` are parameters of the method with the topic's name, of `favorite.show` for the topic `favorite`, or of `journeys.pinned` for the topic `journey`." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("topic", TopicKind.self, "The method to run.")
        builder.member("commute", String?.self, "For `next` and `alerts`: the commute.", in: 1...64)
        builder.member("from", String?.self, "For `next`: the origin of a journey that is not a commute.", in: 1...300)
        builder.member("to", String?.self, "For `next`: the destination of a journey that is not a commute.", in: 1...300)
        builder.member("changes", Int?.self, "For `next`: the maximum number of changes of the journeys that are returned with the direct trips. The default is 0: only direct trips.", in: 0...7)
        builder.member("modes", [String].self, "For `next`: the modes of transport that riders use; empty for all.", in: 0...14, default: [])
        builder.member("wheelchair", Bool.self, "For `next`: whether to leave out vehicles and stops that do not accommodate wheelchairs.", default: false)
        builder.member("bicycles", Bool.self, "For `next`: whether to leave out vehicles that do not accommodate bicycles.", default: false)
        builder.member("stop", String?.self, "For `departures` (required), `vehicles` and `alerts`: the stop.", in: 1...300)
        builder.member("feed", FeedID?.self, "For all topics except `next` and `favorite`: limits the result to this feed.", in: 1...64)
        builder.member("route", String?.self, "For `departures`, `vehicles` and `alerts`: limits the result to this route.", in: 1...300)
        builder.member("trip", String?.self, "For `vehicles`: limits the result to this trip.", in: 1...300)
        builder.member("favorite", String?.self, "For `favorite`: limits the result to this favorite.", in: 1...64)
        builder.member("category", String?.self, "For `favorite`: limits the result to this category.", in: 1...64)
        builder.member("count", Int?.self, "For all topics except `status`, `notifications` and `journey`: the maximum number of entries. For `favorite`: the maximum number of departures for each favorite, at most 20.", in: 1...200)
        builder.member("language", String?.self, "For all topics except `status`: the language of names and texts. For `notifications`: the user's language, which the daemon remembers.", in: 1...35)
    }
}

extension SubscribeParameters {
    public init(topics: [Topic], _: Void = ()) {
        self.init(topics: topics)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.topics = try members.required("topics", in: 1...16)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("topics", self.topics)
        writer.endObject()
    }

    public static var schemaName: String { "SubscribeParameters" }
    public static var description: String { "Runs queries now, and sends an `event` notification whenever the result of a query changes." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("topics", [Topic].self, "The queries. Each query becomes a subscription.", in: 1...16)
    }
}

extension Subscription {
    public init(subscription: Int, sequence: Int, topic: TopicKind, age: Int? = nil, data: JSONValue, _: Void = ()) {
        self.init(subscription: subscription, sequence: sequence, topic: topic, age: age, data: data)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.subscription = try members.required("subscription")
        self.sequence = try members.required("sequence")
        self.topic = try members.required("topic")
        self.age = try members.optional("age")
        self.data = try members.required("data")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("subscription", self.subscription)
        writer.member("sequence", self.sequence)
        writer.member("topic", self.topic)
        writer.member("age", self.age)
        writer.member("data", self.data)
        writer.endObject()
    }

    public static var schemaName: String { "Subscription" }
    public static var description: String { "A subscription and its first result." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("subscription", Int.self, "The subscription's number, for `unsubscribe`. It is valid on this connection only.")
        builder.member("sequence", Int.self, "The sequence number of this result, starting at 1. Each event increments it.")
        builder.member("topic", TopicKind.self, "The subscription's topic.")
        builder.member("age", Int?.self, "The age of the realtime data behind the result; null when there is none.", unit: .seconds)
        builder.member("data", JSONValue.self, "The result of the topic's method.")
    }
}

extension SubscribeResult {
    public init(at: Timestamp, subscriptions: [Subscription], _: Void = ()) {
        self.init(at: at, subscriptions: subscriptions)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.subscriptions = try members.array("subscriptions")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("subscriptions", self.subscriptions)
        writer.endObject()
    }

    public static var schemaName: String { "SubscribeResult" }
    public static var description: String { "The new subscriptions." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("subscriptions", [Subscription].self, "The subscriptions in the order of `topics`.")
    }
}

extension UnsubscribeParameters {
    public init(subscription: Int, _: Void = ()) {
        self.init(subscription: subscription)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.subscription = try members.required("subscription", in: 1...9_000_000_000_000_000)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("subscription", self.subscription)
        writer.endObject()
    }

    public static var schemaName: String { "UnsubscribeParameters" }
    public static var description: String { "Ends a subscription on the same connection." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("subscription", Int.self, "The subscription's number.", in: 1...9_000_000_000_000_000)
    }
}

extension UnsubscribeResult {
    public init(isEnded: Bool, _: Void = ()) {
        self.init(isEnded: isEnded)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.isEnded = try members.required("is_ended")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("is_ended", self.isEnded)
        writer.endObject()
    }

    public static var schemaName: String { "UnsubscribeResult" }
    public static var description: String { "The result of ending a subscription." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("is_ended", Bool.self, "Whether the subscription existed.")
    }
}

extension TopicUpdate {
    public init(
        subscription: Int, sequence: Int, topic: TopicKind, at: Timestamp, age: Int? = nil, data: JSONValue? = nil,
        error: ControlError? = nil, _: Void = ()
    ) {
        self.init(
            subscription: subscription, sequence: sequence, topic: topic, at: at, age: age, data: data, error: error
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.subscription = try members.required("subscription")
        self.sequence = try members.required("sequence")
        self.topic = try members.required("topic")
        self.at = try members.required("at")
        self.age = try members.optional("age")
        self.data = try members.optional("data")
        self.error = try members.optional("error")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("subscription", self.subscription)
        writer.member("sequence", self.sequence)
        writer.member("topic", self.topic)
        writer.member("at", self.at)
        writer.member("age", self.age)
        writer.member("data", self.data)
        writer.member("error", self.error)
        writer.endObject()
    }

    public static var schemaName: String { "TopicUpdate" }
    public static var description: String { "Sends the complete new result of a subscription after a change. For a client that reads slowly, a newer result replaces an unsent older one." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("subscription", Int.self, "The subscription's number.")
        builder.member("sequence", Int.self, "The sequence number of this result, one more than that of the previous result.")
        builder.member("topic", TopicKind.self, "The subscription's topic.")
        builder.member("at", Timestamp.self, "The time of the query.")
        builder.member("age", Int?.self, "The age of the realtime data behind the result; null when there is none.", unit: .seconds)
        builder.member("data", JSONValue?.self, "The result of the topic's method; null when the query fails.")
        builder.member("error", ControlError?.self, "The error with which the query fails; null when it succeeds. The subscription stays active.")
    }
}

extension SubscriptionHeartbeat {
    public init(subscription: Int, sequence: Int, age: Int? = nil, _: Void = ()) {
        self.init(subscription: subscription, sequence: sequence, age: age)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.subscription = try members.required("subscription")
        self.sequence = try members.required("sequence")
        self.age = try members.optional("age")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("subscription", self.subscription)
        writer.member("sequence", self.sequence)
        writer.member("age", self.age)
        writer.endObject()
    }

    public static var schemaName: String { "SubscriptionHeartbeat" }
    public static var description: String { "The state of one subscription." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("subscription", Int.self, "The subscription's number.")
        builder.member("sequence", Int.self, "The sequence number of the last result sent.")
        builder.member("age", Int?.self, "The age of the realtime data behind that result; null when there is none.", unit: .seconds)
    }
}

extension HeartbeatNotification {
    public init(at: Timestamp, subscriptions: [SubscriptionHeartbeat], _: Void = ()) {
        self.init(at: at, subscriptions: subscriptions)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.subscriptions = try members.array("subscriptions")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("subscriptions", self.subscriptions)
        writer.endObject()
    }

    public static var schemaName: String { "HeartbeatNotification" }
    public static var description: String { "Confirms every 30 seconds that the client has not missed an event, and reports the age of the data." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "The daemon's current time.")
        builder.member("subscriptions", [SubscriptionHeartbeat].self, "All subscriptions of the connection.")
    }
}

extension LaggedNotification {
    public init(message: String, _: Void = ()) {
        self.init(message: message)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.message = try members.required("message")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("message", self.message)
        writer.endObject()
    }

    public static var schemaName: String { "LaggedNotification" }
    public static var description: String { "Announces that the connection is being closed because the client does not read its events. It is the last message on the connection." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("message", String.self, "A human-readable sentence.")
    }
}
