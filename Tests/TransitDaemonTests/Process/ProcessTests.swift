import Foundation
import Glibc
import Testing
import TransitControl
import TransitTestSupport
import TransitTestTraits
import TransitWire

/// Tests of the built executable: start, requests over the socket, reload, stop and crash.
@Suite(.enabled(if: DaemonProcess.executable != nil, "transitd is not built"), .ownThreads)
struct ProcessTests {
    static let clock = "2026-03-27T06:30:00Z"

    /// Returns a daemon with a configured commute and with the small feed in a file.
    private func daemon() throws -> DaemonProcess {
        let daemon = try DaemonProcess()
        try Data(FeedBuilder.small.zip()).write(to: URL(fileURLWithPath: daemon.folder("city.zip")))
        try daemon.configure(
            """
            [[feed]]
            id = "city"
            provider = "gtfs"
            static = "../city.zip"
            [commute.trip]
            from = "city:harbor"
            to = "city:central"
            """)
        return daemon
    }

    @Test func daemonImportsAndServesDepartures() throws {
        let daemon = try daemon()
        try daemon.start(["--replay-clock", Self.clock])
        _ = try daemon.ask("feed.update", ["feed": "city"])
        let next = try daemon.ask("next", ["count": 1])
        guard case .array(let departures)? = next["departures"] else {
            Issue.record("no departures: \(next)")
            return
        }
        #expect(departures.first?["scheduled"]?.text == "2026-03-27T08:00:00+01:00")
        #expect(try daemon.ask("status")["daemon"]?["is_replay"] == true)
    }

    @Test func restartServesStoredTimetable() throws {
        let daemon = try daemon()
        try daemon.start(["--replay-clock", Self.clock])
        _ = try daemon.ask("feed.update", ["feed": "city"])
        daemon.signal(SIGTERM)
        #expect(daemon.wait().code == 0)
        try FileManager.default.removeItem(atPath: daemon.folder("city.zip"))
        try daemon.start(["--replay-clock", Self.clock])
        #expect(try daemon.ask("departures", ["stop": "harbor"])["stop"]?["name"]?.text == "Harbor")
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func signalStopsDaemonCleanly(_ signal: Int32) throws {
        let daemon = try daemon()
        try daemon.start(["--replay-clock", Self.clock])
        let waiting = try DaemonClient(daemon.socket)
        daemon.signal(signal)
        let (code, seconds) = daemon.wait()
        #expect(code == 0)
        #expect(seconds < 60)
        #expect(!FileManager.default.fileExists(atPath: daemon.socket))
        withExtendedLifetime(waiting) {}
    }

    @Test func hangupReloadsConfiguration() throws {
        let daemon = try daemon()
        try daemon.start(["--replay-clock", Self.clock])
        try daemon.configure("[[feed]]\nid = \"demo\"\nprovider = \"demo\"\n")
        daemon.signal(SIGHUP)
        try daemon.wait(for: "RELOADING=1")
        try daemon.wait(for: "READY=1")
        #expect(try Self.feeds(daemon) == ["demo"])
        // An invalid configuration changes nothing, and a reload reports its errors.
        try daemon.configure("[[feed]]\nid = \n")
        let error = #expect(throws: DaemonFailure.self) { try daemon.ask("config.reload") }
        #expect(error?.reason.contains("config.toml:2:6") == true)
        #expect(try Self.feeds(daemon) == ["demo"])
    }

    private static func feeds(_ daemon: DaemonProcess) throws -> [String?] {
        guard case .array(let feeds)? = try daemon.ask("feed.list")["feeds"] else { return [] }
        return feeds.map { $0["id"]?.text }
    }

    @Test func killDuringImportKeepsPreviousVersion() throws {
        var daemon = try daemon()
        var before: [String] = []
        // The feed is large enough that the import is still running when the signal arrives, unless the machine runs the
        // daemon but not this test for so long. Then the daemon's last line is the result, and another daemon is killed.
        for attempt in 1...20 {
            try daemon.start(["--replay-clock", Self.clock])
            _ = try daemon.ask("feed.update", ["feed": "city"])
            before = daemon.files.filter { $0.contains("timetables") }
            try Data(Self.large.zip()).write(to: URL(fileURLWithPath: daemon.folder("city.zip")))
            let client = try DaemonClient(daemon.socket)
            try client.send("feed.update", ["feed": "city", "progress": true, "force": true])
            // The table is being read when the first progress notification for it arrives.
            while try JSONValue(parsing: try client.readLine())["params"]?["phase"]?.text != "stop_times.txt" {}
            daemon.signal(SIGKILL)
            #expect(daemon.wait().code == -SIGKILL)
            guard try Self.hasResult(client) else { break }
            try #require(attempt < 20, "the import always ended first")
            daemon = try self.daemon()
        }
        #expect(FileManager.default.fileExists(atPath: daemon.socket))
        try FileManager.default.removeItem(atPath: daemon.folder("city.zip"))

        // The stale socket is replaced, the previous version is used, and the unfinished version leaves no files
        // behind.
        try daemon.start(["--replay-clock", Self.clock])
        #expect(try daemon.ask("departures", ["stop": "harbor"])["stop"]?["name"]?.text == "Harbor")
        #expect(daemon.files.filter { $0.contains("timetables") } == before)
    }

    /// Whether a daemon sent the result of a request before it was killed.
    private static func hasResult(_ client: DaemonClient) throws -> Bool {
        while let line = try? client.readLine() { if try JSONValue(parsing: line)["result"] != nil { return true } }
        return false
    }

    /// The small feed with many more trips.
    private static let large: FeedBuilder = {
        var trips = FeedBuilder.small["trips.txt"]
        var times = FeedBuilder.small["stop_times.txt"]
        for number in 0..<60_000 {
            trips += "bus24,weekday,m\(number),Central Station,0\n"
            let clock = "\(10 + number % 10):\(10 + number % 50):\(10 + number / 50 % 50)"
            times += "m\(number),\(clock),\(clock),harbor,1\nm\(number),23:30:00,23:30:00,central:1,2\n"
        }
        return .small.file("trips.txt", trips).file("stop_times.txt", times)
    }()

    @Test func socketAndStateOfRunningDaemonAreNotReused() throws {
        let daemon = try daemon()
        try daemon.start(["--replay-clock", Self.clock])
        let other = try DaemonProcess()
        let (code, output) = try other.run(["--socket", daemon.socket])
        #expect(code == 1)
        #expect(output.contains("Another daemon is listening on"))
        // Another daemon cannot use the same state folder either.
        let second = try DaemonProcess(folder: daemon.folder)
        let (secondCode, words) = try second.run(["--socket", daemon.folder("other.sock")])
        #expect(secondCode == 1)
        #expect(words.contains("Another transitd process uses the state folder"))
        #expect(try daemon.ask("hello")["protocol"] == 1)
    }

    @Test func configurationErrorsNameFileAndPosition() throws {
        let daemon = try DaemonProcess()
        try daemon.configure("[[feed]]\nid = \"a\"\nprovider = \"gfts\"\n")
        for arguments in [[], ["--check-config"]] {
            let (code, output) = try daemon.run(arguments)
            #expect(code == 78)
            #expect(output.contains("config.toml:3:12: there is no provider \"gfts\"; did you mean \"gtfs\"?"))
        }
        let (code, output) = try daemon.run(["--config", "/nowhere/config.toml"])
        #expect(code == 78)
        #expect(output.contains("/nowhere/config.toml: this file cannot be read: No such file or directory"))
    }

    @Test func validConfigurationIsSummarized() throws {
        let daemon = try DaemonProcess()
        try daemon.configure("[[feed]]\nid = \"demo\"\nprovider = \"demo\"\n[place.home]\nlat = 1\nlon = 2\n")
        let (code, output) = try daemon.run(["--check-config"])
        #expect(code == 0)
        #expect(output.contains("config.toml is valid: 1 feed, 1 place, 0 commutes."))
    }

    @Test func daemonRunsWithoutConfiguration() throws {
        let daemon = try DaemonProcess()
        try daemon.start()
        guard case .array(let notices)? = try daemon.ask("status")["notices"] else {
            Issue.record("no notices")
            return
        }
        #expect(notices.first?["message"]?.text?.contains("transitctl setup") == true)
        // A configuration file that is created now is found without a restart.
        try daemon.configure("[[feed]]\nid = \"demo\"\nprovider = \"demo\"\n")
        let reloaded = try daemon.ask("config.reload")
        #expect(reloaded["file"]?.text == daemon.folder("config/config.toml"))
        #expect(try Self.feeds(daemon) == ["demo"])
    }

    @Test func demoNeedsNoConfiguration() throws {
        let daemon = try DaemonProcess()
        try daemon.start(["--demo"])
        _ = try daemon.ask("feed.update", ["feed": "demo"])
        guard case .array(let departures)? = try daemon.ask("next", ["commute": "home-to-work"])["departures"] else {
            Issue.record("no departures")
            return
        }
        #expect(departures.count == 3)
        daemon.signal(SIGTERM)
        #expect(daemon.wait().code == 0)
        // The demo's state was in a temporary folder, which has been removed.
        #expect(daemon.files == [])
    }

    @Test func conflictingOptionsAreRefused() throws {
        let daemon = try DaemonProcess()
        #expect(try daemon.run(["--demo", "--config", "x"]).code == 64)
        #expect(try daemon.run(["--replay-clock", "noon"]).code == 64)
        #expect(try daemon.run(["--version"]).output.hasPrefix("transitd "))
    }
}
