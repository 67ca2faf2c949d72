internal import TransitEngine
internal import TransitModel

/// A small timetable in Berlin with realtime data, by default at 06:10 on 10 June 2026.
struct RealtimeScenario {
    let zone: ServiceZone
    var timetable = SmallTimetable()
    var parents: [Int: Int] = [:]
    var now = instant("2026-06-10T06:10:00+02:00")
    var policy = FreshnessPolicy()

    init(_ zone: ServiceZone) { self.zone = zone }

    var table: InMemoryTimetable {
        var table = InMemoryTimetable(timetable, zone)
        table.parents = parents
        return table
    }

    func dataset(
        _ entities: [RealtimeEntity], header: RealtimeHeader? = nil, previous: RealtimeDataset? = nil,
        matcher: TripMatcher? = nil
    ) throws -> RealtimeDataset {
        var builder = RealtimeDatasetBuilder(
            header: header ?? RealtimeHeader(version: "2.0", timestamp: now), received: now,
            matcher: matcher ?? TripMatcher(table), previous: previous)
        for entity in entities { try builder.apply(entity) }
        return try builder.finish()
    }

    func realtime(_ entities: [RealtimeEntity]) throws -> RealtimeDatasets {
        RealtimeDatasets(tripUpdates: try dataset(entities), tripUpdatePolicy: policy)
    }

    func departures(
        _ stop: Int, _ realtime: RealtimeDatasets?, at: String? = nil, count: Int = 3
    ) -> [ExpectedCall] {
        DepartureBoard.departures(
            visits: timetable.visits(stop), stops: [StopIndex(stop)], context: timetable.context(zone),
            realtime: realtime,
            now: now, at: at.map(instant) ?? now, count: count)
    }

    /// Departures as `scheduled>expected status source confidence`, with times as `HH:MM` in the time zone.
    func board(_ stop: Int, _ realtime: RealtimeDatasets?, at: String? = nil, count: Int = 3) -> [String] {
        departures(stop, realtime, at: at, count: count).map(line)
    }

    func line(_ call: ExpectedCall) -> String {
        "\(clock(call.scheduledDeparture))>\(clock(call.expectedDeparture)) \(call.status) \(call.source) \(call.confidence)"
    }

    func clock(_ moment: Instant?) -> String {
        guard let moment else { return "-" }
        let text = zone.rfc3339(moment).dropFirst(11)
        return String(text.dropFirst(6).prefix(2) == "00" ? text.prefix(5) : text.prefix(8))
    }

    /// The delay of each call of a trip on a date; `nil` if unknown.
    func delays(_ realtime: RealtimeDatasets, trip: Int, on date: String = "2026-06-10") throws -> [Int?] {
        let dataset = realtime.tripUpdates
        let date = ServiceDate(iso8601: date)
        let instance = dataset?.trips.first { $0.key.trip.position == trip && $0.key.serviceDate == date }
        guard let dataset, let instance, let projection = table.projection(of: TripIndex(trip)) else { return [] }
        return zip(dataset.calls(of: instance), projection.pattern.timingGroups[projection.timingGroup].times).map {
            call, times in
            call.isExpected ? Int(call.departure - times.departure) : nil
        }
    }
}

extension RealtimeEntity {
    /// An update of trip "t…" whose entity has the same identifier.
    static func update(
        _ trip: Int, _ updates: [StopTimeUpdate] = [], date: String? = nil, start: String? = nil,
        relationship: TripScheduleRelationship = .scheduled, delay: Int32? = nil, measured: Instant? = nil,
        properties: TripProperties? = nil, route: String? = nil, entity: EntityID? = nil
    ) -> RealtimeEntity {
        .tripUpdate(
            TripUpdate(
                id: entity ?? EntityID("e\(trip)"),
                trip: TripDescriptor(
                    tripID: TripID("t\(trip)"), routeID: route.map { RouteID($0) },
                    startTime: start.map { ServiceTime(seconds: seconds($0)) },
                    startDate: date.flatMap { ServiceDate(iso8601: $0) }, relationship: relationship),
                updates: updates, timestamp: measured, delay: delay, properties: properties))
    }
}

extension StopTimeUpdate {
    static func late(_ sequence: UInt32, _ delay: Int32) -> StopTimeUpdate {
        StopTimeUpdate(sequence: sequence, arrival: StopTimeEvent(delay: delay), departure: StopTimeEvent(delay: delay))
    }

    static func at(_ sequence: UInt32, _ time: String) -> StopTimeUpdate {
        StopTimeUpdate(sequence: sequence, departure: StopTimeEvent(time: instant(time)))
    }

    static func at(stop: String, _ time: String) -> StopTimeUpdate {
        StopTimeUpdate(stopID: StopID(stop), departure: StopTimeEvent(time: instant(time)))
    }

    static func said(_ sequence: UInt32, _ relationship: StopScheduleRelationship) -> StopTimeUpdate {
        StopTimeUpdate(sequence: sequence, relationship: relationship)
    }
}
