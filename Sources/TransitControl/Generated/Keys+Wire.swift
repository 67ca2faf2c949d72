// Generated from Sources/TransitControl/Messages/Keys.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension KeySetParameters {
    public init(feed: FeedID, key: String, unverified: Bool = false, _: Void = ()) {
        self.init(feed: feed, key: key, unverified: unverified)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.required("feed")
        self.key = try members.required("key", in: 1...4096)
        self.unverified = try members.optional("unverified", default: false)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("feed", self.feed)
        writer.member("key", self.key)
        if self.unverified != false { writer.member("unverified", self.unverified) }
        writer.endObject()
    }

    public static var schemaName: String { "KeySetParameters" }
    public static var description: String { "Validates an API key with a feed's source and stores it if the source accepts it." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID.self, "The feed.")
        builder.member("key", String.self, "The key: printable ASCII without spaces. The daemon never displays or logs it.", in: 1...4096)
        builder.member("unverified", Bool.self, "Whether to store the key even if the source cannot be reached. A rejected key is never stored.", default: false)
    }
}

extension KeyCheckParameters {
    public init(feed: FeedID, _: Void = ()) {
        self.init(feed: feed)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.required("feed")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("feed", self.feed)
        writer.endObject()
    }

    public static var schemaName: String { "KeyCheckParameters" }
    public static var description: String { "Validates the API key that a feed uses." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID.self, "The feed.")
    }
}

extension KeyRemoveParameters {
    public init(feed: FeedID, _: Void = ()) {
        self.init(feed: feed)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.required("feed")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("feed", self.feed)
        writer.endObject()
    }

    public static var schemaName: String { "KeyRemoveParameters" }
    public static var description: String { "Removes the API key stored by `key.set`." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID.self, "The feed.")
    }
}

extension KeyResult: HasNotices {
    public init(
        at: Timestamp, feed: FeedID, state: KeyState, origin: KeyOrigin? = nil, message: String, notices: [Notice] = [],
        _: Void = ()
    ) {
        self.init(at: at, feed: feed, state: state, origin: origin, message: message, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.feed = try members.required("feed")
        self.state = try members.required("state")
        self.origin = try members.optional("origin")
        self.message = try members.required("message")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("feed", self.feed)
        writer.member("state", self.state)
        writer.member("origin", self.origin)
        writer.member("message", self.message)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "KeyResult" }
    public static var description: String { "The state of a feed's API key." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("feed", FeedID.self, "The feed.")
        builder.member("state", KeyState.self, "The state of the key. accepted: the source accepted it; rejected: the source rejected it; unverified: the source could not be reached; missing: there is no key; removed: the key was removed. More values may be added.")
        builder.member("origin", KeyOrigin?.self, "The location where the key is stored. store: in the key file that `key.set` writes; file: in the file that `key_file` names; credential: in a systemd credential. Null when there is no key. More values may be added.")
        builder.member("message", String.self, "A human-readable sentence.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
