// Generated from Sources/TransitControl/Messages/Departures.swift by transit-wire-generator. Do not edit; run: make generate
// swift-format-ignore-file
public import TransitModel
public import TransitWire

extension CallStop {
    public init(id: StopID, name: String, platform: String? = nil, _: Void = ()) {
        self.init(id: id, name: name, platform: platform)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.id = try members.required("id")
        self.name = try members.required("name")
        self.platform = try members.optional("platform")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", self.id)
        writer.member("name", self.name)
        writer.member("platform", self.platform)
        writer.endObject()
    }

    public static var schemaName: String { "CallStop" }
    public static var description: String { "The stop of a call." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("id", StopID.self, "The stop's identifier (`stop_id`).")
        builder.member("name", String.self, "The stop's name for riders.")
        builder.member("platform", String?.self, "The platform's number or letter.")
    }
}

extension Headway {
    public init(seconds: Int, exact: Bool, _: Void = ()) {
        self.init(seconds: seconds, exact: exact)
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.seconds = try members.required("seconds")
        self.exact = try members.required("exact")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("seconds", self.seconds)
        writer.member("exact", self.exact)
        writer.endObject()
    }

    public static var schemaName: String { "Headway" }
    public static var description: String { "Service that repeats at an interval (frequencies.txt)." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("seconds", Int.self, "The interval.", unit: .seconds)
        builder.member("exact", Bool.self, "Whether departures follow exact times; false when only the interval is given.")
    }
}

extension Arrival {
    public init(
        stop: CallStop, scheduled: Timestamp? = nil, expected: Timestamp? = nil, delay: Int? = nil,
        uncertainty: Int? = nil, status: DepartureStatus = .scheduled, scheduledStop: CallStop? = nil, walk: Int? = nil,
        dropOff: Boarding, _: Void = ()
    ) {
        self.init(
            stop: stop, scheduled: scheduled, expected: expected, delay: delay, uncertainty: uncertainty,
            status: status, scheduledStop: scheduledStop, walk: walk, dropOff: dropOff
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.stop = try members.required("stop")
        self.scheduled = try members.optional("scheduled")
        self.expected = try members.optional("expected")
        self.delay = try members.optional("delay")
        self.uncertainty = try members.optional("uncertainty")
        self.status = try members.optional("status", default: .scheduled)
        self.scheduledStop = try members.optional("scheduled_stop")
        self.walk = try members.optional("walk")
        self.dropOff = try members.required("drop_off")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("stop", self.stop)
        writer.member("scheduled", self.scheduled)
        writer.member("expected", self.expected)
        writer.member("delay", self.delay)
        writer.member("uncertainty", self.uncertainty)
        writer.member("status", self.status)
        writer.member("scheduled_stop", self.scheduledStop)
        writer.member("walk", self.walk)
        writer.member("drop_off", self.dropOff)
        writer.endObject()
    }

    public static var schemaName: String { "Arrival" }
    public static var description: String { "The arrival at the destination of a direct trip." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("stop", CallStop.self, "The stop.")
        builder.member("scheduled", Timestamp?.self, "The time in the timetable; null when the trip is not in the timetable.")
        builder.member("expected", Timestamp?.self, "The current prediction.")
        builder.member("delay", Int?.self, "The delay; negative when early, null when unknown.", unit: .seconds)
        builder.member("uncertainty", Int?.self, "The uncertainty of `expected`; null when unknown.", unit: .seconds)
        builder.member("status", DepartureStatus.self, "The status of this call; skipped when the vehicle does not stop there.", default: .scheduled)
        builder.member("scheduled_stop", CallStop?.self, "The stop in the timetable, if the vehicle calls at another stop instead.")
        builder.member("walk", Int?.self, "The walk from the stop to the destination; null when the stop is the destination.", unit: .seconds)
        builder.member("drop_off", Boarding.self, "Whether and how riders can get off.")
    }
}

extension Departure {
    public init(
        id: String, feed: FeedID, trip: TripID, tripShortName: String? = nil, serviceDate: ServiceDate,
        route: RouteSummary, headsign: String? = nil, scheduledHeadsign: String? = nil, direction: String? = nil,
        directionId: Int? = nil, stop: CallStop, scheduledStop: CallStop? = nil, scheduled: Timestamp? = nil,
        expected: Timestamp? = nil, delay: Int? = nil, uncertainty: Int? = nil, status: DepartureStatus,
        source: DepartureSource, confidence: Confidence, realtimeState: RealtimeState = .notExpected, age: Int? = nil,
        isApproximate: Bool, pickup: Boarding, headway: Headway? = nil, wheelchair: AccessibilityLevel,
        bikes: AccessibilityLevel, walk: Int? = nil, leaveBy: Timestamp? = nil, leaveIn: Int? = nil,
        vehicle: DepartureVehicle? = nil, alerts: [String] = [], remark: String? = nil,
        confirmedBy: ConfirmingDeparture? = nil, arrival: Arrival? = nil, usual: UsualDelay? = nil,
        punctuality: LearnedPunctuality? = nil, _: Void = ()
    ) {
        self.init(
            id: id, feed: feed, trip: trip, tripShortName: tripShortName, serviceDate: serviceDate, route: route,
            headsign: headsign, scheduledHeadsign: scheduledHeadsign, direction: direction, directionId: directionId,
            stop: stop, scheduledStop: scheduledStop, scheduled: scheduled, expected: expected, delay: delay,
            uncertainty: uncertainty, status: status, source: source, confidence: confidence,
            realtimeState: realtimeState, age: age, isApproximate: isApproximate, pickup: pickup, headway: headway,
            wheelchair: wheelchair, bikes: bikes, walk: walk, leaveBy: leaveBy, leaveIn: leaveIn, vehicle: vehicle,
            alerts: alerts, remark: remark, confirmedBy: confirmedBy, arrival: arrival, usual: usual,
            punctuality: punctuality
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.id = try members.required("id")
        self.feed = try members.required("feed")
        self.trip = try members.required("trip")
        self.tripShortName = try members.optional("trip_short_name")
        self.serviceDate = try members.required("service_date")
        self.route = try members.required("route")
        self.headsign = try members.optional("headsign")
        self.scheduledHeadsign = try members.optional("scheduled_headsign")
        self.direction = try members.optional("direction")
        self.directionId = try members.optional("direction_id")
        self.stop = try members.required("stop")
        self.scheduledStop = try members.optional("scheduled_stop")
        self.scheduled = try members.optional("scheduled")
        self.expected = try members.optional("expected")
        self.delay = try members.optional("delay")
        self.uncertainty = try members.optional("uncertainty")
        self.status = try members.required("status")
        self.source = try members.required("source")
        self.confidence = try members.required("confidence")
        self.realtimeState = try members.optional("realtime_state", default: .notExpected)
        self.age = try members.optional("age")
        self.isApproximate = try members.required("is_approximate")
        self.pickup = try members.required("pickup")
        self.headway = try members.optional("headway")
        self.wheelchair = try members.required("wheelchair")
        self.bikes = try members.required("bikes")
        self.walk = try members.optional("walk")
        self.leaveBy = try members.optional("leave_by")
        self.leaveIn = try members.optional("leave_in")
        self.vehicle = try members.optional("vehicle")
        self.alerts = try members.optional("alerts", default: [])
        self.remark = try members.optional("remark")
        self.confirmedBy = try members.optional("confirmed_by")
        self.arrival = try members.optional("arrival")
        self.usual = try members.optional("usual")
        self.punctuality = try members.optional("punctuality")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", self.id)
        writer.member("feed", self.feed)
        writer.member("trip", self.trip)
        writer.member("trip_short_name", self.tripShortName)
        writer.member("service_date", self.serviceDate)
        writer.member("route", self.route)
        writer.member("headsign", self.headsign)
        writer.member("scheduled_headsign", self.scheduledHeadsign)
        writer.member("direction", self.direction)
        writer.member("direction_id", self.directionId)
        writer.member("stop", self.stop)
        writer.member("scheduled_stop", self.scheduledStop)
        writer.member("scheduled", self.scheduled)
        writer.member("expected", self.expected)
        writer.member("delay", self.delay)
        writer.member("uncertainty", self.uncertainty)
        writer.member("status", self.status)
        writer.member("source", self.source)
        writer.member("confidence", self.confidence)
        writer.member("realtime_state", self.realtimeState)
        writer.member("age", self.age)
        writer.member("is_approximate", self.isApproximate)
        writer.member("pickup", self.pickup)
        writer.member("headway", self.headway)
        writer.member("wheelchair", self.wheelchair)
        writer.member("bikes", self.bikes)
        writer.member("walk", self.walk)
        writer.member("leave_by", self.leaveBy)
        writer.member("leave_in", self.leaveIn)
        writer.member("vehicle", self.vehicle)
        writer.member("alerts", self.alerts)
        writer.member("remark", self.remark)
        writer.member("confirmed_by", self.confirmedBy)
        writer.member("arrival", self.arrival)
        writer.member("usual", self.usual)
        writer.member("punctuality", self.punctuality)
        writer.endObject()
    }

    public static var schemaName: String { "Departure" }
    public static var description: String { "A departure of a trip from a stop, with the arrival if the query has a destination." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("id", String.self, "Identifies the departure. The same trip on the same date from the same stop always has the same value.")
        builder.member("feed", FeedID.self, "The feed of the departure.")
        builder.member("trip", TripID.self, "The trip's identifier (`trip_id`).")
        builder.member("trip_short_name", String?.self, "The number by which riders know the trip, such as a train number.")
        builder.member("service_date", ServiceDate.self, "The trip's service date; after midnight it is often the previous date.")
        builder.member("route", RouteSummary.self, "The route.")
        builder.member("headsign", String?.self, "The destination shown on the vehicle or, if the trip skips its last stops, the last stop that it serves.")
        builder.member("scheduled_headsign", String?.self, "The destination shown on the vehicle, if the trip ends before it; null otherwise.")
        builder.member("direction", String?.self, "The caller's direction of travel, \"home\" or \"work\"; null when unknown. For a trip that serves neither place, the direction is taken from the name or platform of the stop if that indicates a direction of travel (\"NB\", \"towards X\"). Otherwise, the direction is inferred from the place nearer to the stop: a trip from a stop near home goes to work, and vice versa, if the trip ends nearer to that destination.")
        builder.member("direction_id", Int?.self, "The direction (`direction_id`), 0 or 1.")
        builder.member("stop", CallStop.self, "The stop from which the trip is currently expected to leave.")
        builder.member("scheduled_stop", CallStop?.self, "The stop in the timetable, if the trip leaves from another one, such as another platform.")
        builder.member("scheduled", Timestamp?.self, "The time in the timetable; null when the trip is not in the timetable.")
        builder.member("expected", Timestamp?.self, "The current prediction.")
        builder.member("delay", Int?.self, "The delay; negative when early. Null means unknown, which is not \"on time\".", unit: .seconds)
        builder.member("uncertainty", Int?.self, "The uncertainty of `expected`; null when unknown. In nine of ten cases, an estimated departure is at most this much earlier or later.", unit: .seconds)
        builder.member("status", DepartureStatus.self, "The status of the departure. canceled and skipped departures are listed too; added and duplicated: trips in addition to the timetable; unscheduled: a trip of a frequency-based service without fixed times; replaced: stops or times differ from the timetable. More values may be added.")
        builder.member("source", DepartureSource.self, "The source of the time. live: predicted by the publisher; estimated: computed from the vehicle's position; scheduled: taken from the timetable, or from a plan that the publisher sends in its place.")
        builder.member("confidence", Confidence.self, "How reliable the time is.")
        builder.member("realtime_state", RealtimeState.self, "The state of the departure's realtime data. fresh: up to date; aging: older than it should be, but still used; expired: too old to rely on; missing: the feed's realtime data is fresh, but does not contain this trip although it should; not_expected: no realtime data exists, and none was expected. While a source sends no data, `status` and `expected` of an expired departure keep its last prediction, with low confidence, until the trip is over; without a predicted time, the timetable's time is used. More values may be added.", default: .notExpected)
        builder.member("age", Int?.self, "The age of the data behind the departure.", unit: .seconds)
        builder.member("is_approximate", Bool.self, "Whether the time in the timetable is approximate (`timepoint` is 0, or the time is interpolated).")
        builder.member("pickup", Boarding.self, "Whether and how riders can board.")
        builder.member("headway", Headway?.self, "The interval of frequency-based service.")
        builder.member("wheelchair", AccessibilityLevel.self, "Whether the vehicle accommodates wheelchairs.")
        builder.member("bikes", AccessibilityLevel.self, "Whether the vehicle accommodates bicycles.")
        builder.member("walk", Int?.self, "The walk to the stop; null when the query starts at the stop, or when no place of the caller is near the stop of a board.", unit: .seconds)
        builder.member("leave_by", Timestamp?.self, "When to start walking.")
        builder.member("leave_in", Int?.self, "The time from the reply until `leave_by` or, without a walk, until the departure, which is when to be at the stop; negative when it has passed. It counts from the time at which the daemon answers, even if the query names another time. A canceled departure counts at its scheduled time. Each departure has it; null only from earlier releases.", unit: .seconds)
        builder.member("vehicle", DepartureVehicle?.self, "The vehicle that runs the trip; null when unknown.")
        builder.member("alerts", [String].self, "The `id` of each alert that affects the departure; see the method `alerts`.", default: [])
        builder.member("remark", String?.self, "A remark from the operator, verbatim, such as \"Last bus\".")
        builder.member("confirmed_by", ConfirmingDeparture?.self, "The same departure in the agency's other feed, and whether the feeds agree; null when there is none.")
        builder.member("arrival", Arrival?.self, "The arrival at the destination; null when the query has none.")
        builder.member("usual", UsualDelay?.self, "When the departure usually leaves, from ten days of evidence on; null when too little is known. It never replaces `expected` or `scheduled`.")
        builder.member("punctuality", LearnedPunctuality?.self, "The distribution of the departure's delays on earlier days; null unless `punctuality` is requested.")
    }
}

extension DepartureVehicle {
    public init(
        id: String? = nil, label: String? = nil, status: VehicleStatus? = nil, stopsAway: Int? = nil,
        position: Position? = nil, occupancy: OccupancyLevel? = nil, age: Int? = nil, _: Void = ()
    ) {
        self.init(
            id: id, label: label, status: status, stopsAway: stopsAway, position: position, occupancy: occupancy,
            age: age
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.id = try members.optional("id")
        self.label = try members.optional("label")
        self.status = try members.optional("status")
        self.stopsAway = try members.optional("stops_away")
        self.position = try members.optional("position")
        self.occupancy = try members.optional("occupancy")
        self.age = try members.optional("age")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", self.id)
        writer.member("label", self.label)
        writer.member("status", self.status)
        writer.member("stops_away", self.stopsAway)
        writer.member("position", self.position)
        writer.member("occupancy", self.occupancy)
        writer.member("age", self.age)
        writer.endObject()
    }

    public static var schemaName: String { "DepartureVehicle" }
    public static var description: String { "The vehicle that runs a trip." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("id", String?.self, "The publisher's identifier of the vehicle.")
        builder.member("label", String?.self, "The label visible on the vehicle.")
        builder.member("status", VehicleStatus?.self, "The vehicle's position relative to its next stop. More values may be added.")
        builder.member("stops_away", Int?.self, "The number of calls between the vehicle and the departure's stop: 0 when the stop is the current or next one, negative when the vehicle has passed it.")
        builder.member("position", Position?.self, "The vehicle's coordinates.")
        builder.member("occupancy", OccupancyLevel?.self, "How full the vehicle is. More values may be added.")
        builder.member("age", Int?.self, "The age of the position.", unit: .seconds)
    }
}

extension ConfirmingDeparture {
    public init(
        feed: FeedID, departure: String, expected: Timestamp? = nil, source: DepartureSource, status: DepartureStatus,
        difference: Int, agrees: Bool, isUsed: Bool, _: Void = ()
    ) {
        self.init(
            feed: feed, departure: departure, expected: expected, source: source, status: status,
            difference: difference, agrees: agrees, isUsed: isUsed
        )
    }

    public init(reading value: JSONValue, as role: WireRole) throws(WireSchemaMismatch) {
        let members = try WireMembers.of(Self.self, in: value, as: role)
        self.feed = try members.required("feed")
        self.departure = try members.required("departure")
        self.expected = try members.optional("expected")
        self.source = try members.required("source")
        self.status = try members.required("status")
        self.difference = try members.required("difference")
        self.agrees = try members.required("agrees")
        self.isUsed = try members.required("is_used")
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("feed", self.feed)
        writer.member("departure", self.departure)
        writer.member("expected", self.expected)
        writer.member("source", self.source)
        writer.member("status", self.status)
        writer.member("difference", self.difference)
        writer.member("agrees", self.agrees)
        writer.member("is_used", self.isUsed)
        writer.endObject()
    }

    public static var schemaName: String { "ConfirmingDeparture" }
    public static var description: String { "The same departure in another feed of the same agency." }

    public static func describeMembers(to builder: inout SchemaBuilder) {
        builder.member("feed", FeedID.self, "The other feed.")
        builder.member("departure", String.self, "The departure's `id` in the other feed.")
        builder.member("expected", Timestamp?.self, "The departure time in the other feed.")
        builder.member("source", DepartureSource.self, "The source of that time.")
        builder.member("status", DepartureStatus.self, "The departure's status in the other feed.")
        builder.member("difference", Int.self, "The time in the other feed minus the time in the departure's own feed; negative when the other feed's time is earlier.", unit: .seconds)
        builder.member("agrees", Bool.self, "Whether the two feeds agree within three minutes. If at least one of them has current realtime data, the departure's `confidence` is raised one step. If the realtime data of both feeds contradicts each other, `confidence` is at most medium, and low if the times differ by more than ten minutes.")
        builder.member("is_used", Bool.self, "Whether the departure shows the other feed's data because that data is better; `explain` gives the reason.")
    }
}
