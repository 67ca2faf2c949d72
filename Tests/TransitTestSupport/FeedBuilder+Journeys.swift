extension FeedBuilder {
    /// A feed with one change of vehicle. Bus A leaves `a` at 08:00 and arrives at platform `x1` at 08:10. Bus B leaves
    /// platform `x2`, 100 m away in the same station, at 08:10 (trip `b10`), 08:11 (`b11`), 08:13, 08:20 and 08:40, and arrives
    /// at `b` ten minutes later.
    ///
    /// - Parameters:
    ///   - transfers: The rows of transfers.txt: from_stop_id, to_stop_id, from_route_id, to_route_id, from_trip_id, to_trip_id,
    ///     transfer_type, min_transfer_time.
    ///   - isBlock: Whether the trips of bus A and `b10` have the same vehicle.
    public static func change(transfers: String = "", isBlock: Bool = false) -> FeedBuilder {
        let block = isBlock ? "1" : ""
        var feed = FeedBuilder()
            .file(
                "agency.txt",
                "agency_id,agency_name,agency_url,agency_timezone\nc,City,https://city.example,Europe/Berlin\n"
            )
            .file(
                "stops.txt",
                """
                stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
                a,Start,53.5000,9.9000,0,
                x,Exchange,53.5500,9.9000,1,
                x1,Exchange,53.5500,9.9000,0,x
                x2,Exchange,53.5509,9.9000,0,x
                b,End,53.6000,9.9000,0,

                """
            )
            .file(
                "routes.txt",
                "route_id,agency_id,route_short_name,route_type\nA,c,A,3\nB,c,B,3\n"
            )
            .file(
                "calendar.txt",
                """
                service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
                daily,1,1,1,1,1,1,1,20260101,20261231

                """)
        var trips = "route_id,service_id,trip_id,block_id\nA,daily,a0,\(block)\n"
        var times = """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            a0,08:00:00,08:00:00,a,1
            a0,08:10:00,08:10:00,x1,2

            """
        for minute in [10, 11, 13, 20, 40] {
            trips += "B,daily,b\(minute),\(minute == 10 ? block : "")\n"
            times += "b\(minute),08:\(minute):00,08:\(minute):00,x2,1\n"
            times += "b\(minute),08:\(minute + 10):00,08:\(minute + 10):00,b,2\n"
        }
        feed = feed.file("trips.txt", trips).file("stop_times.txt", times)
        guard !transfers.isEmpty else { return feed }
        return feed.file(
            "transfers.txt",
            """
            from_stop_id,to_stop_id,from_route_id,to_route_id,from_trip_id,to_trip_id,transfer_type,min_transfer_time
            \(transfers)

            """)
    }
}

extension FeedBuilder {
    /// Bus `b1` has no room for wheelchairs, and none of bus `b2` for bicycles; nothing is stated about the others. City Park
    /// cannot be used by wheelchair.
    public static let accessible = FeedBuilder.small.file(
        "trips.txt",
        """
        route_id,service_id,trip_id,trip_headsign,direction_id,wheelchair_accessible,bikes_allowed
        bus24,weekday,b1,Central Station,0,2,1
        bus24,weekday,b2,Central Station,0,1,2
        bus24,weekday,b3,Central Station,0,,
        bus24,weekend,b4,Central Station,0,,
        tram1,weekday,t1,City Park,0,,
        tram1,weekend,t2,City Park,0,,

        """
    ).file(
        "stops.txt",
        """
        stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code,wheelchair_boarding
        harbor,100,Harbor,53.5400,9.9800,0,,,1
        market,101,Market Square,53.5450,9.9900,0,,,
        central,,Central Station,53.5530,10.0060,1,,,1
        central:1,102,Central Station,53.5531,10.0061,0,central,1,
        central:2,103,Central Station,53.5529,10.0063,0,central,2,
        park,104,City Park,53.5600,10.0200,0,,,2

        """)
}
