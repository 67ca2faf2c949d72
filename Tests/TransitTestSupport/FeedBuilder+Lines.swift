extension FeedBuilder {
    /// A feed of a few trips for one rule, in Berlin's time, daily in 2026.
    ///
    /// A trip is written as `A a1 [v]: a 08:00, x1 08:10 no-pickup, b 08:20-08:22`: its route, its identifier, its block in
    /// brackets, and its calls with the time or with arrival and departure. `no-pickup` and `no-drop-off` are the
    /// restrictions of `pickup_type` and `drop_off_type`. Stops are 5 km apart in the order in which trips name them.
    /// Stops that differ only in a last digit are platforms of one station, 100 m apart: `x1` and `x2` of `x`.
    ///
    /// - Parameter transfers: The rows of transfers.txt, as in ``change(transfers:isBlock:)``.
    public static func lines(_ lines: [String], transfers: String = "") -> FeedBuilder {
        var (routes, stops): ([String], [String]) = ([], [])
        var trips = "route_id,service_id,trip_id,block_id\n"
        var times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type\n"
        for line in lines {
            let parts = line.split(separator: ": ", maxSplits: 1)
            let head = parts[0].split(separator: " ").map(String.init)
            let block = head.count > 2 ? String(head[2].dropFirst().dropLast()) : ""
            if !routes.contains(head[0]) { routes.append(head[0]) }
            trips += "\(head[0]),daily,\(head[1]),\(block)\n"
            for (number, text) in parts[1].split(separator: ", ").enumerated() {
                let words = text.split(separator: " ").map(String.init)
                let clock = words[1].split(separator: "-").map { "\($0):00" }
                if !stops.contains(words[0]) { stops.append(words[0]) }
                times += "\(head[1]),\(clock[0]),\(clock[clock.count - 1]),\(words[0]),\(number + 1),"
                times += "\(words.contains("no-pickup") ? 1 : 0),\(words.contains("no-drop-off") ? 1 : 0)\n"
            }
        }
        let feed = FeedBuilder()
            .file(
                "agency.txt",
                "agency_id,agency_name,agency_url,agency_timezone\nc,City,https://c.example,Europe/Berlin\n"
            )
            .file("stops.txt", stopRows(stops))
            .file(
                "routes.txt",
                "route_id,agency_id,route_short_name,route_type\n" + routes.map { "\($0),c,\($0),3\n" }.joined()
            )
            .file("trips.txt", trips).file("stop_times.txt", times)
            .file(
                "calendar.txt",
                "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                    + "daily,1,1,1,1,1,1,1,20260101,20261231\n")
        guard !transfers.isEmpty else { return feed }
        return feed.file(
            "transfers.txt",
            "from_stop_id,to_stop_id,from_route_id,to_route_id,from_trip_id,to_trip_id,transfer_type,min_transfer_time\n"
                + transfers + "\n")
    }

    private static func stopRows(_ stops: [String]) -> String {
        var rows = "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
        var stations: [String] = []
        for stop in stops {
            let platform = stop.last?.wholeNumberValue
            let station = platform == nil ? stop : String(stop.dropLast())
            if !stations.contains(station) {
                stations.append(station)
                if platform != nil { rows += "\(station),\(station),\(latitude(stations.count, 0)),9.9,1,\n" }
            }
            let position = latitude((stations.firstIndex(of: station) ?? 0) + 1, platform ?? 0)
            rows += "\(stop),\(station),\(position),9.9,0,\(platform == nil ? "" : station)\n"
        }
        return rows
    }

    /// Returns a latitude in degrees: stations are 0.05 apart, which is 5.6 km, and platforms 0.0009, which is 100 m.
    private static func latitude(_ station: Int, _ platform: Int) -> Double {
        Double(500_000 + station * 500 + platform * 9) / 10_000
    }
}
