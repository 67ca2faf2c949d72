public import TransitModel

/// What is known about a key.
public enum KeyState: String, WireEnum {
    case accepted
    case rejected
    case unverified
    case missing
    case removed
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// Where a key is kept.
public enum KeyOrigin: String, WireEnum {
    case store
    case file
    case credential
    /// A word that this reader does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// Asks a feed's source whether it takes a key, and keeps the key when it does.
public struct KeySetParameters: ControlParameters {
    public typealias Reply = KeyResult
    public static let method = ControlMethod.keySet

    public var feed: FeedID
    public var key: String
    public var unverified: Bool

    public init(feed: FeedID, key: String, unverified: Bool = false) {
        self.feed = feed
        self.key = key
        self.unverified = unverified
    }

    public static let wireSchema = WireSchema(
        "KeySetParameters", "Asks a feed's source whether it takes a key, and keeps the key when it does.", Self.init,
        Field("feed", \.feed, "The feed."),
        Field("key", \.key, "The key: visible ASCII without blanks. It is shown and logged nowhere.", in: 1...4096),
        Field(
            "unverified", \.unverified, "Keep it also when the source cannot be asked now; never when it is rejected.",
            default: false))
}

/// Asks a feed's source whether it takes the key that is in use.
public struct KeyCheckParameters: ControlParameters {
    public typealias Reply = KeyResult
    public static let method = ControlMethod.keyCheck

    public var feed: FeedID

    public init(feed: FeedID) {
        self.feed = feed
    }

    public static let wireSchema = WireSchema(
        "KeyCheckParameters", "Asks a feed's source whether it takes the key that is in use.", Self.init,
        Field("feed", \.feed, "The feed."))
}

/// Forgets the key that `key.set` has kept.
public struct KeyRemoveParameters: ControlParameters {
    public typealias Reply = KeyResult
    public static let method = ControlMethod.keyRemove

    public var feed: FeedID

    public init(feed: FeedID) {
        self.feed = feed
    }

    public static let wireSchema = WireSchema(
        "KeyRemoveParameters", "Forgets the key that `key.set` has kept.", Self.init,
        Field("feed", \.feed, "The feed."))
}

/// How the key of a feed stands.
public struct KeyResult: WireObject {
    public var at: Timestamp
    public var feed: FeedID
    public var state: KeyState
    public var origin: KeyOrigin?
    public var message: String
    public var notices: [Notice]

    public init(
        at: Timestamp, feed: FeedID, state: KeyState, origin: KeyOrigin? = nil, message: String, notices: [Notice] = []
    ) {
        self.at = at
        self.feed = feed
        self.state = state
        self.origin = origin
        self.message = message
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "KeyResult", "How the key of a feed stands.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("feed", \.feed, "The feed."),
        Field(
            "state", \.state,
            """
            accepted: the source took it; rejected: the source refused it; unverified: the source could not be asked; \
            missing: there is none; removed: it was forgotten. More may follow.
            """),
        Field(
            "origin", \.origin,
            """
            Where it is kept. store: by `key.set`; file: the configuration's `key_file`; credential: systemd's. Null \
            without a key. More may follow.
            """),
        Field("message", \.message, "A sentence for people."),
        Field("notices", \.notices, "What to know about this answer."))
}
