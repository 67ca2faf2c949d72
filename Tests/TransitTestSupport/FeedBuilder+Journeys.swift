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
