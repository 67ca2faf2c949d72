import Foundation
import Testing
import TransitTestSupport

@testable import TransitFeeds
@testable import TransitModel

/// All recordings of the two operators, and both formats of published files.
@Suite(.enabled(if: SharedData.isAvailable))
struct HongKongRecordingTests {
    private static func body(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(filePath: SharedData.path("hk", name))))
    }

    private static func rows(_ name: String) throws -> (rows: [HongKongRow], log: HongKongRowLog) {
        var log = HongKongRowLog()
        let response = try HongKongResponse(body(name), as: "rows", &log) { row, _ in row }
        return (response.elements, log)
    }

    @Test(arguments: [
        ("doc-samples/kmb-ETA.json", 3), ("doc-samples/kmb-Route.json", 1), ("doc-samples/kmb-RouteETA.json", 6),
        ("doc-samples/kmb-RouteList.json", 2), ("doc-samples/kmb-RouteStop.json", 2),
        ("doc-samples/kmb-RouteStopList.json", 3), ("doc-samples/kmb-Stop.json", 1),
        ("doc-samples/kmb-StopETA.json", 10), ("doc-samples/kmb-StopList.json", 2),
        ("envelope/kmb_route_stops-2022-03-13.json", 32_744), ("envelope/kmb_routes.json", 1_571),
        ("envelope/kmb_stops.json", 6_660), ("quoted/kmb-ETA-empty-299X-2026-01-12.json", 0),
        ("quoted/kmb-StopETA-43A-2022-02-06.json", 2), ("quoted/kmb-StopETA-null-eta-2022-11-19.json", 1),
        ("raw/kmb_routes.json", 1_571), ("raw/kmb_stops.json", 6_660),
    ])
    func everyRowIsRead(name: String, count: Int) throws {
        let (rows, log) = try Self.rows(name)
        #expect(rows.count == count)
        #expect(log.findings.isEmpty, "\(log.findings)")
        #expect(!rows.contains { $0.isEmpty })
    }

    @Test func citybusRowsAreRead() throws {
        let (routes, log) = try Self.rows("raw/ctb_routes.json")
        #expect(routes.count > 390)
        #expect(routes.allSatisfy { $0.route != nil && $0.destination.text != nil })
        #expect(log.findings.isEmpty, "\(log.findings)")
        let (calls, _) = try Self.rows("raw/ctb_route_stops.json")
        #expect(!calls.isEmpty)
        #expect(calls.allSatisfy { $0.stop != nil && $0.sequence != nil && $0.direction != nil })
    }

    @Test(arguments: ["errors/422.json", "doc-samples/kmb-Error.json"])
    func errorIsNotAnEmptyResponse(name: String) throws {
        #expect(throws: FeedError.message(.failed, offset: 0, member: "the document")) {
            try Self.rows(name)
        }
    }

    /// The MTR's feeder buses use another format, which is rejected.
    @Test func otherFormatIsRejected() throws {
        #expect(throws: FeedError.message(.missing("data"), offset: 0, member: "the document")) {
            try Self.rows("hk-bus-eta/K18_en.fixture.json")
        }
    }

    /// KMB's three lists from 2025 and 2022, combined with a Citybus network of one route.
    @Test func networkOfKMBIsBuilt() throws {
        var collection = try #require(HongKongProvider().collection())
        let bodies = [
            "kmb-route": try Self.body("envelope/kmb_routes.json"),
            "kmb-stop": try Self.body("envelope/kmb_stops.json"),
            "kmb-route-stop": try Self.body("envelope/kmb_route_stops-2022-03-13.json"),
            "ctb-route": try Self.body("raw/ctb_routes.json"),
        ]
        while let step = collection.next() {
            if let body = bodies[step.name] {
                try collection.add(body, for: step)
            } else {
                try collection.reject(step, status: 404)
            }
        }
        let reading = try collection.finish()
        #expect(reading.draft.trips.count == 1_278, "the variants in both lists")
        #expect(reading.draft.stops.filter { $0.code != nil }.count > 5_000)
        #expect(!reading.draft.stops.contains { $0.name.hasSuffix("(YT545)") })
        #expect(reading.draft.stops.allSatisfy { $0.coordinate != nil })
        let found = Dictionary(reading.report.findings.map { ($0.rule, $0.count) }, uniquingKeysWith: +)
        #expect((found["unused_route"] ?? 0) >= 292, "variants without stops in the list")
        let first = try #require(reading.draft.stops.first { $0.id == "00040ED8B61CA94B" })
        #expect(first.name == "PUBLIC SQUARE STREET YAU MA TEI")
        #expect(first.code == "YT545")
        #expect(
            reading.draft.translations.contains {
                $0.field == "stop_name" && $0.language == "zh-Hant" && $0.text == "油麻地眾坊街"
            })
    }

    @Test(arguments: [
        ("hkbus/routeFareList-2022-03-12.min.json", 2_000), ("hkbus/routeFareList-2022-03-13.min.json", 2_000),
        ("hkbusapp-bus_data_2025-09-04.json", 73),
    ])
    func publishedFilesAreRead(name: String, atLeast count: Int) throws {
        let options = ProviderOptions(urls: [.static: "http://127.0.0.1:9/network.json"])
        var collection = try #require(HongKongProvider(options).collection())
        let step = try #require(collection.next())
        #expect(step.request.url == "http://127.0.0.1:9/network.json")
        try collection.add(Self.body(name), for: step)
        #expect(collection.next() == nil)
        #expect(collection.progress == (1, 1))
        let reading = try collection.finish()
        #expect(reading.draft.trips.count >= count, "\(reading.draft.trips.count)")
        #expect(reading.draft.stops.allSatisfy { $0.coordinate != nil })
        #expect(Set(reading.draft.routes.map(\.agency)).count == (count > 100 ? 2 : 1))
        print("\(name): \(reading.draft.trips.count) variants, \(reading.draft.stops.count) stops")
        for finding in reading.report.findings { print("  \(finding.rule): \(finding.count) \(finding.examples[0])") }
    }

    /// Every pair of a route and a stop in a file is in the network. The expected pairs are read independently.
    @Test(arguments: [
        "hkbus/routeFareList-2022-03-12.min.json", "hkbus/routeFareList-2022-03-13.min.json",
        "hkbusapp-bus_data_2025-09-04.json",
    ])
    func everyRouteCallsWhereTheFileSays(name: String) throws {
        let body = try Self.body(name)
        let file = try #require(JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
        let expected = try Self.pairs(file)
        let reading = try HongKongFile.network(body).reading()
        var found: Set<[String]> = []
        reading.draft.patterns.forEachPattern { pattern in
            let route = reading.draft.routes[pattern.route.position].id.rawValue
            for call in pattern.calls { found.insert([route, reading.draft.stops[call.stop.position].id.rawValue]) }
        }
        #expect(expected.count > 1_000)
        let lost = expected.subtracting(found)
        #expect(lost.isEmpty, "\(lost.count) of \(expected.count) pairs are lost, such as \(lost.prefix(3))")
        #expect(found.isSubset(of: expected))
    }

    /// Returns pairs such as `[KMB/1A, 18492910339410B1]` of variants with at least two known stops.
    private static func pairs(_ file: [String: Any]) throws -> Set<[String]> {
        var pairs: Set<[String]> = []
        func add(_ company: String, _ number: Any?, _ stops: [String], _ known: [String: Any]) {
            let codes = ["kmb": "KMB", "lwb": "KMB", "ctb": "CTB", "nwfb": "CTB"]
            let stops = stops.filter { known[$0] != nil }
            guard let code = codes[company.lowercased()], let number = number as? String, stops.count >= 2 else {
                return
            }
            for stop in stops { pairs.insert(["\(code)/\(number)", stop]) }
        }
        if let routes = file["routeList"] as? [String: [String: Any]] {
            let known = try #require(file["stopList"] as? [String: Any])
            for route in routes.values {
                for (company, stops) in route["stops"] as? [String: [String]] ?? [:] {
                    add(company, route["route"], stops, known)
                }
            }
        } else {
            let routes = try #require(file["routes"] as? [String: [String: Any]])
            let calls = try #require(file["route_stops"] as? [String: [[String: Any]]])
            let known = try #require(file["stops"] as? [String: Any])
            for (key, route) in routes {
                add(
                    route["company"] as? String ?? "", route["route_number"],
                    (calls[key] ?? []).compactMap { $0["stop_id"] as? String }, known)
            }
        }
        return pairs
    }

    /// The recorded boards as riders would see them at the time of the recording.
    @Test func recordedBoardsAreRead() throws {
        let source = try #require(HongKongProvider().arrivals)
        let variants = [RouteVariant(route: "KMB/1A", trip: "KMB/1A/O/1")]
        let query = source.queries(at: "A1", for: variants, now: Instant(secondsSince1970: 0))[0]
        func updates(_ name: String, _ moment: String) throws -> [TripUpdate] {
            let received = try #require(Instant(rfc3339: moment))
            let message = try source.message(Self.body(name), of: query, received: received)
            #expect(message.problems.isEmpty)
            return message.entities.compactMap { if case .tripUpdate(let update) = $0 { update } else { nil } }
        }
        // The first bus was due 39 seconds before this time.
        #expect(try updates("quoted/kmb-StopETA-43A-2022-02-06.json", "2022-02-06T14:51:39+08:00").count == 2)
        #expect(try updates("quoted/kmb-StopETA-43A-2022-02-06.json", "2022-02-06T14:52:30+08:00").count == 1)
        #expect(try updates("quoted/kmb-StopETA-null-eta-2022-11-19.json", "2022-11-19T00:21:48+08:00").isEmpty)
        #expect(try updates("quoted/kmb-ETA-empty-299X-2026-01-12.json", "2026-01-12T08:55:21+08:00").isEmpty)
        let board = try updates("doc-samples/kmb-StopETA.json", "2021-03-18T12:21:38+08:00")
        let routes = board.map { $0.trip.routeID?.rawValue ?? "-" }
        // Route 40 is listed under two service types, each with the same three buses.
        #expect(routes.filter { $0 == "KMB/40" }.count == 3)
        #expect(routes.filter { $0 == "KMB/234X" }.count == 3)
        #expect(board.allSatisfy { $0.basis == .planned })
    }
}
