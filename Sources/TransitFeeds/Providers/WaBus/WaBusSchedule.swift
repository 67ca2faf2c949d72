internal import TransitModel

/// Parses `/v1/stops/{id}/schedule?date=`: the calls at a stop on one service date.
///
///     {"stop_times": [{"trip_id": "…", "route_id": "175", "line": "175", "headsign": "Lotnisko Chopina",
///       "arrival_time": "25:30:00", "departure_time": "25:30:00", "stop_sequence": 7}], "count": 1, "server_time": "…"}
struct WaBusSchedule {
    let stop: StopID
    let date: ServiceDate
    let received: Instant

    /// The number of seconds after its departure at which a call is dropped.
    private static let maximumAge = 600

    func message(_ body: [UInt8]) throws(FeedError) -> DecodedMessage {
        var problems = RealtimeProblems()
        let list = try WaBusList.read(body, of: "stop_times") {
            (json, offset) throws(MalformedMessageError) -> TripUpdate? in
            var row = WaBusRow()
            guard try row.read(&json) else {
                problems.add(.malformedEntity, .init(field: "stop_times", offset: offset))
                return nil
            }
            return update(row, offset, &problems)
        }
        let earliest = received.advanced(by: -Self.maximumAge)
        var entities: [RealtimeEntity] = []
        var known: Set<EntityID> = []
        for var update in list.elements where Self.time(update).map({ $0 >= earliest }) ?? false {
            guard known.insert(update.id).inserted else { continue }
            update.timestamp = list.serverTime
            entities.append(.tripUpdate(update))
        }
        let header = RealtimeHeader(incrementality: .differential, timestamp: list.serverTime)
        return DecodedMessage(header: header, entities: entities, problems: problems)
    }

    private static func time(_ update: TripUpdate) -> Instant? {
        update.updates.first.flatMap { $0.departure?.scheduledTime ?? $0.arrival?.scheduledTime }
    }

    private func update(_ row: WaBusRow, _ offset: Int, _ problems: inout RealtimeProblems) -> TripUpdate? {
        guard let trip = row.texts["tripid"] else {
            problems.add(.missingTrip, .init(field: "stop_times.trip_id", offset: offset))
            return nil
        }
        let arrival = time(row, "arrival_time", offset, &problems)
        let departure = time(row, "departure_time", offset, &problems)
        guard arrival ?? departure != nil else {
            if row.texts["arrivaltime"] == nil, row.texts["departuretime"] == nil {
                problems.add(.malformedEntity, .init(field: "stop_times.departure_time", offset: offset))
            }
            return nil
        }
        let sequence = row.texts["stopsequence"].flatMap { UInt32($0) }
        let call = StopTimeUpdate(
            sequence: sequence, stopID: stop, arrival: event(arrival ?? departure),
            departure: event(departure ?? arrival))
        let descriptor = TripDescriptor(
            tripID: TripID(trip), routeID: (row.texts["routeid"] ?? row.texts["line"]).map { RouteID($0) },
            startDate: date, relationship: .added)
        return TripUpdate(
            id: EntityID("\(date) \(stop) \(trip) \(sequence ?? 0)"), trip: descriptor, updates: [call],
            properties: row.texts["headsign"].map { TripProperties(headsign: $0) }, basis: .planned,
            isPartial: true)
    }

    private func event(_ time: ServiceTime?) -> StopTimeEvent? {
        time.map { StopTimeEvent(scheduledTime: WaBusTime.zone.instant(of: $0, on: date)) }
    }

    /// Parses a GTFS time, which can exceed 24:00:00.
    private func time(
        _ row: WaBusRow, _ name: String, _ offset: Int, _ problems: inout RealtimeProblems
    ) -> ServiceTime? {
        guard let text = row.texts[JSONName.fold(name)] else { return nil }
        if let time = Array(text.utf8).withUnsafeBufferPointer({ ServiceTime(gtfs: $0) }) { return time }
        problems.add(.invalidTime, .init(field: "stop_times.\(name)", offset: offset, value: String(text.prefix(32))))
        return nil
    }
}
