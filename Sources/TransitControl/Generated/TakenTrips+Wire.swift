// Generated from Sources/TransitControl/Messages/TakenTrips.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension LoggedTrip {
    public init(
        serviceDate: ServiceDate, scheduled: Timestamp, departed: Timestamp, feed: FeedID, route: RouteID,
        routeName: String, directionId: Int? = nil, stop: StopID, stopName: String, destination: StopID? = nil,
        destinationName: String? = nil, commute: String? = nil, distance: Int? = nil, straightLine: Bool = false,
        logged: Timestamp, _: Void = ()
    ) {
        self.init(
            serviceDate: serviceDate, scheduled: scheduled, departed: departed, feed: feed, route: route,
            routeName: routeName, directionId: directionId, stop: stop, stopName: stopName, destination: destination,
            destinationName: destinationName, commute: commute, distance: distance, straightLine: straightLine,
            logged: logged
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.serviceDate = try members.required("service_date")
        self.scheduled = try members.required("scheduled")
        self.departed = try members.required("departed")
        self.feed = try members.required("feed")
        self.route = try members.required("route")
        self.routeName = try members.required("route_name")
        self.directionId = try members.optional("direction_id")
        self.stop = try members.required("stop")
        self.stopName = try members.required("stop_name")
        self.destination = try members.optional("destination")
        self.destinationName = try members.optional("destination_name")
        self.commute = try members.optional("commute")
        self.distance = try members.optional("distance")
        self.straightLine = try members.optional("straight_line", default: false)
        self.logged = try members.required("logged")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("service_date", self.serviceDate)
        writer.member("scheduled", self.scheduled)
        writer.member("departed", self.departed)
        writer.member("feed", self.feed)
        writer.member("route", self.route)
        writer.member("route_name", self.routeName)
        writer.member("direction_id", self.directionId)
        writer.member("stop", self.stop)
        writer.member("stop_name", self.stopName)
        writer.member("destination", self.destination)
        writer.member("destination_name", self.destinationName)
        writer.member("commute", self.commute)
        writer.member("distance", self.distance)
        writer.member("straight_line", self.straightLine)
        writer.member("logged", self.logged)
        writer.endObject()
    }

    public static var schemaName: String { "LoggedTrip" }
    public static var description: String { "A trip that the caller took." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("service_date", ServiceDate.self, "The service date. A trip at 00:30 can belong to the date before.")
        builder.member("scheduled", Timestamp.self, "The scheduled departure, with the UTC offset at the stop.")
        builder.member("departed", Timestamp.self, "The expected departure when the trip was logged or, without realtime data, the scheduled departure.")
        builder.member("feed", FeedID.self, "The feed.")
        builder.member("route", RouteID.self, "The route's identifier (`route_id`).")
        builder.member("route_name", String.self, "The route as riders call it.")
        builder.member("direction_id", Int?.self, "The direction of the trip (`direction_id`).")
        builder.member("stop", StopID.self, "The stop where the caller boarded (`stop_id`).")
        builder.member("stop_name", String.self, "The name of that stop.")
        builder.member("destination", StopID?.self, "The stop where the caller alighted; null when unknown.")
        builder.member("destination_name", String?.self, "The name of that stop.")
        builder.member("commute", String?.self, "The commute; null when unknown.")
        builder.member("distance", Int?.self, "The distance between the stops; null when unknown.", unit: .meters)
        builder.member("straight_line", Bool.self, "Whether `distance` is measured in straight lines from stop to stop, because the trip has no shape.", default: false)
        builder.member("logged", Timestamp.self, "When the trip was logged.")
    }
}

extension TakenAddParameters {
    public init(departure: String? = nil, destination: String? = nil, _: Void = ()) {
        self.init(departure: departure, destination: destination)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.departure = try members.optional("departure", in: 1...300)
        self.destination = try members.optional("destination", in: 1...300)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.departure != nil { writer.member("departure", self.departure) }
        if self.destination != nil { writer.member("destination", self.destination) }
        writer.endObject()
    }

    public static var schemaName: String { "TakenAddParameters" }
    public static var description: String { "Logs a trip. The same departure is logged once." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("departure", String?.self, "The departure's `id`, or a description in the format of `departure` in `explain`. When omitted, the departure that the caller has just caught is guessed from the caller's usual departures, commutes and recent requests.", in: 1...300)
        builder.member("destination", String?.self, "The stop where the caller alights, in the format of `stop` in `departures`. The default is the end of the commute that the departure serves.", in: 1...300)
    }
}

extension TakenUndoParameters {
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

    public static var schemaName: String { "TakenUndoParameters" }
    public static var description: String { "Removes the trip that the caller logged last." }

    public static func describeMembers(to builder: inout SchemaBuilder) {}
}

extension TakenResult: HasNotices {
    public init(
        at: Timestamp, trip: LoggedTrip? = nil, guessed: Bool = false, changed: Bool, badges: [BadgeStatus] = [],
        units: MeasurementUnits = .automatic, notices: [Notice] = [], _: Void = ()
    ) {
        self.init(
            at: at, trip: trip, guessed: guessed, changed: changed, badges: badges, units: units, notices: notices
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.trip = try members.optional("trip")
        self.guessed = try members.optional("guessed", default: false)
        self.changed = try members.required("changed")
        self.badges = try members.optional("badges", default: [])
        self.units = try members.optional("units", default: .automatic)
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("trip", self.trip)
        writer.member("guessed", self.guessed)
        writer.member("changed", self.changed)
        writer.member("badges", self.badges)
        writer.member("units", self.units)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "TakenResult" }
    public static var description: String { "The trip that was logged or removed." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("trip", LoggedTrip?.self, "The trip; null when there was none to remove.")
        builder.member("guessed", Bool.self, "Whether the trip was guessed.", default: false)
        builder.member("changed", Bool.self, "Whether the log has changed. It does not change when the trip was already logged.")
        builder.member("badges", [BadgeStatus].self, "The badges that the caller earned with this trip.", default: [])
        builder.member("units", MeasurementUnits.self, "The units to show.", default: .automatic)
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension FoldedDay {
    public init(
        date: ServiceDate, trips: Int, early: Int, late: Int, distance: Int, straightLine: Int, unmeasured: Int,
        _: Void = ()
    ) {
        self.init(
            date: date, trips: trips, early: early, late: late, distance: distance, straightLine: straightLine,
            unmeasured: unmeasured
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.date = try members.required("date")
        self.trips = try members.required("trips")
        self.early = try members.required("early")
        self.late = try members.required("late")
        self.distance = try members.required("distance")
        self.straightLine = try members.required("straight_line")
        self.unmeasured = try members.required("unmeasured")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("date", self.date)
        writer.member("trips", self.trips)
        writer.member("early", self.early)
        writer.member("late", self.late)
        writer.member("distance", self.distance)
        writer.member("straight_line", self.straightLine)
        writer.member("unmeasured", self.unmeasured)
        writer.endObject()
    }

    public static var schemaName: String { "FoldedDay" }
    public static var description: String { "The trips of one service date that are no longer kept individually." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("date", ServiceDate.self, "The service date.")
        builder.member("trips", Int.self, "The number of trips.")
        builder.member("early", Int.self, "The trips before 07:00.")
        builder.member("late", Int.self, "The trips from 21:00 on.")
        builder.member("distance", Int.self, "The sum of the known distances.", unit: .meters)
        builder.member("straight_line", Int.self, "The trips whose distance is measured in straight lines.")
        builder.member("unmeasured", Int.self, "The trips whose distance is unknown.")
    }
}

extension RouteCount {
    public init(
        feed: FeedID, route: RouteID, routeName: String, stop: StopID, stopName: String, destination: StopID? = nil,
        destinationName: String? = nil, trips: Int, last: Timestamp, _: Void = ()
    ) {
        self.init(
            feed: feed, route: route, routeName: routeName, stop: stop, stopName: stopName, destination: destination,
            destinationName: destinationName, trips: trips, last: last
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.required("feed")
        self.route = try members.required("route")
        self.routeName = try members.required("route_name")
        self.stop = try members.required("stop")
        self.stopName = try members.required("stop_name")
        self.destination = try members.optional("destination")
        self.destinationName = try members.optional("destination_name")
        self.trips = try members.required("trips")
        self.last = try members.required("last")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("feed", self.feed)
        writer.member("route", self.route)
        writer.member("route_name", self.routeName)
        writer.member("stop", self.stop)
        writer.member("stop_name", self.stopName)
        writer.member("destination", self.destination)
        writer.member("destination_name", self.destinationName)
        writer.member("trips", self.trips)
        writer.member("last", self.last)
        writer.endObject()
    }

    public static var schemaName: String { "RouteCount" }
    public static var description: String { "The trips between two stops on one route." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID.self, "The feed.")
        builder.member("route", RouteID.self, "The route's identifier (`route_id`).")
        builder.member("route_name", String.self, "The route as riders call it.")
        builder.member("stop", StopID.self, "The stop where the caller boards (`stop_id`).")
        builder.member("stop_name", String.self, "The name of that stop.")
        builder.member("destination", StopID?.self, "The stop where the caller alights; null when unknown.")
        builder.member("destination_name", String?.self, "The name of that stop.")
        builder.member("trips", Int.self, "The number of trips.")
        builder.member("last", Timestamp.self, "The scheduled departure of the last trip.")
    }
}

extension FoldedTrips {
    public init(days: [FoldedDay] = [], routes: [RouteCount] = [], digests: [String] = [], _: Void = ()) {
        self.init(days: days, routes: routes, digests: digests)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.days = try members.optional("days", in: 0...300, default: [])
        self.routes = try members.optional("routes", in: 0...100, default: [])
        self.digests = try members.optional("digests", in: 0...1000, default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("days", self.days)
        writer.member("routes", self.routes)
        writer.member("digests", self.digests)
        writer.endObject()
    }

    public static var schemaName: String { "FoldedTrips" }
    public static var description: String { "Sums of trips that are no longer kept individually." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("days", [FoldedDay].self, "The sums by service date.", in: 0...300, default: [])
        builder.member("routes", [RouteCount].self, "The counts by route and stops.", in: 0...100, default: [])
        builder.member("digests", [String].self, "A hash of each trip, by which it is recognized when it is imported again.", in: 0...1000, default: [])
    }
}

extension TakenListParameters {
    public init(count: Int = 20, cursor: String? = nil, folded: Bool = false, _: Void = ()) {
        self.init(count: count, cursor: cursor, folded: folded)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.count = try members.optional("count", in: 1...500, default: 20)
        self.cursor = try members.optional("cursor", in: 1...20)
        self.folded = try members.optional("folded", default: false)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.count != 20 { writer.member("count", self.count) }
        if self.cursor != nil { writer.member("cursor", self.cursor) }
        if self.folded != false { writer.member("folded", self.folded) }
        writer.endObject()
    }

    public static var schemaName: String { "TakenListParameters" }
    public static var description: String { "Lists the caller's logged trips, newest first." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("count", Int.self, "The maximum number of trips.", in: 1...500, default: 20)
        builder.member("cursor", String?.self, "The `next_cursor` of the previous page.", in: 1...20)
        builder.member("folded", Bool.self, "Whether to list the sums of older trips instead of trips, `count` days, routes and hashes at a time.", default: false)
    }
}

extension TakenListResult: HasNotices {
    public init(
        at: Timestamp, trips: [LoggedTrip], total: Int, foldedTotal: Int, folded: FoldedTrips? = nil,
        nextCursor: String? = nil, notices: [Notice] = [], _: Void = ()
    ) {
        self.init(
            at: at, trips: trips, total: total, foldedTotal: foldedTotal, folded: folded, nextCursor: nextCursor,
            notices: notices
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.trips = try members.array("trips")
        self.total = try members.required("total")
        self.foldedTotal = try members.required("folded_total")
        self.folded = try members.optional("folded")
        self.nextCursor = try members.optional("next_cursor")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("trips", self.trips)
        writer.member("total", self.total)
        writer.member("folded_total", self.foldedTotal)
        writer.member("folded", self.folded)
        writer.member("next_cursor", self.nextCursor)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "TakenListResult" }
    public static var description: String { "The caller's logged trips." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("trips", [LoggedTrip].self, "The trips, newest first.")
        builder.member("total", Int.self, "The number of trips that are kept individually.")
        builder.member("folded_total", Int.self, "The number of older trips, of which only sums are kept.")
        builder.member("folded", FoldedTrips?.self, "The sums of older trips; null unless requested.")
        builder.member("next_cursor", String?.self, "The cursor of the next page; null at the end.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}

extension TakenImportParameters {
    public init(trips: [LoggedTrip] = [], folded: FoldedTrips? = nil, _: Void = ()) {
        self.init(trips: trips, folded: folded)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.trips = try members.optional("trips", in: 0...100, default: [])
        self.folded = try members.optional("folded")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.trips != [] { writer.member("trips", self.trips) }
        if self.folded != nil { writer.member("folded", self.folded) }
        writer.endObject()
    }

    public static var schemaName: String { "TakenImportParameters" }
    public static var description: String { "Adds trips to the caller's log. Trips that the log already has are skipped." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("trips", [LoggedTrip].self, "The trips, in any order.", in: 0...100, default: [])
        builder.member("folded", FoldedTrips?.self, "Sums of older trips from an export. They are added only to a log without trips.")
    }
}

extension RejectedTrip {
    public init(index: Int, member: String, message: String, _: Void = ()) {
        self.init(index: index, member: member, message: message)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.index = try members.required("index")
        self.member = try members.required("member")
        self.message = try members.required("message")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("index", self.index)
        writer.member("member", self.member)
        writer.member("message", self.message)
        writer.endObject()
    }

    public static var schemaName: String { "RejectedTrip" }
    public static var description: String { "A trip that was not imported." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("index", Int.self, "The position of the trip in the request, counted from 0.")
        builder.member("member", String.self, "The member that is not valid.")
        builder.member("message", String.self, "Why the trip was not imported, as a sentence.")
    }
}

extension TakenImportResult: HasNotices {
    public init(
        at: Timestamp, added: Int, known: Int, rejected: [RejectedTrip] = [], restored: Bool? = nil, alongTrip: Int = 0,
        straightLine: Int = 0, unmeasured: Int = 0, notices: [Notice] = [], _: Void = ()
    ) {
        self.init(
            at: at, added: added, known: known, rejected: rejected, restored: restored, alongTrip: alongTrip,
            straightLine: straightLine, unmeasured: unmeasured, notices: notices
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.added = try members.required("added")
        self.known = try members.required("known")
        self.rejected = try members.optional("rejected", default: [])
        self.restored = try members.optional("restored")
        self.alongTrip = try members.optional("along_trip", default: 0)
        self.straightLine = try members.optional("straight_line", default: 0)
        self.unmeasured = try members.optional("unmeasured", default: 0)
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("added", self.added)
        writer.member("known", self.known)
        writer.member("rejected", self.rejected)
        writer.member("restored", self.restored)
        writer.member("along_trip", self.alongTrip)
        writer.member("straight_line", self.straightLine)
        writer.member("unmeasured", self.unmeasured)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "TakenImportResult" }
    public static var description: String { "The result of an import." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("added", Int.self, "The number of new trips.")
        builder.member("known", Int.self, "The number of trips that the log already had.")
        builder.member("rejected", [RejectedTrip].self, "The trips that were not imported.", default: [])
        builder.member("restored", Bool?.self, "Whether the sums of older trips were added; null when the request has none.")
        builder.member("along_trip", Int.self, "The number of new trips without a distance that was computed along the trip in the timetable.", default: 0)
        builder.member("straight_line", Int.self, "The number of new trips without a distance that was computed in straight lines, because the trip has no shape or is not in the timetable.", default: 0)
        builder.member("unmeasured", Int.self, "The number of new trips whose distance is unknown.", default: 0)
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
