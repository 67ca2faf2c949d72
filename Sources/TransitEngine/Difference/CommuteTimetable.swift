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
        public var frequencies: [FrequencyRow] = []
        /// The compared dates on which the trip runs, as returned by ``ComparedDates/running(_:)``.
        public var dates: UInt64
    }

    /// A row of frequencies.txt without its `trip_id`.
    public struct FrequencyRow: Hashable, Sendable {
        public var start: ServiceTime
        public var end: ServiceTime
        /// In seconds.
        public var headway: Int
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

extension CommuteTimetable.CommuteStop {
    /// Returns the differences as phrases. A move of less than 10 m is ignored, because publishers remeasure the
    /// locations of stops.
    func differences(to new: Self) -> [String] {
        var parts: [String] = []
        if stop.name != new.stop.name { parts.append("was called \(stop.name)") }
        if stop.platform != new.stop.platform {
            parts.append("platform \(new.stop.platform ?? "none") instead of \(stop.platform ?? "none")")
        }
        if stop.code != new.stop.code {
            parts.append("code \(new.stop.code ?? "none") instead of \(stop.code ?? "none")")
        }
        switch (stop.coordinate, new.stop.coordinate) {
        case (let before?, let after?):
            let meters = before.distance(to: after)
            if meters >= 10 { parts.append("moved by \(Int(meters.rounded())) m") }
        case (nil, .some): parts.append("now has a location")
        case (.some, nil): parts.append("no longer has a location")
        case (nil, nil): break
        }
        if parent != new.parent { parts.append("belongs to a different station") }
        if stop.wheelchair != new.stop.wheelchair { parts.append("different wheelchair access") }
        return parts
    }
}

extension Route {
    /// Returns the differences that riders notice, as phrases.
    func differences(to new: Route) -> [String] {
        var parts: [String] = []
        if displayName != new.displayName { parts.append("was called \(displayName)") }
        if longName != new.longName, shortName != nil { parts.append("different long name") }
        if type != new.type { parts.append("different vehicle type") }
        if color != new.color { parts.append("different color") }
        return parts
    }
}

extension CommuteTimetable.CommuteTrip {
    /// Returns the differences as phrases that follow the old departure time. Never empty for trips that differ.
    func differences(
        to new: Self, old timetable: CommuteTimetable, new newTimetable: CommuteTimetable, dates: ComparedDates
    ) -> [String] {
        var parts: [String] = []
        if departure != new.departure { parts.append("leaves at \(new.departure.clock)") }
        if arrival != new.arrival { parts.append("arrives at \(new.arrival.clock) instead of \(arrival.clock)") }
        if board != new.board { parts.append("leaves from \(newTimetable.name(of: new.board))") }
        if alight != new.alight { parts.append("arrives at \(newTimetable.name(of: new.alight))") }
        if route != new.route {
            parts.append("is on route \(newTimetable.routes[new.route]?.displayName ?? new.route.rawValue)")
        }
        if frequencies != new.frequencies { parts.append("runs at a different frequency") }
        if self.dates != new.dates { parts += dates.differences(self.dates, new.dates) }
        return parts
    }
}

extension CommuteTimetable {
    fileprivate func name(of stop: StopID) -> String {
        guard let place = stops[stop]?.stop else { return stop.rawValue }
        return place.platform.map { "\(place.name), platform \($0)" } ?? place.name
    }
}

extension ComparedDates {
    /// "no longer runs on 2026-03-28, 2026-03-29 and 3 more", "now runs on 2026-04-04".
    fileprivate func differences(_ old: UInt64, _ new: UInt64) -> [String] {
        var parts: [String] = []
        if old & ~new != 0 { parts.append("no longer runs on \(list(old & ~new))") }
        if new & ~old != 0 { parts.append("now runs on \(list(new & ~old))") }
        return parts
    }

    /// Formats dates: "2026-03-28, 2026-03-29 and 3 more".
    func list(_ dates: UInt64) -> String {
        let all = (0..<count).filter { dates >> UInt64($0) & 1 != 0 }.map { first.advanced(by: $0).description }
        let shown = all.prefix(3).joined(separator: ", ")
        return all.count > 3 ? "\(shown) and \(all.count - 3) more" : shown
    }
}

extension ServiceTime {
    /// The time of day as shown by a clock: `8:05`, and `0:30` for 24:30:00.
    var clock: String {
        let minutes = Int(seconds) / 60 % 60
        return "\(Int(seconds) / 3600 % 24):" + (minutes < 10 ? "0\(minutes)" : "\(minutes)")
    }
}
