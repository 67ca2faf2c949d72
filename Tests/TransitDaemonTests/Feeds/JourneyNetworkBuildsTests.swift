import Foundation
import Testing
import TransitControl
import TransitModel
import TransitQueries
import TransitStore
import TransitSystem
import TransitTestSupport
import TransitTestTraits

@testable import TransitDaemon

/// When the daemon builds the networks for journeys, and what it says when it cannot.
@Suite(.ownThreads) struct JourneyNetworkBuildsTests {
    private func timetable(_ daemon: TestDaemon) throws -> Timetable {
        try #require(daemon.controller.service(of: "city").snapshot()?.timetable)
    }

    private func folder(_ daemon: TestDaemon) -> String { daemon.folder("cache/timetables/city") }

    private func names(_ daemon: TestDaemon) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder(daemon)).sorted()
    }

    private func isReady(_ timetable: Timetable) -> Bool {
        if case .ready = timetable.journeyNetwork() { return true }
        return false
    }

    private func failure(_ timetable: Timetable) -> String? {
        if case .unavailable(let reason) = timetable.journeyNetwork() { return reason }
        return nil
    }

    /// Returns a daemon that starts in the folder of an earlier one after its files were changed.
    private func restarted(_ earlier: TestDaemon, _ change: (String) throws -> Void) throws -> TestDaemon {
        try change(folder(earlier))
        return try TestDaemon(feeds: ["city": .change()], folder: earlier.folder)
    }

    @Test func importWritesNetwork() async throws {
        let daemon = try await TestDaemon.imported(["city": .change()])
        #expect(try names(daemon) == ["1.network", "1.timetable", "live"])
        #expect(isReady(try timetable(daemon)))
        try daemon.publish(.change(transfers: "x1,x2,,,,,1,"), as: "city")
        #expect(try await daemon.update("city").outcome == .updated)
        #expect(try names(daemon) == ["1.timetable", "2.network", "2.timetable", "live"])
        #expect(isReady(try timetable(daemon)))
    }

    @Test func networkIsOpenedAfterRestart() async throws {
        let daemon = try restarted(try await TestDaemon.imported(["city": .change()])) { _ in }
        #expect(isReady(try timetable(daemon)))
    }

    /// An update of the program, a damaged file, or a process that was killed while it wrote.
    @Test(arguments: ["missing", "older", "damaged", "unfinished"]) func unusableNetworkIsBuiltAgain(
        kind: String
    ) async throws {
        let daemon = try restarted(try await TestDaemon.imported(["city": .change()])) { folder in
            let url = URL(fileURLWithPath: folder + "/1.network")
            var bytes = try Data(contentsOf: url)
            try FileManager.default.removeItem(at: url)
            switch kind {
            case "older":
                bytes[8] ^= 1
                try bytes.write(to: url)
            case "damaged":
                bytes[bytes.count / 2] ^= 1
                try bytes.write(to: url)
            case "unfinished": try bytes.write(to: URL(fileURLWithPath: folder + "/1.network.building"))
            default: break
            }
        }
        // Nothing is built before a request for journeys.
        let waiting = kind == "older" || kind == "damaged" ? ["1.network"] : []
        #expect(try names(daemon) == waiting + ["1.timetable", "live"])
        let timetable = try timetable(daemon)
        eventually { isReady(timetable) }
        #expect(isReady(timetable))
        #expect(try names(daemon) == ["1.network", "1.timetable", "live"])
    }

    /// As after an update of the program: the first request has the answer.
    @Test func requestWaitsForTheNetwork() async throws {
        let daemon = try restarted(try await TestDaemon.imported(["city": .change()])) {
            try FileManager.default.removeItem(atPath: $0 + "/1.network")
        }
        let answer = try await daemon.askLengthy(JourneysParameters(from: "city:a", to: "city:b", changes: 0))
        #expect(!answer.notices.contains { $0.kind == .importing })
        #expect(try names(daemon) == ["1.network", "1.timetable", "live"])
    }

    /// The platforms are 100 m apart, without a station.
    @Test func changedWalkTakesEffectWithAReload() async throws {
        let feed = FeedBuilder.change().file(
            "stops.txt",
            "stop_id,stop_name,stop_lat,stop_lon\na,Start,53.5,9.9\nx1,Exchange,53.55,9.9\nx2,Market,53.5509,9.9\n"
                + "b,End,53.6,9.9\n")
        let daemon = try await TestDaemon.imported(["city": feed])
        let call = JourneysParameters(from: "city:a", to: "city:b")
        func seconds() async throws -> Int? {
            try await daemon.askLengthy(call).journeys.first?.legs[1].change?.walk
        }
        #expect(try await seconds() == 106)
        let feedSection =
            "[[feed]]\nid = \"city\"\nprovider = \"gtfs\"\nstatic = \"\(daemon.folder("city.zip"))\"\n"
        for (settings, walk) in [
            ("max_change_walk = 50\n", nil), ("walking_speed = 3\n", 158), ("max_change_walk = 2000\n", 106),
        ] {
            try Data("\(feedSection)[queries]\n\(settings)".utf8).write(
                to: URL(fileURLWithPath: daemon.folder("config.toml")))
            #expect(
                try await daemon.askLengthy(ConfigReloadParameters()).changes
                    == ["The query defaults have changed."])
            #expect(try await seconds() == walk)
        }
        // An import builds the network for the configured distance.
        let info = "feed_publisher_name,feed_publisher_url,feed_lang\nx,https://x.example,en\n"
        try daemon.publish(feed.file("feed_info.txt", info), as: "city")
        #expect(try await daemon.update("city").outcome == .updated)
        let file = try timetable(daemon).file
        let source = JourneyNetwork.Source(of: file, walkingDistance: 2000)
        #expect(try JourneyNetworkFile.open(of: file, from: source) != nil)
    }

    @Test func networkIsBuiltAfterRollback() async throws {
        let daemon = try await TestDaemon.imported(["city": .change()])
        try daemon.publish(.change(transfers: "x1,x2,,,,,1,"), as: "city")
        try await daemon.update("city")
        let newest = try timetable(daemon)
        #expect(isReady(newest))
        _ = try daemon.controller.service(of: "city").rollback(to: nil)
        let current = try timetable(daemon)
        #expect(current !== newest)
        eventually { isReady(current) }
        #expect(isReady(current))
        #expect(isReady(newest))
        #expect(try names(daemon).filter { $0.hasSuffix(".network") } == ["1.network"])
    }

    @Test func unwritableCacheIsReportedAndTriedLater() async throws {
        // A folder takes the place of the file, so that it cannot be replaced.
        let blocked = try restarted(try await TestDaemon.imported(["city": .change()])) { folder in
            try FileManager.default.removeItem(atPath: folder + "/1.network")
            try FileManager.default.createDirectory(
                atPath: folder + "/1.network/x", withIntermediateDirectories: true)
        }
        let timetable = try timetable(blocked)
        eventually { failure(timetable) != nil }
        let reason = try #require(failure(timetable))
        #expect(
            reason
                == "The network for journeys cannot be written: cannot replace a file of the cache (Is a directory).")
        #expect(try names(blocked) == ["1.network", "1.timetable", "live"])
        // Boards answer, and nothing is tried before the pause is over.
        #expect(try blocked.ask(DeparturesParameters(stop: "city:a")).departures.isEmpty == false)
        try FileManager.default.removeItem(atPath: folder(blocked) + "/1.network")
        blocked.clock.advance(by: JourneyNetworkBuilds.pauseAfterFailure - 1)
        #expect(failure(timetable) == reason)
        blocked.clock.advance(by: 1)
        eventually { isReady(timetable) }
        #expect(isReady(timetable))
    }

    @Test func missingThreadIsReported() async throws {
        let daemon = try restarted(try await TestDaemon.imported(["city": .change()])) {
            try FileManager.default.removeItem(atPath: $0 + "/1.network")
        }
        let timetable = try timetable(daemon)
        let faults = ThreadFaults { $0 == "networks" }
        let reason = ThreadFaults.$current.withValue(faults) { failure(timetable) }
        #expect(reason?.contains("thread") == true)
        eventually { isReady(timetable) }
        #expect(isReady(timetable))
    }

    @Test func tooLittleMemoryIsReported() async throws {
        let memory = MemoryReservations(
            limit: { MemoryLimit(bytes: 1 << 20, origin: .assumed) }, resident: { 0 }, trim: {})
        let first = try await TestDaemon.imported(["city": .change()])
        try FileManager.default.removeItem(atPath: folder(first) + "/1.network")
        let daemon = try TestDaemon(feeds: ["city": .change()], memory: memory, folder: first.folder)
        let timetable = try timetable(daemon)
        eventually { failure(timetable) != nil }
        #expect(failure(timetable)?.contains("memory") == true)
    }

    @Test func omissionsAreFindings() async throws {
        let daemon = try await TestDaemon.imported(["city": .change(transfers: "x1,x2,,,,,2,86400")])
        let report = try await daemon.askLengthy(FeedValidateParameters(feed: "city"))
        let finding = try #require(report.findings.first { $0.rule == "journey_transfer_time" })
        #expect(finding.count == 1)
        #expect(finding.severity == .warning)
    }

    @Test func reasonsNameNoPath() {
        let path = "/var/cache/transitd/timetables/city/1.network"
        let errors: [StoreError] = [
            .diskFull(path: path), .corrupt(path: path, detail: "short"), .notATimetable(path: path),
            .format(path: path, found: 1, supported: 3),
            .file(path: path, operation: "create", reason: "Read-only file system"),
            .database(path: path, code: 10, detail: "disk I/O error"),
        ]
        for error in errors {
            let reason = JourneyNetwork.reason(for: error)
            #expect(!reason.contains("/"))
            #expect(reason.hasSuffix("."))
        }
        #expect(
            JourneyNetwork.reason(for: errors[0])
                == "The network for journeys cannot be written because the disk is full.")
    }
}
