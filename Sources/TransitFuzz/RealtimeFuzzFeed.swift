internal import TransitTestSupport

/// The small feed with additional trips that are hard to match: a trip that calls at a stop twice, a trip after midnight,
/// trips with both kinds of frequencies, and trips that differ only in their times.
enum RealtimeFuzzFeed {
    static let stops = ["harbor", "market", "central", "central:1", "central:2", "park"]
    static let trips = ["b1", "b2", "b3", "b4", "t1", "t2", "loop", "night", "often", "exact"]

    static var archive: [UInt8] {
        FeedBuilder.small
            .adding(
                """
                bus24,weekday,loop,Around,0
                bus24,weekday,night,Night,1
                tram1,weekday,often,City Park,0
                tram1,weekday,exact,City Park,1

                """, to: "trips.txt"
            )
            .adding(
                """
                loop,07:40:00,07:40:00,harbor,10
                loop,07:50:00,07:51:00,market,20
                loop,08:00:00,08:00:00,central:1,30
                loop,08:10:00,08:10:00,market,40
                loop,08:20:00,08:20:00,harbor,50
                night,24:35:00,24:35:00,central:1,1
                night,24:45:00,24:45:00,market,2
                night,25:05:00,25:05:00,harbor,3
                often,06:00:00,06:00:00,central:2,1
                often,06:12:00,06:12:00,park,2
                exact,06:00:00,06:00:00,park,1
                exact,06:12:00,06:12:00,central:2,2

                """, to: "stop_times.txt"
            )
            .file(
                "frequencies.txt",
                """
                trip_id,start_time,end_time,headway_secs,exact_times
                often,06:00:00,23:00:00,600,0
                exact,06:00:00,23:00:00,900,1

                """
            )
            .zip()
    }
}
