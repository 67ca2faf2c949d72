import Foundation
import Glibc
import Testing
import TransitControl
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

/// Tests of the built daemon with a WaBus server: from an empty folder to the network, departures and vehicles.
@Suite(.enabled(if: UpstreamFixture.isThere, "needs the built transitd, python3 and openssl"), .ownThreads)
struct WaBusProcessTests {
    /// A daemon with Warsaw as its only feed and with the places home and work.
    private final class WaBusFixture {
        let daemon: DaemonProcess
        let server: UpstreamServer
        static let start = "2026-02-03T11:00:00Z"

        init() throws {
            daemon = try DaemonProcess()
            server = try UpstreamServer()
            try daemon.configure(
                """
                [[feed]]
                id = "warsaw"
                provider = "wabus"
                base_url = "\(server.url("/wabus"))"
                ca_file = "\(server.caFile)"
                [feed.refresh]
                vehicles = "5s"
                [queries]
                arrivals_wait = 10
                [place.home]
                lat = 52.2297
                lon = 21.0122
                [place.work]
                lat = 52.2497
                lon = 21.0122
                """)
        }

        func start() throws {
            try server.setClock(Instant(rfc3339: Self.start)?.secondsSince1970 ?? 0, rate: 1)
            try daemon.start(["--replay-clock", "\(Self.start)/1"])
        }

        func asked(_ path: String) throws -> Int {
            try server.log().count { $0.target == "/wabus/v1/" + path }
        }

        /// Returns the number of requests for a stop.
        func asked(of stop: String, _ what: String) throws -> Int {
            try server.log().count { $0.target.hasPrefix("/wabus/v1/stops/\(stop)/\(what)") }
        }

        /// Waits until the network is collected.
        func waitForNetwork() throws {
            _ = try daemon.eventually("the network") {
                try daemon.ask("status")["feeds"]?.elements.first?["version"]?.number
            }
        }

        /// The identifiers of the known vehicles, sorted.
        func vehicles() throws -> [String] {
            try daemon.ask("vehicles", ["feed": "warsaw"])["vehicles"]?.elements.compactMap { $0["id"]?.text }.sorted()
                ?? []
        }
    }

    @Test("The network is collected step by step, even if the server is still loading at first")
    func networkIsCollectedAfterServerHasLoaded() throws {
        let scene = try WaBusFixture()
        try scene.server.answer("/wabus/v1/sync", with: "/wabus/v1/sync?fault=loading&after=1")
        try scene.start()
        _ = try scene.daemon.eventually("a first request") { try scene.asked("sync") > 0 ? true : nil }
        try scene.server.answer("/wabus/v1/sync", with: nil)
        _ = try scene.daemon.ask("refresh", ["feed": "warsaw"])
        try scene.waitForNetwork()
        let routes = try scene.daemon.ask("routes.search", ["text": "7"])["routes"]?.elements ?? []
        #expect(routes.first?["route"]?["id"]?.text == "7")
        let stops = try scene.daemon.ask("routes.stops", ["route": "7"])
        #expect("\(stops)".contains("Ulica 5 01"))
        // A line without stops is not listed.
        #expect(try scene.daemon.ask("routes.search", ["text": "M1"])["routes"]?.elements.isEmpty == true)
        for path in ["routes/7/stops", "routes/9/stops", "routes/M1/stops", "routes/7/shape", "routes/9/shape"] {
            #expect(try scene.asked(path) == 1, "\(path)")
        }
        #expect(try scene.asked("routes/M1/shape") == 0)
        #expect(!"\(try scene.daemon.ask("status"))".contains("EXPIRED"))
    }

    /// A line's stops are in a single list for both directions, which does not contain the direction of a trip.
    @Test func headsignDeterminesDirection() throws {
        let scene = try WaBusFixture()
        try scene.start()
        try scene.waitForNetwork()
        func directions(_ stop: String) throws -> [String: String?] {
            let board = try scene.daemon.ask("departures", ["stop": .string(stop)])
            return Dictionary(
                (board["departures"]?.elements ?? []).map { ($0["headsign"]?.text ?? "", $0["direction"]?.text) },
                uniquingKeysWith: { first, _ in first })
        }
        let out = try directions("warsaw:1011")
        #expect(out == ["Ulica 5": "work", "Ulica 3": "work"])
        let back = try directions("warsaw:1042")
        #expect(back == ["Ulica 0": "home"])
        // The stop is already near work, and line 9 ends there.
        let end = try directions("warsaw:1031")
        #expect(end == ["Ulica 5": nil, "Ulica 3": nil])
    }

    @Test("Vehicles are polled first, then received over the WebSocket, and polled again when it fails")
    func vehiclesAreReceivedOverWebSocketOrPolled() throws {
        let scene = try WaBusFixture()
        try scene.start()
        try scene.waitForNetwork()
        _ = try scene.daemon.eventually("vehicles") { try scene.vehicles().contains("1:1000") ? true : nil }
        // Vehicles report their line but no trip.
        let ofLine = try scene.daemon.ask("vehicles", ["route": "7"])["vehicles"]?.elements
        #expect(ofLine?.compactMap { $0["id"]?.text } == ["1:1000"], "and not 1:1001, of line 9")
        // Requests cause the connection to be opened, and a vehicle that a message on it removes disappears.
        _ = try scene.daemon.eventually("a change over the WebSocket") {
            try scene.vehicles() == ["1:1000"] ? true : nil
        }
        let said = try scene.server.log().map(\.target).filter { $0.hasPrefix("/wabus/v1/ws#") }
        #expect(said.first?.contains(#""subscribe""#) == true)

        // The connection breaks and cannot be restored, so the vehicles are polled.
        let polls = try scene.asked("vehicles")
        try scene.server.answer("/wabus/v1/ws", with: "/wabus/v1/ws?fault=loading")
        scene.daemon.signal(SIGTERM)
        #expect(scene.daemon.wait().seconds < 60)
        // The server reads the frame after the daemon has sent it and exited.
        _ = try scene.daemon.eventually("the close frame") {
            try scene.server.log().contains { $0.target == "/wabus/v1/ws#close 1001" } ? true : nil
        }
        try scene.daemon.start(["--replay-clock", "\(WaBusFixture.start)/1"])
        _ = try scene.daemon.eventually("both vehicles again") { try scene.vehicles().count == 2 ? true : nil }
        _ = try scene.daemon.eventually("more requests") {
            _ = try scene.vehicles()
            return try scene.asked("vehicles") > polls + 1 ? true : nil
        }
    }

    @Test("Departures are queried on demand, once, for both ends of a commute")
    func departuresAreQueriedOnceOnDemand() throws {
        let scene = try WaBusFixture()
        try scene.start()
        try scene.waitForNetwork()
        let board = try scene.daemon.ask("departures", ["stop": "warsaw:1001"])
        #expect(board["departures"]?.elements.first?["route"]?["id"]?.text == "7")
        for _ in 0..<3 { _ = try scene.daemon.ask("departures", ["stop": "warsaw:1001"]) }
        #expect(try scene.asked(of: "1001", "schedule") == 1)
        let ride = try #require(
            try scene.daemon.ask("next", ["commute": "home-to-work"])["departures"]?.elements.first)
        #expect(ride["stop"]?["id"]?.text == "1001")
        #expect(ride["arrival"]?["stop"]?["id"]?.text == "1051")
        #expect(ride["arrival"]?["scheduled"]?.text != nil)
        // All trips from the stops across the street go in the other direction.
        let rides = try scene.daemon.ask("next", ["commute": "home-to-work"])["departures"]?.elements ?? []
        #expect(rides.allSatisfy { $0["stop"]?["id"]?.text?.hasSuffix("1") == true })
    }

    @Test("The lines at a stop are queried on demand and complete those of the network")
    func linesOfStopAreQueriedOnDemand() throws {
        let scene = try WaBusFixture()
        try scene.server.answer("/wabus/v1/stops/1001/lines", with: "/wabus/v1/stops/1001/lines?also=N5")
        try scene.start()
        try scene.waitForNetwork()
        for _ in 0..<3 {
            let stop = try scene.daemon.ask("stops.show", ["stop": "warsaw:1001"])
            #expect(stop["routes"]?.elements.compactMap { $0["id"]?.text } == ["7", "9", "N5"])
        }
        #expect(try scene.asked(of: "1001", "lines") == 1)
        // A failed query is reported, and the lines in the network are listed.
        try scene.server.answer("/wabus/v1/stops/1011/lines", with: "/wabus/v1/stops/1011/lines?fault=limit")
        let limited = try scene.daemon.ask("stops.show", ["stop": "warsaw:1011"])
        #expect(limited["routes"]?.elements.compactMap { $0["id"]?.text } == ["7", "9"])
        #expect("\(limited)".contains("429"))
    }

    @Test("A favorite's departures are preloaded")
    func favoriteIsPreloaded() throws {
        let scene = try WaBusFixture()
        try scene.start()
        try scene.waitForNetwork()
        _ = try scene.daemon.ask("favorite.add", ["stop": "warsaw:1021", "route": "7"])
        _ = try scene.daemon.eventually("the schedule of the favorite") {
            try scene.asked(of: "1021", "schedule") == 1 ? true : nil
        }
        _ = try scene.daemon.eventually("its lines") { try scene.asked(of: "1021", "lines") == 1 ? true : nil }
        let shown = try scene.daemon.ask("favorite.show", ["count": 2])["boards"]?.elements.first
        #expect(shown?["departures"]?.elements.compactMap { $0["headsign"]?.text } == ["Ulica 5", "Ulica 5"])
        #expect(try scene.asked(of: "1021", "schedule") == 1)
    }

    @Test("Retry-After is honored, even after a restart")
    func retryAfterSurvivesRestart() throws {
        let scene = try WaBusFixture()
        // The pause is much longer than the restart takes on a loaded machine.
        try scene.server.answer(
            "/wabus/v1/stops/1031/schedule", with: "/wabus/v1/stops/1031/schedule?fault=limit&after=3600")
        try scene.start()
        try scene.waitForNetwork()
        _ = try scene.daemon.ask("favorite.add", ["stop": "warsaw:1031"])
        func remark() throws -> String {
            try scene.daemon.ask("favorite.show")["boards"]?.elements.first?["empty_reason"]?.text ?? ""
        }
        _ = try scene.daemon.eventually("the limit") { try remark().contains("429") ? true : nil }
        #expect(try remark().contains("the next attempt is in"))
        scene.daemon.signal(SIGTERM)
        #expect(scene.daemon.wait().seconds < 60)
        try scene.start()
        for _ in 0..<3 {
            let text = try remark()
            #expect(text.contains("asked the daemon to wait"), "\(text)")
        }
        #expect(try scene.asked(of: "1031", "schedule") == 1)
    }
}
