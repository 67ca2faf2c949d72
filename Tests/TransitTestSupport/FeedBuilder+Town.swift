extension FeedBuilder {
    /// A feed that supplements ``small``: a network whose only service runs on a date in the distant future. It has the
    /// stops of ``small`` with different identifiers, moved by a few meters. One of them is not in that feed.
    public static let town = FeedBuilder.small
        .file(
            "stops.txt",
            """
            stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type
            1,100,Harbor,53.5401,9.9802,0
            2,,Market square,53.5452,9.9901,0
            3,102,Central,53.5530,10.0062,0
            4,,Bridge,53.5500,10.0000,0

            """
        )
        .file(
            "routes.txt",
            """
            route_id,agency_id,route_short_name,route_long_name,route_type
            7,city,24,Harbor - Central,3
            8,city,N9,Harbor - Bridge,3

            """
        )
        .file(
            "trips.txt",
            """
            route_id,service_id,trip_id,trip_headsign,direction_id
            7,never,7_0,Central,1
            8,never,8_0,Bridge,0

            """
        )
        .file(
            "stop_times.txt",
            """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            7_0,00:00:00,00:00:00,1,1
            7_0,00:08:00,00:08:00,2,2
            7_0,00:20:00,00:20:00,3,3
            8_0,00:00:00,00:00:00,1,1
            8_0,00:09:00,00:09:00,4,2

            """
        )
        .file(
            "calendar.txt",
            """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            never,0,0,0,0,0,0,1,20261227,20261227

            """
        )
        .without("calendar_dates.txt")
}
