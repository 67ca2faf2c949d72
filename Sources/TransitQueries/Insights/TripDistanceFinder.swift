package import TransitEngine
package import TransitModel
package import TransitStore

/// Finds the distances of logged trips in the timetable: along the trip that left at the scheduled time, otherwise along
/// another trip of its route between the same stops, otherwise in a straight line.
package struct TripDistanceFinder {
    private let context: QueryContext
    private var known: [Line: TripDistance?] = [:]

    /// The trips whose distance is the same.
    private struct Line: Hashable {
        var feed: FeedID
        var route: RouteID
        var direction: Direction?
        var stop: StopID
        var destination: StopID
        var time: Int
    }

    package init(_ context: QueryContext) { self.context = context }

    /// Returns `nil` if the destination is not known, or if the timetable lacks one of the stops or its position.
    package mutating func distance(of trip: SavedTrip) throws(StoreError) -> TripDistance? {
        guard let destination = trip.destination else { return nil }
        let key = trip.departure
        guard let timetable = context.feeds.first(where: { $0.id == key.feed })?.timetable else { return nil }
        let route = timetable.file.route(id: key.route)
        let zone = route.map { timetable.zone(of: $0) } ?? timetable.zone
        let time = zone.serviceDayStart(key.serviceDate).seconds(to: key.scheduled)
        let line = Line(
            feed: key.feed, route: key.route, direction: key.direction, stop: key.stop, destination: destination,
            time: time)
        if let known = known[line] { return known }
        let distance = try Self.distance(of: line, route, timetable)
        known[line] = .some(distance)
        return distance
    }

    private static func distance(
        of line: Line, _ route: RouteIndex?, _ timetable: Timetable
    ) throws(StoreError) -> TripDistance? {
        guard let from = try stop(line.stop, timetable), let to = try stop(line.destination, timetable) else {
            return nil
        }
        if let route, let ride = try ride(line, route, from, to, timetable) {
            var stops: [Coordinate?] = []
            for call in ride.pattern.calls { stops.append(try timetable.cachedStop(call.stop).coordinate) }
            let shape = try timetable.file.trip(ride.trip).shape
            let points = try shape.map { (shape) throws(StoreError) in try timetable.file.shape(shape).points } ?? []
            if let found = TripDistance(shape: points, stops: stops, from: ride.boarding, to: ride.alighting) {
                return found
            }
        }
        return TripDistance(shape: [], stops: [from.stop.coordinate, to.stop.coordinate], from: 0, to: 1)
    }

    private static func stop(_ id: StopID, _ timetable: Timetable) throws(StoreError) -> FoundStop? {
        try timetable.file.find(id).map { FoundStop(timetable: timetable, index: $0.index, stop: $0.stop) }
    }

    /// A trip that calls at both stops.
    private struct Ride {
        var pattern: Pattern
        var trip: TripIndex
        var boarding: Int
        var alighting: Int
    }

    private static func ride(
        _ line: Line, _ route: RouteIndex, _ from: FoundStop, _ to: FoundStop, _ timetable: Timetable
    ) throws(StoreError) -> Ride? {
        let ends = Set(try to.callingStops())
        var other: Ride?
        for visit in try FeedBoard(timetable, stops: from.callingStops(), routes: [route]).visits {
            let (pattern, boarding) = (visit.pattern, visit.position)
            guard line.direction == nil || pattern.direction == line.direction,
                let alighting = pattern.calls.indices.first(where: {
                    $0 > boarding && ends.contains(pattern.calls[$0].stop)
                })
            else { continue }
            let departures = pattern.departures(at: boarding)
            for (number, group) in pattern.timingGroups.enumerated() {
                for position in group.starts.indices {
                    let trip = group.trip(position)
                    let ride = Ride(pattern: pattern, trip: trip, boarding: boarding, alighting: alighting)
                    if Int(group.starts[position] + departures[number]) == line.time { return ride }
                    other = other ?? ride
                }
            }
        }
        return other
    }
}
