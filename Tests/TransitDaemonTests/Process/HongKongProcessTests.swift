import Foundation
import Glibc
import Testing
import TransitControl
import TransitModel
import TransitTestSupport

/// The built daemon and a city with the interfaces of Hong Kong's operators: from a configuration of three lines to routes,
/// stops and departures.
@Suite(.enabled(if: UpstreamFixture.isThere, "needs transitd beside the tests, python3 and openssl"), .serialized)
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

    private func waitForNetwork() throws {
        _ = try daemon.eventually("the network") {
            let routes = try? daemon.ask("routes.search", ["text": "", "count": 100])["routes"]?.elements
            return routes?.isEmpty == false ? true : nil
        }
    }

    @Test("The network is collected once, searched, and offers nothing without stops")
    func network() throws {
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
        let asked = try server.log().map(\.target)
        #expect(Set(asked).count == asked.count, "nothing is asked twice")
        #expect(asked.allSatisfy { !$0.contains("/eta/") && !$0.contains("/stop-eta/") }, "nobody wants arrivals yet")
    }

    @Test("Departures are asked for when somebody wants them, and shared by whoever asks next")
    func departures() throws {
        try waitForNetwork()
        // The circular route begins and ends here.
        let first = try daemon.eventually("departures") { () -> [JSONValue]? in
            let answer = try daemon.ask("departures", ["stop": "hk:0000000000000001", "count": 30])
            let departures = answer["departures"]?.elements ?? []
            return departures.isEmpty ? nil : departures
        }
        let circular = first.filter { $0["route"]?["short_name"]?.text == "1" }
        #expect((2...3).contains(circular.count), "the bus that ends here is none to get on")
        #expect(first.contains { $0["headsign"]?.text?.hasPrefix("ESTATE") == true })
        let chinese = try daemon.ask(
            "departures", ["stop": "hk:0000000000000001", "count": 30, "language": "zh-HK"])["departures"]?.elements
        #expect(chinese?.isEmpty == false)
        #expect(chinese?.allSatisfy { $0["headsign"]?.text?.hasPrefix("乙") == true } == true, "live headsigns too")
        #expect(chinese?.allSatisfy { $0["stop"]?["name"]?.text?.hasPrefix("站") == true } == true)
        for _ in 0..<5 { _ = try daemon.ask("departures", ["stop": "hk:0000000000000001"]) }
        let asked = try server.log().count { $0.target.hasSuffix("/stop-eta/0000000000000001") }
        #expect(asked == 1, "one answer does for all within its lifetime")
    }

    @Test("“Nothing comes” and “could not ask” are two answers")
    func refusal() throws {
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
        // It is remembered, not repeated.
        for _ in 0..<5 { _ = try notices("0000000000000004") }
        #expect(try server.log().count { $0.target.hasSuffix("0000000000000004") } == 1)
        // Nor after a restart.
        daemon.signal(SIGTERM)
        #expect(daemon.wait().seconds < 5)
        try daemon.start(["--replay-clock", "\(Self.start)/1"])
        #expect(try notices("0000000000000004").contains { $0.contains("403") })
        #expect(try server.log().count { $0.target.hasSuffix("0000000000000004") } == 1)
    }

    @Test("A favorite tells what comes, and never that nothing leaves where nothing is known")
    func favorites() throws {
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
        #expect(remarks.allSatisfy { !$0.contains("until the end of") }, "\(remarks)")
    }
}

extension JSONValue {
    fileprivate var flag: Bool? { if case .bool(let value) = self { value } else { nil } }
}
