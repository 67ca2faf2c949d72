internal import TransitModel

extension DemoCity {
    /// One trip: a line on a kind of day at a time. A ferry's trip is a model for its frequencies.
    private struct Trip {
        var line: DemoLine
        var service: Service
        var start: Int
        var id: String
    }

    private static var fixedTrips: [Trip] {
        lines.flatMap { line in
            Service.allCases.flatMap { service in
                line.runs(service).flatMap(\.departures).map {
                    Trip(line: line, service: service, start: $0, id: "\(line.id)-\(service.rawValue)-\(clock($0))")
                }
            }
        }
    }

    private static var ferryTrips: [Trip] {
        [ferry, ferry.reversed()].flatMap { line in
            Service.allCases.map { Trip(line: line, service: $0, start: 0, id: "\(line.id)-\($0.rawValue)") }
        }
    }

    static var trips: DemoTable {
        var table = DemoTable(
            "trips.txt",
            "route_id,service_id,trip_id,trip_headsign,direction_id,shape_id,wheelchair_accessible,bikes_allowed")
        for trip in fixedTrips + ferryTrips {
            table.add([
                trip.line.route, trip.service.rawValue, trip.id, name(of: trip.line.stops.last),
                "\(trip.line.direction)", trip.line.id, "1", trip.line.route == "ferry" ? "1" : "2",
            ])
        }
        return table
    }

    static var stopTimes: DemoTable {
        var table = DemoTable(
            "stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type")
        for trip in fixedTrips + ferryTrips {
            var arrival = trip.start
            let last = trip.line.stops.count - 1
            for (position, stop) in trip.line.stops.enumerated() {
                let departure = arrival + (position == 0 || position == last ? 0 : trip.line.dwell)
                table.add([
                    trip.id, time(arrival), time(departure), stop, "\(position + 1)", position == last ? "1" : "0",
                    position == 0 ? "1" : "0",
                ])
                if position < last { arrival = departure + trip.line.legs[position] }
            }
        }
        return table
    }

    /// By day about every 20 minutes, in the evening at exact times.
    static var frequencies: DemoTable {
        var table = DemoTable("frequencies.txt", "trip_id,start_time,end_time,headway_secs,exact_times")
        for trip in ferryTrips {
            table.add([trip.id, "06:00:00", "20:00:00", trip.service == .weekday ? "1200" : "1800", "0"])
            table.add([trip.id, "20:00:00", "24:30:00", "2700", "1"])
        }
        return table
    }

    /// Straight lines between the stops; the ferry leaves the harbor in a bend.
    static var shapes: DemoTable {
        var table = DemoTable("shapes.txt", "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence")
        for line in lines + [ferry, ferry.reversed()] {
            var points = line.stops.compactMap { id in stopList.first { $0.id == id } }
                .map { ($0.latitude, $0.longitude) }
            if line.route == "ferry" { points.insert((54.4068, 10.4230), at: 1) }
            for (position, point) in points.enumerated() {
                table.add([line.id, "\(point.0)", "\(point.1)", "\(position + 1)"])
            }
        }
        return table
    }

    private static func name(of stop: String?) -> String { stopList.first { $0.id == stop }?.name ?? "" }

    private static func time(_ seconds: Int) -> String { ServiceTime(seconds: Int32(seconds)).description }

    /// "0812" for 08:12:00.
    private static func clock(_ seconds: Int) -> String {
        Decimal.padded(seconds / 3600, to: 2) + Decimal.padded(seconds / 60 % 60, to: 2)
    }
}
