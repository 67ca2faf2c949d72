// Generated from Sources/TransitControl/Messages/Refresh.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension RefreshParameters {
    public init(
        feed: FeedID? = nil, dataset: DatasetName? = nil, force: Bool = false, all: Bool = false,
        progress: Bool = false, _: Void = ()
    ) {
        self.init(feed: feed, dataset: dataset, force: force, all: all, progress: progress)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.optional("feed", in: 1...64)
        self.dataset = try members.optional("dataset")
        self.force = try members.optional("force", default: false)
        self.all = try members.optional("all", default: false)
        self.progress = try members.optional("progress", default: false)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.feed != nil { writer.member("feed", self.feed) }
        if self.dataset != nil { writer.member("dataset", self.dataset) }
        if self.force != false { writer.member("force", self.force) }
        if self.all != false { writer.member("all", self.all) }
        if self.progress != false { writer.member("progress", self.progress) }
        writer.endObject()
    }

    public static var schemaName: String { "RefreshParameters" }
    public static var description: String { "Fetches data from sources now and waits for the outcome. Cooldowns and the sources' request limits always apply." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID?.self, "Limits the refresh to this feed. The default is all feeds.", in: 1...64)
        builder.member("dataset", DatasetName?.self, "Limits the refresh to this dataset. The default is all datasets that are not fresh.")
        builder.member("force", Bool.self, "Whether to fetch data that is still fresh, and to process it even if it has not changed. Requires root or the daemon's user.", default: false)
        builder.member("all", Bool.self, "Whether to fetch all datasets, including those without demand. Required with `force` if no feed is given. Requires root or the daemon's user.", default: false)
        builder.member("progress", Bool.self, "Whether to send `progress` notifications.", default: false)
    }
}

extension DatasetRefresh {
    public init(
        feed: FeedID, dataset: DatasetName, outcome: RefreshOutcome, message: String, until: Timestamp? = nil,
        bytes: Int? = nil, latency: Int? = nil, _: Void = ()
    ) {
        self.init(
            feed: feed, dataset: dataset, outcome: outcome, message: message, until: until, bytes: bytes,
            latency: latency
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.required("feed")
        self.dataset = try members.required("dataset")
        self.outcome = try members.required("outcome")
        self.message = try members.required("message")
        self.until = try members.optional("until")
        self.bytes = try members.optional("bytes")
        self.latency = try members.optional("latency")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("feed", self.feed)
        writer.member("dataset", self.dataset)
        writer.member("outcome", self.outcome)
        writer.member("message", self.message)
        writer.member("until", self.until)
        writer.member("bytes", self.bytes)
        writer.member("latency", self.latency)
        writer.endObject()
    }

    public static var schemaName: String { "DatasetRefresh" }
    public static var description: String { "The outcome of a refresh for one dataset." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID.self, "The feed.")
        builder.member("dataset", DatasetName.self, "The dataset. More values may be added.")
        builder.member("outcome", RefreshOutcome.self, "The outcome. updated: new data was fetched; unchanged: the source has no new data; refused: the new data is unusable; failed; canceled; or the reason why no request was sent to the source: fresh, cooldown, backoff, budget, offline. More values may be added.")
        builder.member("message", String.self, "A human-readable sentence.")
        builder.member("until", Timestamp?.self, "The time until which the data is fresh or no request is sent to the source.")
        builder.member("bytes", Int?.self, "The amount of data transferred over the network.", unit: .bytes)
        builder.member("latency", Int?.self, "The response time of the source.", unit: .milliseconds)
    }
}

extension RefreshResult: HasNotices {
    public init(at: Timestamp, datasets: [DatasetRefresh], notices: [Notice] = [], _: Void = ()) {
        self.init(at: at, datasets: datasets, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.datasets = try members.array("datasets")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("datasets", self.datasets)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "RefreshResult" }
    public static var description: String { "The outcome of a refresh." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the refresh ended.")
        builder.member("datasets", [DatasetRefresh].self, "In configuration order.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension BudgetParameters {
    public init(feed: FeedID? = nil, _: Void = ()) {
        self.init(feed: feed)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.optional("feed", in: 1...64)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.feed != nil { writer.member("feed", self.feed) }
        writer.endObject()
    }

    public static var schemaName: String { "BudgetParameters" }
    public static var description: String { "Reports how much of each source's request limits is used, by which datasets, and how much remains." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID?.self, "Limits the result to the keys of this feed.", in: 1...64)
    }
}

extension BudgetSpending {
    public init(feed: FeedID, dataset: DatasetName, priority: SpendingPriority, spent: Int, _: Void = ()) {
        self.init(feed: feed, dataset: dataset, priority: priority, spent: spent)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.required("feed")
        self.dataset = try members.required("dataset")
        self.priority = try members.required("priority")
        self.spent = try members.required("spent")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("feed", self.feed)
        writer.member("dataset", self.dataset)
        writer.member("priority", self.priority)
        writer.member("spent", self.spent)
        writer.endObject()
    }

    public static var schemaName: String { "BudgetSpending" }
    public static var description: String { "The requests that one dataset has made under a limit." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID.self, "The feed.")
        builder.member("dataset", DatasetName.self, "The dataset. More values may be added.")
        builder.member("priority", SpendingPriority.self, "The reason for the requests. user: a client waited for the result; commute: a commute was in its time window, or a client was subscribed; background: routine refresh. More values may be added.")
        builder.member("spent", Int.self, "The number of requests.")
    }
}

extension WindowStatus {
    public init(
        kind: WindowKind, requests: Int, seconds: Int, spent: Int, left: Int, nextFree: Timestamp? = nil,
        ends: Timestamp? = nil, forecast: Int, _: Void = ()
    ) {
        self.init(
            kind: kind, requests: requests, seconds: seconds, spent: spent, left: left, nextFree: nextFree, ends: ends,
            forecast: forecast
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.kind = try members.required("kind")
        self.requests = try members.required("requests")
        self.seconds = try members.required("seconds")
        self.spent = try members.required("spent")
        self.left = try members.required("left")
        self.nextFree = try members.optional("next_free")
        self.ends = try members.optional("ends")
        self.forecast = try members.required("forecast")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kind", self.kind)
        writer.member("requests", self.requests)
        writer.member("seconds", self.seconds)
        writer.member("spent", self.spent)
        writer.member("left", self.left)
        writer.member("next_free", self.nextFree)
        writer.member("ends", self.ends)
        writer.member("forecast", self.forecast)
        writer.endObject()
    }

    public static var schemaName: String { "WindowStatus" }
    public static var description: String { "One request limit of a key: a number of requests per time window." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("kind", WindowKind.self, "The type of window. rolling: the last `seconds` before now; calendar_day: midnight to midnight in the source's time zone. More values may be added.")
        builder.member("requests", Int.self, "The number of requests allowed per window.")
        builder.member("seconds", Int.self, "The length of the window.", unit: .seconds)
        builder.member("spent", Int.self, "The number of requests made in the current window.")
        builder.member("left", Int.self, "The number of requests still available now.")
        builder.member("next_free", Timestamp?.self, "The time when the next request becomes available; null when one is available now.")
        builder.member("ends", Timestamp?.self, "The time when all used requests become available again; null when none are used.")
        builder.member("forecast", Int.self, "The number of requests that the current plan will have used at the end of the window.")
    }
}

extension BudgetKey {
    public init(key: String, feeds: [FeedID], windows: [WindowStatus], spending: [BudgetSpending], _: Void = ()) {
        self.init(key: key, feeds: feeds, windows: windows, spending: spending)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.key = try members.required("key")
        self.feeds = try members.array("feeds")
        self.windows = try members.array("windows")
        self.spending = try members.array("spending")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("key", self.key)
        writer.member("feeds", self.feeds)
        writer.member("windows", self.windows)
        writer.member("spending", self.spending)
        writer.endObject()
    }

    public static var schemaName: String { "BudgetKey" }
    public static var description: String { "The request limits that apply to one key." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("key", String.self, "A label for the key, such as \"api.511.org\"; never the key itself.")
        builder.member("feeds", [FeedID].self, "The feeds that share the key.")
        builder.member("windows", [WindowStatus].self, "The limits of the key. All of them apply.")
        builder.member("spending", [BudgetSpending].self, "The requests by dataset, most requests first.")
    }
}

extension BudgetResult: HasNotices {
    public init(at: Timestamp, keys: [BudgetKey], notices: [Notice] = [], _: Void = ()) {
        self.init(at: at, keys: keys, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.keys = try members.array("keys")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("keys", self.keys)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "BudgetResult" }
    public static var description: String { "The remaining request limits of the sources." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("keys", [BudgetKey].self, "The keys that have limits.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
