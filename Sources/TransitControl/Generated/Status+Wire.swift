// Generated from Sources/TransitControl/Messages/Status.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension DaemonStatus {
    public init(
        version: String, pid: Int, started: Timestamp, uptime: Int, memory: Int, connections: Int, socket: String,
        configuration: String? = nil, isReplay: Bool, _: Void = ()
    ) {
        self.init(
            version: version, pid: pid, started: started, uptime: uptime, memory: memory, connections: connections,
            socket: socket, configuration: configuration, isReplay: isReplay
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.version = try members.required("version")
        self.pid = try members.required("pid")
        self.started = try members.required("started")
        self.uptime = try members.required("uptime")
        self.memory = try members.required("memory")
        self.connections = try members.required("connections")
        self.socket = try members.required("socket")
        self.configuration = try members.optional("configuration")
        self.isReplay = try members.required("is_replay")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("version", self.version)
        writer.member("pid", self.pid)
        writer.member("started", self.started)
        writer.member("uptime", self.uptime)
        writer.member("memory", self.memory)
        writer.member("connections", self.connections)
        writer.member("socket", self.socket)
        writer.member("configuration", self.configuration)
        writer.member("is_replay", self.isReplay)
        writer.endObject()
    }

    public static var schemaName: String { "DaemonStatus" }
    public static var description: String { "The status of the daemon process." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("version", String.self, "The daemon's version.")
        builder.member("pid", Int.self, "The process ID.")
        builder.member("started", Timestamp.self, "When the daemon started.")
        builder.member("uptime", Int.self, "The time since the daemon started, including time in suspend.", unit: .seconds)
        builder.member("memory", Int.self, "The resident memory.", unit: .bytes)
        builder.member("connections", Int.self, "The number of connected clients.")
        builder.member("socket", String.self, "The path of the socket, or the name that systemd gave it.")
        builder.member("configuration", String?.self, "The path of the configuration file; null when there is none.")
        builder.member("is_replay", Bool.self, "Whether the clock was set to another time at startup (`--replay-clock`).")
    }
}

extension StorageStatus {
    public init(state: Int, timetables: Int, free: Int? = nil, _: Void = ()) {
        self.init(state: state, timetables: timetables, free: free)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.state = try members.required("state")
        self.timetables = try members.required("timetables")
        self.free = try members.optional("free")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("state", self.state)
        writer.member("timetables", self.timetables)
        writer.member("free", self.free)
        writer.endObject()
    }

    public static var schemaName: String { "StorageStatus" }
    public static var description: String { "The disk space that the daemon uses." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("state", Int.self, "Commutes, places and ledgers.", unit: .bytes)
        builder.member("timetables", Int.self, "The size of all timetable versions of all feeds.", unit: .bytes)
        builder.member("free", Int?.self, "The free disk space; null when unknown.", unit: .bytes)
    }
}

extension StatusParameters {
    public init(feed: FeedID? = nil, updates: Bool = false, _: Void = ()) {
        self.init(feed: feed, updates: updates)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.optional("feed", in: 1...64)
        self.updates = try members.optional("updates", default: false)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.feed != nil { writer.member("feed", self.feed) }
        if self.updates != false { writer.member("updates", self.updates) }
        writer.endObject()
    }

    public static var schemaName: String { "StatusParameters" }
    public static var description: String { "Returns the status of the daemon and its feeds." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID?.self, "Limits the result to this feed.", in: 1...64)
        builder.member("updates", Bool.self, "Whether to include the most recent updates of each dataset.", default: false)
    }
}

extension StatusResult: HasNotices {
    public init(
        at: Timestamp, daemon: DaemonStatus, feeds: [FeedStatus], context: [DatasetStatus] = [], storage: StorageStatus,
        commute: String? = nil, network: ConnectivityStatus? = nil, caches: [CacheStatus] = [],
        notifications: NotificationSummary? = nil, notices: [Notice] = [], _: Void = ()
    ) {
        self.init(
            at: at, daemon: daemon, feeds: feeds, context: context, storage: storage, commute: commute,
            network: network, caches: caches, notifications: notifications, notices: notices
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.daemon = try members.required("daemon")
        self.feeds = try members.array("feeds")
        self.context = try members.optional("context", default: [])
        self.storage = try members.required("storage")
        self.commute = try members.optional("commute")
        self.network = try members.optional("network")
        self.caches = try members.optional("caches", default: [])
        self.notifications = try members.optional("notifications")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("daemon", self.daemon)
        writer.member("feeds", self.feeds)
        writer.member("context", self.context)
        writer.member("storage", self.storage)
        writer.member("commute", self.commute)
        writer.member("network", self.network)
        writer.member("caches", self.caches)
        writer.member("notifications", self.notifications)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "StatusResult" }
    public static var description: String { "The status of the daemon and its feeds." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("daemon", DaemonStatus.self, "The daemon process.")
        builder.member("feeds", [FeedStatus].self, "In configuration order.")
        builder.member("context", [DatasetStatus].self, "The datasets that belong to no feed, such as weather, if they are configured.", default: [])
        builder.member("storage", StorageStatus.self, "The disk space in use.")
        builder.member("commute", String?.self, "The caller's commute in use; null when the time of day determines the commute.")
        builder.member("network", ConnectivityStatus?.self, "Whether the daemon has a network connection; null before its first request.")
        builder.member("caches", [CacheStatus].self, "The files that were found to be corrupt since startup.", default: [])
        builder.member("notifications", NotificationSummary?.self, "The caller's notifications.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension DatasetUpdate {
    public init(
        at: Timestamp, outcome: AttemptOutcome, bytes: Int? = nil, latency: Int? = nil, status: Int? = nil, _: Void = ()
    ) {
        self.init(at: at, outcome: outcome, bytes: bytes, latency: latency, status: status)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.outcome = try members.required("outcome")
        self.bytes = try members.optional("bytes")
        self.latency = try members.optional("latency")
        self.status = try members.optional("status")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("outcome", self.outcome)
        writer.member("bytes", self.bytes)
        writer.member("latency", self.latency)
        writer.member("status", self.status)
        writer.endObject()
    }

    public static var schemaName: String { "DatasetUpdate" }
    public static var description: String { "One update of a dataset." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the update ended.")
        builder.member("outcome", AttemptOutcome.self, "The outcome. More values may be added.")
        builder.member("bytes", Int?.self, "The amount of data transferred over the network.", unit: .bytes)
        builder.member("latency", Int?.self, "The response time of the source.", unit: .milliseconds)
        builder.member("status", Int?.self, "The HTTP status code.")
    }
}

extension DatasetStatus {
    public init(
        dataset: DatasetName, source: String, freshness: DatasetFreshness, age: Int? = nil,
        lastSuccess: Timestamp? = nil, lastAttempt: Timestamp? = nil, outcome: AttemptOutcome? = nil,
        message: String? = nil, nextDue: Timestamp? = nil, dueReason: String? = nil, bytes: Int? = nil,
        latency: Int? = nil, failures: Int, notes: [String] = [], updates: [DatasetUpdate] = [], _: Void = ()
    ) {
        self.init(
            dataset: dataset, source: source, freshness: freshness, age: age, lastSuccess: lastSuccess,
            lastAttempt: lastAttempt, outcome: outcome, message: message, nextDue: nextDue, dueReason: dueReason,
            bytes: bytes, latency: latency, failures: failures, notes: notes, updates: updates
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.dataset = try members.required("dataset")
        self.source = try members.required("source")
        self.freshness = try members.required("freshness")
        self.age = try members.optional("age")
        self.lastSuccess = try members.optional("last_success")
        self.lastAttempt = try members.optional("last_attempt")
        self.outcome = try members.optional("outcome")
        self.message = try members.optional("message")
        self.nextDue = try members.optional("next_due")
        self.dueReason = try members.optional("due_reason")
        self.bytes = try members.optional("bytes")
        self.latency = try members.optional("latency")
        self.failures = try members.required("failures")
        self.notes = try members.optional("notes", default: [])
        self.updates = try members.optional("updates", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("dataset", self.dataset)
        writer.member("source", self.source)
        writer.member("freshness", self.freshness)
        writer.member("age", self.age)
        writer.member("last_success", self.lastSuccess)
        writer.member("last_attempt", self.lastAttempt)
        writer.member("outcome", self.outcome)
        writer.member("message", self.message)
        writer.member("next_due", self.nextDue)
        writer.member("due_reason", self.dueReason)
        writer.member("bytes", self.bytes)
        writer.member("latency", self.latency)
        writer.member("failures", self.failures)
        writer.member("notes", self.notes)
        writer.member("updates", self.updates)
        writer.endObject()
    }

    public static var schemaName: String { "DatasetStatus" }
    public static var description: String { "The status of a dataset of a feed." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("dataset", DatasetName.self, "The dataset. More values may be added.")
        builder.member("source", String.self, "The format of the source: \"GTFS\", \"GTFS-Realtime\", \"GTFS-Realtime in JSON\".")
        builder.member("freshness", DatasetFreshness.self, "How the data's age compares with the refresh policy. fresh: within the policy; due: a fetch is due; aging: older than the policy allows, and used with less confidence; expired: too old to rely on; empty: no data has arrived yet; unmatched: data has arrived, but none of it matches the timetable. More values may be added.")
        builder.member("age", Int?.self, "The age of the data, measured from the source's timestamp if it has one.", unit: .seconds)
        builder.member("last_success", Timestamp?.self, "When the source last sent a successful response, including a response without new data.")
        builder.member("last_attempt", Timestamp?.self, "When the last request was sent to the source.")
        builder.member("outcome", AttemptOutcome?.self, "The outcome of the last attempt. More values may be added.")
        builder.member("message", String?.self, "The outcome as a human-readable sentence.")
        builder.member("next_due", Timestamp?.self, "When the next fetch is due; null when none is planned.")
        builder.member("due_reason", String?.self, "The reason for the time in `next_due`: \"fresh\", \"idle\", \"due\", \"retrying\", \"retry_after\", \"budget\", \"offline\". More values may be added.")
        builder.member("bytes", Int?.self, "The amount of data transferred by the last successful fetch.", unit: .bytes)
        builder.member("latency", Int?.self, "The source's response time in the last attempt.", unit: .milliseconds)
        builder.member("failures", Int.self, "The number of failed attempts since the last success.")
        builder.member("notes", [String].self, "Peculiarities of the source as human-readable sentences, such as a server that ignores conditional requests or a timestamp that moves backward.", default: [])
        builder.member("updates", [DatasetUpdate].self, "The most recent updates, newest first, at most 20. Empty unless requested.", default: [])
    }
}

extension RealtimeCounts {
    public init(
        tripsMatched: Int, tripsLastKnown: Int? = nil, tripsUnmatched: Int, tripsOutside: Int? = nil, tripsExtra: Int,
        tripsCanceled: Int, stopsUnmatched: Int, vehicles: Int, vehiclesUnmatched: Int, alerts: Int, _: Void = ()
    ) {
        self.init(
            tripsMatched: tripsMatched, tripsLastKnown: tripsLastKnown, tripsUnmatched: tripsUnmatched,
            tripsOutside: tripsOutside, tripsExtra: tripsExtra, tripsCanceled: tripsCanceled,
            stopsUnmatched: stopsUnmatched, vehicles: vehicles, vehiclesUnmatched: vehiclesUnmatched, alerts: alerts
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.tripsMatched = try members.required("trips_matched")
        self.tripsLastKnown = try members.optional("trips_last_known")
        self.tripsUnmatched = try members.required("trips_unmatched")
        self.tripsOutside = try members.optional("trips_outside")
        self.tripsExtra = try members.required("trips_extra")
        self.tripsCanceled = try members.required("trips_canceled")
        self.stopsUnmatched = try members.required("stops_unmatched")
        self.vehicles = try members.required("vehicles")
        self.vehiclesUnmatched = try members.required("vehicles_unmatched")
        self.alerts = try members.required("alerts")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("trips_matched", self.tripsMatched)
        writer.member("trips_last_known", self.tripsLastKnown)
        writer.member("trips_unmatched", self.tripsUnmatched)
        writer.member("trips_outside", self.tripsOutside)
        writer.member("trips_extra", self.tripsExtra)
        writer.member("trips_canceled", self.tripsCanceled)
        writer.member("stops_unmatched", self.stopsUnmatched)
        writer.member("vehicles", self.vehicles)
        writer.member("vehicles_unmatched", self.vehiclesUnmatched)
        writer.member("alerts", self.alerts)
        writer.endObject()
    }

    public static var schemaName: String { "RealtimeCounts" }
    public static var description: String { "How well a feed's realtime data matches its timetable." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("trips_matched", Int.self, "Trips found in the timetable whose realtime data is in use; 0 while the source is silent.")
        builder.member("trips_last_known", Int?.self, "Trips that are not over and of which only the last known data is in use, because the source is silent or no longer contains them.")
        builder.member("trips_unmatched", Int.self, "Trips that the source reports as scheduled but that are not in the timetable.")
        builder.member("trips_outside", Int?.self, "Trips and vehicles outside of the part of the feed that the configuration keeps; null when all of it is kept.")
        builder.member("trips_extra", Int.self, "Trips that run in addition to the timetable: added, duplicated or unscheduled.")
        builder.member("trips_canceled", Int.self, "Canceled trips.")
        builder.member("stops_unmatched", Int.self, "Stops that are not in the timetable.")
        builder.member("vehicles", Int.self, "Vehicles with a position.")
        builder.member("vehicles_unmatched", Int.self, "Vehicles whose trip is unknown.")
        builder.member("alerts", Int.self, "Service alerts.")
    }
}

extension ConnectivityStatus {
    public init(isOnline: Bool, since: Timestamp? = nil, resolvesNames: Bool = true, _: Void = ()) {
        self.init(isOnline: isOnline, since: since, resolvesNames: resolvesNames)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.isOnline = try members.required("is_online")
        self.since = try members.optional("since")
        self.resolvesNames = try members.optional("resolves_names", default: true)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("is_online", self.isOnline)
        writer.member("since", self.since)
        writer.member("resolves_names", self.resolvesNames)
        writer.endObject()
    }

    public static var schemaName: String { "ConnectivityStatus" }
    public static var description: String { "Whether the daemon has a network connection." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("is_online", Bool.self, "Whether the daemon is online.")
        builder.member("since", Timestamp?.self, "When this state began.")
        builder.member("resolves_names", Bool.self, "False if the machine has a network connection, but the names of the sources' hosts cannot be resolved.", default: true)
    }
}

extension CacheStatus {
    public init(name: String, health: CacheHealth, message: String, since: Timestamp? = nil, _: Void = ()) {
        self.init(name: name, health: health, message: message, since: since)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.name = try members.required("name")
        self.health = try members.required("health")
        self.message = try members.required("message")
        self.since = try members.optional("since")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", self.name)
        writer.member("health", self.health)
        writer.member("message", self.message)
        writer.member("since", self.since)
        writer.endObject()
    }

    public static var schemaName: String { "CacheStatus" }
    public static var description: String { "A daemon file that has been found to be corrupt since startup." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("name", String.self, "The file, such as \"state\", \"live snapshot of caltrain\" or \"timetable 12 of caltrain\".")
        builder.member("health", CacheHealth.self, "How the daemon recovered. rebuilt: the file was rebuilt from the remaining data; restored: a copy was restored; lost: no data remained. More values may be added.")
        builder.member("message", String.self, "A human-readable sentence.")
        builder.member("since", Timestamp?.self, "When the corruption was found.")
    }
}
