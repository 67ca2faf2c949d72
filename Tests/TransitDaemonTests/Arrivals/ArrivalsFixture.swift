import Foundation
import Synchronization
import Testing
import TransitControl
import TransitEngine
import TransitFeeds
import TransitModel
import TransitTestSupport

@testable import TransitDaemon

/// A city whose arrivals are asked on demand of an upstream on loopback. The clock stands at Friday 27 March 2026, 06:30 in
/// Berlin: the first bus of the timetable leaves the harbour at 08:00.
struct ArrivalsFixture {
    /// What the upstream answers, by path; a path that is not there is not answered.
    final class Upstream: Sendable {
        private let answers = Mutex<[String: String]>([:])
        private let gate = NSLock()

        /// What is answered now, or when ``hold(_:)`` lets it.
        func answer(_ path: String) -> String? { gate.withLock { answers.withLock { $0[path] } } }

        /// Keeps every answer back while `body` runs.
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

    /// - Parameter source: the source of arrivals at an address.
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

/// Tests in an ``ArrivalsFixture``.
protocol ArrivalsSuite: Sendable {
    var scene: ArrivalsFixture { get }
}

extension ArrivalsSuite {
    /// What the upstream is asked for ``board``, and what the desk calls that.
    static var path: String { "/eta/harbor/bus24" }
    static var need: ArrivalsRequirement { ArrivalsRequirement(feed: "city", queries: [ArrivalsQuery("harbor/bus24")]) }
    static var board: DeparturesParameters { DeparturesParameters(stop: "harbor") }

    var upstream: ArrivalsFixture.Upstream { scene.upstream }
    var server: LoopbackServer { scene.server }
    var daemon: TestDaemon { scene.daemon }
    /// The paths that were asked for.
    var asked: [String] { server.requests.map(\.path) }

    /// Runs the desk while `body` runs.
    func running(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await running(daemon.parts.arrivals, body)
    }

    /// Runs another desk while `body` runs.
    func running(_ desk: ArrivalsService, _ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await desk.run() }
            defer { group.cancelAll() }
            try await body()
        }
    }

    /// Whoever keeps things ready asks for what stands at ``path``, once, and for nothing else.
    func expectKeptReady() async throws {
        try await running {
            #expect(daemon.handlers.preloadArrivals())
            await daemon.wait { server.requests.count == 1 }
            #expect(asked == [Self.path])
        }
    }

    /// A desk that knows only what is on the disk, and other tools if need be.
    func anotherDesk(_ dependencies: ArrivalsService.Dependencies? = nil) -> ArrivalsService {
        let desk = ArrivalsService(dependencies ?? daemon.parts.arrivals.dependencies) { [base = server.url("")] _ in
            TestArrivalsSource(base: base)
        }
        desk.apply(daemon.daemon.configuration.current.feeds)
        return desk
    }

    func line(_ trip: String, in seconds: Int) -> String {
        "\(trip),\(daemon.clock.now().advanced(by: seconds).secondsSince1970)"
    }

    /// Wants what a board needs, and looks whether it is worth waiting for before any answer can have come.
    func waits(_ call: DeparturesParameters = Self.board) throws -> Bool { waits(.departures(call)) }

    func waits(_ request: ControlRequest) -> Bool {
        upstream.hold { daemon.handlers.waits(request, from: daemon.caller(1000), slowWork: SlowWorkSignal {}) }
    }
}
