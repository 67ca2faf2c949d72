internal import TransitEngine
package import TransitModel
package import TransitStore

/// A route that calls at a stop, with its headsigns there.
package struct RouteAtStop {
    package var route: RouteIndex
    /// The headsigns of the trips that continue from the stop, the most frequent first; empty if all trips end there.
    package var headsigns: [String]
}

extension TimetableNames {
    /// Returns the routes that call at any of the stops, in list order. One trip represents each pattern.
    package func routes(at stops: [StopIndex]) throws(StoreError) -> [RouteAtStop] {
        var headsigns: [RouteIndex: HeadsignCounts] = [:]
        for stop in stops {
            for visit in try timetable.file.patterns(at: stop) {
                let (pattern, position) = (visit.pattern, visit.position)
                var counts = headsigns[pattern.route] ?? HeadsignCounts()
                if position + 1 < pattern.callCount, let trip = pattern.usualTrip,
                    let headsign = try headsign(
                        of: timetable.file.trip(trip), at: pattern.calls[position], pattern: pattern)
                {
                    counts.add(headsign, trips: pattern.tripCount)
                }
                headsigns[pattern.route] = counts
            }
        }
        return try timetable.routeSearch.all.compactMap { route in
            headsigns[route].map { RouteAtStop(route: route, headsigns: $0.mostFrequent) }
        }
    }
}
