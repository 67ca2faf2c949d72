/// One line of the demo city in one direction.
struct DemoLine {
    /// Departures from the first stop at equal distances, in seconds after noon minus twelve hours.
    struct Run {
        var first: Int
        /// The last departure is at this time or before it.
        var last: Int
        var every: Int
    }

    var route: String
    /// 0 or 1, as `direction_id` of trips.txt.
    var direction: Int
    var stops: [String]
    /// Seconds from each stop to the next.
    var legs: [Int]
    /// Seconds of waiting at every stop between the first and the last.
    var dwell = 0
    var weekday: [Run]
    var weekend: [Run]

    /// The same line the other way round, with other stops where a station has a platform for each direction.
    func reversed(replacing stop: String? = nil, by other: String = "") -> DemoLine {
        var line = self
        line.direction = 1 - direction
        line.stops = stops.reversed().map { $0 == stop ? other : $0 }
        line.legs = legs.reversed()
        return line
    }

    func runs(_ service: DemoCity.DemoService) -> [Run] { service == .weekday ? weekday : weekend }

    /// Of the shape and of the trips: "tram-1-0".
    var id: String { "\(route)-\(direction)" }
}

extension DemoLine.Run {
    /// From and to a time of day; past 24:00 belongs to the same service date. `every` in minutes.
    init(_ first: (Int, Int), _ last: (Int, Int), every minutes: Int) {
        self.init(
            first: first.0 * 3600 + first.1 * 60, last: last.0 * 3600 + last.1 * 60, every: minutes * 60)
    }

    var departures: StrideThrough<Int> { stride(from: first, through: last, by: every) }
}
