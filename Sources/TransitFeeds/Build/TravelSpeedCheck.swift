internal import TransitModel

/// Finds trips that are faster than any vehicle of their type, which indicates a wrong stop or time.
///
/// The speed limits and the rounding tolerance are taken from MobilityData's gtfs-validator
/// (fast_travel_between_consecutive_stops, fast_travel_between_far_stops).
struct TravelSpeedCheck: Sendable {
    /// The positions of the first stop times that are reached too fast: from the previous stop, and over a distance of
    /// more than ten kilometers.
    struct Finding: Hashable, Sendable {
        var toNextStop: Int?
        var overDistance: Int?
    }

    let coordinates: [Coordinate?]
    var routeTypes: [Int]

    /// The distance, in meters, above which the speed between nonconsecutive stops is checked.
    private static let longDistance = 10_000.0
    /// The maximum number of stops between the two stops of a check, so that the check does not scan all of a long trip
    /// for each stop.
    private static let maximumStops = 200

    /// Checks the stop times of one trip. No time may be missing.
    func check(_ stopTimes: [StopTime], route: RouteIndex) -> Finding {
        var finding = Finding()
        guard routeTypes.indices.contains(route.position),
            let maximumSpeed = Self.kilometersPerHour(routeTypes[route.position]).map({ $0 / 3.6 })
        else { return finding }
        var timed: [Timed] = []
        for (position, call) in stopTimes.enumerated() where !call.isInterpolated {
            guard let coordinate = coordinates[call.stop.position], let arrival = call.arrival?.seconds,
                let departure = call.departure?.seconds
            else { continue }
            var now = Timed(position: position, coordinate: coordinate, arrival: arrival, departure: departure)
            if let last = timed.last {
                let distance = last.coordinate.distance(to: coordinate)
                now.distanceAlongTrip = last.distanceAlongTrip + distance
                if finding.toNextStop == nil, Self.speed(distance, from: last, to: now) > maximumSpeed {
                    finding.toNextStop = position
                }
                if finding.overDistance == nil, isFast(now, after: timed, maximumSpeed) {
                    finding.overDistance = position
                }
            }
            timed.append(now)
            if finding.toNextStop != nil, finding.overDistance != nil { break }
        }
        return finding
    }

    /// A call whose times are not interpolated.
    private struct Timed {
        var position: Int
        var coordinate: Coordinate
        var arrival: Int32
        var departure: Int32
        /// The distance from the first call in meters, measured from stop to stop.
        var distanceAlongTrip = 0.0
    }

    /// Compares a call with the nearest earlier call that is more than ``longDistance`` meters away.
    private func isFast(_ now: Timed, after earlier: [Timed], _ maximumSpeed: Double) -> Bool {
        for last in earlier.suffix(Self.maximumStops).reversed()
        where now.distanceAlongTrip - last.distanceAlongTrip > Self.longDistance {
            return Self.speed(now.distanceAlongTrip - last.distanceAlongTrip, from: last, to: now) > maximumSpeed
        }
        return false
    }

    /// Returns the speed in meters per second. If both times are whole minutes, a minute is added, because each time
    /// can be rounded by half a minute.
    private static func speed(_ distance: Double, from start: Timed, to end: Timed) -> Double {
        var seconds = end.arrival - start.departure
        if seconds <= 0 {
            seconds = 60
        } else if end.arrival % 60 == 0, start.departure % 60 == 0 {
            seconds += 60
        }
        return distance / Double(seconds)
    }

    /// Returns the maximum speed of a `route_type`, or `nil` for air services, which are not checked.
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
