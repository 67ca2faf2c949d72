import Foundation
import Logging
import Synchronization
import Testing
import TransitControl
import TransitFeeds
import TransitModel
import TransitQueries
import TransitStore
import TransitSystem
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon
@testable import TransitRefresh

/// Tests of `feed.find`: when the catalog is requested, that it answers offline, and that a damaged catalog replaces
/// nothing.
@Suite(.ownThreads) struct CatalogTests {
    /// A server of the catalog whose response a test can replace.
    private final class Service: Sendable {
        private final class Response: Sendable {
            private let state: Mutex<(status: String, body: String)>
            init(_ value: (String, String)) { state = Mutex(value) }
            var value: (status: String, body: String) { state.withLock { $0 } }
            func replace(_ value: (String, String)) { state.withLock { $0 = value } }
        }

        private let response = Response(("200 OK", CatalogTests.catalog()))
        let server: LoopbackServer

        init() throws {
            server = try LoopbackServer { [response] _ in
                let (status, body) = response.value
                return "HTTP/1.1 \(status)\r\nETag: \"a\"\r\nContent-Length: \(body.utf8.count)\r\n"
                    + "Connection: close\r\n\r\n\(status.hasPrefix("304") ? "" : body)"
            }
        }

        func answer(_ status: String, _ body: String = "") { response.replace((status, body)) }
        var count: Int { server.requests.count }
    }

    private static let header =
        "id,data_type,location.municipality,provider,urls.direct_download,status,redirect.id,"
        + "location.bounding_box.minimum_latitude,location.bounding_box.maximum_latitude,"
        + "location.bounding_box.minimum_longitude,location.bounding_box.maximum_longitude\n"

    private static func catalog(_ rows: String = "", further: Int = 8) -> String {
        header + "mdb-1,gtfs,Munich,MVV,https://a.example/mvv.zip,,,48,48.3,11.3,11.8\n"
            + "mdb-2,gtfs,,Old Bus,https://old.example/bus.zip,deprecated,mdb-3,,,,\n"
            + "mdb-3,gtfs,,New Bus,https://new.example/bus.zip,active,,,,,\n" + rows
            + (0..<further).map { "mdb-\($0 + 10),gtfs,,Filler,,,,,,,\n" }.joined()
    }

    private static func daemon(
        _ service: Service, _ change: @escaping (inout Configuration) -> Void = { _ in }
    ) throws -> TestDaemon {
        try TestDaemon { configuration in
            configuration.catalog.url = service.server.url("/feeds_v2.csv")
            change(&configuration)
        }
    }

    /// Searches while the refresh engine runs.
    private static func find(_ text: String, _ daemon: TestDaemon) async throws -> FeedFindResult {
        try await daemon.running { try await daemon.askLengthy(FeedFindParameters(text: text)) }
    }

    @Test func nothingIsRequestedBeforeTheFirstSearch() async throws {
        let service = try Service()
        let daemon = try Self.daemon(service)
        #expect(try daemon.ask(StatusParameters()).context.isEmpty)
        #expect(try await daemon.refresh(.catalog).result == .notModified(Validators()))
        #expect(service.count == 0)
    }

    @Test func firstSearchDownloadsTheCatalogAndAnswers() async throws {
        let service = try Service()
        let daemon = try Self.daemon(service)
        let reply = try await Self.find("München", daemon)
        #expect(reply.feeds.map(\.id) == ["mdb-1"])
        #expect(reply.feeds.first?.url == "https://a.example/mvv.zip" && reply.age == 0 && reply.notices.isEmpty)
        #expect(service.count == 1)
        // The search is not sent.
        #expect(service.server.requests.map(\.path) == ["/feeds_v2.csv"])
        _ = try await Self.find("bus", daemon)
        #expect(service.count == 1)
        let status = try daemon.ask(StatusParameters())
        #expect(status.context.map(\.dataset) == [.catalog])
        #expect(status.context.map(\.freshness) == [.fresh])
    }

    @Test func catalogAnswersOfflineAfterARestart() async throws {
        let service = try Service()
        let first = try Self.daemon(service)
        _ = try await Self.find("munich", first)
        let second = try TestDaemon(
            { $0.catalog.url = service.server.url("/feeds_v2.csv") }, folder: first.folder)
        let reply = try await second.askLengthy(FeedFindParameters(text: "munich"))
        #expect(reply.feeds.map(\.id) == ["mdb-1"])
        #expect(service.count == 1)
    }

    @Test func oldCatalogIsRequestedConditionallyAfterASearch() async throws {
        let service = try Service()
        let daemon = try Self.daemon(service)
        _ = try await Self.find("munich", daemon)
        daemon.clock.advance(by: 8 * 86_400)
        // Nobody has searched since, and no configured feed is from the catalog.
        #expect(try await daemon.refresh(.catalog).result == .notModified(Validators()))
        #expect(service.count == 1)
        #expect(daemon.daemon.externalData.catalog.recordSearch(at: daemon.clock.now()) == false)
        service.answer("304 Not Modified")
        let order = DatasetFetch(
            ticket: 0, dataset: .catalog, source: DatasetSource(endpoint: "test", host: nil),
            validators: Validators(etag: "\"a\""), deadline: 10, bodyLimit: 32 << 20, priority: .user)
        guard case .notModified = await daemon.daemon.fetcher.fetch(order, CancellationFlag()).result else {
            Issue.record("the catalog was not confirmed")
            return
        }
        #expect(service.count == 2)
        #expect(service.server.requests.last?.headers["if-none-match"] == "\"a\"")
        #expect(try await daemon.askLengthy(FeedFindParameters(text: "munich")).age == 0)
    }

    @Test func searchRefreshesAnOldCatalogConditionally() async throws {
        let service = try Service()
        let daemon = try Self.daemon(service)
        try await daemon.running {
            _ = try await daemon.askLengthy(FeedFindParameters(text: "munich"))
            daemon.clock.advance(by: 8 * 86_400)
            let later = daemon.clock.now()
            service.answer("304 Not Modified")
            _ = try await daemon.askLengthy(FeedFindParameters(text: "munich"))
            daemon.wait { daemon.daemon.externalData.catalog.received.map { $0 >= later } == true }
        }
        #expect(service.server.requests.last?.headers["if-none-match"] == "\"a\"")
    }

    @Test func catalogThatLostItsAreasReplacesNothing() async throws {
        let service = try Service()
        let daemon = try Self.daemon(service)
        try await daemon.running {
            _ = try await daemon.askLengthy(FeedFindParameters(text: "munich"))
            daemon.clock.advance(by: 8 * 86_400)
            service.answer("200 OK", Self.catalog().replacing("48,48.3,11.3,11.8", with: "-90,90,-180,180"))
            _ = try await daemon.askLengthy(FeedFindParameters(text: "munich"))
            daemon.wait { daemon.daemon.refresh.record(.catalog)?.consecutiveFailures ?? 0 > 0 }
        }
        let near = try await daemon.askLengthy(FeedFindParameters(position: Position(lat: 48.1, lon: 11.5)))
        #expect(near.feeds.map(\.id) == ["mdb-1"])
        #expect(near.notices.contains { $0.message.contains("only 0 areas") }, "\(near.notices)")
    }

    /// The beginning of another town's name does not keep a text from the geocoder.
    @Test func geocoderFindsATownWhoseNameIsOnlyTheBeginningOfAnother() async throws {
        let service = try Service()
        service.answer(
            "200 OK", Self.catalog("mdb-7,gtfs,San Bernardino,Omnitrans,https://b.example/b,,,34,34.3,-117.5,-117\n"))
        let geocoder = try LoopbackServer { _ in
            let body =
                #"{"features":[{"geometry":{"type":"Point","coordinates":[11.5,48.1]},"#
                + #""properties":{"name":"Bern","type":"city"}}]}"#
            return "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
        }
        let daemon = try Self.daemon(service) { $0.geocoder = Geocoder(kind: .photon, url: geocoder.url("")) }
        let reply = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await daemon.daemon.geocoding.run() }
            defer { group.cancelAll() }
            return try await Self.find("Bern", daemon)
        }
        #expect(reply.feeds.map(\.id) == ["mdb-1", "mdb-7"])
        #expect(reply.address?.hasPrefix("Bern") == true)
        #expect(try await Self.find("Munich", daemon).address == nil)
        #expect(geocoder.requests.count == 1)
    }

    @Test func catalogStaysCurrentForFeedsThatCameFromIt() async throws {
        let service = try Service()
        let daemon = try Self.daemon(service) { configuration in
            configuration.feeds = [
                FeedConfiguration(id: "mvv", source: .remote(url: "https://a.example/mvv.zip"))
            ]
        }
        _ = daemon.daemon.externalData.catalog.recordSearch(at: daemon.clock.now())
        guard case .content = try await daemon.refresh(.catalog).result else {
            Issue.record("the catalog was not downloaded")
            return
        }
        daemon.clock.advance(by: 8 * 86_400)
        guard case .content = try await daemon.refresh(.catalog).result else {
            Issue.record("the catalog was not downloaded again")
            return
        }
    }

    @Test(arguments: [
        ("200 OK", "id,provider\n", "data_type"), ("200 OK", catalog(further: 0), "only 3 timetables"),
        ("200 OK", String(catalog().dropLast(40)), "truncated"), ("503 Service Unavailable", "", "503"),
        (
            "200 OK", catalog("mdb-9,gtfs,," + String(repeating: "a", count: 2 << 20) + ",,,,,,,\n"),
            "longer than 1 MiB"
        ),
    ])
    func damagedCatalogReplacesNothing(status: String, body: String, reason: String) async throws {
        let service = try Service()
        let daemon = try Self.daemon(service)
        let reply = try await daemon.running {
            _ = try await daemon.askLengthy(FeedFindParameters(text: "munich"))
            daemon.clock.advance(by: 8 * 86_400)
            service.answer(status, body)
            // The old catalog answers, and a newer one is requested.
            let reply = try await daemon.askLengthy(FeedFindParameters(text: "munich"))
            daemon.wait { service.count >= 2 }
            // The clock stands still: a fetch that takes too long by the clock is given up.
            eventually { daemon.daemon.refresh.record(.catalog)?.consecutiveFailures ?? 0 > 0 }
            return reply
        }
        #expect(reply.feeds.map(\.id) == ["mdb-1"])
        #expect(service.count >= 2)
        let notices = try daemon.ask(StatusParameters()).notices.map(\.message)
        #expect(notices.contains { $0.contains("The catalog of feeds") && $0.contains(reason) }, "\(notices)")
        let again = try await daemon.askLengthy(FeedFindParameters(text: "munich"))
        #expect(again.feeds.map(\.id) == ["mdb-1"] && !again.notices.isEmpty)
    }

    @Test func firstSearchWithoutACatalogSaysWhy() async throws {
        let service = try Service()
        service.answer("404 Not Found")
        let daemon = try Self.daemon(service)
        await #expect {
            _ = try await Self.find("munich", daemon)
        } throws: { error in
            let error = error as? ControlError
            return error?.kind == .catalogUnavailable && error?.message.contains("404") == true
        }
    }

    @Test func installedCopyAnswersUntilTheFirstDownload() async throws {
        let service = try Service()
        service.answer("503 Service Unavailable")
        let folder = try TestFolder()
        try Data(Self.catalog().utf8).write(to: URL(fileURLWithPath: folder("catalog.csv")))
        let daemon = try Self.daemon(service)
        let cache = try RealtimeCache(directory: daemon.daemon.directories.realtimeResponses)
        let catalog = ExternalData(
            cache: cache, corruptFiles: CorruptFileLog(), logger: Logger(label: "test"),
            installedCatalog: folder("catalog.csv")
        ).catalog
        catalog.load(now: daemon.clock.now())
        let snapshot = try #require(catalog.snapshot)
        #expect(snapshot.received == nil && snapshot.search.named("munich").count == 1)
        #expect(catalog.isDue(at: daemon.clock.now()) && !catalog.isInUse)
        #expect(Directories.installedCatalog(of: "/usr/bin/transitd") == "/usr/share/transitd/catalog.csv")
        #expect(Directories.installedCatalog(of: "/transitd") == nil)
    }

    @Test func successorOfARetiredURLIsNamed() async throws {
        let service = try Service()
        let daemon = try Self.daemon(service) { configuration in
            configuration.feeds = [
                FeedConfiguration(id: "bus", source: .remote(url: "https://old.example/bus.zip"))
            ]
        }
        _ = daemon.daemon.externalData.catalog.recordSearch(at: daemon.clock.now())
        _ = try await daemon.refresh(.catalog)
        let notice = try #require(try daemon.ask(StatusParameters()).notices.first { $0.message.contains("retired") })
        #expect(notice.feed == "bus")
        #expect(notice.message.hasSuffix("transitctl feed edit bus static=mdb-3"))
        #expect(notice.message.contains("mdb-2") && notice.message.contains("mdb-3"))
        let doctor = try await daemon.askLengthy(DoctorParameters())
        #expect(doctor.checks.contains { $0.check == "bus.successor" && $0.outcome == .warning })
    }

    @Test func positionsAndPlacesAreSearched() async throws {
        let service = try Service()
        let daemon = try Self.daemon(service) { configuration in
            let home = Coordinate(latitude: 48.1, longitude: 11.5)
            configuration.places = ["home": PlaceConfiguration(location: .coordinate(home!))]
        }
        _ = try await Self.find("munich", daemon)
        let near = try await daemon.askLengthy(FeedFindParameters(near: "home"))
        #expect(near.feeds.map(\.id) == ["mdb-1"] && near.feeds.first?.distance == 0)
        let far = try await daemon.askLengthy(FeedFindParameters(position: Position(lat: -40, lon: 20)))
        #expect(far.feeds.isEmpty && far.total == 0)
        for wrong in [
            FeedFindParameters(), FeedFindParameters(text: "a", near: "home"), FeedFindParameters(text: "?"),
            FeedFindParameters(near: "nowhere"),
        ] {
            await #expect(throws: ControlError.self) { _ = try await daemon.askLengthy(wrong) }
        }
    }

    @Test func configurationIsRead() throws {
        let text = "[catalog]\nurl = \"http://127.0.0.1:1/feeds.csv\"\nrefresh = \"14d\"\n"
        let configuration = try Configuration(text: text, file: "/etc/c.toml")
        #expect(configuration.catalog.url == "http://127.0.0.1:1/feeds.csv")
        #expect(configuration.catalog.interval == 14 * 86_400)
        #expect(try Configuration(text: "", file: "/etc/c.toml").catalog == CatalogOptions())
        for wrong in ["refresh = \"6d\"", "refresh = \"91d\"", "url = \"http://a.example/f.csv\"", "key = \"a\""] {
            #expect(throws: ConfigurationError.self, "\(wrong)") {
                _ = try Configuration(text: "[catalog]\n\(wrong)\n", file: "/etc/c.toml")
            }
        }
    }
}
