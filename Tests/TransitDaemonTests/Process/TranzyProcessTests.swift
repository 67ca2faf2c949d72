import Foundation
import Testing
import TransitControl
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

/// Tests of the built daemon with a city on Tranzy: a collected network, and departures estimated from vehicle
/// positions.
@Suite(.enabled(if: UpstreamFixture.isThere, "needs the built transitd, python3 and openssl"), .ownThreads)
struct TranzyProcessTests {
    private static let start = "2026-11-20T07:00:00Z"

    private let daemon: DaemonProcess
    private let server: UpstreamServer

    init() throws {
        daemon = try DaemonProcess()
        server = try UpstreamServer()
        try daemon.folder.write(secret: "good\n", as: "tranzy.key")
        try daemon.configure(
            """
            [[feed]]
            id = "town"
            provider = "tranzy"
            agency = "2"
            base_url = "\(server.url("/tranzy", .plain))"
            key_file = "\(daemon.folder("tranzy.key"))"
            [feed.refresh]
            vehicles = "15s"
            idle = "15s"
            """)
    }

    private func begin(rate: Double = 20) throws {
        try server.setClock(Instant(rfc3339: Self.start)?.secondsSince1970 ?? 0, rate: 0)
        try daemon.start(["--replay-clock", "\(Self.start)/\(rate)"])
        let now = try daemon.ask("status")["at"]?.text.flatMap { Instant(rfc3339: $0) }
        try server.setClock(now?.secondsSince1970 ?? 0, rate: rate)
    }

    private func departures() throws -> [JSONValue] {
        (try? daemon.ask("departures", ["stop": "7"])["departures"]?.elements) ?? []
    }

    private func outcome() throws -> JSONValue? {
        let datasets = try daemon.ask("status", ["updates": true])["feeds"]?.elements.first?["datasets"]?.elements
        return datasets?.first { $0["dataset"]?.text == "vehicles" }
    }

    @Test func positionsGiveEstimatedDeparture() throws {
        try begin()
        // Only one of the four vehicles is usable. The bus moves on between two requests.
        let (departure, explained) = try daemon.eventually("a departure that is estimated with some confidence") {
            let departures = try departures()
            guard let departure = departures.first, departure["confidence"]?.text == "medium", departures.count == 1,
                let explained = try? daemon.ask("explain", ["departure": .string(departure["id"]?.text ?? "")])
            else { return (JSONValue, JSONValue)?.none }
            return (departure, explained)
        }
        #expect(departure["source"]?.text == "estimated")
        #expect(departure["status"]?.text == "scheduled")
        #expect(departure["scheduled"]?.text == nil)
        #expect(departure["expected"]?.text != nil)
        #expect(departure["route"]?["short_name"]?.text == "24")
        #expect(departure["headsign"]?.text == "Forest")
        #expect(departure["vehicle"]?["label"]?.text == "101")
        #expect((departure["wheelchair"]?.text, departure["bikes"]?.text) == ("possible", "not_possible"))
        #expect((departure["uncertainty"]?.number ?? 0) >= 30)
        // The other vehicles are listed with the reason. On a slow machine, the position of 101 may be old for a moment.
        try daemon.eventually("the reasons") {
            let vehicles = try daemon.ask("vehicles", ["feed": "town"])["vehicles"]?.elements ?? []
            let reasons = Dictionary(
                vehicles.map { ($0["label"]?.text ?? "", $0["no_departure_reason"]?.text ?? "") },
                uniquingKeysWith: { first, _ in first })
            return reasons == ["101": "", "102": "no_trip", "103": "off_route", "104": "stale"] ? true : nil
        }
        // Passengers cannot board at the last stop.
        #expect(try daemon.ask("departures", ["stop": "8"])["departures"]?.elements.isEmpty == true)
        #expect("\(explained)".contains("computed from a position"))

        // Each request has both authorization headers. All requests but the first also have the agency header.
        let log = try server.log().filter { $0.target.hasPrefix("/tranzy/") }
        #expect(log.allSatisfy { $0.headers["x-api-key"] == "good" && $0.headers["authorization"] == "Bearer good" })
        #expect(log.allSatisfy { ($0.headers["x-agency-id"] == "2") == ($0.target != "/tranzy/agency") })
        #expect(log.count { !$0.target.hasPrefix("/tranzy/vehicles") } == 7)
        #expect(!daemon.output().contains("good"))

        // When the rate limit is reached, the existing data expires.
        try server.answer("/tranzy/vehicles", with: "/status?code=429&retry_after=6000")
        try daemon.eventually("the wait") { try outcome()?["due_reason"]?.text == "retry_after" ? true : nil }
        try daemon.eventually("an empty board") { try departures().isEmpty ? true : nil }
    }

    @Test func rejectedKeyIsReported() throws {
        try daemon.folder.write(secret: "bad\n", as: "tranzy.key")
        try begin(rate: 1)
        try daemon.eventually("the refusal") {
            let notices = try daemon.ask("status")["notices"]?.elements.compactMap { $0["message"]?.text } ?? []
            return notices.contains { $0.contains("403") || $0.contains("key") } ? true : nil
        }
        #expect(try departures().isEmpty)
        let asked = try server.log().count { $0.target.hasPrefix("/tranzy/") }
        #expect(asked < 20)
    }
}
