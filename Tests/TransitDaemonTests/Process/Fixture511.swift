import Foundation
import TransitControl
import TransitTestSupport

/// A 511.org server on loopback, with a line that has three stations and its trains on July 1, 2026.
///
/// The timetable has trains 112, 114 and 116, which leave the harbor at 08:04, 08:34 and 11:04. The board has train
/// 112, which is 240 s late, and train 114, which has the number 998 there and is 60 s late.
enum Fixture511 {
    static let start = "2026-07-01T14:50:00Z"
    /// A start for clocks that run fast: on a slow machine too, a test ends before the trains leave. The server already
    /// lists train 112.
    static let earlyStart = "2026-07-01T13:40:00Z"
    static let key = "good-key"

    /// - Parameters:
    ///   - key: The content of the key file.
    ///   - refresh: The lines of `[feed.refresh]`.
    static func make(rate: Double = 1, key: String = key, refresh: String = "") throws -> UpstreamFixture {
        let scene = try UpstreamFixture(rate: rate, files: files) { server in
            """
            [[feed]]
            id = "caltrain"
            provider = "siri511"
            agency = "CT"
            base_url = "\(server.url("/511", .plain))"
            key_file = "../upstream/511.key"
            [feed.refresh]
            \(refresh)
            """
        }
        try scene.daemon.folder.write(secret: "\(key)\n", as: "upstream/511.key")
        return scene
    }

    // // MARK: The upstream's data

    static var files: [String: [UInt8]] {
        ["CT.zip": feed.zip(), "511-trains.json": Array(trains.utf8), "511-alerts.json": Array(alerts.utf8)]
    }

    private static let feed = FeedBuilder()
        .file(
            "agency.txt",
            """
            agency_id,agency_name,agency_url,agency_timezone,agency_lang
            CT,Shore Line,https://shore.example,America/Los_Angeles,en

            """
        )
        .file(
            "stops.txt",
            """
            stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code
            harbor,Harbor Station,37.7760,-122.3940,1,,
            9011,Harbor Northbound,37.7761,-122.3941,0,harbor,NB
            9012,Harbor Southbound,37.7759,-122.3939,0,harbor,SB
            hills,Hills Station,37.6000,-122.3860,1,,
            9021,Hills Northbound,37.6001,-122.3861,0,hills,NB
            9022,Hills Southbound,37.5999,-122.3859,0,hills,SB
            HIL-03-NB,Northbound Elevator,37.6001,-122.3862,3,hills,
            valley,Valley Station,37.3300,-121.9030,1,,
            9031,Valley Northbound,37.3301,-121.9031,0,valley,NB
            9032,Valley Southbound,37.3299,-121.9029,0,valley,SB

            """
        )
        .file(
            "routes.txt",
            """
            route_id,agency_id,route_short_name,route_long_name,route_type
            Local Weekday,CT,Local,Local Weekday,2

            """
        )
        .file(
            "trips.txt",
            """
            route_id,service_id,trip_id,trip_headsign,trip_short_name,direction_id
            Local Weekday,summer,112,Valley,112,1
            Local Weekday,summer,114,Valley,114,1
            Local Weekday,summer,116,Valley,116,1

            """
        )
        .file(
            "stop_times.txt",
            """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            112,08:04:00,08:04:00,9012,1
            112,08:24:00,08:25:00,9022,2
            112,09:10:00,09:10:00,9032,3
            114,08:34:00,08:34:00,9012,1
            114,08:54:00,08:55:00,9022,2
            114,09:40:00,09:40:00,9032,3
            116,11:04:00,11:04:00,9012,1
            116,11:24:00,11:25:00,9022,2
            116,12:10:00,12:10:00,9032,3

            """
        )
        .file(
            "calendar.txt",
            """
            service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
            summer,1,1,1,1,1,1,1,20260601,20260930

            """)

    private static let trains = """
        [\(train("112", "9012", "15:04", 240, vehicle: "\"112\"")), \(train("112", "9022", "15:25", 240, vehicle: "\"112\"")),
         \(train("998", "9012", "15:34", 60)), \(train("998", "9022", "15:55", 60))]
        """

    private static func train(
        _ trip: String, _ stop: String, _ aimed: String, _ delay: Int, vehicle: String = "null"
    ) -> String {
        """
        {"trip": "\(trip)", "date": "2026-07-01", "line": "Local Weekday", "direction": "S", "stop": "\(stop)",
         "aimed": "2026-07-01T\(aimed):00Z", "delay": \(delay), "vehicle": \(vehicle), "place": ["-122.3939", "37.7759"]}
        """
    }

    private static let alerts = """
        {"Header": {"GtfsRealtimeVersion": "1.0", "incrementality": 0, "Timestamp": 0}, "Entities": [
         {"Id": "1", "TripUpdate": null, "Vehicle": null, "Alert": {
          "ActivePeriods": [{"Start": 1782900000, "End": 1783000000}], "InformedEntities": [{"AgencyId": "CT", "Trip": null}],
          "cause": 2, "effect": 5, "Url": {"Translations": [{"Text": "www.shore.example/game ", "Language": "en"}]},
          "HeaderText": {"Translations": [{"Text": "More trains to the game ", "Language": "en"}]},
          "DescriptionText": null, "TtsHeaderText": null, "TtsDescriptionText": null}},
         {"Id": "2", "TripUpdate": null, "Vehicle": null, "Alert": {
          "ActivePeriods": [{"Start": 1782900000, "End": 0}], "InformedEntities": [
           {"AgencyId": "CT", "Trip": null, "StopId": "9021"}, {"AgencyId": "CT", "Trip": null, "StopId": "HIL-03-NB"}],
          "cause": 3, "Url": null, "HeaderText": {"Translations": [
           {"Text": "Elevator out of service", "Language": "en"}, {"Text": "Ascensor fuera de servicio", "Language": "es"},
           {"Text": "电梯中止服务", "Language": "zh-CN"}, {"Text": "Thang máy ngừng phục vụ", "Language": "vi"}]},
          "DescriptionText": {}, "severity_level": 3}}]}
        """
}
