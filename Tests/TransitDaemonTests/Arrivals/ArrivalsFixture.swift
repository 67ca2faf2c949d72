import Foundation
import Synchronization
import Testing
import TransitControl
import TransitEngine
import TransitFeeds
import TransitModel
import TransitQueries
import TransitServer
import TransitTestSupport

@testable import TransitDaemon

/// A daemon with a city whose arrivals are queried on demand from a loopback upstream. The clock starts on Friday, 27
/// March 2026, at 06:30 in Berlin. The first bus of the timetable leaves the harbor at 08:00.
struct ArrivalsFixture {
    /// The upstream's responses by path. A request for any other path is not answered.
    final class Upstream: Sendable {
        private let answers = Mutex<[String: String]>([:])
        private let gate = NSLock()

        /// Returns the current response once no call to ``hold(_:)`` is running.
        func answer(_ path: String) -> String? { gate.withLock { answers.withLock { $0[path] } } }

        /// Delays all responses while `body` runs.
        func hold<Result>(_ body: () throws -> Result) rethrows -> Result { try gate.withLock(body) }

        func set(_ path: String, _ body: String) {
            answers.withLock {
                $0[path] = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
            }
        }

        func fail(_ path: String, _ status: Int, _ headers: String = "") {
            answers.withLock {
                $0[path] = "HTTP/1.1 \(status) No\r\n\(headers)Content-Length: 0\r\nConnection: close\r\n\r\n"
            }
        }
    }

    let upstream = Upstream()
    let server: LoopbackServer
    let daemon: TestDaemon

    /// - Parameter source: Creates the on-demand source for a base URL.
    init(_ source: @escaping @Sendable (String) -> TestArrivalsSource = { TestArrivalsSource(base: $0) }) async throws {
        server = try LoopbackServer { [upstream] request in upstream.answer(request.path) }
        let base = server.url("")
        daemon = try TestDaemon(
            feeds: ["city": .small], at: "2026-03-27T05:30:00Z",
            {
                BoardHandlerTests.withPlaces(&$0)
                $0.queries.departuresCount = 1
                $0.commutes = [
                    CommuteConfiguration(
                        name: "morning", from: "home", to: "work",
                        windows: [CommuteWindow(start: 6 * 3600, end: 7 * 3600)])
                ]
            }, arrivals: { _ in source(base) })
        #expect(try await daemon.update("city").outcome == .updated)
    }
}

/// A suite of tests in an ``ArrivalsFixture``.
protocol ArrivalsSuite: Sendable {
    var scene: ArrivalsFixture { get }
}

extension ArrivalsSuite {
    /// The path that the upstream receives for ``board``, and the service's requirement for it.
    static var path: String { "/eta/harbor/bus24" }
    static var need: ArrivalsRequirement { ArrivalsRequirement(feed: "city", queries: [ArrivalsQuery("harbor/bus24")]) }
    static var board: DeparturesParameters { DeparturesParameters(stop: "harbor") }

    var upstream: ArrivalsFixture.Upstream { scene.upstream }
    var server: LoopbackServer { scene.server }
    var daemon: TestDaemon { scene.daemon }
    /// The requested paths.
    var asked: [String] { server.requests.map(\.path) }

    /// Runs the service while `body` runs.
    func running(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await running(daemon.daemon.arrivals, body)
    }

    /// Runs another service while `body` runs.
    func running(_ service: ArrivalsService, _ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            defer { group.cancelAll() }
            try await body()
        }
    }

    /// Expects that preloading requests ``path`` exactly once and nothing else.
    func expectKeptReady() async throws {
        try await running {
            #expect(daemon.preloader.preloadArrivals())
            daemon.wait { server.requests.count == 1 }
            #expect(asked == [Self.path])
        }
    }

    /// Returns a service that starts from the disk cache, optionally with other dependencies.
    func anotherService(_ dependencies: ArrivalsService.Dependencies? = nil) -> ArrivalsService {
        let service = ArrivalsService(dependencies ?? daemon.daemon.arrivals.dependencies) {
            [base = server.url("")] _ in
            TestArrivalsSource(base: base)
        }
        service.apply(daemon.daemon.configuration.current.feeds)
        return service
    }

    func line(_ trip: String, in seconds: Int) -> String {
        "\(trip),\(daemon.clock.now().advanced(by: seconds).secondsSince1970)"
    }

    /// Registers a board's demand while responses are delayed, and returns whether the request has to wait.
    func waits(_ call: DeparturesParameters = Self.board) throws -> Bool { waits(daemon.made(call)) }

    func waits(_ request: ControlRequest) -> Bool {
        upstream.hold { daemon.waits(request) }
    }
}
