import Foundation
import Glibc
import Testing
import TransitControl
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

/// The first request may start the daemon. The client waits for the first timetable; the daemon does not.
@Suite(
    .enabled(
        if: UpstreamFixture.isThere && BuiltClient.path != nil,
        "needs the built transitd and transitctl, python3 and openssl"), .ownThreads)
struct FirstImportProcessTests {
    private let scene: UpstreamFixture

    init() throws { scene = try UpstreamFixture() }

    /// Starts the daemon. The daemon's first timetable arrives when the test permits it.
    private func start() throws {
        try scene.server.answer("/files/city.zip", with: "/slow-file?file=city.zip&seconds=0&held=1")
        try scene.start()
    }

    private func departures() throws -> (code: Int32, output: String, error: String) {
        try scene.daemon.transitctl(["departures", "harbor"])
    }

    /// Runs the client, and lets the timetable arrive once a condition holds for the client's standard error.
    private func departures(
        _ options: String..., until isReached: (_ error: String) throws -> Bool
    ) throws -> (code: Int32, output: String, error: String) {
        let process = TestProcess()
        process.executableURL = URL(fileURLWithPath: try #require(BuiltClient.path))
        process.arguments = ["departures", "harbor", "--socket", scene.daemon.socket] + options
        process.environment = ["HOME": scene.daemon.folder.path]
        let files = ["output", "error"].map { URL(fileURLWithPath: scene.daemon.folder("client-\($0)")) }
        for file in files { try Data().write(to: file) }
        func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        #expect(try eventually { try isReached(try text(files[1])) })
        #expect(process.isRunning)
        try scene.server.answer("/files/city.zip", with: "/files/city.zip")
        process.waitUntilExit()
        return (process.terminationStatus, try text(files[0]), try text(files[1]))
    }

    @Test func clientWaitsAndShowsProgress() throws {
        try start()
        // The daemon responds at once.
        #expect(throws: DaemonFailure.self) { try scene.daemon.ask("departures", ["stop": "harbor"]) }
        let (code, output, error) = try departures { $0.contains("city: ") }
        #expect(code == 0, "\(error)")
        #expect(output.contains("Bus 24"), "\(output)")
    }

    @Test func quietClientShowsNoProgress() throws {
        try start()
        let observer = try DaemonClient(scene.daemon.socket)
        let (code, output, error) = try departures("-q") { _ in
            // The observer and the client.
            try observer.ask("status")["daemon"]?["connections"]?.number == 2
        }
        #expect(code == 0)
        #expect(!output.isEmpty)
        #expect(error.isEmpty, "\(error)")
    }

    @Test func clientDoesNotWaitAfterFailedImport() throws {
        try scene.server.answer("/files/city.zip", with: "/status?code=404")
        try scene.start()
        try scene.daemon.eventually("the failure") {
            let feed = try scene.daemon.ask("feed.list")["feeds"]?.elements.first
            return feed?["last_attempt"]?["outcome"]?.text == "failed" ? true : nil
        }
        let (code, _, error) = try departures()
        #expect(code == 75)
        #expect(error.contains("city has no timetable"), "\(error)")
    }

    /// An archive that is being downloaded cannot be the reason why the daemon was killed.
    @Test func deathsDuringDownloadDoNotDelayNextAttempt() throws {
        try scene.server.answer("/files/city.zip", with: "/slow-file?file=city.zip&seconds=600")
        try scene.start()
        for attempt in 1...3 {
            try scene.eventually("request \(attempt)") { try scene.requests("/files/city.zip") == attempt ? true : nil }
            scene.daemon.signal(SIGKILL)
            #expect(scene.daemon.wait().code == -SIGKILL)
            if attempt == 3 { try scene.server.answer("/files/city.zip", with: "/files/city.zip") }
            try scene.start(at: UpstreamFixture.start)
        }
        try scene.eventually("the timetable") { (try? scene.departure()) == nil ? nil : true }
    }

    /// The import of a collection lasts as long as its requests, so that the daemon can be killed in the middle.
    @Test func secondDeathDuringFirstImportDelaysThirdAttemptForAnHour() throws {
        let list = "/hongkong/6x5/v1/transport/kmb/route/"
        try scene.daemon.configure(
            """
            [[feed]]
            id = "hk"
            provider = "hongkong"
            base_url = "\(scene.server.url("/hongkong/6x5", .plain))"
            """)
        try scene.server.answer(list, with: "/slow-file?file=city.zip&seconds=600")
        try scene.start()
        for attempt in 1...2 {
            try scene.eventually("request \(attempt)") { try scene.requests(list) == attempt ? true : nil }
            scene.daemon.signal(SIGKILL)
            #expect(scene.daemon.wait().code == -SIGKILL)
            try scene.start(at: UpstreamFixture.start)
        }
        let next = try scene.instant(scene.dataset("static")["next_due"])
        let wait = try scene.now().seconds(to: next)
        // The pause is an hour, lengthened by up to a quarter.
        #expect((3500...4500).contains(wait))
        #expect(try scene.requests(list) == 2)
        // A person can start an attempt immediately.
        try scene.server.answer(list, with: list)
        _ = try scene.daemon.ask("refresh", ["feed": "hk", "dataset": "static", "force": true])
        try scene.eventually("the network") {
            (try? scene.daemon.ask("routes.search", ["text": "1"])) == nil ? nil : true
        }
    }
}
