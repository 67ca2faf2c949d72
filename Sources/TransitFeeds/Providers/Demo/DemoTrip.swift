internal import TransitModel

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
