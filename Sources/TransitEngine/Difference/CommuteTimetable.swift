public import TransitModel

/// The part of a feed version that is relevant to one commute. It contains only identifiers that are stable between
/// versions.
public struct CommuteTimetable: Sendable {
    /// A trip from the last call where riders may board to the first call where they may alight.
    public struct CommuteTrip: Hashable, Sendable {
        public var route: RouteID
        public var board: StopID
        public var alight: StopID
        /// Service times. For a trip that frequencies.txt repeats, the times of its first instance.
        public var departure: ServiceTime
        public var arrival: ServiceTime
        /// The frequencies, if frequencies.txt repeats the trip.
        public var frequencies: [FrequencyRow]
        /// The compared dates on which the trip runs, as returned by ``ComparedDates/running(_:)``.
        public var dates: UInt64

        public init(
            route: RouteID, board: StopID, alight: StopID, departure: ServiceTime, arrival: ServiceTime,
            frequencies: [FrequencyRow] = [], dates: UInt64
        ) {
            self.route = route
            self.board = board
            self.alight = alight
            self.departure = departure
            self.arrival = arrival
            self.frequencies = frequencies
            self.dates = dates
        }
    }

    /// A row of frequencies.txt without its `trip_id`.
    public struct FrequencyRow: Hashable, Sendable {
        public var start: ServiceTime
        public var end: ServiceTime
        /// In seconds.
        public var headway: Int

        public init(start: ServiceTime, end: ServiceTime, headway: Int) {
            self.start = start
            self.end = end
            self.headway = headway
        }
    }

    /// A stop with its station's identifier.
    public struct CommuteStop: Hashable, Sendable {
        public var stop: Stop
        public var parent: StopID?

        public init(_ stop: Stop, parent: StopID?) {
            self.stop = stop
            self.stop.parent = nil
            self.parent = parent
        }
    }

    public var stops: [StopID: CommuteStop]
    public var routes: [RouteID: Route]
    public var trips: [TripID: CommuteTrip]

    public init(stops: [StopID: CommuteStop] = [:], routes: [RouteID: Route] = [:], trips: [TripID: CommuteTrip] = [:])
    {
        self.stops = stops
        self.routes = routes
        self.trips = trips
    }

    /// Adds a stop at either end of the commute.
    public mutating func add(_ stop: Stop, parent: StopID?) { stops[stop.id] = CommuteStop(stop, parent: parent) }

    /// Adds the trips of a pattern that lead from an origin to a destination on one of the compared dates, and their
    /// route. Adds nothing if there are no such trips.
    ///
    /// - Parameters:
    ///   - running: the result of ``ComparedDates/running(_:)`` for each service.
    ///   - stopID: returns the identifier of a stop at either end.
    ///   - tripID: returns the identifier of a trip of the pattern.
    public mutating func add<Failure: Error>(
        _ pattern: Pattern, route: Route, origins: Set<StopIndex>, destinations: Set<StopIndex>, running: [UInt64],
        stopID: (StopIndex) throws(Failure) -> StopID, tripID: (TripIndex) throws(Failure) -> TripID
    ) throws(Failure) {
        guard let ends = Self.ends(of: pattern, origins: origins, destinations: destinations) else { return }
        let board = try stopID(pattern.calls[ends.board].stop)
        let alight = try stopID(pattern.calls[ends.alight].stop)
        for timingGroup in pattern.timingGroups {
            let (departure, arrival) = (timingGroup.times[ends.board].departure, timingGroup.times[ends.alight].arrival)
            for position in timingGroup.starts.indices {
                let service = timingGroup.services[position].position
                let dates = running.indices.contains(service) ? running[service] : 0
                if dates == 0 { continue }
                let rows = timingGroup.frequencies.filter { Int($0.trip) == position }
                let start = rows.first?.start ?? timingGroup.starts[position]
                routes[route.id] = route
                trips[try tripID(timingGroup.trip(position))] = CommuteTrip(
                    route: route.id, board: board, alight: alight, departure: ServiceTime(seconds: start + departure),
                    arrival: ServiceTime(seconds: start + arrival),
                    frequencies: rows.map { FrequencyRow($0, at: departure) },
                    dates: dates)
            }
        }
    }

    private static func ends(
        of pattern: Pattern, origins: Set<StopIndex>, destinations: Set<StopIndex>
    ) -> (board: Int, alight: Int)? {
        var board: Int?
        for (position, call) in pattern.calls.enumerated() {
            if let board, call.dropOff != .none, destinations.contains(call.stop) { return (board, position) }
            if call.pickup != .none, origins.contains(call.stop) { board = position }
        }
        return nil
    }
}

extension CommuteTimetable.FrequencyRow {
    fileprivate init(_ row: Frequency, at departure: Int32) {
        self.init(
            start: ServiceTime(seconds: row.start + departure), end: ServiceTime(seconds: row.end + departure),
            headway: Int(row.headway))
    }
}
