/// One line of the demo city in one direction.
struct DemoLine {
    /// Departures from the first stop at a fixed interval, in seconds after noon minus twelve hours.
    struct DepartureSeries {
        var first: Int
        /// The last departure is at or before this time.
        var last: Int
        var interval: Int
    }

    var route: String
    /// 0 or 1, as in `direction_id` of trips.txt.
    var direction: Int
    var stops: [String]
    /// Seconds from each stop to the next.
    var legs: [Int]
    /// The dwell time at every intermediate stop in seconds.
    var dwell = 0
    var weekday: [DepartureSeries]
    var weekend: [DepartureSeries]

    /// Returns the line in the opposite direction, with one stop replaced where a station has a platform for each
    /// direction.
    func reversed(replacing stop: String? = nil, by other: String = "") -> DemoLine {
        var line = self
        line.direction = 1 - direction
        line.stops = stops.reversed().map { $0 == stop ? other : $0 }
        line.legs = legs.reversed()
        return line
    }

    func departureSeries(_ service: DemoCity.DemoService) -> [DepartureSeries] {
        service == .weekday ? weekday : weekend
    }

    /// The identifier of the shape and the prefix of the trip identifiers: "tram-1-0".
    var id: String { "\(route)-\(direction)" }
}

extension DemoLine.DepartureSeries {
    /// Creates departures between two times, given as hours and minutes. Times past 24:00 belong to the same service
    /// date. `every` is in minutes.
    init(_ first: (Int, Int), _ last: (Int, Int), every minutes: Int) {
        self.init(
            first: first.0 * 3600 + first.1 * 60, last: last.0 * 3600 + last.1 * 60, interval: minutes * 60)
    }

    var departures: StrideThrough<Int> { stride(from: first, through: last, by: interval) }
}
