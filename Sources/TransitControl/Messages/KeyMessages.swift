public import TransitModel
public import TransitWire

/// The state of an API key.
public enum KeyState: String, WireEnum {
    case accepted
    case rejected
    case unverified
    case missing
    case removed
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// The location where an API key is stored.
public enum KeyOrigin: String, WireEnum {
    case store
    case file
    case credential
    /// A value that this version does not know.
    case other

    public static var unrecognized: Self? { .other }
}

/// Validates an API key with a feed's source and stores it if the source accepts it.
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
        "KeySetParameters", "Validates an API key with a feed's source and stores it if the source accepts it.",
        Self.init,
        Field("feed", \.feed, "The feed."),
        Field(
            "key", \.key, "The key: printable ASCII without spaces. The daemon never displays or logs it.", in: 1...4096
        ),
        Field(
            "unverified", \.unverified,
            """
            Whether to store the key even if the source cannot be reached. A rejected key is never stored.
            """,
            default: false))
}

/// Validates the API key that a feed uses.
public struct KeyCheckParameters: ControlParameters {
    public typealias Reply = KeyResult
    public static let method = ControlMethod.keyCheck

    public var feed: FeedID

    public init(feed: FeedID) {
        self.feed = feed
    }

    public static let wireSchema = WireSchema(
        "KeyCheckParameters", "Validates the API key that a feed uses.", Self.init,
        Field("feed", \.feed, "The feed."))
}

/// Removes the API key stored by `key.set`.
public struct KeyRemoveParameters: ControlParameters {
    public typealias Reply = KeyResult
    public static let method = ControlMethod.keyRemove

    public var feed: FeedID

    public init(feed: FeedID) {
        self.feed = feed
    }

    public static let wireSchema = WireSchema(
        "KeyRemoveParameters", "Removes the API key stored by `key.set`.", Self.init,
        Field("feed", \.feed, "The feed."))
}

/// The state of a feed's API key.
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
        "KeyResult", "The state of a feed's API key.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("feed", \.feed, "The feed."),
        Field(
            "state", \.state,
            """
            The state of the key. accepted: the source accepted it; rejected: the source rejected it; unverified: \
            the source could not be reached; missing: there is no key; removed: the key was removed. More values \
            may be added.
            """),
        Field(
            "origin", \.origin,
            """
            The location where the key is stored. store: in the key file that `key.set` writes; file: in the file that \
            `key_file` names; credential: in a systemd credential. Null when there is no key. More values may be \
            added.
            """),
        Field("message", \.message, "A human-readable sentence."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
