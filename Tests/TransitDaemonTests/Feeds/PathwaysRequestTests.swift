import Synchronization
import Testing
import TransitFeeds
import TransitModel
import TransitQueries
import TransitRefresh
import TransitSystem
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon
@testable import TransitStore

/// A timetable that an earlier release imported has no pathways. The source is requested once without conditions, because a
/// response without data would leave it so.
@Suite(.ownThreads) struct PathwaysRequestTests {
    private static let withPathways = FeedBuilder.change().file(
        "pathways.txt",
        "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time\n1,x1,x2,1,1,50\n")
    private static let tag = "\"v1\""

    /// - Parameter failure: What the server sends instead of the archive after the first time.
    private func server(_ feed: FeedBuilder, failure: String? = nil) throws -> LoopbackServer {
        let (archive, archives) = (feed.zip(), Counter())
        return try LoopbackServer(
            readingBodies: true,
            bytes: { request in
                if request.headers["if-none-match"] == Self.tag {
                    return Array("HTTP/1.1 304 Not Modified\r\n\r\n".utf8)
                }
                if archives.next() > 1, let failure { return Array(failure.utf8) }
                let header = "HTTP/1.1 200 OK\r\nETag: \(Self.tag)\r\nContent-Length: \(archive.count)\r\n"
                return Array((header + "Connection: close\r\n\r\n").utf8) + archive
            })
    }

    private func daemon(
        _ server: LoopbackServer, _ folder: TestFolder? = nil, at time: String = "2026-03-27T06:30:00Z"
    ) throws -> TestDaemon {
        try TestDaemon(
            at: time, { $0.feeds = [FeedConfiguration(id: "net", source: .remote(url: server.url("/gtfs.zip")))] },
            folder: folder)
    }

    /// Returns the daemon that starts after an update of the program: an earlier release imported version 1.
    private func updated(_ server: LoopbackServer) async throws -> TestDaemon {
        let first = try daemon(server)
        #expect(try await first.update("net").outcome == .updated)
        try removePathways(ofVersion: 1, of: "net", first)
        return try daemon(server, first.folder)
    }

    /// Makes a timetable file as an earlier release wrote it.
    private func removePathways(ofVersion version: Int, of feed: String, _ daemon: TestDaemon) throws {
        let connection = try SQLiteConnection.database(
            daemon.folder("cache/timetables/\(feed)/\(version).timetable"), isReader: false)
        let isTable = try connection.value(
            "SELECT type = 'table' FROM sqlite_schema WHERE name = 'pathways'", as: Bool.self)
        try connection.execute(
            isTable == true ? "DROP TABLE pathways; DROP TABLE pathway_locations" : "DROP VIEW pathways")
        try connection.execute("VACUUM")
    }

    private func update(_ daemon: TestDaemon) async throws -> FeedImport.Outcome {
        try await daemon.controller.service(of: "net").update(Validators(etag: Self.tag))
    }

    private func pathways(_ daemon: TestDaemon) throws -> Pathways? {
        let file = try #require(try daemon.controller.service(of: "net").snapshot()?.timetable?.file)
        return try file.hasPathwaysTable() ? try file.pathways() : nil
    }

    private func conditions(_ server: LoopbackServer) -> [String?] {
        server.requests.map { $0.headers["if-none-match"] }
    }

    @Test func unchangedSourceIsImportedOnceForItsPathways() async throws {
        let server = try server(Self.withPathways)
        let daemon = try await updated(server)
        #expect(try pathways(daemon) == nil)
        let outcome = try await update(daemon)
        #expect(outcome.outcome == .updated && outcome.version?.number == 2, "\(outcome.message)")
        #expect(try pathways(daemon)?.pathways.map(\.traversalTime) == [50])
        #expect(try await update(daemon).outcome == .unchanged)
        #expect(try await update(self.daemon(server, daemon.folder)).outcome == .unchanged)
        #expect(conditions(server) == [nil, nil, Self.tag, Self.tag])
    }

    @Test func sourceWithoutPathwaysIsRequestedOnce() async throws {
        let server = try server(.change())
        let daemon = try await updated(server)
        #expect(try await update(daemon).outcome == .updated)
        #expect(try pathways(daemon) == Pathways())
        #expect(try await update(daemon).outcome == .unchanged)
        #expect(conditions(server) == [nil, nil, Self.tag])
    }

    @Test(arguments: [
        "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nnot a zip", "",
    ]) func failedRequestIsNotRepeated(failure: String) async throws {
        let server = try server(Self.withPathways, failure: failure)
        let daemon = try await updated(server)
        #expect(try await update(daemon).version == nil)
        #expect(try await update(daemon).outcome == .unchanged)
        // Nor after a restart.
        let restarted = try self.daemon(server, daemon.folder)
        #expect(try await update(restarted).outcome == .unchanged)
        #expect(try pathways(restarted) == nil)
        #expect(conditions(server).filter { $0 == nil }.count == 2)
    }

    @Test func requestThatWasNotSentIsRepeated() async throws {
        let server = try server(Self.withPathways)
        let daemon = try await updated(server)
        let flag = CancellationFlag()
        flag.set()
        let outcome = try await daemon.controller.service(of: "net").update(Validators(etag: Self.tag), flag)
        #expect(outcome.version == nil)
        #expect(try await update(daemon).outcome == .updated)
        #expect(try pathways(daemon)?.pathways.count == 1)
    }

    /// The refresh engine keeps the validators across restarts.
    @Test func engineRequestsTheWholeSourceAfterAnUpdate() async throws {
        let server = try server(Self.withPathways)
        let first = try daemon(server)
        try await first.running {
            first.wait { first.daemon.refresh.record(DatasetID("net", .static))?.validators.etag == Self.tag }
        }
        try removePathways(ofVersion: 1, of: "net", first)
        let second = try daemon(server, first.folder, at: "2026-03-28T14:00:00Z")
        try await second.running {
            let service = try second.controller.service(of: "net")
            #expect(service.snapshot()?.timetable?.version == 1)
            second.wait { service.snapshot()?.timetable?.version == 2 }
            #expect(service.snapshot()?.timetable?.version == 2)
            second.clock.advance(by: 30 * 3600)
            second.wait { server.requests.count == 3 }
        }
        #expect(conditions(server).prefix(3) == [nil, nil, Self.tag])
        #expect(try pathways(second)?.pathways.count == 1)
    }

    @Test func fileIsReadAgainForItsPathways() async throws {
        let first = try await TestDaemon.imported(["city": Self.withPathways])
        try removePathways(ofVersion: 1, of: "city", first)
        let tag = try #require(try first.controller.service(of: "city").lastOutcome?.etag)
        let daemon = try TestDaemon(feeds: ["city": Self.withPathways], folder: first.folder)
        let service = try daemon.controller.service(of: "city")
        #expect(await service.update(Validators(etag: tag)).outcome == .updated)
        #expect(await service.update(Validators(etag: tag)).outcome == .unchanged)
    }

    /// A user has returned to version 1. The source still has the content of version 2, which was left on purpose.
    @Test func rollbackIsNotUndone() async throws {
        let first = try await TestDaemon.imported(["city": .change()])
        try first.publish(Self.withPathways, as: "city")
        #expect(try await first.update("city").outcome == .updated)
        _ = try first.controller.service(of: "city").rollback(to: 1)
        try removePathways(ofVersion: 1, of: "city", first)
        let daemon = try TestDaemon(feeds: ["city": Self.withPathways], folder: first.folder)
        let service = try daemon.controller.service(of: "city")
        #expect(await service.update(Validators(etag: "other")).outcome == .unchanged)
        #expect(service.snapshot()?.timetable?.version == 1)
    }
}

private final class Counter: Sendable {
    private let count = Mutex(0)

    /// Returns the number of calls, including this one.
    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
