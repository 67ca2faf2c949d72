// Generated from Sources/TransitControl/Messages/Boards.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension NextParameters {
    public init(
        commute: String? = nil, from: String? = nil, to: String? = nil, at: String? = nil, count: Int? = nil,
        within: Int? = nil, reachable: Bool = false, changes: Int = 0, modes: [String] = [], wheelchair: Bool = false,
        bicycles: Bool = false, language: String? = nil, interactive: Bool = false, _: Void = ()
    ) {
        self.init(
            commute: commute, from: from, to: to, at: at, count: count, within: within, reachable: reachable,
            changes: changes, modes: modes, wheelchair: wheelchair, bicycles: bicycles, language: language,
            interactive: interactive
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.commute = try members.optional("commute", in: 1...64)
        self.from = try members.optional("from", in: 1...300)
        self.to = try members.optional("to", in: 1...300)
        self.at = try members.optional("at", in: 1...64)
        self.count = try members.optional("count", in: 1...100)
        self.within = try members.optional("within", in: 60...604800)
        self.reachable = try members.optional("reachable", default: false)
        self.changes = try members.optional("changes", in: 0...7, default: 0)
        self.modes = try members.optional("modes", in: 0...14, default: [])
        self.wheelchair = try members.optional("wheelchair", default: false)
        self.bicycles = try members.optional("bicycles", default: false)
        self.language = try members.optional("language", in: 1...35)
        self.interactive = try members.optional("interactive", default: false)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.commute != nil { writer.member("commute", self.commute) }
        if self.from != nil { writer.member("from", self.from) }
        if self.to != nil { writer.member("to", self.to) }
        if self.at != nil { writer.member("at", self.at) }
        if self.count != nil { writer.member("count", self.count) }
        if self.within != nil { writer.member("within", self.within) }
        if self.reachable != false { writer.member("reachable", self.reachable) }
        if self.changes != 0 { writer.member("changes", self.changes) }
        if self.modes != [] { writer.member("modes", self.modes) }
        if self.wheelchair != false { writer.member("wheelchair", self.wheelchair) }
        if self.bicycles != false { writer.member("bicycles", self.bicycles) }
        if self.language != nil { writer.member("language", self.language) }
        if self.interactive != false { writer.member("interactive", self.interactive) }
        writer.endObject()
    }

    public static var schemaName: String { "NextParameters" }
    public static var description: String { "Returns the next departures for a commute, or between two places or stops." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("commute", String?.self, "The commute's name. The default is the commute in use or, if none is in use, home-to-work before noon and work-to-home after noon.", in: 1...64)
        builder.member("from", String?.self, "The origin of a journey that is not a commute, in the format of `from` in `journeys`. It needs `to` and excludes `commute`.", in: 1...300)
        builder.member("to", String?.self, "The destination, in the same format as `from`.", in: 1...300)
        builder.member("at", String?.self, "The time to query: RFC 3339, \"8:15\", \"8am\", \"0815\", \"8\", \"noon\", \"+20m\", \"in 1h\", \"tomorrow 8:15\" or \"mon 8:15\". A time of day more than 5 minutes in the past means tomorrow. A day alone, such as \"tomorrow\", \"friday\" or \"2026-03-28\", means the whole day, and \"today\" the rest of the day; `count` then has its maximum as the default. The default is now.", in: 1...64)
        builder.member("count", Int?.self, "The maximum number of departures. The default is 3, unless the configuration sets another default.", in: 1...100)
        builder.member("within", Int?.self, "Limits the result to departures within this time after `at`, at most `count` of them. The default is no limit.", unit: .seconds, in: 60...604800)
        builder.member("reachable", Bool.self, "Whether to leave out departures that cannot be caught any more: those that are canceled, do not stop, or leave before a person who sets out at `at` has walked to the stop.", default: false)
        builder.member("changes", Int.self, "The maximum number of changes of the `journeys` that are returned with the direct trips. The default is 0: only direct trips. With changes, the request can take longer.", in: 0...7, default: 0)
        builder.member("modes", [String].self, "As `modes` in `journeys`. It holds for direct trips, too, and so do `wheelchair` and `bicycles`.", in: 0...14, default: [])
        builder.member("wheelchair", Bool.self, "As `wheelchair` in `journeys`.", default: false)
        builder.member("bicycles", Bool.self, "As `bicycles` in `journeys`.", default: false)
        builder.member("language", String?.self, "The language for names, as an IETF BCP 47 language tag such as \"de\". Names are translated only if the feed has translations.txt.", in: 1...35)
        builder.member("interactive", Bool.self, "Whether a person made the request by hand. Usual departures are learned from such requests. A program that repeats requests, such as a status bar, leaves it false.", default: false)
    }
}

extension NextResult: HasNotices {
    public init(
        at: Timestamp, commute: CommuteSummary, departures: [Departure], journeys: [Journey] = [],
        beaten: [BeatenDeparture] = [], weather: ArrivalWeather? = nil, units: MeasurementUnits = .automatic,
        notices: [Notice] = [], _: Void = ()
    ) {
        self.init(
            at: at, commute: commute, departures: departures, journeys: journeys, beaten: beaten, weather: weather,
            units: units, notices: notices
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.commute = try members.required("commute")
        self.departures = try members.array("departures")
        self.journeys = try members.optional("journeys", default: [])
        self.beaten = try members.optional("beaten", default: [])
        self.weather = try members.optional("weather")
        self.units = try members.optional("units", default: .automatic)
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("commute", self.commute)
        writer.member("departures", self.departures)
        writer.member("journeys", self.journeys)
        writer.member("beaten", self.beaten)
        writer.member("weather", self.weather)
        writer.member("units", self.units)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "NextResult" }
    public static var description: String { "The next departures for a commute." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "The time of the query.")
        builder.member("commute", CommuteSummary.self, "The commute that the query used.")
        builder.member("departures", [Departure].self, "The departures in order of departure time.")
        builder.member("journeys", [Journey].self, "Journeys with changes, in order of the time to leave, at most `count`; empty unless `changes` is more than 0. A journey that a direct trip or another journey beats or equals in the time to leave, the arrival and the number of changes is left out, and so are journeys after the last of `count` direct trips.", default: [])
        builder.member("beaten", [BeatenDeparture].self, "The direct trips in `departures` that one of the `journeys` beats: it arrives earlier and does not leave earlier, or leaves later and arrives no later.", default: [])
        builder.member("weather", ArrivalWeather?.self, "The weather when the first departure that is not canceled arrives; null without a forecast.")
        builder.member("units", MeasurementUnits.self, "The units to show. The members of this result are in metric units.", default: .automatic)
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension BeatenDeparture {
    public init(departure: String, journey: Int, _: Void = ()) {
        self.init(departure: departure, journey: journey)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.departure = try members.required("departure")
        self.journey = try members.required("journey")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("departure", self.departure)
        writer.member("journey", self.journey)
        writer.endObject()
    }

    public static var schemaName: String { "BeatenDeparture" }
    public static var description: String { "A direct trip that a journey with changes beats." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("departure", String.self, "The `id` of the departure.")
        builder.member("journey", Int.self, "The position of the journey in `journeys`, from 0.")
    }
}

extension DeparturesParameters {
    public init(
        stop: String, feed: FeedID? = nil, route: String? = nil, at: String? = nil, count: Int? = nil,
        within: Int? = nil, countPerDirection: Int? = nil, from: String? = nil, walk: Int? = nil,
        reachable: Bool = false, punctuality: Bool = false, language: String? = nil, interactive: Bool = false,
        _: Void = ()
    ) {
        self.init(
            stop: stop, feed: feed, route: route, at: at, count: count, within: within,
            countPerDirection: countPerDirection, from: from, walk: walk, reachable: reachable,
            punctuality: punctuality, language: language, interactive: interactive
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.stop = try members.required("stop", in: 1...300)
        self.feed = try members.optional("feed")
        self.route = try members.optional("route", in: 1...300)
        self.at = try members.optional("at", in: 1...64)
        self.count = try members.optional("count", in: 1...200)
        self.within = try members.optional("within", in: 60...604800)
        self.countPerDirection = try members.optional("count_per_direction", in: 1...50)
        self.from = try members.optional("from", in: 1...64)
        self.walk = try members.optional("walk", in: 0...10_800)
        self.reachable = try members.optional("reachable", default: false)
        self.punctuality = try members.optional("punctuality", default: false)
        self.language = try members.optional("language", in: 1...35)
        self.interactive = try members.optional("interactive", default: false)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("stop", self.stop)
        if self.feed != nil { writer.member("feed", self.feed) }
        if self.route != nil { writer.member("route", self.route) }
        if self.at != nil { writer.member("at", self.at) }
        if self.count != nil { writer.member("count", self.count) }
        if self.within != nil { writer.member("within", self.within) }
        if self.countPerDirection != nil { writer.member("count_per_direction", self.countPerDirection) }
        if self.from != nil { writer.member("from", self.from) }
        if self.walk != nil { writer.member("walk", self.walk) }
        if self.reachable != false { writer.member("reachable", self.reachable) }
        if self.punctuality != false { writer.member("punctuality", self.punctuality) }
        if self.language != nil { writer.member("language", self.language) }
        if self.interactive != false { writer.member("interactive", self.interactive) }
        writer.endObject()
    }

    public static var schemaName: String { "DeparturesParameters" }
    public static var description: String { "Returns the next departures from a stop or station." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("stop", String.self, "The stop: `FEED:STOP_ID`, a stop ID, a stop code, or a name or its first words if they match a single stop.", in: 1...300)
        builder.member("feed", FeedID?.self, "Limits the search to this feed.")
        builder.member("route", String?.self, "Limits the result to this route, given by identifier or name.", in: 1...300)
        builder.member("at", String?.self, "The time to query, in the format of `at` in `next`. The default is now.", in: 1...64)
        builder.member("count", Int?.self, "The maximum number of departures. The default is 10, unless the configuration sets another default.", in: 1...200)
        builder.member("within", Int?.self, "As `within` in `next`.", unit: .seconds, in: 60...604800)
        builder.member("count_per_direction", Int?.self, "The maximum number of departures in each direction (`direction_id` or, without directions, the destination shown on the vehicle), among the next 200.", in: 1...50)
        builder.member("from", String?.self, "The place of the caller where the walk to the stop begins. The default is the place with the shortest walk. Without `from`, `walk` and `reachable`, only a place within walking distance counts, as in `next`.", in: 1...64)
        builder.member("walk", Int?.self, "The walk to the stop, if the caller is not at a place. It excludes `from`.", unit: .seconds, in: 0...10_800)
        builder.member("reachable", Bool.self, "Whether to leave out departures that cannot be caught any more, as in `next`. It is an error if no walk is known.", default: false)
        builder.member("punctuality", Bool.self, "Whether to return the distribution of each departure's delays on earlier days.", default: false)
        builder.member("language", String?.self, "As `language` in `next`.", in: 1...35)
        builder.member("interactive", Bool.self, "Whether a person made the request by hand. Usual departures are learned from such requests. A program that repeats requests, such as a status bar, leaves it false.", default: false)
    }
}

extension DeparturesResult: HasNotices {
    public init(
        at: Timestamp, stop: StopSummary, from: String? = nil, departures: [Departure], notices: [Notice] = [],
        _: Void = ()
    ) {
        self.init(at: at, stop: stop, from: from, departures: departures, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.stop = try members.required("stop")
        self.from = try members.optional("from")
        self.departures = try members.array("departures")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("stop", self.stop)
        writer.member("from", self.from)
        writer.member("departures", self.departures)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "DeparturesResult" }
    public static var description: String { "The next departures from a stop." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "The time of the query.")
        builder.member("stop", StopSummary.self, "The stop that the query found.")
        builder.member("from", String?.self, "The caller's place where the walks to the stop begin; null when the request states the walk or none is known.")
        builder.member("departures", [Departure].self, "The departures in order of departure time.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension ExplainParameters {
    public init(departure: String, after: PreviousRide? = nil, language: String? = nil, _: Void = ()) {
        self.init(departure: departure, after: after, language: language)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.departure = try members.required("departure", in: 1...300)
        self.after = try members.optional("after")
        self.language = try members.optional("language", in: 1...35)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("departure", self.departure)
        if self.after != nil { writer.member("after", self.after) }
        if self.language != nil { writer.member("language", self.language) }
        writer.endObject()
    }

    public static var schemaName: String { "ExplainParameters" }
    public static var description: String { "Explains a departure: where its times come from and why they are trusted." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("departure", String.self, "The departure's `id`, or a description: a time of day such as \"08:22\", a route with a time such as \"Tram 1 08:22\", or the number of a trip such as \"435\". \"from STOP\" and \"to HEADSIGN\" can follow. Without \"from\", the caller's commutes, favorites and usual departures are searched, and for the number of a trip, all trips.", in: 1...300)
        builder.member("after", PreviousRide?.self, "The ride before `departure` in a journey, to explain the change as well.")
        builder.member("language", String?.self, "The language for texts, as an IETF BCP 47 language tag such as \"de\". Texts are translated only if the feed has translations.", in: 1...35)
    }
}

extension PreviousRide {
    public init(departure: String, to: StopID, changeTime: Int? = nil, stayOnBoard: Bool = false, _: Void = ()) {
        self.init(departure: departure, to: to, changeTime: changeTime, stayOnBoard: stayOnBoard)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.departure = try members.required("departure")
        self.to = try members.required("to")
        self.changeTime = try members.optional("change_time", in: 0...86400)
        self.stayOnBoard = try members.optional("stay_on_board", default: false)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("departure", self.departure)
        writer.member("to", self.to)
        writer.member("change_time", self.changeTime)
        writer.member("stay_on_board", self.stayOnBoard)
        writer.endObject()
    }

    public static var schemaName: String { "PreviousRide" }
    public static var description: String { "The ride before a change, as a reply to `journeys` has it." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("departure", String.self, "The `id` of the departure.")
        builder.member("to", StopID.self, "The `id` of the stop where riders get off (`departure.arrival.stop`).")
        builder.member("change_time", Int?.self, "The `walk` of the change; by default that of the quickest one.", unit: .seconds, in: 0...86400)
        builder.member("stay_on_board", Bool.self, "`stay_on_board` of the next leg.", default: false)
    }
}

extension ExplainedFact {
    public init(fact: String, value: String, source: String? = nil, _: Void = ()) {
        self.init(fact: fact, value: value, source: source)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.fact = try members.required("fact")
        self.value = try members.required("value")
        self.source = try members.optional("source")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("fact", self.fact)
        writer.member("value", self.value)
        writer.member("source", self.source)
        writer.endObject()
    }

    public static var schemaName: String { "ExplainedFact" }
    public static var description: String { "One step of an explanation." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("fact", String.self, "The stable name of the fact: \"feed\", \"timetable\", \"match\", \"delay\", \"usual\", \"correction\", \"age\", \"confidence\". More names may be added.")
        builder.member("value", String.self, "The fact as human-readable text.")
        builder.member("source", String?.self, "The evidence: a file, or a rule of a specification.")
    }
}

extension ExplainResult: HasNotices {
    public init(
        at: Timestamp, departure: Departure, facts: [ExplainedFact], change: JourneyChange? = nil,
        changeFacts: [ExplainedFact] = [], notices: [Notice] = [], _: Void = ()
    ) {
        self.init(
            at: at, departure: departure, facts: facts, change: change, changeFacts: changeFacts, notices: notices
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.departure = try members.required("departure")
        self.facts = try members.array("facts")
        self.change = try members.optional("change")
        self.changeFacts = try members.optional("change_facts", default: [])
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("departure", self.departure)
        writer.member("facts", self.facts)
        writer.member("change", self.change)
        writer.member("change_facts", self.changeFacts)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "ExplainResult" }
    public static var description: String { "The explanation of a departure." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("departure", Departure.self, "The departure as currently returned by queries.")
        builder.member("facts", [ExplainedFact].self, "The facts in order, from the source to the displayed time.")
        builder.member("change", JourneyChange?.self, "The change from the ride `after`, without `if_missed`; null if there is none.")
        builder.member("change_facts", [ExplainedFact].self, "Why riders reach the departure after that ride, as `explanation` in `journeys`.", default: [])
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
