// Generated from Sources/TransitControl/Messages/Vehicles.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension VehiclesParameters {
    public init(
        feed: FeedID? = nil, route: String? = nil, stop: String? = nil, trip: String? = nil, count: Int = 100,
        cursor: String? = nil, language: String? = nil, _: Void = ()
    ) {
        self.init(feed: feed, route: route, stop: stop, trip: trip, count: count, cursor: cursor, language: language)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.optional("feed", in: 1...64)
        self.route = try members.optional("route", in: 1...300)
        self.stop = try members.optional("stop", in: 1...300)
        self.trip = try members.optional("trip", in: 1...300)
        self.count = try members.optional("count", in: 1...500, default: 100)
        self.cursor = try members.optional("cursor", in: 1...300)
        self.language = try members.optional("language", in: 1...35)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if self.feed != nil { writer.member("feed", self.feed) }
        if self.route != nil { writer.member("route", self.route) }
        if self.stop != nil { writer.member("stop", self.stop) }
        if self.trip != nil { writer.member("trip", self.trip) }
        if self.count != 100 { writer.member("count", self.count) }
        if self.cursor != nil { writer.member("cursor", self.cursor) }
        if self.language != nil { writer.member("language", self.language) }
        writer.endObject()
    }

    public static var schemaName: String { "VehiclesParameters" }
    public static var description: String { "Lists the vehicles that report their positions." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID?.self, "Limits the result to this feed.", in: 1...64)
        builder.member("route", String?.self, "Limits the result to this route, given by identifier or name.", in: 1...300)
        builder.member("stop", String?.self, "Limits the result to vehicles on their way to this stop.", in: 1...300)
        builder.member("trip", String?.self, "Limits the result to this trip, given as `FEED:TRIP_ID`, a trip ID, or a departure's `id`.", in: 1...300)
        builder.member("count", Int.self, "The maximum number of vehicles.", in: 1...500, default: 100)
        builder.member("cursor", String?.self, "The `next_cursor` of the previous page; omit it for the first page.", in: 1...300)
        builder.member("language", String?.self, "The language for texts, as an IETF BCP 47 language tag such as \"de\". Texts are translated only if the feed has translations.", in: 1...35)
    }
}

extension VehicleSummary {
    public init(
        feed: FeedID, id: String? = nil, label: String? = nil, trip: TripID? = nil, isMatched: Bool,
        serviceDate: ServiceDate? = nil, route: RouteSummary? = nil, headsign: String? = nil, directionId: Int? = nil,
        position: Position? = nil, bearing: Double? = nil, speed: Double? = nil, status: VehicleStatus? = nil,
        stop: CallStop? = nil, stopsAway: Int? = nil, occupancy: OccupancyLevel? = nil, occupancyPercentage: Int? = nil,
        delay: Int? = nil, timestamp: Timestamp? = nil, age: Int? = nil,
        noDepartureReason: VehicleExclusionReason? = nil, _: Void = ()
    ) {
        self.init(
            feed: feed, id: id, label: label, trip: trip, isMatched: isMatched, serviceDate: serviceDate, route: route,
            headsign: headsign, directionId: directionId, position: position, bearing: bearing, speed: speed,
            status: status, stop: stop, stopsAway: stopsAway, occupancy: occupancy,
            occupancyPercentage: occupancyPercentage, delay: delay, timestamp: timestamp, age: age,
            noDepartureReason: noDepartureReason
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.required("feed")
        self.id = try members.optional("id")
        self.label = try members.optional("label")
        self.trip = try members.optional("trip")
        self.isMatched = try members.required("is_matched")
        self.serviceDate = try members.optional("service_date")
        self.route = try members.optional("route")
        self.headsign = try members.optional("headsign")
        self.directionId = try members.optional("direction_id")
        self.position = try members.optional("position")
        self.bearing = try members.optional("bearing")
        self.speed = try members.optional("speed")
        self.status = try members.optional("status")
        self.stop = try members.optional("stop")
        self.stopsAway = try members.optional("stops_away")
        self.occupancy = try members.optional("occupancy")
        self.occupancyPercentage = try members.optional("occupancy_percentage")
        self.delay = try members.optional("delay")
        self.timestamp = try members.optional("timestamp")
        self.age = try members.optional("age")
        self.noDepartureReason = try members.optional("no_departure_reason")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("feed", self.feed)
        writer.member("id", self.id)
        writer.member("label", self.label)
        writer.member("trip", self.trip)
        writer.member("is_matched", self.isMatched)
        writer.member("service_date", self.serviceDate)
        writer.member("route", self.route)
        writer.member("headsign", self.headsign)
        writer.member("direction_id", self.directionId)
        writer.member("position", self.position)
        writer.member("bearing", self.bearing)
        writer.member("speed", self.speed)
        writer.member("status", self.status)
        writer.member("stop", self.stop)
        writer.member("stops_away", self.stopsAway)
        writer.member("occupancy", self.occupancy)
        writer.member("occupancy_percentage", self.occupancyPercentage)
        writer.member("delay", self.delay)
        writer.member("timestamp", self.timestamp)
        writer.member("age", self.age)
        writer.member("no_departure_reason", self.noDepartureReason)
        writer.endObject()
    }

    public static var schemaName: String { "VehicleSummary" }
    public static var description: String { "A vehicle that reports its position." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID.self, "The feed of the vehicle.")
        builder.member("id", String?.self, "The publisher's identifier of the vehicle.")
        builder.member("label", String?.self, "The label visible on the vehicle.")
        builder.member("trip", TripID?.self, "The trip that the vehicle runs.")
        builder.member("is_matched", Bool.self, "Whether the trip is in the timetable.")
        builder.member("service_date", ServiceDate?.self, "The trip's service date.")
        builder.member("route", RouteSummary?.self, "The trip's route.")
        builder.member("headsign", String?.self, "The destination shown on the vehicle.")
        builder.member("direction_id", Int?.self, "The direction (`direction_id`), 0 or 1.")
        builder.member("position", Position?.self, "The coordinates.")
        builder.member("bearing", Double?.self, "The heading, clockwise from north.", unit: .degrees)
        builder.member("speed", Double?.self, "The speed, in meters per second.")
        builder.member("status", VehicleStatus?.self, "The vehicle's position relative to `stop`. More values may be added.")
        builder.member("stop", CallStop?.self, "The next stop.")
        builder.member("stops_away", Int?.self, "The number of calls between the vehicle and the requested stop; null when no stop was requested.")
        builder.member("occupancy", OccupancyLevel?.self, "How full the vehicle is. More values may be added.")
        builder.member("occupancy_percentage", Int?.self, "The occupancy in percent; over 100 when the load exceeds the rated capacity.", unit: .percent)
        builder.member("delay", Int?.self, "The delay of the trip; negative when early.", unit: .seconds)
        builder.member("timestamp", Timestamp?.self, "When the position was measured.")
        builder.member("age", Int?.self, "The age of the position.", unit: .seconds)
        builder.member("no_departure_reason", VehicleExclusionReason?.self, "In a feed without stop times, the reason why the vehicle yields no departure. no_trip: it reports no trip; unknown_trip: its trip is not in the timetable; no_position: it reports no position; no_timestamp: its position has no timestamp; stale: its position is too old; parked: it has not moved for an hour; unknown_path: the path of its trip is unknown; off_route: it is far from the path of its trip; at_last_stop: it has reached its last stop. Null for a vehicle that yields a departure. More values may be added.")
    }
}

extension VehiclesResult: HasNotices {
    public init(
        at: Timestamp, vehicles: [VehicleSummary], nextCursor: String? = nil, notices: [Notice] = [], _: Void = ()
    ) {
        self.init(at: at, vehicles: vehicles, nextCursor: nextCursor, notices: notices)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.vehicles = try members.array("vehicles")
        self.nextCursor = try members.optional("next_cursor")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("vehicles", self.vehicles)
        writer.member("next_cursor", self.nextCursor)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "VehiclesResult" }
    public static var description: String { "The vehicles that report their positions." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("vehicles", [VehicleSummary].self, "Sorted by feed and route, or by distance when a stop was requested.")
        builder.member("next_cursor", String?.self, "The `cursor` of the next page; null on the last page.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
