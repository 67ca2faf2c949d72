internal import TransitModel

extension DemoCity {
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
            let last = trip.line.stops.count
            for call in trip.line.calls {
                table.add([
                    trip.id, time(trip.start + call.arrival), time(trip.start + call.departure), call.stop,
                    "\(call.sequence)", call.sequence == last ? "1" : "0", call.sequence == 1 ? "1" : "0",
                ])
            }
        }
        return table
    }

    /// The ferry runs about every 20 minutes by day, and at exact times in the evening.
    static var frequencies: DemoTable {
        var table = DemoTable("frequencies.txt", "trip_id,start_time,end_time,headway_secs,exact_times")
        for trip in ferryTrips {
            table.add([trip.id, "06:00:00", "20:00:00", trip.service == .weekday ? "1200" : "1800", "0"])
            table.add([trip.id, "20:00:00", "24:30:00", "2700", "1"])
        }
        return table
    }

    /// The shapes are straight lines between the stops, except that the ferry leaves the harbor in a curve.
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
}
