// Generated from Sources/TransitControl/Messages/Configuration.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension ConfigurationProblem {
    public init(
        isError: Bool, line: Int? = nil, column: Int? = nil, key: String? = nil, message: String, remedy: String? = nil,
        _: Void = ()
    ) {
        self.init(isError: isError, line: line, column: column, key: key, message: message, remedy: remedy)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.isError = try members.required("is_error")
        self.line = try members.optional("line")
        self.column = try members.optional("column")
        self.key = try members.optional("key")
        self.message = try members.required("message")
        self.remedy = try members.optional("remedy")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("is_error", self.isError)
        writer.member("line", self.line)
        writer.member("column", self.column)
        writer.member("key", self.key)
        writer.member("message", self.message)
        writer.member("remedy", self.remedy)
        writer.endObject()
    }

    public static var schemaName: String { "ConfigurationProblem" }
    public static var description: String { "A problem in the configuration." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("is_error", Bool.self, "Whether the problem makes the configuration unusable; false for a warning.")
        builder.member("line", Int?.self, "The line number, from 1.")
        builder.member("column", Int?.self, "The column number, from 1.")
        builder.member("key", String?.self, "The key, such as \"feed[0].static\".")
        builder.member("message", String.self, "What is wrong.")
        builder.member("remedy", String?.self, "How to fix it.")
    }
}

extension ConfigCheckParameters {
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

    public static var schemaName: String { "ConfigCheckParameters" }
    public static var description: String { "Reads the configuration file again without applying it and reports its problems." }

    public static func describeMembers(to builder: inout SchemaBuilder) {}
}

extension ConfigCheckResult: HasNotices {
    public init(
        at: Timestamp, file: String? = nil, isValid: Bool, problems: [ConfigurationProblem], notices: [Notice] = [],
        _: Void = ()
    ) {
        self.init(at: at, file: file, isValid: isValid, problems: problems, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.file = try members.optional("file")
        self.isValid = try members.required("is_valid")
        self.problems = try members.array("problems")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("file", self.file)
        writer.member("is_valid", self.isValid)
        writer.member("problems", self.problems)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "ConfigCheckResult" }
    public static var description: String { "The result of checking the configuration." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("file", String?.self, "The path of the file; null when the daemon runs without one.")
        builder.member("is_valid", Bool.self, "Whether the configuration can be applied.")
        builder.member("problems", [ConfigurationProblem].self, "In file order.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension ConfigReloadParameters {
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

    public static var schemaName: String { "ConfigReloadParameters" }
    public static var description: String { "Reads the configuration file again and applies it. The current configuration stays in effect when the file has errors." }

    public static func describeMembers(to builder: inout SchemaBuilder) {}
}

extension ConfigReloadResult: HasNotices {
    public init(
        at: Timestamp, file: String? = nil, changes: [String], problems: [ConfigurationProblem], notices: [Notice] = [],
        _: Void = ()
    ) {
        self.init(at: at, file: file, changes: changes, problems: problems, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.file = try members.optional("file")
        self.changes = try members.array("changes")
        self.problems = try members.array("problems")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("file", self.file)
        writer.member("changes", self.changes)
        writer.member("problems", self.problems)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "ConfigReloadResult" }
    public static var description: String { "The changes made by the reload." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the configuration was applied.")
        builder.member("file", String?.self, "The path of the file; null when the daemon runs without one.")
        builder.member("changes", [String].self, "The changes, one sentence each; empty when nothing changed.")
        builder.member("problems", [ConfigurationProblem].self, "Warnings.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension ConfigurationSetting {
    public init(key: String, values: [String], _: Void = ()) {
        self.init(key: key, values: values)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.key = try members.required("key", in: 1...64)
        self.values = try members.required("values", in: 0...1000)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("key", self.key)
        writer.member("values", self.values)
        writer.endObject()
    }

    public static var schemaName: String { "ConfigurationSetting" }
    public static var description: String { "A key of a table of the configuration." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("key", String.self, "The key as spelled in transitd.toml(5), such as \"static\" or \"refresh.vehicles\".", in: 1...64)
        builder.member("values", [String].self, "The value as text, such as \"30s\" or \"24\". Several values make a list. Without a value, the key is removed.", in: 0...1000)
    }
}

extension ConfigProposeParameters {
    public init(
        action: TableAction, table: String = "feed", feed: FeedID? = nil, settings: [ConfigurationSetting] = [],
        _: Void = ()
    ) {
        self.init(action: action, table: table, feed: feed, settings: settings)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.action = try members.required("action")
        self.table = try members.optional("table", in: 1...64, default: "feed")
        self.feed = try members.optional("feed")
        self.settings = try members.optional("settings", in: 0...100, default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("action", self.action)
        if self.table != "feed" { writer.member("table", self.table) }
        if self.feed != nil { writer.member("feed", self.feed) }
        if self.settings != [] { writer.member("settings", self.settings) }
        writer.endObject()
    }

    public static var schemaName: String { "ConfigProposeParameters" }
    public static var description: String { "Computes the text of the configuration file after a change of one table, and checks it. Every byte outside of the table stays as it is. Writes nothing: the caller writes the file if it still has the text `before`, and requests `config.reload`. Requires root or the daemon's user." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("action", TableAction.self, "What to do with the table.")
        builder.member("table", String.self, "The table: \"feed\", \"geocoder\", \"weather\" or \"events\".", in: 1...64, default: "feed")
        builder.member("feed", FeedID?.self, "The `id` of the feed; required if the table is \"feed\".")
        builder.member("settings", [ConfigurationSetting].self, "The keys to set or to remove, in the order in which new ones are written. Keys that are not named keep their values.", in: 0...100, default: [])
    }
}

extension ConfigProposeResult: HasNotices {
    public init(
        at: Timestamp, file: String, before: String? = nil, after: String, changes: [String],
        problems: [ConfigurationProblem], notices: [Notice] = [], _: Void = ()
    ) {
        self.init(
            at: at, file: file, before: before, after: after, changes: changes, problems: problems, notices: notices
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.file = try members.required("file")
        self.before = try members.optional("before")
        self.after = try members.required("after")
        self.changes = try members.array("changes")
        self.problems = try members.array("problems")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("file", self.file)
        writer.member("before", self.before)
        writer.member("after", self.after)
        writer.member("changes", self.changes)
        writer.member("problems", self.problems)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "ConfigProposeResult" }
    public static var description: String { "The text of the configuration file after a change." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("file", String.self, "The path of the file to write. A symbolic link has to stay one.")
        builder.member("before", String?.self, "The text to which the change applies; null if the file does not exist.")
        builder.member("after", String.self, "The text after the change.")
        builder.member("changes", [String].self, "What a reload of this text will change, one sentence each; empty when nothing changes.")
        builder.member("problems", [ConfigurationProblem].self, "Warnings about the changed text.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
