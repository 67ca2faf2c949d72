import Foundation
import Glibc
import Testing
import TransitControl
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

/// Tests of the built daemon with a city that has the APIs of Hong Kong's operators: from a configuration with three
/// lines to routes, stops and departures.
@Suite(.enabled(if: UpstreamFixture.isThere, "needs the built transitd, python3 and openssl"), .ownThreads)
struct HongKongProcessTests {
    private static let start = "2026-03-28T00:00:00Z"

    private let daemon: DaemonProcess
    private let server: UpstreamServer

    init() throws {
        daemon = try DaemonProcess()
        server = try UpstreamServer()
        try daemon.configure(
            """
            [[feed]]
            id = "hk"
            provider = "hongkong"
            base_url = "\(server.url("/hongkong/6x5", .plain))"
            """)
        try server.setClock(Instant(rfc3339: Self.start)?.secondsSince1970 ?? 0, rate: 1)
        try daemon.start(["--replay-clock", "\(Self.start)/1"])
    }

    /// Three poles in a row share a name, of which the outer ones are more than 300 m apart.
    @Test("The routes of a stop with several poles are the same in all commands")
    func commandsAgreeOnRoutesOfStop() throws {
        daemon.signal(SIGTERM)
        #expect(daemon.wait().code == 0)
        try daemon.configure(
            """
            [[feed]]
            id = "hk"
            provider = "hongkong"
            base_url = "\(server.url("/hongkong/6x5s", .plain))"
            """)
        try daemon.start(["--replay-clock", "\(Self.start)/1"])
        try waitForNetwork()
        func names(_ routes: JSONValue?) -> Set<String> {
            Set(routes?.elements.compactMap { $0.text ?? $0["short_name"]?.text } ?? [])
        }
        // The poles "STOP 3" are the last ones of the first route and the first ones of the second.
        let near = try daemon.ask("stops.near", ["position": ["lat": 22.28, "lon": 114], "radius": 500])["stops"]?
            .elements
        let row = try #require(near?.first { $0["stop"]?["name"]?.text == "STOP 3" })
        let reference = try #require(row["reference"]?.text)
        #expect(reference.components(separatedBy: " + ").count == 2)
        let shown = try daemon.ask("stops.show", ["stop": .string(reference)])
        #expect(names(shown["routes"]) == names(row["routes"]))
        let departures = try daemon.eventually("departures of all routes") { () -> [JSONValue]? in
            let found = try daemon.ask("departures", ["stop": .string(reference), "count": 60])["departures"]?.elements
            let routes = Set(found?.compactMap { $0["route"]?["short_name"]?.text } ?? [])
            return routes == names(row["routes"]) ? found : nil
        }
        #expect(!departures.isEmpty)
        // A single pole says which stop it belongs to.
        let pole = try #require(row["stop"]?["id"]?.text)
        let alone = try daemon.ask("stops.show", ["stop": .string("hk:" + pole)])
        #expect(names(alone["routes"]).isSubset(of: names(row["routes"])))
        let whole = try #require(alone["whole_stop"]?.text)
        #expect(Set(whole.components(separatedBy: " + ")) == Set(reference.components(separatedBy: " + ")))
    }

    private func waitForNetwork() throws {
        _ = try daemon.eventually("the network") {
            let routes = try? daemon.ask("routes.search", ["text": "", "count": 100])["routes"]?.elements
            return routes?.isEmpty == false ? true : nil
        }
    }

    @Test("The network is collected once, and routes without stops are not listed")
    func networkIsCollectedOnce() throws {
        try waitForNetwork()
        let all = try daemon.ask("routes.search", ["text": "", "count": 100])["routes"]?.elements ?? []
        #expect(all.count == 6 + 5)
        let keypad = try daemon.ask("routes.search", ["text": "1", "next_characters": .bool(true)])
        #expect(keypad["next_characters"]?.elements.compactMap(\.text) == ["0"])
        #expect(keypad["is_complete"]?.flag == true)
        let nowhere = try daemon.ask("routes.search", ["text": "9C"])["routes"]?.elements
        #expect(nowhere?.isEmpty == true, "9C has no stops")
        let stop = try daemon.ask("stops.show", ["stop": "hk:0000000000000002"])["stop"]
        #expect(stop?["name"]?.text == "STOP 1")
        #expect(stop?["code"]?.text == "YT101")
        let route = try daemon.ask("routes.show", ["route": "hk:KMB/1", "paths": .bool(true)])
        #expect(route["route"]?["color"]?.text == "DD1E2F")
        let direction = try #require(route["directions"]?.elements.first)
        #expect(direction["polyline"]?.text?.isEmpty == false)
        #expect(direction["polyline_source"]?.text == "stops", "there are no shapes")
        #expect(direction["stops"]?.elements.isEmpty == false)
        // The network has estimated times only.
        #expect(direction["stops"]?.elements.allSatisfy { $0["travel_time"]?.number == nil } == true)
        #expect(route["patterns"]?.elements.allSatisfy { $0["travel_time"]?.number == nil } == true)
        let headsigns = try daemon.ask("stops.show", ["stop": "hk:0000000000000002"])["headsigns"]?.elements
        #expect(headsigns?.first?["headsigns"]?.elements.first?.text?.isEmpty == false)
        let asked = try server.log().map(\.target)
        #expect(Set(asked).count == asked.count, "no request is repeated")
        #expect(
            asked.allSatisfy { !$0.contains("/eta/") && !$0.contains("/stop-eta/") }, "arrivals are not in demand yet")
    }

    @Test("Departures are queried on demand, and the response is shared by later requests")
    func departuresAreQueriedOnDemand() throws {
        try waitForNetwork()
        // The circular route starts and ends at this stop.
        let first = try daemon.eventually("departures") { () -> [JSONValue]? in
            let answer = try daemon.ask("departures", ["stop": "hk:0000000000000001", "count": 30])
            let departures = answer["departures"]?.elements ?? []
            return departures.isEmpty ? nil : departures
        }
        let circular = first.filter { $0["route"]?["short_name"]?.text == "1" }
        #expect((2...3).contains(circular.count), "passengers cannot board a bus that ends here")
        #expect(first.contains { $0["headsign"]?.text?.hasPrefix("ESTATE") == true })
        let chinese = try daemon.ask(
            "departures", ["stop": "hk:0000000000000001", "count": 30, "language": "zh-HK"])["departures"]?.elements
        #expect(chinese?.isEmpty == false)
        #expect(
            chinese?.allSatisfy { $0["headsign"]?.text?.hasPrefix("乙") == true } == true, "realtime headsigns as well")
        #expect(chinese?.allSatisfy { $0["stop"]?["name"]?.text?.hasPrefix("站") == true } == true)
        for _ in 0..<5 { _ = try daemon.ask("departures", ["stop": "hk:0000000000000001"]) }
        let asked = try server.log().count { $0.target.hasSuffix("/stop-eta/0000000000000001") }
        #expect(asked == 1, "requests share one response within its lifetime")
    }

    @Test("No departures and a failed query have different notices")
    func failedQueryDiffersFromNoDepartures() throws {
        try waitForNetwork()
        let path = "/hongkong/6x5/v1/transport/kmb/stop-eta/"
        try server.answer(path + "0000000000000004", with: "/hongkong/refuse?code=403")
        try server.answer(path + "0000000000000006", with: "/hongkong/empty")
        func notices(_ stop: String) throws -> [String] {
            let answer = try daemon.ask("departures", ["stop": .string("hk:" + stop)])
            return answer["notices"]?.elements.compactMap { $0["message"]?.text } ?? []
        }
        let refused = try daemon.eventually("the refusal") { () -> [String]? in
            let said = try notices("0000000000000004")
            return said.contains { $0.contains("403") || $0.contains("refused") } ? said : nil
        }
        #expect(!refused.isEmpty)
        _ = try daemon.eventually("the empty answer") {
            _ = try notices("0000000000000006")
            return try server.log().contains { $0.target.hasSuffix("0000000000000006") } ? true : nil
        }
        #expect(try notices("0000000000000006") != notices("0000000000000004"))
        // The daemon remembers the refusal and does not repeat the query.
        for _ in 0..<5 { _ = try notices("0000000000000004") }
        #expect(try server.log().count { $0.target.hasSuffix("0000000000000004") } == 1)
        // The query is not repeated after a restart either.
        daemon.signal(SIGTERM)
        #expect(daemon.wait().seconds < 60)
        try daemon.start(["--replay-clock", "\(Self.start)/1"])
        #expect(try notices("0000000000000004").contains { $0.contains("403") })
        #expect(try server.log().count { $0.target.hasSuffix("0000000000000004") } == 1)
    }

    @Test("A favorite shows departures, and never reports no service while departures are unknown")
    func favoriteWithUnknownDeparturesDoesNotReportNoService() throws {
        try waitForNetwork()
        try server.answer("/hongkong/6x5/v1/transport/kmb/stop-eta/0000000000000006", with: "/hongkong/empty")
        for stop in ["0000000000000002", "0000000000000006"] {
            _ = try daemon.ask("favorite.add", ["stop": .string("hk:" + stop)])
        }
        let boards = try daemon.eventually("both boards") { () -> [JSONValue]? in
            let boards = try daemon.ask("favorite.show")["boards"]?.elements ?? []
            return boards.first?["departures"]?.elements.isEmpty == false ? boards : nil
        }
        let remarks = boards.compactMap { $0["empty_reason"]?.text }
        #expect(remarks.allSatisfy { !$0.contains("Nothing leaves") }, "\(remarks)")
    }
}

extension JSONValue {
    fileprivate var flag: Bool? { if case .bool(let value) = self { value } else { nil } }
}
