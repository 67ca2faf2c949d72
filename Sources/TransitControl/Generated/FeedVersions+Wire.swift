// Generated from Sources/TransitControl/Messages/FeedVersions.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension FeedVersionsParameters {
    public init(feed: FeedID, _: Void = ()) {
        self.init(feed: feed)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.required("feed", in: 1...64)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("feed", self.feed)
        writer.endObject()
    }

    public static var schemaName: String { "FeedVersionsParameters" }
    public static var description: String { "Lists the stored timetable versions of a feed." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID.self, "The feed.", in: 1...64)
    }
}

extension FeedVersionsResult: HasNotices {
    public init(at: Timestamp, feed: FeedID, versions: [FeedVersion], notices: [Notice] = [], _: Void = ()) {
        self.init(at: at, feed: feed, versions: versions, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.feed = try members.required("feed")
        self.versions = try members.array("versions")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("feed", self.feed)
        writer.member("versions", self.versions)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "FeedVersionsResult" }
    public static var description: String { "The stored timetable versions of a feed." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("feed", FeedID.self, "The feed.")
        builder.member("versions", [FeedVersion].self, "Newest first.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension FeedRollbackParameters {
    public init(feed: FeedID, version: Int? = nil, _: Void = ()) {
        self.init(feed: feed, version: version)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.required("feed", in: 1...64)
        self.version = try members.optional("version", in: 1...1_000_000_000)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("feed", self.feed)
        if self.version != nil { writer.member("version", self.version) }
        writer.endObject()
    }

    public static var schemaName: String { "FeedRollbackParameters" }
    public static var description: String { "Makes an earlier timetable version of a feed current." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID.self, "The feed.", in: 1...64)
        builder.member("version", Int?.self, "The version. The default is the version before the current one.", in: 1...1_000_000_000)
    }
}

extension FeedRollbackResult: HasNotices {
    public init(
        at: Timestamp, feed: FeedID, version: FeedVersion, previous: Int, notices: [Notice] = [], _: Void = ()
    ) {
        self.init(at: at, feed: feed, version: version, previous: previous, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.feed = try members.required("feed")
        self.version = try members.required("version")
        self.previous = try members.required("previous")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("feed", self.feed)
        writer.member("version", self.version)
        writer.member("previous", self.previous)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "FeedRollbackResult" }
    public static var description: String { "The current timetable version after a rollback." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("feed", FeedID.self, "The feed.")
        builder.member("version", FeedVersion.self, "The version that is current now.")
        builder.member("previous", Int.self, "The number of the version that was current before.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension FeedChange {
    public init(
        subject: ChangeSubject, change: ChangeKind, id: String, name: String? = nil, message: String, _: Void = ()
    ) {
        self.init(subject: subject, change: change, id: id, name: name, message: message)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.subject = try members.required("subject")
        self.change = try members.required("change")
        self.id = try members.required("id")
        self.name = try members.optional("name")
        self.message = try members.required("message")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("subject", self.subject)
        writer.member("change", self.change)
        writer.member("id", self.id)
        writer.member("name", self.name)
        writer.member("message", self.message)
        writer.endObject()
    }

    public static var schemaName: String { "FeedChange" }
    public static var description: String { "A difference between two timetable versions." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("subject", ChangeSubject.self, "The kind of object that changed.")
        builder.member("change", ChangeKind.self, "The kind of change.")
        builder.member("id", String.self, "The identifier of the stop, route or trip.")
        builder.member("name", String?.self, "The name for riders.")
        builder.member("message", String.self, "A human-readable description of the change, such as \"8:12 leaves at 8:09\".")
    }
}

extension ChangeCounts {
    public init(added: Int, removed: Int, changed: Int, _: Void = ()) {
        self.init(added: added, removed: removed, changed: changed)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.added = try members.required("added")
        self.removed = try members.required("removed")
        self.changed = try members.required("changed")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("added", self.added)
        writer.member("removed", self.removed)
        writer.member("changed", self.changed)
        writer.endObject()
    }

    public static var schemaName: String { "ChangeCounts" }
    public static var description: String { "The number of differences by kind." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("added", Int.self, "Objects that are only in the newer version.")
        builder.member("removed", Int.self, "Objects that are only in the older version.")
        builder.member("changed", Int.self, "Objects that are in both versions but differ.")
    }
}

extension CommuteChanges {
    public init(commute: String, changes: [FeedChange], isTruncated: Bool, _: Void = ()) {
        self.init(commute: commute, changes: changes, isTruncated: isTruncated)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.commute = try members.required("commute")
        self.changes = try members.array("changes")
        self.isTruncated = try members.required("is_truncated")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("commute", self.commute)
        writer.member("changes", self.changes)
        writer.member("is_truncated", self.isTruncated)
        writer.endObject()
    }

    public static var schemaName: String { "CommuteChanges" }
    public static var description: String { "The changes that affect one commute." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("commute", String.self, "The commute's name.")
        builder.member("changes", [FeedChange].self, "Changes to the commute's stops, routes and trips.")
        builder.member("is_truncated", Bool.self, "Whether there are more changes than are listed.")
    }
}

extension FeedDiffParameters {
    public init(feed: FeedID, from: Int? = nil, to: Int? = nil, count: Int = 50, _: Void = ()) {
        self.init(feed: feed, from: from, to: to, count: count)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.required("feed", in: 1...64)
        self.from = try members.optional("from", in: 1...1_000_000_000)
        self.to = try members.optional("to", in: 1...1_000_000_000)
        self.count = try members.optional("count", in: 1...500, default: 50)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("feed", self.feed)
        if self.from != nil { writer.member("from", self.from) }
        if self.to != nil { writer.member("to", self.to) }
        if self.count != 50 { writer.member("count", self.count) }
        writer.endObject()
    }

    public static var schemaName: String { "FeedDiffParameters" }
    public static var description: String { "Compares two timetable versions of a feed and lists the changes that affect the caller's commutes." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID.self, "The feed.", in: 1...64)
        builder.member("from", Int?.self, "The older version. The default is the version before `to`.", in: 1...1_000_000_000)
        builder.member("to", Int?.self, "The newer version. The default is the current version.", in: 1...1_000_000_000)
        builder.member("count", Int.self, "The maximum number of changes for each commute.", in: 1...500, default: 50)
    }
}

extension FeedDiffResult: HasNotices {
    public init(
        at: Timestamp, feed: FeedID, from: FeedVersion, to: FeedVersion, stops: ChangeCounts, routes: ChangeCounts,
        trips: ChangeCounts, commutes: [CommuteChanges], notices: [Notice] = [], _: Void = ()
    ) {
        self.init(
            at: at, feed: feed, from: from, to: to, stops: stops, routes: routes, trips: trips, commutes: commutes,
            notices: notices
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.feed = try members.required("feed")
        self.from = try members.required("from")
        self.to = try members.required("to")
        self.stops = try members.required("stops")
        self.routes = try members.required("routes")
        self.trips = try members.required("trips")
        self.commutes = try members.array("commutes")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("feed", self.feed)
        writer.member("from", self.from)
        writer.member("to", self.to)
        writer.member("stops", self.stops)
        writer.member("routes", self.routes)
        writer.member("trips", self.trips)
        writer.member("commutes", self.commutes)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "FeedDiffResult" }
    public static var description: String { "The differences between two timetable versions." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("feed", FeedID.self, "The feed.")
        builder.member("from", FeedVersion.self, "The older version.")
        builder.member("to", FeedVersion.self, "The newer version.")
        builder.member("stops", ChangeCounts.self, "The changes to stops in the whole feed.")
        builder.member("routes", ChangeCounts.self, "The changes to routes in the whole feed.")
        builder.member("trips", ChangeCounts.self, "The changes to trips in the whole feed.")
        builder.member("commutes", [CommuteChanges].self, "The changes for each of the caller's commutes that uses this feed.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
