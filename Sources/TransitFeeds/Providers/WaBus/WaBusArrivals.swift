internal import TransitModel

/// The departures at a stop in the server's timetable, fetched on demand.
///
/// A response is the schedule of one stop on one service date, so its departures are ``TripUpdateBasis/planned``.
/// Updates contain the identifiers of their trips. Updates for one trip at several stops are merged by trip and date.
struct WaBusArrivals: ArrivalsSource {
    private let urls: WaBusURLs

    init(_ urls: WaBusURLs) { self.urls = urls }

    var policy: ArrivalsPolicy {
        ArrivalsPolicy(
            batch: 5, batchSpacing: 500, cooldown: 5, lifetime: 300, refusalLifetime: 3600,
            plannedTimesLifetime: Self.plannedTimesLifetime)
    }

    /// The schedule of a service date can be requested the evening before. It stays valid until its last trip has
    /// ended, 30 hours after the date begins.
    private static let plannedTimesLifetime = 36 * 3600

    /// The server has the timetable for every date (`?date=`) and publishes a new timetable every few days.
    let horizon = 7 * 86_400

    let hasTripIDs = true
    var stopRoutes: (any StopRoutesSource)? { WaBusStopRoutes() }

    func lifetime(of query: ArrivalsQuery) -> Int {
        WaBusStopRoutes.stop(query) == nil ? policy.lifetime : WaBusStopRoutes.lifetime
    }

    /// The schedule of a stop contains all its lines, so the variants do not matter.
    ///
    /// Before 06:00, yesterday's trips are still running, with times past 24:00. After 18:00, users look for the
    /// departures of the next morning.
    func queries(at stop: StopID, for variants: [RouteVariant], now: Instant) -> [ArrivalsQuery] {
        let (today, second) = WaBusTime.zone.civil(at: now)
        var days = [today]
        if second < 6 * 3600 { days.insert(today.advanced(by: -1), at: 0) }
        if second >= 18 * 3600 { days.append(today.advanced(by: 1)) }
        return days.map { Self.query(stop, $0) }
    }

    static func query(_ stop: StopID, _ date: ServiceDate) -> ArrivalsQuery { ArrivalsQuery("\(date) \(stop)") }

    /// The date and the stop of a query.
    private static func parts(_ query: ArrivalsQuery) -> (date: ServiceDate, stop: StopID)? {
        let text = query.description
        guard let blank = text.firstIndex(of: " "), let date = ServiceDate(iso8601: String(text[..<blank])) else {
            return nil
        }
        return (date, StopID(String(text[text.index(after: blank)...])))
    }

    func request(for query: ArrivalsQuery) -> UpstreamRequest {
        if let stop = WaBusStopRoutes.stop(query) { return urls.lines(ofStop: stop.rawValue) }
        // Unreachable, because this source creates all of its queries; the server would return 404.
        guard let (date, stop) = Self.parts(query) else {
            return urls.schedule(ofStop: query.description, on: "")
        }
        return urls.schedule(ofStop: stop.rawValue, on: "\(date)")
    }

    func message(
        _ body: [UInt8], of query: ArrivalsQuery, received: Instant
    ) throws(FeedError) -> DecodedMessage {
        if WaBusStopRoutes.stop(query) != nil {
            // The response has no departures. Parsing it here only checks that it is valid.
            _ = try WaBusStopRoutes().routes(body)
            return DecodedMessage(header: RealtimeHeader(incrementality: .differential))
        }
        guard let (date, stop) = Self.parts(query) else { throw WaBusResponse.missing("date") }
        return try WaBusSchedule(stop: stop, date: date, received: received).message(body)
    }
}

/// Parses `/v1/stops/{id}/schedule?date=`: the calls at a stop on one service date.
///
///     {"stop_times": [{"trip_id": "…", "route_id": "175", "line": "175", "headsign": "Lotnisko Chopina",
///       "arrival_time": "25:30:00", "departure_time": "25:30:00", "stop_sequence": 7}], "count": 1, "server_time": "…"}

private struct WaBusSchedule {
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

/// `/v1/stops/{id}/lines`: the lines that call at a stop. For most stops, `/v1/sync` and the stops of each line contain
/// the same information. This response also includes lines that the server omits from those lists, or that were added
/// after the network was collected.
///
///     {"lines": [{"route_id": "175", "line": "175", "long_name": "…", "type": 3, "color": "B60000",
///       "headsigns": ["Lotnisko Chopina"]}], "count": 1, "server_time": "…"}

private struct WaBusStopRoutes: StopRoutesSource {
    /// How long a response stays fresh, in seconds.
    static let lifetime = 600
    private static let prefix = "lines "

    func query(at stop: StopID) -> ArrivalsQuery { ArrivalsQuery(Self.prefix + stop.rawValue) }

    /// The stop of a query; `nil` for another kind of query.
    static func stop(_ query: ArrivalsQuery) -> StopID? {
        guard query.description.hasPrefix(prefix) else { return nil }
        return StopID(String(query.description.dropFirst(prefix.count)))
    }

    func routes(_ body: [UInt8]) throws(FeedError) -> [Route] {
        try WaBusList.read(body, of: "lines") { (json, _) throws(MalformedMessageError) -> Route? in
            var row = WaBusRow()
            guard try row.read(&json), let id = row.texts["routeid"] ?? row.texts["line"] else { return nil }
            return Route(
                id: RouteID(id), agency: AgencyIndex(0), shortName: row.texts["line"], longName: row.texts["longname"],
                type: row.texts["type"].flatMap { Int($0) }.flatMap { FieldValue.isRouteType($0) ? $0 : nil }
                    ?? WaBusSync.bus,
                color: row.texts["color"].flatMap { text in
                    Array(text.utf8).withUnsafeBufferPointer(FieldValue.color)
                })
        }.elements
    }
}
