// Generated from Sources/TransitControl/Messages/LearnedDelays.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension UsualDelay {
    public init(
        delay: Int, earliest: Int, latest: Int, days: Int, dayKind: ServiceDayKind, basis: UsualDelayBasis, _: Void = ()
    ) {
        self.init(delay: delay, earliest: earliest, latest: latest, days: days, dayKind: dayKind, basis: basis)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.delay = try members.required("delay")
        self.earliest = try members.required("earliest")
        self.latest = try members.required("latest")
        self.days = try members.required("days")
        self.dayKind = try members.required("day_kind")
        self.basis = try members.required("basis")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("delay", self.delay)
        writer.member("earliest", self.earliest)
        writer.member("latest", self.latest)
        writer.member("days", self.days)
        writer.member("day_kind", self.dayKind)
        writer.member("basis", self.basis)
        writer.endObject()
    }

    public static var schemaName: String { "UsualDelay" }
    public static var description: String { "When a departure usually leaves, learned from what its source reported on earlier days. All times are relative to the timetable." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("delay", Int.self, "The delay that is exceeded as often as not; negative when early.", unit: .seconds)
        builder.member("earliest", Int.self, "The delay that nine of ten departures exceed.", unit: .seconds)
        builder.member("latest", Int.self, "The delay that one of ten departures exceeds.", unit: .seconds)
        builder.member("days", Int.self, "The number of days on which departures were observed.")
        builder.member("day_kind", ServiceDayKind.self, "The kind of the days.")
        builder.member("basis", UsualDelayBasis.self, "What the delay was learned from.")
    }
}

extension DelayShare {
    public init(from: Int? = nil, to: Int? = nil, share: Int, _: Void = ()) {
        self.init(from: from, to: to, share: share)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.from = try members.optional("from")
        self.to = try members.optional("to")
        self.share = try members.required("share")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("from", self.from)
        writer.member("to", self.to)
        writer.member("share", self.share)
        writer.endObject()
    }

    public static var schemaName: String { "DelayShare" }
    public static var description: String { "The share of departures whose delay is in a range." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("from", Int?.self, "The smallest delay of the range; null when it has no lower end.", unit: .seconds)
        builder.member("to", Int?.self, "The end of the range, which does not belong to it; null when it has no upper end.", unit: .seconds)
        builder.member("share", Int.self, "The share of the departures that were observed.", unit: .percent)
    }
}

extension LearnedPunctuality {
    public init(
        days: Int, dayKind: ServiceDayKind? = nil, medianDelay: Int, delays: [DelayShare], notServed: Int, _: Void = ()
    ) {
        self.init(days: days, dayKind: dayKind, medianDelay: medianDelay, delays: delays, notServed: notServed)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.days = try members.required("days")
        self.dayKind = try members.optional("day_kind")
        self.medianDelay = try members.required("median_delay")
        self.delays = try members.array("delays")
        self.notServed = try members.required("not_served")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("days", self.days)
        writer.member("day_kind", self.dayKind)
        writer.member("median_delay", self.medianDelay)
        writer.member("delays", self.delays)
        writer.member("not_served", self.notServed)
        writer.endObject()
    }

    public static var schemaName: String { "LearnedPunctuality" }
    public static var description: String { "The distribution of delays on earlier days. Recent days count more: the weight of a day halves every six weeks." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("days", Int.self, "The number of days on which departures were observed.")
        builder.member("day_kind", ServiceDayKind?.self, "The kind of the days; null when days of all kinds are included.")
        builder.member("median_delay", Int.self, "The delay that is exceeded as often as not.", unit: .seconds)
        builder.member("delays", [DelayShare].self, "The departures by delay, the earliest first. Their sum is about 100.")
        builder.member("not_served", Int.self, "The share of departures that were canceled or did not stop. They are not part of `delays`.", unit: .percent)
    }
}

extension LearnedDelayStatus {
    public init(
        departures: Int, bytes: Int, coverage: Int? = nil, judged: Int, sourceError: Int? = nil,
        correctedError: Int? = nil, correcting: Bool, repeatsTimetable: Bool, _: Void = ()
    ) {
        self.init(
            departures: departures, bytes: bytes, coverage: coverage, judged: judged, sourceError: sourceError,
            correctedError: correctedError, correcting: correcting, repeatsTimetable: repeatsTimetable
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.departures = try members.required("departures")
        self.bytes = try members.required("bytes")
        self.coverage = try members.optional("coverage")
        self.judged = try members.required("judged")
        self.sourceError = try members.optional("source_error")
        self.correctedError = try members.optional("corrected_error")
        self.correcting = try members.required("correcting")
        self.repeatsTimetable = try members.required("repeats_timetable")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("departures", self.departures)
        writer.member("bytes", self.bytes)
        writer.member("coverage", self.coverage)
        writer.member("judged", self.judged)
        writer.member("source_error", self.sourceError)
        writer.member("corrected_error", self.correctedError)
        writer.member("correcting", self.correcting)
        writer.member("repeats_timetable", self.repeatsTimetable)
        writer.endObject()
    }

    public static var schemaName: String { "LearnedDelayStatus" }
    public static var description: String { "What has been learned about the delays of a feed, and how good it is." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("departures", Int.self, "The number of departures about which enough is known to state a usual delay.")
        builder.member("bytes", Int.self, "The size of what has been learned.", unit: .bytes)
        builder.member("coverage", Int?.self, "The share of departures of the last two weeks that left within their stated range, which nine of ten exceed at one end and one of ten at the other, so that 80 is right; null when too few were judged.", unit: .percent)
        builder.member("judged", Int.self, "The number of departures that were judged in the last two weeks.")
        builder.member("source_error", Int?.self, "The average error of the source's predictions ten minutes ahead; null when too few were judged.", unit: .seconds)
        builder.member("corrected_error", Int?.self, "The average error of the corrected predictions ten minutes ahead; null when too few were judged.", unit: .seconds)
        builder.member("correcting", Bool.self, "Whether predictions are corrected. False while corrections would be worse than the source's own predictions, and while too few predictions were judged.")
        builder.member("repeats_timetable", Bool.self, "Whether the source repeats the timetable instead of measuring, so that nothing can be learned from it.")
    }
}

extension FeedHistoryParameters {
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

    public static var schemaName: String { "FeedHistoryParameters" }
    public static var description: String { "Returns what has been learned about the delays of feeds." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID?.self, "The feed. The default is all feeds.", in: 1...64)
    }
}

extension FeedHistory {
    public init(feed: FeedID, delays: LearnedDelayStatus? = nil, _: Void = ()) {
        self.init(feed: feed, delays: delays)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.required("feed")
        self.delays = try members.optional("delays")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("feed", self.feed)
        writer.member("delays", self.delays)
        writer.endObject()
    }

    public static var schemaName: String { "FeedHistory" }
    public static var description: String { "What has been learned about the delays of one feed." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID.self, "The feed.")
        builder.member("delays", LearnedDelayStatus?.self, "What has been learned; null when nothing has.")
    }
}

extension FeedHistoryResult: HasNotices {
    public init(at: Timestamp, feeds: [FeedHistory], notices: [Notice] = [], _: Void = ()) {
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

    public static var schemaName: String { "FeedHistoryResult" }
    public static var description: String { "What has been learned about the delays of feeds." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("feeds", [FeedHistory].self, "The feeds, in the order of the configuration.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension FeedHistoryClearParameters {
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

    public static var schemaName: String { "FeedHistoryClearParameters" }
    public static var description: String { "Removes what has been learned about the delays of feeds. Nothing else is lost." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID?.self, "The feed. The default is all feeds.", in: 1...64)
    }
}

extension FeedHistoryClearResult: HasNotices {
    public init(at: Timestamp, feeds: [FeedID], notices: [Notice] = [], _: Void = ()) {
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

    public static var schemaName: String { "FeedHistoryClearResult" }
    public static var description: String { "The result of removing what has been learned about delays." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("feeds", [FeedID].self, "The feeds about whose delays something had been learned.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
