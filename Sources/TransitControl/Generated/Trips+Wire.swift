// Generated from Sources/TransitControl/Messages/Trips.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension TripSummary {
    public init(
        id: TripID, shortName: String? = nil, headsign: String? = nil, scheduledHeadsign: String? = nil,
        block: String? = nil, service: ServiceID, wheelchair: AccessibilityLevel, bikes: AccessibilityLevel,
        directionId: Int? = nil, _: Void = ()
    ) {
        self.init(
            id: id, shortName: shortName, headsign: headsign, scheduledHeadsign: scheduledHeadsign, block: block,
            service: service, wheelchair: wheelchair, bikes: bikes, directionId: directionId
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.id = try members.required("id")
        self.shortName = try members.optional("short_name")
        self.headsign = try members.optional("headsign")
        self.scheduledHeadsign = try members.optional("scheduled_headsign")
        self.block = try members.optional("block")
        self.service = try members.required("service")
        self.wheelchair = try members.required("wheelchair")
        self.bikes = try members.required("bikes")
        self.directionId = try members.optional("direction_id")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", self.id)
        writer.member("short_name", self.shortName)
        writer.member("headsign", self.headsign)
        writer.member("scheduled_headsign", self.scheduledHeadsign)
        writer.member("block", self.block)
        writer.member("service", self.service)
        writer.member("wheelchair", self.wheelchair)
        writer.member("bikes", self.bikes)
        writer.member("direction_id", self.directionId)
        writer.endObject()
    }

    public static var schemaName: String { "TripSummary" }
    public static var description: String { "A trip in the timetable, or a trip that realtime data adds." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("id", TripID.self, "The trip's identifier (`trip_id`).")
        builder.member("short_name", String?.self, "The number by which riders know the trip, such as a train number.")
        builder.member("headsign", String?.self, "The destination shown on the vehicle or, if the trip skips its last stops, the last stop that it serves.")
        builder.member("scheduled_headsign", String?.self, "The destination shown on the vehicle, if the trip ends before it; null otherwise.")
        builder.member("block", String?.self, "The block (`block_id`): trips that one vehicle runs in succession.")
        builder.member("service", ServiceID.self, "The service (`service_id`).")
        builder.member("wheelchair", AccessibilityLevel.self, "Whether the vehicle accommodates wheelchairs.")
        builder.member("bikes", AccessibilityLevel.self, "Whether the vehicle accommodates bicycles.")
        builder.member("direction_id", Int?.self, "The direction (`direction_id`), 0 or 1.")
    }
}

extension TripCall {
    public init(
        sequence: Int, stop: CallStop, arrival: Timestamp? = nil, departure: Timestamp? = nil,
        expectedArrival: Timestamp? = nil, expectedDeparture: Timestamp? = nil, delay: Int? = nil,
        uncertainty: Int? = nil, status: DepartureStatus = .scheduled, source: DepartureSource = .scheduled,
        scheduledStop: CallStop? = nil, isApproximate: Bool, pickup: Boarding, dropOff: Boarding,
        headsign: String? = nil, _: Void = ()
    ) {
        self.init(
            sequence: sequence, stop: stop, arrival: arrival, departure: departure, expectedArrival: expectedArrival,
            expectedDeparture: expectedDeparture, delay: delay, uncertainty: uncertainty, status: status,
            source: source, scheduledStop: scheduledStop, isApproximate: isApproximate, pickup: pickup,
            dropOff: dropOff, headsign: headsign
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.sequence = try members.required("sequence")
        self.stop = try members.required("stop")
        self.arrival = try members.optional("arrival")
        self.departure = try members.optional("departure")
        self.expectedArrival = try members.optional("expected_arrival")
        self.expectedDeparture = try members.optional("expected_departure")
        self.delay = try members.optional("delay")
        self.uncertainty = try members.optional("uncertainty")
        self.status = try members.optional("status", default: .scheduled)
        self.source = try members.optional("source", default: .scheduled)
        self.scheduledStop = try members.optional("scheduled_stop")
        self.isApproximate = try members.required("is_approximate")
        self.pickup = try members.required("pickup")
        self.dropOff = try members.required("drop_off")
        self.headsign = try members.optional("headsign")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("sequence", self.sequence)
        writer.member("stop", self.stop)
        writer.member("arrival", self.arrival)
        writer.member("departure", self.departure)
        writer.member("expected_arrival", self.expectedArrival)
        writer.member("expected_departure", self.expectedDeparture)
        writer.member("delay", self.delay)
        writer.member("uncertainty", self.uncertainty)
        writer.member("status", self.status)
        writer.member("source", self.source)
        writer.member("scheduled_stop", self.scheduledStop)
        writer.member("is_approximate", self.isApproximate)
        writer.member("pickup", self.pickup)
        writer.member("drop_off", self.dropOff)
        writer.member("headsign", self.headsign)
        writer.endObject()
    }

    public static var schemaName: String { "TripCall" }
    public static var description: String { "A call of a trip at a stop." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("sequence", Int.self, "The position of the call in the trip (`stop_sequence`).")
        builder.member("stop", CallStop.self, "The stop.")
        builder.member("arrival", Timestamp?.self, "The arrival in the timetable; null when the trip is not in the timetable.")
        builder.member("departure", Timestamp?.self, "The departure in the timetable; null when the trip is not in the timetable.")
        builder.member("expected_arrival", Timestamp?.self, "The predicted or actual arrival.")
        builder.member("expected_departure", Timestamp?.self, "The predicted or actual departure.")
        builder.member("delay", Int?.self, "The delay; negative when early, null when unknown.", unit: .seconds)
        builder.member("uncertainty", Int?.self, "The uncertainty of the expected times.", unit: .seconds)
        builder.member("status", DepartureStatus.self, "The status of the call. More values may be added.", default: .scheduled)
        builder.member("source", DepartureSource.self, "The source of the times, as in a departure.", default: .scheduled)
        builder.member("scheduled_stop", CallStop?.self, "The stop in the timetable, if the vehicle calls at another stop instead.")
        builder.member("is_approximate", Bool.self, "Whether the times in the timetable are approximate.")
        builder.member("pickup", Boarding.self, "Whether and how riders can board.")
        builder.member("drop_off", Boarding.self, "Whether and how riders can get off.")
        builder.member("headsign", String?.self, "The destination shown at this stop, if it differs from the trip's.")
    }
}

extension TripShowParameters {
    public init(trip: String, feed: FeedID? = nil, date: ServiceDate? = nil, language: String? = nil, _: Void = ()) {
        self.init(trip: trip, feed: feed, date: date, language: language)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.trip = try members.required("trip", in: 1...300)
        self.feed = try members.optional("feed")
        self.date = try members.optional("date")
        self.language = try members.optional("language", in: 1...35)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("trip", self.trip)
        if self.feed != nil { writer.member("feed", self.feed) }
        if self.date != nil { writer.member("date", self.date) }
        if self.language != nil { writer.member("language", self.language) }
        writer.endObject()
    }

    public static var schemaName: String { "TripShowParameters" }
    public static var description: String { "Returns a trip with its calls on a service date." }

    public static let memberNames = SchemaBuilder.memberNames(of: Self.self)

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("trip", String.self, "The trip: `FEED:TRIP_ID`, a trip ID, a departure's `id`, or a description of a departure, in the format of `departure` in `explain`.", in: 1...300)
        builder.member("feed", FeedID?.self, "Limits the search to this feed.")
        builder.member("date", ServiceDate?.self, "The service date. The default is the date of the trip's current or next run.")
        builder.member("language", String?.self, "The language for names, as an IETF BCP 47 language tag such as \"de\". Names are translated only if the feed has translations.txt.", in: 1...35)
    }
}

extension TripShowResult: HasNotices {
    public init(
        at: Timestamp, feed: FeedID, trip: TripSummary, route: RouteSummary, serviceDate: ServiceDate, runs: Bool,
        status: DepartureStatus = .scheduled, source: DepartureSource = .scheduled, confidence: Confidence? = nil,
        realtimeState: RealtimeState = .notExpected, age: Int? = nil, vehicle: DepartureVehicle? = nil,
        alerts: [String] = [], headway: Headway? = nil, calls: [TripCall], notices: [Notice] = [], _: Void = ()
    ) {
        self.init(
            at: at, feed: feed, trip: trip, route: route, serviceDate: serviceDate, runs: runs, status: status,
            source: source, confidence: confidence, realtimeState: realtimeState, age: age, vehicle: vehicle,
            alerts: alerts, headway: headway, calls: calls, notices: notices
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.at = try members.required("at")
        self.feed = try members.required("feed")
        self.trip = try members.required("trip")
        self.route = try members.required("route")
        self.serviceDate = try members.required("service_date")
        self.runs = try members.required("runs")
        self.status = try members.optional("status", default: .scheduled)
        self.source = try members.optional("source", default: .scheduled)
        self.confidence = try members.optional("confidence")
        self.realtimeState = try members.optional("realtime_state", default: .notExpected)
        self.age = try members.optional("age")
        self.vehicle = try members.optional("vehicle")
        self.alerts = try members.optional("alerts", default: [])
        self.headway = try members.optional("headway")
        self.calls = try members.array("calls")
        self.notices = try members.optional("notices", default: [])
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("at", self.at)
        writer.member("feed", self.feed)
        writer.member("trip", self.trip)
        writer.member("route", self.route)
        writer.member("service_date", self.serviceDate)
        writer.member("runs", self.runs)
        writer.member("status", self.status)
        writer.member("source", self.source)
        writer.member("confidence", self.confidence)
        writer.member("realtime_state", self.realtimeState)
        writer.member("age", self.age)
        writer.member("vehicle", self.vehicle)
        writer.member("alerts", self.alerts)
        writer.member("headway", self.headway)
        writer.member("calls", self.calls)
        writer.member("notices", self.notices)
        writer.endObject()
    }

    public static var schemaName: String { "TripShowResult" }
    public static var description: String { "A trip on a service date." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("at", Timestamp.self, "When the result was produced.")
        builder.member("feed", FeedID.self, "The feed of the trip.")
        builder.member("trip", TripSummary.self, "The trip.")
        builder.member("route", RouteSummary.self, "The route.")
        builder.member("service_date", ServiceDate.self, "The service date of the calls.")
        builder.member("runs", Bool.self, "Whether the trip runs on that date according to the timetable.")
        builder.member("status", DepartureStatus.self, "The status of the trip, as in a departure.", default: .scheduled)
        builder.member("source", DepartureSource.self, "The source of the expected times.", default: .scheduled)
        builder.member("confidence", Confidence?.self, "How reliable the expected times are.")
        builder.member("realtime_state", RealtimeState.self, "The state of the trip's realtime data, as in a departure.", default: .notExpected)
        builder.member("age", Int?.self, "The age of the data behind the expected times.", unit: .seconds)
        builder.member("vehicle", DepartureVehicle?.self, "The vehicle that runs the trip; null when unknown.")
        builder.member("alerts", [String].self, "The `id` of each alert that affects the trip.", default: [])
        builder.member("headway", Headway?.self, "The interval of frequency-based service. The calls are then those of a single run.")
        builder.member("calls", [TripCall].self, "The calls in the order of travel.")
        builder.member("notices", [Notice].self, "Conditions that affect the result, such as stale or missing data.", default: [])
    }
}
