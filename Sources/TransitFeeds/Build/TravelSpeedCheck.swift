internal import TransitModel

/// Finds trips that are faster than any vehicle of their type, which means that a stop or a time is wrong.
///
/// The thresholds and the allowance are those of MobilityData's gtfs-validator (fast_travel_between_consecutive_stops,
/// fast_travel_between_far_stops).
struct TravelSpeedCheck: Sendable {
    /// Positions in the run at which the vehicle arrives too early: the first of each kind.
    struct Finding: Hashable, Sendable {
        var toNextStop: Int?
        var overDistance: Int?
    }

    let coordinates: [Coordinate?]
    let routeTypes: [Int]

    /// The distance in meters above which a long stretch is checked.
    private static let far = 10_000.0
    /// A long stretch spans at most this many stops, so that a check does not scan a whole long trip for each stop.
    private static let maximumStops = 200

    /// The times of `run` must be complete.
    func check(_ run: [StopTime], route: RouteIndex) -> Finding {
        var finding = Finding()
        guard routeTypes.indices.contains(route.position),
            let fastest = Self.kilometersPerHour(routeTypes[route.position]).map({ $0 / 3.6 })
        else { return finding }
        var timed: [Timed] = []
        for (position, call) in run.enumerated() where !call.isInterpolated {
            guard let place = coordinates[call.stop.position], let arrival = call.arrival?.seconds,
                let departure = call.departure?.seconds
            else { continue }
            var now = Timed(position: position, place: place, arrival: arrival, departure: departure)
            if let last = timed.last {
                let distance = last.place.distance(to: place)
                now.along = last.along + distance
                if finding.toNextStop == nil, Self.speed(distance, from: last, to: now) > fastest {
                    finding.toNextStop = position
                }
                if finding.overDistance == nil, isFast(now, after: timed, fastest) { finding.overDistance = position }
            }
            timed.append(now)
            if finding.toNextStop != nil, finding.overDistance != nil { break }
        }
        return finding
    }

    /// A call with a stated time.
    private struct Timed {
        var position: Int
        var place: Coordinate
        var arrival: Int32
        var departure: Int32
        /// The distance in meters from the first call, measured from stop to stop.
        var along = 0.0
    }

    /// Compares a call with the nearest earlier call that is more than ``far`` meters away.
    private func isFast(_ now: Timed, after earlier: [Timed], _ fastest: Double) -> Bool {
        for last in earlier.suffix(Self.maximumStops).reversed() where now.along - last.along > Self.far {
            return Self.speed(now.along - last.along, from: last, to: now) > fastest
        }
        return false
    }

    /// The speed in meters per second. Times in whole minutes may be half a minute off at both ends.
    private static func speed(_ distance: Double, from start: Timed, to end: Timed) -> Double {
        var seconds = end.arrival - start.departure
        if seconds <= 0 {
            seconds = 60
        } else if end.arrival % 60 == 0, start.departure % 60 == 0 {
            seconds += 60
        }
        return distance / Double(seconds)
    }

    /// The maximum speed of a `route_type`; `nil` for one that may be an airplane.
    private static func kilometersPerHour(_ type: Int) -> Double? {
        switch type {
        case 0, 900..<1000: 100
        case 1, 3, 11, 12, 200..<300, 400..<500, 700..<900: 150
        case 2, 100..<200: 500
        case 4, 1000..<1100, 1200..<1300: 80
        case 5: 30
        case 6, 7, 1300..<1500: 50
        case 1100..<1200: nil
        default: 200
        }
    }
}
