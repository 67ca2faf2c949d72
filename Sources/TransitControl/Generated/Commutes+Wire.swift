// Generated from Sources/TransitControl/Messages/Commutes.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitWire

extension CommuteEndpoint {
    public init(kind: EndpointKind, reference: String, name: String? = nil, _: Void = ()) {
        self.init(kind: kind, reference: reference, name: name)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.kind = try members.required("kind")
        self.reference = try members.required("reference")
        self.name = try members.optional("name")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kind", self.kind)
        writer.member("reference", self.reference)
        writer.member("name", self.name)
        writer.endObject()
    }

    public static var schemaName: String { "CommuteEndpoint" }
    public static var description: String { "An endpoint of a commute." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("kind", EndpointKind.self, "Whether the endpoint is a place or a stop.")
        builder.member("reference", String.self, "The endpoint as entered: \"home\", \"caltrain:70211\".")
        builder.member("name", String?.self, "The stop's name, or the one that a request gives a position; null for a place, and while the name is unknown.")
    }
}

extension CommuteSummary {
    public init(
        name: String, from: CommuteEndpoint, to: CommuteEndpoint, isInUse: Bool, origin: DefinitionOrigin,
        problem: String? = nil, windows: [String] = [], _: Void = ()
    ) {
        self.init(name: name, from: from, to: to, isInUse: isInUse, origin: origin, problem: problem, windows: windows)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.name = try members.required("name")
        self.from = try members.required("from")
        self.to = try members.required("to")
        self.isInUse = try members.required("is_in_use")
        self.origin = try members.required("origin")
        self.problem = try members.optional("problem")
        self.windows = try members.optional("windows", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", self.name)
        writer.member("from", self.from)
        writer.member("to", self.to)
        writer.member("is_in_use", self.isInUse)
        writer.member("origin", self.origin)
        writer.member("problem", self.problem)
        writer.member("windows", self.windows)
        writer.endObject()
    }

    public static var schemaName: String { "CommuteSummary" }
    public static var description: String { "A commute of the caller." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("name", String.self, "The commute's name.")
        builder.member("from", CommuteEndpoint.self, "The origin.")
        builder.member("to", CommuteEndpoint.self, "The destination.")
        builder.member("is_in_use", Bool.self, "Whether `next` uses this commute when it is called without a name.")
        builder.member("origin", DefinitionOrigin.self, "Where the commute is defined. user: added over the socket; configuration: in the configuration file; implied: derived from the places home and work; request: the origin and destination of a request.")
        builder.member("problem", String?.self, "A sentence that explains why the commute cannot be queried now; null when it can be queried.")
        builder.member("windows", [String].self, "When the commute is usually made, such as \"07:00-09:00 weekdays\"; empty when not set.", default: [])
    }
}

extension CommuteListParameters {
    public init(_: Void = ()) {
        self.init()
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        _ = try WireMembers.of(Self.self, in: value, as: role)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.endObject()
    }

    public static var schemaName: String { "CommuteListParameters" }
    public static var description: String { "Lists the caller's commutes." }

    public static func describeMembers(to builder: inout SchemaBuilder) {}
}

extension CommuteListResult: HasNotices {
    public init(at: Timestamp, commutes: [CommuteSummary], notices: [Notice] = [], _: Void = ()) {
        self.init(at: at, commutes: commutes, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.commutes = try members.array("commutes")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("commutes", self.commutes)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "CommuteListResult" }
    public static var description: String { "The caller's commutes." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("commutes", [CommuteSummary].self, "Sorted by name.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension CommuteAddParameters {
    public init(
        name: String, from: String, to: String, replace: Bool = false, windows: [String] = [], days: [String] = [],
        _: Void = ()
    ) {
        self.init(name: name, from: from, to: to, replace: replace, windows: windows, days: days)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.name = try members.required("name", in: 1...64)
        self.from = try members.required("from", in: 1...300)
        self.to = try members.required("to", in: 1...300)
        self.replace = try members.optional("replace", default: false)
        self.windows = try members.optional("windows", in: 0...10, default: [])
        self.days = try members.optional("days", in: 0...7, default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", self.name)
        writer.member("from", self.from)
        writer.member("to", self.to)
        if self.replace != false { writer.member("replace", self.replace) }
        if self.windows != [] { writer.member("windows", self.windows) }
        if self.days != [] { writer.member("days", self.days) }
        writer.endObject()
    }

    public static var schemaName: String { "CommuteAddParameters" }
    public static var description: String { "Adds a commute." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("name", String.self, "The commute's name.", in: 1...64)
        builder.member("from", String.self, "The origin: a place, or a stop given as `FEED:STOP_ID` or by a name or its first words if they match a single stop.", in: 1...300)
        builder.member("to", String.self, "The destination, in the same format as `from`.", in: 1...300)
        builder.member("replace", Bool.self, "Whether to replace an existing commute with the same name.", default: false)
        builder.member("windows", [String].self, "The times of day when the commute is made, such as \"07:00-09:00\", in the agency's time zone. Realtime data is fetched in advance of these windows.", in: 0...10, default: [])
        builder.member("days", [String].self, "The days on which the windows begin: \"mon\" to \"sun\", \"weekdays\", \"weekends\", or a range such as \"mon-fri\". The default is every day.", in: 0...7, default: [])
    }
}

extension CommuteRenameParameters {
    public init(commute: String, name: String, _: Void = ()) {
        self.init(commute: commute, name: name)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.commute = try members.required("commute", in: 1...64)
        self.name = try members.required("name", in: 1...64)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("commute", self.commute)
        writer.member("name", self.name)
        writer.endObject()
    }

    public static var schemaName: String { "CommuteRenameParameters" }
    public static var description: String { "Renames a commute." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("commute", String.self, "The current name.", in: 1...64)
        builder.member("name", String.self, "The new name.", in: 1...64)
    }
}

extension CommuteRemoveParameters {
    public init(commute: String, _: Void = ()) {
        self.init(commute: commute)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.commute = try members.required("commute", in: 1...64)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("commute", self.commute)
        writer.endObject()
    }

    public static var schemaName: String { "CommuteRemoveParameters" }
    public static var description: String { "Removes a commute." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("commute", String.self, "The commute's name.", in: 1...64)
    }
}

extension CommuteUseParameters {
    public init(commute: String? = nil, _: Void = ()) {
        self.init(commute: commute)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.commute = try members.optional("commute", in: 1...64)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.commute != nil { writer.member("commute", self.commute) }
        writer.endObject()
    }

    public static var schemaName: String { "CommuteUseParameters" }
    public static var description: String { "Sets the commute that `next` uses when it is called without a name." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("commute", String?.self, "The commute's name. When omitted, the time of day again determines the commute.", in: 1...64)
    }
}

extension CommuteResult: HasNotices {
    public init(at: Timestamp, commute: CommuteSummary? = nil, notices: [Notice] = [], _: Void = ()) {
        self.init(at: at, commute: commute, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.commute = try members.optional("commute")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("commute", self.commute)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "CommuteResult" }
    public static var description: String { "The commute that was changed." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("commute", CommuteSummary?.self, "The commute after the change, or before its removal; null when the time of day now determines the commute.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
