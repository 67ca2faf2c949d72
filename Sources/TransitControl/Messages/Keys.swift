public import TransitModel
public import TransitWire

/// The state of an API key.
public enum KeyState: String, OpenWireEnum {
    case accepted
    case rejected
    case unverified
    case missing
    case removed
    /// A value that this version does not know.
    case other
}

/// The location where an API key is stored.
public enum KeyOrigin: String, OpenWireEnum {
    case store
    case file
    case credential
    /// A value that this version does not know.
    case other
}

/// Validates an API key with a feed's source and stores it if the source accepts it.
public struct KeySetParameters: ControlParameters {
    public typealias Reply = KeyResult
    public static let method = ControlMethod.keySet

    /// The feed.
    public var feed: FeedID
    /// The key: printable ASCII without spaces. The daemon never displays or logs it.
    /// - Range: 1...4096
    public var key: String
    /// Whether to store the key even if the source cannot be reached. A rejected key is never stored.
    public var unverified: Bool = false
}

/// Validates the API key that a feed uses.
public struct KeyCheckParameters: ControlParameters {
    public typealias Reply = KeyResult
    public static let method = ControlMethod.keyCheck

    /// The feed.
    public var feed: FeedID
}

/// Removes the API key stored by `key.set`.
public struct KeyRemoveParameters: ControlParameters {
    public typealias Reply = KeyResult
    public static let method = ControlMethod.keyRemove

    /// The feed.
    public var feed: FeedID
}

/// The state of a feed's API key.
public struct KeyResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The feed.
    public var feed: FeedID
    /// The state of the key. accepted: the source accepted it; rejected: the source rejected it; unverified: the source
    /// could not be reached; missing: there is no key; removed: the key was removed. More values may be added.
    public var state: KeyState
    /// The location where the key is stored. store: in the key file that `key.set` writes; file: in the file that
    /// `key_file` names; credential: in a systemd credential. Null when there is no key. More values may be added.
    public var origin: KeyOrigin?
    /// A human-readable sentence.
    public var message: String
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
