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
