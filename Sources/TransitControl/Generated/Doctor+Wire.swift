// Generated from Sources/TransitControl/Messages/Doctor.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitWire

extension DoctorParameters {
    public init(bundle: Bool = false, _: Void = ()) {
        self.init(bundle: bundle)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.bundle = try members.optional("bundle", default: false)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.bundle != false { writer.member("bundle", self.bundle) }
        writer.endObject()
    }

    public static var schemaName: String { "DoctorParameters" }
    public static var description: String { "Checks the daemon's environment, files and sources, and suggests how to fix problems." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("bundle", Bool.self, "Whether to include files for a bug report, without secrets or personal data. Requires root or the daemon's user.", default: false)
    }
}

extension DoctorCheck {
    public init(check: String, outcome: CheckOutcome, message: String, remedy: String? = nil, _: Void = ()) {
        self.init(check: check, outcome: outcome, message: message, remedy: remedy)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.check = try members.required("check")
        self.outcome = try members.required("outcome")
        self.message = try members.required("message")
        self.remedy = try members.optional("remedy")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("check", self.check)
        writer.member("outcome", self.outcome)
        writer.member("message", self.message)
        writer.member("remedy", self.remedy)
        writer.endObject()
    }

    public static var schemaName: String { "DoctorCheck" }
    public static var description: String { "The result of one check." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("check", String.self, "The stable name of the check: \"configuration\", \"clock\", \"disk\", \"state\", \"feed.caltrain.timetable\". More names may be added.")
        builder.member("outcome", CheckOutcome.self, "The outcome. More values may be added.")
        builder.member("message", String.self, "The finding as a human-readable sentence.")
        builder.member("remedy", String?.self, "How to fix the problem.")
    }
}

extension BundleFile {
    public init(name: String, text: String, _: Void = ()) {
        self.init(name: name, text: text)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.name = try members.required("name")
        self.text = try members.required("text")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", self.name)
        writer.member("text", self.text)
        writer.endObject()
    }

    public static var schemaName: String { "BundleFile" }
    public static var description: String { "A file for a bug report." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("name", String.self, "The file name, without directories.")
        builder.member("text", String.self, "The contents of the file.")
    }
}

extension DoctorResult: HasNotices {
    public init(
        at: Timestamp, checks: [DoctorCheck], bundle: [BundleFile]? = nil, notices: [Notice] = [], _: Void = ()
    ) {
        self.init(at: at, checks: checks, bundle: bundle, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.checks = try members.array("checks")
        self.bundle = try members.optional("bundle")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("checks", self.checks)
        writer.member("bundle", self.bundle)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "DoctorResult" }
    public static var description: String { "The results of the checks." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("checks", [DoctorCheck].self, "The checks in the order in which they ran.")
        builder.member("bundle", [BundleFile]?.self, "The files for a bug report; null unless requested.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

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
