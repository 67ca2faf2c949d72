// Generated from Sources/TransitControl/Messages/Feeds.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension FeedCounts {
    public init(
        agencies: Int, stops: Int, routes: Int, trips: Int, stopTimes: Int, services: Int, shapes: Int, _: Void = ()
    ) {
        self.init(
            agencies: agencies, stops: stops, routes: routes, trips: trips, stopTimes: stopTimes, services: services,
            shapes: shapes
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.agencies = try members.required("agencies")
        self.stops = try members.required("stops")
        self.routes = try members.required("routes")
        self.trips = try members.required("trips")
        self.stopTimes = try members.required("stop_times")
        self.services = try members.required("services")
        self.shapes = try members.required("shapes")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("agencies", self.agencies)
        writer.member("stops", self.stops)
        writer.member("routes", self.routes)
        writer.member("trips", self.trips)
        writer.member("stop_times", self.stopTimes)
        writer.member("services", self.services)
        writer.member("shapes", self.shapes)
        writer.endObject()
    }

    public static var schemaName: String { "FeedCounts" }
    public static var description: String { "The number of objects in a timetable version." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("agencies", Int.self, "The rows of agency.txt.")
        builder.member("stops", Int.self, "The rows of stops.txt.")
        builder.member("routes", Int.self, "The rows of routes.txt.")
        builder.member("trips", Int.self, "The rows of trips.txt.")
        builder.member("stop_times", Int.self, "The rows of stop_times.txt.")
        builder.member("services", Int.self, "The distinct values of `service_id`.")
        builder.member("shapes", Int.self, "The distinct values of `shape_id`.")
    }
}

extension KeptPart {
    public init(rule: String, stops: Int, stopsInSource: Int, trips: Int, tripsInSource: Int, _: Void = ()) {
        self.init(rule: rule, stops: stops, stopsInSource: stopsInSource, trips: trips, tripsInSource: tripsInSource)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.rule = try members.required("rule")
        self.stops = try members.required("stops")
        self.stopsInSource = try members.required("stops_in_source")
        self.trips = try members.required("trips")
        self.tripsInSource = try members.required("trips_in_source")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("rule", self.rule)
        writer.member("stops", self.stops)
        writer.member("stops_in_source", self.stopsInSource)
        writer.member("trips", self.trips)
        writer.member("trips_in_source", self.tripsInSource)
        writer.endObject()
    }

    public static var schemaName: String { "KeptPart" }
    public static var description: String { "The part of a feed that the configuration keeps (`[feed.keep]`)." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("rule", String.self, "The rule in words, such as \"stops within 10000 m of 37.3942,-122.0764\".")
        builder.member("stops", Int.self, "The rows of stops.txt that are kept. Stops outside at which kept trips call are not counted.")
        builder.member("stops_in_source", Int.self, "The rows of stops.txt in the source.")
        builder.member("trips", Int.self, "The trips that are kept.")
        builder.member("trips_in_source", Int.self, "The trips in the source.")
    }
}

extension FindingCounts {
    public init(fatal: Int, error: Int, warning: Int, info: Int, _: Void = ()) {
        self.init(fatal: fatal, error: error, warning: warning, info: info)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.fatal = try members.required("fatal")
        self.error = try members.required("error")
        self.warning = try members.required("warning")
        self.info = try members.required("info")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("fatal", self.fatal)
        writer.member("error", self.error)
        writer.member("warning", self.warning)
        writer.member("info", self.info)
        writer.endObject()
    }

    public static var schemaName: String { "FindingCounts" }
    public static var description: String { "The number of validation findings by severity." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("fatal", Int.self, "Findings that make the feed unusable.")
        builder.member("error", Int.self, "Rows that were skipped or only partly used.")
        builder.member("warning", Int.self, "Questionable data.")
        builder.member("info", Int.self, "Information.")
    }
}

extension FeedAttempt {
    public init(at: Timestamp, outcome: AttemptOutcome, message: String, seconds: Double, _: Void = ()) {
        self.init(at: at, outcome: outcome, message: message, seconds: seconds)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.outcome = try members.required("outcome")
        self.message = try members.required("message")
        self.seconds = try members.required("seconds")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("outcome", self.outcome)
        writer.member("message", self.message)
        writer.member("seconds", self.seconds)
        writer.endObject()
    }

    public static var schemaName: String { "FeedAttempt" }
    public static var description: String { "The last attempt to update a feed." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the attempt ended.")
        builder.member("outcome", AttemptOutcome.self, "The outcome. More values may be added.")
        builder.member("message", String.self, "A human-readable sentence.")
        builder.member("seconds", Double.self, "The duration of the attempt.", unit: .seconds)
    }
}

extension FeedStatus {
    public init(
        id: FeedID, provider: String, state: FeedState, version: Int? = nil, feedVersion: String? = nil,
        publisher: String? = nil, agencies: [String] = [], exampleStops: [String] = [], timeZone: String? = nil,
        serviceDates: DateSpan? = nil, daysLeft: Int? = nil, imported: Timestamp? = nil, age: Int? = nil,
        lastAttempt: FeedAttempt? = nil, nextAttempt: Timestamp? = nil, progress: RequestProgress? = nil,
        counts: FeedCounts? = nil, area: StopArea? = nil, kept: KeptPart? = nil, bytes: Int? = nil, versions: Int,
        findings: FindingCounts? = nil, datasets: [DatasetStatus] = [], realtime: RealtimeCounts? = nil,
        delays: LearnedDelayStatus? = nil, attribution: String? = nil, disclaimer: String? = nil, _: Void = ()
    ) {
        self.init(
            id: id, provider: provider, state: state, version: version, feedVersion: feedVersion, publisher: publisher,
            agencies: agencies, exampleStops: exampleStops, timeZone: timeZone, serviceDates: serviceDates,
            daysLeft: daysLeft, imported: imported, age: age, lastAttempt: lastAttempt, nextAttempt: nextAttempt,
            progress: progress, counts: counts, area: area, kept: kept, bytes: bytes, versions: versions,
            findings: findings, datasets: datasets, realtime: realtime, delays: delays, attribution: attribution,
            disclaimer: disclaimer
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.id = try members.required("id")
        self.provider = try members.required("provider")
        self.state = try members.required("state")
        self.version = try members.optional("version")
        self.feedVersion = try members.optional("feed_version")
        self.publisher = try members.optional("publisher")
        self.agencies = try members.optional("agencies", default: [])
        self.exampleStops = try members.optional("example_stops", default: [])
        self.timeZone = try members.optional("time_zone")
        self.serviceDates = try members.optional("service_dates")
        self.daysLeft = try members.optional("days_left")
        self.imported = try members.optional("imported")
        self.age = try members.optional("age")
        self.lastAttempt = try members.optional("last_attempt")
        self.nextAttempt = try members.optional("next_attempt")
        self.progress = try members.optional("progress")
        self.counts = try members.optional("counts")
        self.area = try members.optional("area")
        self.kept = try members.optional("kept")
        self.bytes = try members.optional("bytes")
        self.versions = try members.required("versions")
        self.findings = try members.optional("findings")
        self.datasets = try members.optional("datasets", default: [])
        self.realtime = try members.optional("realtime")
        self.delays = try members.optional("delays")
        self.attribution = try members.optional("attribution")
        self.disclaimer = try members.optional("disclaimer")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", self.id)
        writer.member("provider", self.provider)
        writer.member("state", self.state)
        writer.member("version", self.version)
        writer.member("feed_version", self.feedVersion)
        writer.member("publisher", self.publisher)
        writer.member("agencies", self.agencies)
        writer.member("example_stops", self.exampleStops)
        writer.member("time_zone", self.timeZone)
        writer.member("service_dates", self.serviceDates)
        writer.member("days_left", self.daysLeft)
        writer.member("imported", self.imported)
        writer.member("age", self.age)
        writer.member("last_attempt", self.lastAttempt)
        writer.member("next_attempt", self.nextAttempt)
        writer.member("progress", self.progress)
        writer.member("counts", self.counts)
        writer.member("area", self.area)
        writer.member("kept", self.kept)
        writer.member("bytes", self.bytes)
        writer.member("versions", self.versions)
        writer.member("findings", self.findings)
        writer.member("datasets", self.datasets)
        writer.member("realtime", self.realtime)
        writer.member("delays", self.delays)
        writer.member("attribution", self.attribution)
        writer.member("disclaimer", self.disclaimer)
        writer.endObject()
    }

    public static var schemaName: String { "FeedStatus" }
    public static var description: String { "The status of a feed." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("id", FeedID.self, "The feed's identifier in the configuration.")
        builder.member("provider", String.self, "The provider, as named in the configuration, such as \"gtfs\".")
        builder.member("state", FeedState.self, "The state of the timetable. ready: available for queries; empty: no timetable yet; importing: the first timetable is being imported; expired: the timetable's service dates have passed. More values may be added.")
        builder.member("version", Int?.self, "The number of the current version.")
        builder.member("feed_version", String?.self, "The publisher's name for the version.")
        builder.member("publisher", String?.self, "The publisher's name.")
        builder.member("agencies", [String].self, "The names of agencies in the timetable, at most 3.", default: [])
        builder.member("example_stops", [String].self, "The names of stops in the timetable, at most 3, to show its region.", default: [])
        builder.member("time_zone", String?.self, "The time zone of the timetable, such as \"Europe/Berlin\"; null without a timetable.")
        builder.member("service_dates", DateSpan?.self, "The dates with service; null without a timetable, and when the source publishes no times.")
        builder.member("days_left", Int?.self, "The time until the last service date; negative when it has passed.", unit: .days)
        builder.member("imported", Timestamp?.self, "When the current version was imported.")
        builder.member("age", Int?.self, "The time since the source last confirmed that the current version is its newest.", unit: .seconds)
        builder.member("last_attempt", FeedAttempt?.self, "The last attempt to update the feed.")
        builder.member("next_attempt", Timestamp?.self, "When the next attempt is due; null when none is planned.")
        builder.member("progress", RequestProgress?.self, "The progress of a running update; null when none is running.")
        builder.member("counts", FeedCounts?.self, "The number of objects in the current version.")
        builder.member("area", StopArea?.self, "The area of the stops; null without a timetable, and if stops are far outside the area of the others.")
        builder.member("kept", KeptPart?.self, "The part of the source that the current version contains; null when it contains all of it.")
        builder.member("bytes", Int?.self, "The size of the current timetable file.", unit: .bytes)
        builder.member("versions", Int.self, "The number of stored versions.")
        builder.member("findings", FindingCounts?.self, "The number of validation findings in the current version.")
        builder.member("datasets", [DatasetStatus].self, "The datasets of the feed, each with its own refresh schedule.", default: [])
        builder.member("realtime", RealtimeCounts?.self, "How well the realtime data matches the timetable; null without realtime data.")
        builder.member("delays", LearnedDelayStatus?.self, "What has been learned about the feed's delays; null when nothing has.")
        builder.member("attribution", String?.self, "The attribution that the provider requires applications to display.")
        builder.member("disclaimer", String?.self, "The limitations of the data.")
    }
}

extension StopArea {
    public init(southwest: Position, northeast: Position, diagonal: Int, _: Void = ()) {
        self.init(southwest: southwest, northeast: northeast, diagonal: diagonal)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.southwest = try members.required("southwest")
        self.northeast = try members.required("northeast")
        self.diagonal = try members.required("diagonal")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("southwest", self.southwest)
        writer.member("northeast", self.northeast)
        writer.member("diagonal", self.diagonal)
        writer.endObject()
    }

    public static var schemaName: String { "StopArea" }
    public static var description: String { "The area of the stops of a feed." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("southwest", Position.self, "The southwestern corner.")
        builder.member("northeast", Position.self, "The northeastern corner. Its longitude is less than that of the other corner if the area crosses the date line.")
        builder.member("diagonal", Int.self, "The distance between the corners.", unit: .meters)
    }
}

extension FeedVersion {
    public init(
        number: Int, isCurrent: Bool, feedVersion: String? = nil, publisher: String? = nil,
        serviceDates: DateSpan? = nil, imported: Timestamp, url: String, etag: String? = nil,
        lastModified: String? = nil, digest: String, counts: FeedCounts, bytes: Int, findings: FindingCounts,
        _: Void = ()
    ) {
        self.init(
            number: number, isCurrent: isCurrent, feedVersion: feedVersion, publisher: publisher,
            serviceDates: serviceDates, imported: imported, url: url, etag: etag, lastModified: lastModified,
            digest: digest, counts: counts, bytes: bytes, findings: findings
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.number = try members.required("number")
        self.isCurrent = try members.required("is_current")
        self.feedVersion = try members.optional("feed_version")
        self.publisher = try members.optional("publisher")
        self.serviceDates = try members.optional("service_dates")
        self.imported = try members.required("imported")
        self.url = try members.required("url")
        self.etag = try members.optional("etag")
        self.lastModified = try members.optional("last_modified")
        self.digest = try members.required("digest")
        self.counts = try members.required("counts")
        self.bytes = try members.required("bytes")
        self.findings = try members.required("findings")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("number", self.number)
        writer.member("is_current", self.isCurrent)
        writer.member("feed_version", self.feedVersion)
        writer.member("publisher", self.publisher)
        writer.member("service_dates", self.serviceDates)
        writer.member("imported", self.imported)
        writer.member("url", self.url)
        writer.member("etag", self.etag)
        writer.member("last_modified", self.lastModified)
        writer.member("digest", self.digest)
        writer.member("counts", self.counts)
        writer.member("bytes", self.bytes)
        writer.member("findings", self.findings)
        writer.endObject()
    }

    public static var schemaName: String { "FeedVersion" }
    public static var description: String { "A timetable version of a feed." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("number", Int.self, "The version's number. Newer versions have higher numbers.")
        builder.member("is_current", Bool.self, "Whether queries use this version.")
        builder.member("feed_version", String?.self, "The publisher's name for the version.")
        builder.member("publisher", String?.self, "The publisher's name.")
        builder.member("service_dates", DateSpan?.self, "The dates with service.")
        builder.member("imported", Timestamp.self, "When the version was imported.")
        builder.member("url", String.self, "The URL of the source, without credentials.")
        builder.member("etag", String?.self, "The `ETag` header of the response.")
        builder.member("last_modified", String?.self, "The `Last-Modified` header of the response, verbatim.")
        builder.member("digest", String.self, "The SHA-256 of the contents in hexadecimal. It does not change when the same files are compressed again.")
        builder.member("counts", FeedCounts.self, "The number of objects in the version.")
        builder.member("bytes", Int.self, "The size of the timetable file.", unit: .bytes)
        builder.member("findings", FindingCounts.self, "The number of validation findings in the version.")
    }
}

extension FeedListParameters {
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

    public static var schemaName: String { "FeedListParameters" }
    public static var description: String { "Lists the feeds." }

    public static func describeMembers(to builder: inout SchemaBuilder) {}
}

extension FeedListResult: HasNotices {
    public init(at: Timestamp, feeds: [FeedStatus], notices: [Notice] = [], _: Void = ()) {
        self.init(at: at, feeds: feeds, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.feeds = try members.array("feeds")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("feeds", self.feeds)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "FeedListResult" }
    public static var description: String { "The feeds." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("feeds", [FeedStatus].self, "In configuration order.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension FeedUpdateParameters {
    public init(feed: FeedID, force: Bool = false, progress: Bool = false, _: Void = ()) {
        self.init(feed: feed, force: force, progress: progress)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.required("feed", in: 1...64)
        self.force = try members.optional("force", default: false)
        self.progress = try members.optional("progress", default: false)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("feed", self.feed)
        if self.force != false { writer.member("force", self.force) }
        if self.progress != false { writer.member("progress", self.progress) }
        writer.endObject()
    }

    public static var schemaName: String { "FeedUpdateParameters" }
    public static var description: String { "Checks a feed's source for a new version, imports it and waits for the outcome." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID.self, "The feed.", in: 1...64)
        builder.member("force", Bool.self, "Whether to import the feed even if it has not changed.", default: false)
        builder.member("progress", Bool.self, "Whether to send `progress` notifications.", default: false)
    }
}

extension FeedUpdateResult: HasNotices {
    public init(
        at: Timestamp, feed: FeedID, outcome: AttemptOutcome, message: String, version: FeedVersion? = nil,
        previous: Int? = nil, downloaded: Int, seconds: Double, notices: [Notice] = [], _: Void = ()
    ) {
        self.init(
            at: at, feed: feed, outcome: outcome, message: message, version: version, previous: previous,
            downloaded: downloaded, seconds: seconds, notices: notices
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.feed = try members.required("feed")
        self.outcome = try members.required("outcome")
        self.message = try members.required("message")
        self.version = try members.optional("version")
        self.previous = try members.optional("previous")
        self.downloaded = try members.required("downloaded")
        self.seconds = try members.required("seconds")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("feed", self.feed)
        writer.member("outcome", self.outcome)
        writer.member("message", self.message)
        writer.member("version", self.version)
        writer.member("previous", self.previous)
        writer.member("downloaded", self.downloaded)
        writer.member("seconds", self.seconds)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "FeedUpdateResult" }
    public static var description: String { "The outcome of an update." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the update ended.")
        builder.member("feed", FeedID.self, "The feed.")
        builder.member("outcome", AttemptOutcome.self, "The outcome: updated or unchanged. A refused or failed update is reported as an error.")
        builder.member("message", String.self, "A human-readable sentence.")
        builder.member("version", FeedVersion?.self, "The version that is current now.")
        builder.member("previous", Int?.self, "The number of the previous version, if the current version changed.")
        builder.member("downloaded", Int.self, "The amount of data downloaded or read from a file.", unit: .bytes)
        builder.member("seconds", Double.self, "The duration of the update.", unit: .seconds)
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension FindingExample {
    public init(
        file: String, line: Int? = nil, column: Int? = nil, field: String? = nil, message: String, _: Void = ()
    ) {
        self.init(file: file, line: line, column: column, field: field, message: message)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.file = try members.required("file")
        self.line = try members.optional("line")
        self.column = try members.optional("column")
        self.field = try members.optional("field")
        self.message = try members.required("message")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("file", self.file)
        writer.member("line", self.line)
        writer.member("column", self.column)
        writer.member("field", self.field)
        writer.member("message", self.message)
        writer.endObject()
    }

    public static var schemaName: String { "FindingExample" }
    public static var description: String { "A location where a validation rule failed." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("file", String.self, "The table or dataset, such as \"stops.txt\" or \"trip_updates\".")
        builder.member("line", Int?.self, "The line number, from 1.")
        builder.member("column", Int?.self, "The position of the field in the row, from 1.")
        builder.member("field", String?.self, "The field's name.")
        builder.member("message", String.self, "A description of the problem at this location.")
    }
}

extension Finding {
    public init(rule: String, severity: FindingSeverity, count: Int, examples: [FindingExample], _: Void = ()) {
        self.init(rule: rule, severity: severity, count: count, examples: examples)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.rule = try members.required("rule")
        self.severity = try members.required("severity")
        self.count = try members.required("count")
        self.examples = try members.array("examples")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("rule", self.rule)
        writer.member("severity", self.severity)
        writer.member("count", self.count)
        writer.member("examples", self.examples)
        writer.endObject()
    }

    public static var schemaName: String { "Finding" }
    public static var description: String { "The findings of one validation rule in one file." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("rule", String.self, "The stable name of the rule, such as \"foreign_key_violation\" or \"E003\".")
        builder.member("severity", FindingSeverity.self, "The severity.")
        builder.member("count", Int.self, "The number of occurrences.")
        builder.member("examples", [FindingExample].self, "The first occurrences, at most 5.")
    }
}

extension FeedValidateParameters {
    public init(feed: FeedID, version: Int? = nil, attempt: Bool = false, realtime: Bool = false, _: Void = ()) {
        self.init(feed: feed, version: version, attempt: attempt, realtime: realtime)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.required("feed", in: 1...64)
        self.version = try members.optional("version", in: 1...1_000_000_000)
        self.attempt = try members.optional("attempt", default: false)
        self.realtime = try members.optional("realtime", default: false)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("feed", self.feed)
        if self.version != nil { writer.member("version", self.version) }
        if self.attempt != false { writer.member("attempt", self.attempt) }
        if self.realtime != false { writer.member("realtime", self.realtime) }
        writer.endObject()
    }

    public static var schemaName: String { "FeedValidateParameters" }
    public static var description: String { "Returns the validation report of a timetable version or of a feed's realtime data." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID.self, "The feed.", in: 1...64)
        builder.member("version", Int?.self, "The version. The default is the current version.", in: 1...1_000_000_000)
        builder.member("attempt", Bool.self, "Whether to return the report of the last import attempt instead, even if the import was refused.", default: false)
        builder.member("realtime", Bool.self, "Whether to return the findings in the realtime data instead, according to the rules of the GTFS-Realtime validator, such as \"E003\".", default: false)
    }
}

extension FeedValidateResult: HasNotices {
    public init(
        at: Timestamp, feed: FeedID, version: Int? = nil, isRefused: Bool, counts: FindingCounts, findings: [Finding],
        notices: [Notice] = [], _: Void = ()
    ) {
        self.init(
            at: at, feed: feed, version: version, isRefused: isRefused, counts: counts, findings: findings,
            notices: notices
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.feed = try members.required("feed")
        self.version = try members.optional("version")
        self.isRefused = try members.required("is_refused")
        self.counts = try members.required("counts")
        self.findings = try members.array("findings")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("feed", self.feed)
        writer.member("version", self.version)
        writer.member("is_refused", self.isRefused)
        writer.member("counts", self.counts)
        writer.member("findings", self.findings)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "FeedValidateResult" }
    public static var description: String { "A validation report." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("feed", FeedID.self, "The feed.")
        builder.member("version", Int?.self, "The version; null for a refused import.")
        builder.member("is_refused", Bool.self, "Whether the import was refused.")
        builder.member("counts", FindingCounts.self, "The number of findings by severity.")
        builder.member("findings", [Finding].self, "Most severe first.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
