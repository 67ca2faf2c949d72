// Generated from Sources/TransitControl/Messages/Journeys.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitWire

extension JourneysParameters {
    public init(
        from: String? = nil, onBoard: String? = nil, to: String, via: String? = nil, at: String? = nil,
        arriveBy: Bool = false, count: Int? = nil, changes: Int? = nil, modes: [String] = [], wheelchair: Bool = false,
        bicycles: Bool = false, explain: Bool = false, language: String? = nil, _: Void = ()
    ) {
        self.init(
            from: from, onBoard: onBoard, to: to, via: via, at: at, arriveBy: arriveBy, count: count, changes: changes,
            modes: modes, wheelchair: wheelchair, bicycles: bicycles, explain: explain, language: language
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.from = try members.optional("from", in: 1...300)
        self.onBoard = try members.optional("on_board", in: 1...300)
        self.to = try members.required("to", in: 1...300)
        self.via = try members.optional("via", in: 1...300)
        self.at = try members.optional("at", in: 1...64)
        self.arriveBy = try members.optional("arrive_by", default: false)
        self.count = try members.optional("count", in: 1...50)
        self.changes = try members.optional("changes", in: 0...7)
        self.modes = try members.optional("modes", in: 0...14, default: [])
        self.wheelchair = try members.optional("wheelchair", default: false)
        self.bicycles = try members.optional("bicycles", default: false)
        self.explain = try members.optional("explain", default: false)
        self.language = try members.optional("language", in: 1...35)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.from != nil { writer.member("from", self.from) }
        if self.onBoard != nil { writer.member("on_board", self.onBoard) }
        writer.member("to", self.to)
        if self.via != nil { writer.member("via", self.via) }
        if self.at != nil { writer.member("at", self.at) }
        if self.arriveBy != false { writer.member("arrive_by", self.arriveBy) }
        if self.count != nil { writer.member("count", self.count) }
        if self.changes != nil { writer.member("changes", self.changes) }
        if self.modes != [] { writer.member("modes", self.modes) }
        if self.wheelchair != false { writer.member("wheelchair", self.wheelchair) }
        if self.bicycles != false { writer.member("bicycles", self.bicycles) }
        if self.explain != false { writer.member("explain", self.explain) }
        if self.language != nil { writer.member("language", self.language) }
        writer.endObject()
    }

    public static var schemaName: String { "JourneysParameters" }
    public static var description: String { "Returns the next journeys between two places or stops, with changes of vehicle, over all feeds together." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("from", String?.self, "The origin: a place, a position such as \"37.3942,-122.0764\", or a stop given as `FEED:STOP_ID`, a stop ID, a stop code, or a name or its first words if they match a single stop. A space and a name may follow a position: \"37.3942,-122.0764 Main Street 5\". Either `from` or `on_board` is required.", in: 1...300)
        builder.member("on_board", String?.self, "The `id` of a departure, for riders who are on board of its trip from there on, or will be. They alight at any later stop, also of the trips as which its vehicle continues, and change. It excludes `from`, `at` and `arrive_by`.", in: 1...300)
        builder.member("to", String.self, "The destination, in the same format as `from`.", in: 1...300)
        builder.member("via", String?.self, "Where the journeys pass, in the same format as `from`. They pass a stop also if riders stay on board while the vehicle calls there, and a place if they walk there. The journeys are the best ones of those to `via`, continued by the best ones from there, and those that pass anyway. `if_missed` need not pass `via`, and `alternatives` is empty. It excludes `on_board`.", in: 1...300)
        builder.member("at", String?.self, "The time to leave at the earliest or, with `arrive_by`, to arrive at the latest, in the format of `at` in `next`. The default is now.", in: 1...64)
        builder.member("arrive_by", Bool.self, "Whether `at` is the time of the arrival. The result then contains the last journeys that arrive by then and, unless `at` is in the past, do not begin before now.", default: false)
        builder.member("count", Int?.self, "The maximum number of journeys. The default is 5.", in: 1...50)
        builder.member("changes", Int?.self, "The maximum number of changes of vehicle. The default is 3.", in: 0...7)
        builder.member("modes", [String].self, "The modes of transport that riders use; empty for all. The modes are: tram, subway, train, bus, ferry, cable-tram, aerial-lift, funicular, trolleybus, monorail, coach, flight, taxi, service.", in: 0...14, default: [])
        builder.member("wheelchair", Bool.self, "Whether to leave out vehicles and stops that do not accommodate wheelchairs (`wheelchair_accessible` and `wheelchair_boarding` are 2, or the agency says so about the vehicle). Those about which nothing is stated remain; a notice says so. Changes and walks of places that cannot be made without steps (pathways.txt) are left out.", default: false)
        builder.member("bicycles", Bool.self, "Whether to leave out vehicles that do not accommodate bicycles (`bikes_allowed` is 2, or the agency says so about the vehicle). Those about which nothing is stated remain; a notice says so.", default: false)
        builder.member("explain", Bool.self, "Whether each leg says in `explanation` why riders reach it. Explanations are in English.", default: false)
        builder.member("language", String?.self, "The language for names, as an IETF BCP 47 language tag such as \"de\". Names are translated only if the feed has translations.txt.", in: 1...35)
    }
}

extension JourneysResult: HasNotices {
    public init(
        at: Timestamp, from: CommuteEndpoint, to: CommuteEndpoint, onBoard: String? = nil, journeys: [Journey],
        walk: Int? = nil, notices: [Notice] = [], _: Void = ()
    ) {
        self.init(at: at, from: from, to: to, onBoard: onBoard, journeys: journeys, walk: walk, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.from = try members.required("from")
        self.to = try members.required("to")
        self.onBoard = try members.optional("on_board")
        self.journeys = try members.array("journeys")
        self.walk = try members.optional("walk")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("from", self.from)
        writer.member("to", self.to)
        writer.member("on_board", self.onBoard)
        writer.member("journeys", self.journeys)
        writer.member("walk", self.walk)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "JourneysResult" }
    public static var description: String { "Journeys between two places or stops." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "The time of the query.")
        builder.member("from", CommuteEndpoint.self, "The origin; with `on_board`, the stop of that departure.")
        builder.member("to", CommuteEndpoint.self, "The destination.")
        builder.member("on_board", String?.self, "The `id` of the departure that riders are on board of, as in the request; null if they set out from `from`.")
        builder.member("journeys", [Journey].self, "The journeys in order of the time to leave. With `on_board`, the first leg of each journey is the ride from that departure on, and they are in order of arrival. A journey that another one beats or equals in the time to leave, the arrival and the number of changes is left out.")
        builder.member("walk", Int?.self, "The walk from the origin to the destination without a vehicle, estimated from the straight-line distance; null if it is farther than the usual walk to a stop (`walking_radius`).", unit: .seconds)
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as feeds that could not be searched.", default: [])
    }
}

extension LastJourneysParameters {
    public init(
        commute: String? = nil, from: String? = nil, to: String? = nil, via: String? = nil, at: String? = nil,
        count: Int? = nil, changes: Int? = nil, modes: [String] = [], wheelchair: Bool = false, bicycles: Bool = false,
        explain: Bool = false, language: String? = nil, _: Void = ()
    ) {
        self.init(
            commute: commute, from: from, to: to, via: via, at: at, count: count, changes: changes, modes: modes,
            wheelchair: wheelchair, bicycles: bicycles, explain: explain, language: language
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.commute = try members.optional("commute", in: 1...64)
        self.from = try members.optional("from", in: 1...300)
        self.to = try members.optional("to", in: 1...300)
        self.via = try members.optional("via", in: 1...300)
        self.at = try members.optional("at", in: 1...64)
        self.count = try members.optional("count", in: 1...50)
        self.changes = try members.optional("changes", in: 0...7)
        self.modes = try members.optional("modes", in: 0...14, default: [])
        self.wheelchair = try members.optional("wheelchair", default: false)
        self.bicycles = try members.optional("bicycles", default: false)
        self.explain = try members.optional("explain", default: false)
        self.language = try members.optional("language", in: 1...35)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.commute != nil { writer.member("commute", self.commute) }
        if self.from != nil { writer.member("from", self.from) }
        if self.to != nil { writer.member("to", self.to) }
        if self.via != nil { writer.member("via", self.via) }
        if self.at != nil { writer.member("at", self.at) }
        if self.count != nil { writer.member("count", self.count) }
        if self.changes != nil { writer.member("changes", self.changes) }
        if self.modes != [] { writer.member("modes", self.modes) }
        if self.wheelchair != false { writer.member("wheelchair", self.wheelchair) }
        if self.bicycles != false { writer.member("bicycles", self.bicycles) }
        if self.explain != false { writer.member("explain", self.explain) }
        if self.language != nil { writer.member("language", self.language) }
        writer.endObject()
    }

    public static var schemaName: String { "LastJourneysParameters" }
    public static var description: String { "Returns the last journeys of a day that still arrive, and the first one of the next day. A day ends at 04:00." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("commute", String?.self, "The commute's name. The default is the commute that `next` uses.", in: 1...64)
        builder.member("from", String?.self, "As `from` in `next`.", in: 1...300)
        builder.member("to", String?.self, "The destination, in the same format as `from`.", in: 1...300)
        builder.member("via", String?.self, "As `via` in `journeys`.", in: 1...300)
        builder.member("at", String?.self, "The earliest time to leave, in the format of `at` in `next`. The default is now.", in: 1...64)
        builder.member("count", Int?.self, "The maximum number of journeys. The default is 3.", in: 1...50)
        builder.member("changes", Int?.self, "The maximum number of changes of vehicle. The default is 3.", in: 0...7)
        builder.member("modes", [String].self, "As `modes` in `journeys`.", in: 0...14, default: [])
        builder.member("wheelchair", Bool.self, "As `wheelchair` in `journeys`.", default: false)
        builder.member("bicycles", Bool.self, "As `bicycles` in `journeys`.", default: false)
        builder.member("explain", Bool.self, "As `explain` in `journeys`.", default: false)
        builder.member("language", String?.self, "As `language` in `journeys`.", in: 1...35)
    }
}

extension LastJourneysResult: HasNotices {
    public init(
        at: Timestamp, commute: CommuteSummary, journeys: [Journey], following: Journey? = nil, notices: [Notice] = [],
        _: Void = ()
    ) {
        self.init(at: at, commute: commute, journeys: journeys, following: following, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.commute = try members.required("commute")
        self.journeys = try members.array("journeys")
        self.following = try members.optional("following")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("commute", self.commute)
        writer.member("journeys", self.journeys)
        writer.member("following", self.following)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "LastJourneysResult" }
    public static var description: String { "The last journeys of a day." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "The time of the query.")
        builder.member("commute", CommuteSummary.self, "The commute that the query used.")
        builder.member("journeys", [Journey].self, "The last journeys of the day in order of the time to leave. Journeys that later ones beat, and those that wait for the next morning, are left out.")
        builder.member("following", Journey?.self, "The first journey of the next day, for riders who miss the last one; null if none is known.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as feeds that could not be searched.", default: [])
    }
}

extension Journey {
    public init(
        leaveBy: Timestamp, leaveIn: Int, arrival: Timestamp, changes: Int, walkBefore: Int? = nil,
        walkAfter: Int? = nil, legs: [JourneyLeg], _: Void = ()
    ) {
        self.init(
            leaveBy: leaveBy, leaveIn: leaveIn, arrival: arrival, changes: changes, walkBefore: walkBefore,
            walkAfter: walkAfter, legs: legs
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.leaveBy = try members.required("leave_by")
        self.leaveIn = try members.required("leave_in")
        self.arrival = try members.required("arrival")
        self.changes = try members.required("changes")
        self.walkBefore = try members.optional("walk_before")
        self.walkAfter = try members.optional("walk_after")
        self.legs = try members.array("legs")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("leave_by", self.leaveBy)
        writer.member("leave_in", self.leaveIn)
        writer.member("arrival", self.arrival)
        writer.member("changes", self.changes)
        writer.member("walk_before", self.walkBefore)
        writer.member("walk_after", self.walkAfter)
        writer.member("legs", self.legs)
        writer.endObject()
    }

    public static var schemaName: String { "Journey" }
    public static var description: String { "A journey in one or more vehicles." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("leave_by", Timestamp.self, "When to start walking, or to be at the first stop; with `on_board`, the time of that departure.")
        builder.member("leave_in", Int.self, "The number of seconds from now to `leave_by`.", unit: .seconds)
        builder.member("arrival", Timestamp.self, "The expected arrival at the destination, after the walk.")
        builder.member("changes", Int.self, "The number of changes of vehicle.")
        builder.member("walk_before", Int?.self, "The walk to the first stop; null when the journey starts at the requested stop.", unit: .seconds)
        builder.member("walk_after", Int?.self, "The walk from the last stop; null when the journey ends at the requested stop.", unit: .seconds)
        builder.member("legs", [JourneyLeg].self, "The rides in order; never empty.")
    }
}

extension JourneyLeg {
    public init(
        change: JourneyChange? = nil, stayOnBoard: Bool = false, departure: Departure,
        alternatives: [LegAlternative] = [], explanation: [ExplainedFact] = [], _: Void = ()
    ) {
        self.init(
            change: change, stayOnBoard: stayOnBoard, departure: departure, alternatives: alternatives,
            explanation: explanation
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.change = try members.optional("change")
        self.stayOnBoard = try members.optional("stay_on_board", default: false)
        self.departure = try members.required("departure")
        self.alternatives = try members.optional("alternatives", default: [])
        self.explanation = try members.optional("explanation", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("change", self.change)
        writer.member("stay_on_board", self.stayOnBoard)
        writer.member("departure", self.departure)
        writer.member("alternatives", self.alternatives)
        writer.member("explanation", self.explanation)
        writer.endObject()
    }

    public static var schemaName: String { "JourneyLeg" }
    public static var description: String { "A ride in one vehicle." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("change", JourneyChange?.self, "The change before this leg; null for the first leg and if `stay_on_board` is true.")
        builder.member("stay_on_board", Bool.self, "Whether riders stay in the vehicle of the previous leg, which continues as another trip.", default: false)
        builder.member("departure", Departure.self, "The departure with its arrival. Its `walk` and `leave_by` are those of the first leg of the journey.")
        builder.member("alternatives", [LegAlternative].self, "The first departure of each other route that serves the leg as well: riders reach it, and it arrives at the same stop in time for what follows. In order of departure.", default: [])
        builder.member("explanation", [ExplainedFact].self, "Why riders reach this leg or miss it, in facts such as `change_time`, `in_hand` and `judgment`, or `stay_on_board`. Empty for the first leg, and unless the request has `explain`.", default: [])
    }
}

extension LegAlternative {
    public init(id: String, route: RouteSummary, departure: Timestamp, _: Void = ()) {
        self.init(id: id, route: route, departure: departure)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.id = try members.required("id")
        self.route = try members.required("route")
        self.departure = try members.required("departure")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", self.id)
        writer.member("route", self.route)
        writer.member("departure", self.departure)
        writer.endObject()
    }

    public static var schemaName: String { "LegAlternative" }
    public static var description: String { "A departure of another route that serves a leg as well." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("id", String.self, "The `id` of the departure.")
        builder.member("route", RouteSummary.self, "The route.")
        builder.member("departure", Timestamp.self, "When it leaves.")
    }
}

extension JourneyChange {
    public init(
        fromStop: CallStop, toStop: CallStop, walk: Int, distance: Int? = nil, inHand: Int, judgment: ChangeJudgment,
        isTimed: Bool = false, ifMissed: NextConnection? = nil, _: Void = ()
    ) {
        self.init(
            fromStop: fromStop, toStop: toStop, walk: walk, distance: distance, inHand: inHand, judgment: judgment,
            isTimed: isTimed, ifMissed: ifMissed
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.fromStop = try members.required("from_stop")
        self.toStop = try members.required("to_stop")
        self.walk = try members.required("walk")
        self.distance = try members.optional("distance")
        self.inHand = try members.required("in_hand")
        self.judgment = try members.required("judgment")
        self.isTimed = try members.optional("is_timed", default: false)
        self.ifMissed = try members.optional("if_missed")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("from_stop", self.fromStop)
        writer.member("to_stop", self.toStop)
        writer.member("walk", self.walk)
        writer.member("distance", self.distance)
        writer.member("in_hand", self.inHand)
        writer.member("judgment", self.judgment)
        writer.member("is_timed", self.isTimed)
        writer.member("if_missed", self.ifMissed)
        writer.endObject()
    }

    public static var schemaName: String { "JourneyChange" }
    public static var description: String { "A change from one vehicle to the next." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("from_stop", CallStop.self, "Where riders get off.")
        builder.member("to_stop", CallStop.self, "Where they board.")
        builder.member("walk", Int.self, "The time that the change needs: the walk, or what transfers.txt states.", unit: .seconds)
        builder.member("distance", Int?.self, "The straight-line distance between the stops; null if it is not known.", unit: .meters)
        builder.member("in_hand", Int.self, "The time that is left: the expected departure minus the expected arrival minus `walk`.", unit: .seconds)
        builder.member("judgment", ChangeJudgment.self, "safe: the time suffices even if both times are wrong by their uncertainties, or the vehicle waits; missed: it does not suffice even if both are wrong in the rider's favor; tight: otherwise. A time without a stated uncertainty is uncertain by 60 seconds (`change_uncertainty`), and a prediction by more if it is far ahead or the vehicle is late. A departure without a prediction is missed only if it would also be missed half an hour late.")
        builder.member("is_timed", Bool.self, "Whether the departing vehicle waits (`transfer_type` 1).", default: false)
        builder.member("if_missed", NextConnection?.self, "The connection with the earliest arrival for riders who do not reach the next vehicle; null if the change is safe, and if nothing follows within a day.")
    }
}

extension NextConnection {
    public init(id: String, route: RouteSummary, departure: Timestamp, arrival: Timestamp, _: Void = ()) {
        self.init(id: id, route: route, departure: departure, arrival: arrival)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.id = try members.required("id")
        self.route = try members.required("route")
        self.departure = try members.required("departure")
        self.arrival = try members.required("arrival")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", self.id)
        writer.member("route", self.route)
        writer.member("departure", self.departure)
        writer.member("arrival", self.arrival)
        writer.endObject()
    }

    public static var schemaName: String { "NextConnection" }
    public static var description: String { "The connection that follows when a change breaks." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("id", String.self, "The `id` of its first departure.")
        builder.member("route", RouteSummary.self, "The route of the next vehicle.")
        builder.member("departure", Timestamp.self, "When it leaves.")
        builder.member("arrival", Timestamp.self, "The expected arrival at the destination, after the walk.")
    }
}
