import Foundation
import Testing
import TransitControl
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

/// Tests of the built daemon with a 511.org server on loopback.
@Suite(.enabled(if: UpstreamFixture.isThere, "needs the built transitd, python3 and openssl"), .ownThreads)
struct Process511Tests {
    private func board(_ scene: UpstreamFixture) throws -> [JSONValue] {
        try scene.daemon.ask("departures", ["stop": "9012"])["departures"]?.elements ?? []
    }

    /// Waits until the board reports the delay of the first train.
    private func waitUntilLive(_ scene: UpstreamFixture) throws {
        try scene.eventually("a live train") {
            let first = try? board(scene).first
            return first?["realtime_state"]?.text == "fresh" && first?["delay"]?.number == 240 ? true : nil
        }
    }

    @Test("The board is matched to the timetable: delays, a renumbered train, the arrival at the terminal")
    func boardIsMatchedToTimetable() throws {
        let scene = try Fixture511.make()
        try scene.start(at: Fixture511.start)
        try waitUntilLive(scene)
        // Tomorrow's trains come after these trains.
        let trains = try board(scene).prefix(3)
        #expect(trains.map { $0["trip"]?.text } == ["112", "114", "116"])
        #expect(trains.map { $0["delay"]?.number } == [240, 60, nil])
        #expect(trains.map { $0["source"]?.text } == ["live", "live", "scheduled"])

        let trip = try scene.daemon.ask("trip.show", ["trip": "112"])["calls"]?.elements ?? []
        #expect(trip.map { $0["delay"]?.number } == [240, 240, 240])
        // The board never lists the terminal. The delay of the previous call is propagated to the terminal.
        #expect(trip.last?["expected_arrival"]?.text == "2026-07-01T09:14:00-07:00")

        let renumbered = try scene.daemon.ask("explain", ["departure": try #require(trains[1]["id"])])
        let facts = renumbered["facts"]?.elements.compactMap { $0["value"]?.text } ?? []
        #expect(facts.contains { $0.hasPrefix("by the scheduled times at its stops") }, "\(facts)")

        let vehicles = try scene.daemon.ask("vehicles")["vehicles"]?.elements ?? []
        #expect(vehicles.map { $0["id"]?.text } == ["112"])
        #expect(vehicles.first?["is_matched"] == .bool(true))
        // One request covers all stops and the vehicles.
        #expect(try scene.requests("/511/StopMonitoring") <= 2)
        #expect(try scene.server.log().allSatisfy { !$0.target.contains("stopcode") && !$0.target.contains("vehicle") })
    }

    @Test("Alerts list their severity, period and elevators, in the user's language")
    func alertsAreListedInUserLanguage() throws {
        let scene = try Fixture511.make(rate: 100)
        try scene.start(at: Fixture511.start)
        try scene.eventually("the alerts") {
            try scene.daemon.ask("alerts")["alerts"]?.elements.count == 2 ? true : nil
        }
        let english = try scene.transitctl("alerts", environment: ["LC_ALL": "en_US.UTF-8"])
        #expect(english.hasPrefix("2 alerts.\n"), "\(english)")
        for piece in [
            "warning: Elevator out of service", "Northbound Elevator (Hills Station)", "Hills Northbound",
            "technical problem", "additional service", "https://www.shore.example/game", "until",
        ] { #expect(english.contains(piece), "\(piece) in \(english)") }
        for (locale, text) in [
            ("es_MX.UTF-8", "Ascensor"), ("zh_CN.UTF-8", "电梯"), ("vi_VN", "Thang máy"), ("de_DE.UTF-8", "Elevator"),
        ] { #expect(try scene.transitctl("alerts", environment: ["LC_ALL": locale]).contains(text), "\(locale)") }
        let station = try scene.daemon.ask("alerts", ["stop": "hills"])["alerts"]?.elements ?? []
        #expect(station.contains { $0["id"]?.text == "2" })

        let none = #"{"Header": {"Timestamp": 0}, "Entities": []}"#
        try Data(none.utf8).write(to: URL(fileURLWithPath: scene.daemon.folder("upstream/511-alerts.json")))
        try scene.eventually("no alerts") {
            try scene.daemon.ask("alerts")["alerts"]?.elements.isEmpty == true ? true : nil
        }
        #expect(try scene.transitctl("alerts").hasPrefix("No alerts."))
    }

    @Test("The request budget of the key limits an hour of high demand")
    func budgetLimitsRequests() throws {
        let scene = try Fixture511.make(refresh: "trip_updates = \"30s\"\nalerts = \"60s\"\nidle = \"30s\"")
        try scene.start(at: Fixture511.earlyStart)
        try waitUntilLive(scene)
        try scene.continueAtRate(100)
        let end = try scene.instant(JSONValue.string(Fixture511.earlyStart)).advanced(by: 3500)
        try scene.eventually("the end of the hour") { try scene.now() >= end ? true : nil }
        #expect((20...60).contains(try asked(scene)))
        // Manual refreshes get only the remaining requests, of which there are fewer than attempts.
        for _ in 0..<45 { _ = try scene.daemon.ask("refresh", ["feed": "caltrain", "force": true]) }
        #expect(try asked(scene) >= 50)
        let refused = try scene.server.get(scene.server.url("/511/refused", .plain))
        #expect(String(decoding: refused.body, as: UTF8.self) == "0")
        #expect(try scene.transitctl("budget").contains("of 60 requests used in 1 hour"))
    }

    private func asked(_ scene: UpstreamFixture) throws -> Int {
        try scene.server.log().count { $0.target.contains("api_key=") }
    }

    @Test(
        "After an upstream failure, the last predictions stay with a notice until it recovers",
        arguments: [
            "/status?code=500", "/511/denied", "/html", "/511/exceeded",
        ])
    func lastPredictionsStayDuringFailure(fault: String) throws {
        let scene = try Fixture511.make(rate: 40)
        try scene.start(at: Fixture511.earlyStart)
        try waitUntilLive(scene)
        try scene.server.answer("/511/StopMonitoring", with: fault)
        try scene.eventually("expired predictions after \(fault)") {
            let first = try board(scene).first
            return first?["confidence"]?.text == "low" && first?["realtime_state"]?.text == "expired" ? true : nil
        }
        let said = try scene.daemon.ask("departures", ["stop": "9012"])["notices"]?.elements ?? []
        #expect(!said.isEmpty)
        #expect(try !"\(scene.daemon.ask("status"))\(scene.daemon.output())".contains(Fixture511.key))
        try scene.server.answer("/511/StopMonitoring", with: nil)
        _ = try scene.daemon.ask("refresh", ["feed": "caltrain", "dataset": "trip_updates", "force": true])
        try scene.eventually("a live train again") {
            try board(scene).contains { $0["realtime_state"]?.text == "fresh" } ? true : nil
        }
    }
}
