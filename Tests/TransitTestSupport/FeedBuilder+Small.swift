extension FeedBuilder {
    /// A small, complete feed in Europe/Berlin, valid in 2026: a station with two platforms, three stops, a bus and a
    /// tram, weekday and weekend service with a holiday, and a trip past midnight. Tests replace individual files.
    ///
    /// - Bus "24" (`bus24`) from `harbor` via `market` to `central:1`: trips `b1` 08:00, `b2` 08:20, `b3` 23:50 to
    ///   24:10 (`weekday`); `b4` 09:00 (`weekend`).
    /// - Tram "T1" (`tram1`) from `central:2` to `park`: trips `t1` 08:30 (`weekday`), `t2` 10:00 (`weekend`).
    /// - 2026-05-01 (a Friday) runs as `weekend`.
    public static let small = FeedBuilder()
        .file(
            "agency.txt",
            """
            agency_id,agency_name,agency_url,agency_timezone,agency_lang
            city,City Lines,https://city.example,Europe/Berlin,en

            """
        )
        .file(
            "stops.txt",
            """
            stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code
            harbor,100,Harbor,53.5400,9.9800,0,,
            market,101,Market Square,53.5450,9.9900,0,,
            central,,Central Station,53.5530,10.0060,1,,
            central:1,102,Central Station,53.5531,10.0061,0,central,1
            central:2,103,Central Station,53.5529,10.0063,0,central,2
            park,104,City Park,53.5600,10.0200,0,,

            """
        )
        .file(
            "routes.txt",
            """
            route_id,agency_id,route_short_name,route_long_name,route_type,route_color,route_text_color
            bus24,city,24,Harbor - Central Station,3,E31837,FFFFFF
            tram1,city,T1,Central Station - City Park,0,006F3C,FFFFFF

            """
        )
        .file(
            "trips.txt",
            """
            route_id,service_id,trip_id,trip_headsign,direction_id
            bus24,weekday,b1,Central Station,0
            bus24,weekday,b2,Central Station,0
            bus24,weekday,b3,Central Station,0
            bus24,weekend,b4,Central Station,0
            tram1,weekday,t1,City Park,0
            tram1,weekend,t2,City Park,0

            """
        )
        .file(
            "stop_times.txt",
            """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            b1,08:00:00,08:00:00,harbor,1
            b1,08:08:00,08:09:00,market,2
            b1,08:20:00,08:20:00,central:1,3
            b2,08:20:00,08:20:00,harbor,1
            b2,08:28:00,08:29:00,market,2
            b2,08:40:00,08:40:00,central:1,3
            b3,23:50:00,23:50:00,harbor,1
            b3,23:58:00,23:59:00,market,2
            b3,24:10:00,24:10:00,central:1,3
            b4,09:00:00,09:00:00,harbor,1
            b4,09:08:00,09:09:00,market,2
            b4,09:20:00,09:20:00,central:1,3
            t1,08:30:00,08:30:00,central:2,1
            t1,08:40:00,08:40:00,park,2
            t2,10:00:00,10:00:00,central:2,1
            t2,10:10:00,10:10:00,park,2

            """
        )
        .file(
            "calendar.txt",
            """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            weekday,1,1,1,1,1,0,0,20260101,20261231
            weekend,0,0,0,0,0,1,1,20260101,20261231

            """
        )
        .file(
            "calendar_dates.txt",
            """
            service_id,date,exception_type
            weekday,20260501,2
            weekend,20260501,1

            """
        )
}
