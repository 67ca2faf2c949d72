import Foundation
import Testing
import TransitControl
import TransitFetch
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

/// Tests of the built daemon with two upstreams of one agency: a GTFS archive, and vehicle positions from Tranzy that
/// supplement it.
@Suite(.enabled(if: UpstreamFixture.isThere, "needs the built transitd, python3 and openssl"), .ownThreads)
struct FeedPairProcessTests {
    private static let start = "2026-11-20T07:00:00Z"

    /// The route of `tranzy_city.py` with a departure every five minutes all morning, so that the bus is always within
    /// two and a half minutes of a scheduled trip. The stops have the same positions as in `tranzy_city.py` but other
    /// identifiers.
    private static let plan: FeedBuilder = {
        let stops = (0..<8).map { number in
            let name = number == 0 ? "Harbour" : number == 7 ? "Forest" : "Stop \(number)"
            let east = Double(number) * 500 / (111_195.08 * 0.684_929)
            return "p\(number + 1),\(name),46.77,\(23.6 + east)"
        }
        var (trips, times): ([String], [String]) = ([], [])
        for run in 0..<60 {
            let begin = 8 * 3600 + run * 300
            trips.append("l1,daily,t\(run),Forest,0")
            for call in 0..<8 {
                let time = begin + call * 110
                let clock = String(format: "%02d:%02d:%02d", time / 3600, time / 60 % 60, time % 60)
                times.append("t\(run),\(clock),\(clock),p\(call + 1),\(call)")
            }
        }
        return FeedBuilder()
            .file(
                "agency.txt",
                """
                agency_id,agency_name,agency_url,agency_timezone
                town,Town Transport,https://town.example,Europe/Bucharest

                """
            )
            .file("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\n" + stops.joined(separator: "\n") + "\n")
            .file(
                "routes.txt", "route_id,agency_id,route_short_name,route_long_name,route_type\nl1,town,24,Harbour,11\n"
            )
            .file(
                "trips.txt",
                "route_id,service_id,trip_id,trip_headsign,direction_id\n" + trips.joined(separator: "\n") + "\n"
            )
            .file(
                "stop_times.txt",
                "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + times.joined(separator: "\n") + "\n"
            )
            .file(
                "calendar.txt",
                """
                service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
                daily,1,1,1,1,1,1,1,20260101,20261231

                """)
    }()

    private func scene() throws -> UpstreamFixture {
        let scene = try UpstreamFixture(
            rate: 20, files: ["plan.zip": Self.plan.zip(), "tranzy.key": Array("good\n".utf8)]
        ) { server in
            """
            [[feed]]
            id = "town"
            provider = "tranzy"
            agency = "2"
            base_url = "\(server.url("/tranzy", .plain))"
            key_file = "../upstream/tranzy.key"
            supplements = "plan"
            [feed.refresh]
            vehicles = "15s"
            idle = "15s"

            [[feed]]
            id = "plan"
            provider = "gtfs"
            static = "\(server.url("/files/plan.zip", .plain))"
            """
        }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: scene.daemon.folder("upstream/tranzy.key"))
        return scene
    }

    @Test func vehicleOfOtherFeedConfirmsDeparture() throws {
        let scene = try scene()
        try scene.start(at: Self.start)
        func board(_ stop: String) throws -> [JSONValue] {
            (try? scene.daemon.ask("departures", ["stop": .string(stop), "count": 5])["departures"]?.elements) ?? []
        }
        let seen = try scene.eventually("a departure that both feeds know") {
            try board("plan:p7").first { $0["confirmed_by"]?["agrees"] == .bool(true) }
        }
        #expect(seen["feed"]?.text == "plan")
        #expect((seen["source"]?.text, seen["realtime_state"]?.text) == ("estimated", "fresh"))
        #expect(seen["scheduled"]?.text != nil)
        #expect(seen["expected"]?.text == seen["confirmed_by"]?["expected"]?.text)
        #expect(seen["delay"]?.number == seen["confirmed_by"]?["difference"]?.number)
        #expect((seen["confirmed_by"]?["feed"]?.text, seen["confirmed_by"]?["is_used"]) == ("town", .bool(true)))
        #expect(seen["vehicle"]?["label"]?.text == "101")

        // One bus is one departure, no matter which of the stop's names or identifiers, in either feed, is used. On a
        // slow machine, the position of the bus may be old for a moment.
        for stop in ["plan:p7", "town:7", "Stop 6"] {
            let departures = try scene.eventually("a board of \(stop) with the bus") {
                let departures = try board(stop)
                return departures.contains { $0["confirmed_by"]?["feed"]?.text == "town" } ? departures : nil
            }
            #expect(departures.count == 5)
            #expect(departures.allSatisfy { $0["feed"]?.text == "plan" }, "\(stop)")
            #expect(departures.count { $0["confirmed_by"]?["feed"]?.text == "town" } == 1, "\(stop)")
        }
        // The bus moves on and may be nearer to another trip by now.
        try scene.eventually("an explanation") { () -> Bool? in
            let id = try board("plan:p7").first { $0["confirmed_by"]?["feed"]?.text == "town" }?["id"]?.text
            guard let id, let explained = try? scene.daemon.ask("explain", ["departure": .string(id)]) else {
                return nil
            }
            return "\(explained)".contains("town says: leaves at") ? true : nil
        }
        try scene.eventually("the source of the time") {
            try scene.transitctl("departures", "plan:p7").contains("time from town") ? true : nil
        }

        // Without vehicles, only scheduled departures remain.
        try scene.server.answer("/tranzy/vehicles", with: "/status?code=500")
        try scene.eventually("the timetable alone") {
            let departures = try board("plan:p7")
            return !departures.isEmpty && departures.allSatisfy { $0["source"]?.text == "scheduled" } ? true : nil
        }
    }
}
