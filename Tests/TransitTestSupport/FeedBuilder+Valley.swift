extension FeedBuilder {
    /// A feed for a journey whose change can break. Train T (trip `t0`) leaves `a` at 08:00, `b` at 08:10, `c` at 08:20 and arrives
    /// at `d` at 08:35. The next train (`t90`) leaves 90 minutes later. Bus 1 leaves `c` at 08:25 (trip `n25`), 08:55 (`n55`) and
    /// 09:55 (`n95`), and arrives at `z` 15 minutes later. Bus 2 leaves `b` at 08:15 (trip `m15`) and arrives at `z` at 08:45. Bus
    /// 3 leaves `d` at 08:40 (trip `k40`) and arrives at `z` at 08:50. All run daily.
    package static let valley = FeedBuilder()
        .file(
            "agency.txt",
            "agency_id,agency_name,agency_url,agency_timezone\nv,Valley,https://valley.example,Europe/Berlin\n"
        )
        .file(
            "stops.txt",
            """
            stop_id,stop_name,stop_lat,stop_lon
            a,Alder,53.5000,9.9000
            b,Birch,53.5500,9.9000
            c,Cedar,53.6000,9.9000
            d,Dogwood,53.6500,9.9000
            z,Zinnia,53.6200,10.0000

            """
        )
        .file(
            "routes.txt",
            """
            route_id,agency_id,route_short_name,route_type
            T,v,T,2
            n,v,1,3
            m,v,2,3
            k,v,3,3

            """
        )
        .file(
            "calendar.txt",
            """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            daily,1,1,1,1,1,1,1,20260101,20261231

            """
        )
        .file(
            "trips.txt",
            """
            route_id,service_id,trip_id
            T,daily,t0
            n,daily,n25
            n,daily,n55
            T,daily,t90
            n,daily,n95
            m,daily,m15
            k,daily,k40

            """
        )
        .file(
            "stop_times.txt",
            """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            t0,08:00:00,08:00:00,a,1
            t0,08:10:00,08:10:00,b,2
            t0,08:20:00,08:20:00,c,3
            t0,08:35:00,08:35:00,d,4
            n25,08:25:00,08:25:00,c,1
            n25,08:40:00,08:40:00,z,2
            n55,08:55:00,08:55:00,c,1
            n55,09:10:00,09:10:00,z,2
            t90,09:30:00,09:30:00,a,1
            t90,09:40:00,09:40:00,b,2
            t90,09:50:00,09:50:00,c,3
            t90,10:05:00,10:05:00,d,4
            n95,09:55:00,09:55:00,c,1
            n95,10:10:00,10:10:00,z,2
            m15,08:15:00,08:15:00,b,1
            m15,08:45:00,08:45:00,z,2
            k40,08:40:00,08:40:00,d,1
            k40,08:50:00,08:50:00,z,2

            """)
}

extension FeedBuilder {
    /// A feed beside ``valley``: bus 9 (trip `h12`) leaves `b2`, at Birch, at 08:16 and arrives at `z2`, at Zinnia, at 08:30.
    package static let hills = FeedBuilder()
        .file(
            "agency.txt",
            "agency_id,agency_name,agency_url,agency_timezone\nh,Hills,https://hills.example,Europe/Berlin\n"
        )
        .file(
            "stops.txt",
            "stop_id,stop_name,stop_lat,stop_lon\nb2,Birch,53.5501,9.9000\nz2,Zinnia,53.6201,10.0000\n"
        )
        .file("routes.txt", "route_id,agency_id,route_short_name,route_type\nh,h,9,3\n")
        .file(
            "calendar.txt",
            """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            daily,1,1,1,1,1,1,1,20260101,20261231

            """
        )
        .file("trips.txt", "route_id,service_id,trip_id\nh,daily,h12\n")
        .file(
            "stop_times.txt",
            """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            h12,08:16:00,08:16:00,b2,1
            h12,08:30:00,08:30:00,z2,2

            """)
}
