internal import TransitModel

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

extension DemoLine {
    /// The calls of a trip.
    var calls: [DemoCall] {
        var arrival = 0
        return stops.indices.map { position in
            let isEnd = position == 0 || position == stops.count - 1
            let departure = arrival + (isEnd ? 0 : dwell)
            defer { if position < legs.count { arrival = departure + legs[position] } }
            return DemoCall(
                stop: stops[position], sequence: position + 1, arrival: arrival, departure: departure)
        }
    }
}

/// One trip of the demo city: a line in one service at a start time. A ferry trip is the template for its frequencies.
struct DemoTrip {
    var line: DemoLine
    var service: DemoCity.DemoService
    /// Seconds after noon minus twelve hours.
    var start: Int
    var id: String
    /// The index of the trip among the trips of its line and service.
    var ordinal: Int
}

/// One call of a trip, in seconds from the trip's start.
struct DemoCall {
    var stop: String
    /// From 1.
    var sequence: Int
    var arrival: Int
    var departure: Int
}

extension DemoCity {
    /// Every trip except those of the ferry, which has no fixed departures.
    static var fixedTrips: [DemoTrip] {
        lines.flatMap { line in
            DemoService.allCases.flatMap { service in
                line.departureSeries(service).flatMap(\.departures).enumerated().map { ordinal, start in
                    DemoTrip(
                        line: line, service: service, start: start,
                        id: "\(line.id)-\(service.rawValue)-\(clock(start))", ordinal: ordinal)
                }
            }
        }
    }

    static var ferryTrips: [DemoTrip] {
        [ferry, ferry.reversed()].flatMap { line in
            DemoService.allCases.map {
                DemoTrip(line: line, service: $0, start: 0, id: "\(line.id)-\($0.rawValue)", ordinal: 0)
            }
        }
    }

    /// "0812" for 08:12:00.
    private static func clock(_ seconds: Int) -> String {
        DecimalText.padded(seconds / 3600, to: 2) + DecimalText.padded(seconds / 60 % 60, to: 2)
    }
}
