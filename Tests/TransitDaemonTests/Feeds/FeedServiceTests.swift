import Foundation
import Logging
import Synchronization
import Testing
import TransitControl
import TransitFeeds
import TransitFetch
import TransitModel
import TransitQueries
import TransitRefresh
import TransitStore
import TransitSystem
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Tests of a feed's service with its source, versions and clock.
@Suite(.ownThreads) struct FeedServiceTests {
    @Test func feedIsImportedAtStartAndWhenDue() async throws {
        let daemon = try TestDaemon(feeds: ["city": .small])
        let dataset = DatasetID("city", .static)
        try await daemon.running {
            let service = try daemon.controller.service(of: "city")
            daemon.wait { service.snapshot()?.timetable?.version == 1 }
            #expect(service.snapshot()?.timetable?.version == 1)
            daemon.wait { daemon.daemon.refresh.record(dataset)?.lastSuccess != nil }
            let due = try #require(daemon.daemon.refresh.plans()[dataset]?.due)
            // The next fetch is due after the start of tomorrow's quiet hours and within 30 hours.
            #expect(due.wall > daemon.clock.now().advanced(by: 12 * 3600))
            #expect(due.wall <= daemon.clock.now().advanced(by: 30 * 3600))
            try daemon.publish(.small.without("calendar_dates.txt"), as: "city")
            daemon.clock.advance(by: 30 * 3600)
            daemon.wait { service.snapshot()?.timetable?.version == 2 }
            #expect(service.snapshot()?.timetable?.version == 2)
            #expect(service.snapshot()?.record.lastAttempt?.outcome == .updated)
        }
    }

    @Test func unchangedFileIsNotReadAgain() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        let again = try await daemon.update("city")
        #expect(again.outcome == .unchanged)
        #expect(again.message == "The source has nothing new.")
        // The archive is compressed differently but has the same contents.
        try Data(FeedBuilder.small.zip(isStored: true)).write(to: URL(fileURLWithPath: daemon.folder("city.zip")))
        let zipped = try await daemon.update("city")
        #expect(zipped.outcome == .unchanged)
        #expect(zipped.message == "The source's timetable is identical to version 1.")
        #expect(try await daemon.update("city", force: true).outcome == .updated)
    }

    @Test func requestAfterRefusalIsUnconditional() async throws {
        let server = try LoopbackServer { request in
            if request.headers["if-none-match"] == "\"v1\"" { return "HTTP/1.1 304 Not Modified\r\n\r\n" }
            return "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 9\r\nConnection: close\r\n\r\nnot a zip"
        }
        let daemon = try TestDaemon { configuration in
            configuration.feeds = [
                FeedConfiguration(id: "net", source: .remote(url: server.url("/gtfs.zip?key=secret")))
            ]
        }
        let refused = try await daemon.update("net")
        #expect(refused.outcome == .refused)
        #expect(refused.message.hasPrefix("The file is text, not a zip archive"))
        // A refused archive creates no version, so the next request is unconditional.
        try await daemon.update("net")
        #expect(server.requests.map { $0.headers["if-none-match"] } == [nil, nil])
        #expect(
            try !FileManager.default.contentsOfDirectory(atPath: daemon.folder("cache/timetables")).contains(
                "net.download"))
        // A query may contain a key, so it is never shown.
        let status = try daemon.ask(StatusParameters())
        #expect(!"\(status)".contains("secret"))
    }

    @Test func farSmallerFeedIsRefused() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        let times = FeedBuilder.small["stop_times.txt"].split(separator: "\n").filter {
            !$0.hasPrefix("b") && !$0.hasPrefix("t2")
        }
        try daemon.publish(.small.file("stop_times.txt", times.joined(separator: "\n")), as: "city")
        let outcome = try await daemon.update("city")
        #expect(outcome.outcome == .refused)
        #expect(outcome.message.hasPrefix("The feed is much smaller than the current version"))
        #expect(try daemon.ask(FeedVersionsParameters(feed: "city")).versions.map(\.number) == [1])
        // The user can force the import.
        #expect(try await daemon.update("city", force: true).outcome == .updated)
    }

    @Test func changedSourceIsFetchedAtOnce() async throws {
        let daemon = try TestDaemon(feeds: ["city": .small])
        try await daemon.running {
            let service = try daemon.controller.service(of: "city")
            daemon.wait { service.snapshot()?.timetable?.version == 1 }
            var configuration = daemon.daemon.configuration.current
            configuration.feeds[0].source = .demo
            configuration.feeds[0].provider = "demo"
            daemon.controller.apply(configuration.feeds)
            daemon.daemon.refresh.events.send(.configured(RefreshConfiguration(configuration)))
            daemon.wait { service.snapshot()?.timetable?.version == 2 }
            #expect(service.snapshot()?.timetable?.file.summary.origin.url == "demo:")
        }
    }

    @Test func recordAndLedgerAreSaved() async throws {
        let daemon = try TestDaemon(feeds: ["city": .small])
        let began = daemon.clock.now()
        try await daemon.running {
            daemon.wait { daemon.daemon.refresh.record(DatasetID("city", .static))?.lastSuccess != nil }
        }
        let record = try daemon.daemon.state.feedRecord("city")
        #expect(record.lastAttempt?.outcome == .updated)
        let times = began...daemon.clock.now()
        #expect(record.confirmed.map(times.contains) == true)
        let ledger = try daemon.daemon.state.refreshLedger().datasets[DatasetID("city", .static)]
        #expect((ledger?.lastSuccess?.wall).map(times.contains) == true)
        #expect(ledger?.validators.etag != nil)
        #expect(ledger?.lastUpdate?.outcome == .updated)
    }

    /// The reservations of a daemon with a memory limit in MiB.
    private func memory(_ limit: UInt64) -> MemoryReservations {
        MemoryReservations(limit: { MemoryLimit(bytes: limit << 20, origin: .assumed) })
    }

    @Test func importThatCannotFitAloneIsRefusedByName() async throws {
        // A small feed takes at least 16 MiB.
        let daemon = try TestDaemon(feeds: ["city": .small], memory: memory(20))
        let outcome = try await daemon.update("city")
        #expect(outcome.outcome == .refused)
        #expect(outcome.message.contains("The timetable of city is not imported."))
        #expect(outcome.message.contains("the limit is 10 MiB"))
        #expect(outcome.message.contains("MemoryMax="))
    }

    @Test func importWaitsForItsTurnWhileBoardsAreShown() async throws {
        let memory = memory(200)
        let daemon = try TestDaemon(feeds: ["city": .small, "town": .small], memory: memory)
        try await daemon.update("city")
        // Another import has all of the memory.
        let other = try memory.reserve(nil, for: "other", until: CancellationFlag())
        async let outcome = daemon.update("town")
        daemon.wait { daemon.daemon.feeds.snapshot("town")?.progress?.phase == UpdateProgress.waitingForMemory }
        #expect(try !daemon.ask(DeparturesParameters(stop: "city:harbor")).departures.isEmpty)
        #expect(daemon.daemon.feeds.snapshot("town")?.timetable == nil)
        other.release()
        #expect(try await outcome.outcome == .updated)
    }

    @Test func waitingImportIsCanceled() async throws {
        let memory = memory(200)
        let other = try memory.reserve(nil, for: "other", until: CancellationFlag())
        let flag = CancellationFlag()
        #expect(throws: FeedError.canceled) {
            try memory.reserve(1, for: "town", until: flag) { flag.set() }
        }
        other.release()
        _ = try memory.reserve(nil, for: "town", until: CancellationFlag())
    }

    @Test func importIsRepeatedAloneIfTheMemoryMayBelongToAnother() async throws {
        // The process seems to grow by 30 MiB at each measurement while another import runs.
        let measured = Mutex<(isShared: Bool, bytes: UInt64)>((true, 0))
        let memory = MemoryReservations(
            limit: { MemoryLimit(bytes: 100 << 20, origin: .assumed) },
            resident: {
                measured.withLock { measured in
                    if measured.isShared { measured.bytes += 30 << 20 }
                    return measured.bytes
                }
            })
        let stops = String(repeating: "harbor,100,Harbor,53.5400,9.9800,0,,\n", count: 100_000)
        let daemon = try TestDaemon(feeds: ["city": .small.adding(stops, to: "stops.txt")], memory: memory)
        let other = try memory.reserve(1 << 20, for: "other", until: CancellationFlag())
        async let outcome = daemon.update("city")
        daemon.wait { daemon.daemon.feeds.snapshot("city")?.progress?.phase == UpdateProgress.waitingForMemory }
        measured.withLock { $0.isShared = false }
        other.release()
        #expect(try await outcome.outcome == .updated)
    }

    @Test func corruptVersionIsSetAside() async throws {
        let daemon = try await TestDaemon.imported(["city": .small])
        try daemon.publish(.small.without("calendar_dates.txt"), as: "city")
        try await daemon.update("city")
        let service = try daemon.controller.service(of: "city")
        let file = try #require(service.snapshot()?.timetable?.file)
        // The test overwrites the part of the file that contains the stops. Data that was read when the file was
        // opened stays valid.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file.path))
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file.path))
        try handle.seek(toOffset: 1024)
        try handle.write(contentsOf: Data(count: bytes.count - 1024))
        try handle.close()
        let error = daemon.error(of: DeparturesParameters(stop: "harbor"))
        #expect(error?.kind == .storageFailed)
        #expect(error?.hint == "Import the feed again with: transitctl feed update FEED.")
        // The previous version is used, and the corrupt one is kept for inspection.
        #expect(service.snapshot()?.timetable?.version == 1)
        #expect(!(try daemon.ask(DeparturesParameters(stop: "harbor"))).departures.isEmpty)
        #expect(try await daemon.update("city", whole: true).outcome == .updated)
    }

    @Test func folderThatCannotBeCreatedIsReportedAndRetried() async throws {
        let daemon = try TestDaemon(feeds: ["city": .small]) { configuration in
            configuration.feeds[0].id = "blocked"
        }
        // A file is created at the path of the feed's folder.
        let path = daemon.folder("cache/timetables/blocked")
        try FileManager.default.removeItem(atPath: path)
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let second = try RefreshSubsystem(
            daemon.daemon.configuration.current,
            RefreshSubsystem.Dependencies(
                directories: daemon.daemon.directories, state: daemon.daemon.state, clock: daemon.clock, boot: "test",
                transport: LocalFileTransport(fallback: CurlTransport()), keys: FeedKeys(), zones: TimeZoneDatabase(),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, changed: { _ in }))
        let service = try #require(second.controller.service("blocked"))
        #expect(service.snapshot()?.openFailure != nil)
        #expect(await service.update(nil).kind == .disk)
        try FileManager.default.removeItem(atPath: path)
        #expect(await service.update(nil).outcome == .updated)
    }
}
