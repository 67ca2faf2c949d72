import Foundation
import Glibc
import Testing
import TransitControl
import TransitModel

@testable import TransitClient
@testable import transitctl

@Suite struct SetupTests {
    @Test(arguments: [
        ("My City!", "my-city"), ("  Z\u{FC}rich ", "zurich"), ("\u{141}\u{F3}d\u{17A}", "lodz"), ("MTA", "mta"),
        ("---", ""), ("a__b", "a-b"), ("", ""),
    ])
    func derivesIdentifierFromName(text: String, identifier: String) {
        #expect(FeedDraft.identifier(from: text) == identifier)
    }

    @Test(arguments: [
        ("Santa Clara Valley Transportation Authority (VTA)", "vta"), ("Bay Area Rapid Transit (BART)", "bart"),
        ("M\u{FC}nchner Verkehrs- und Tarifverbund GmbH (MVV)", "mvv"),
        ("Redding Area Bus Authority", "redding-area-bus-authority"),
        ("Puget Sound Regional Transportation Council", "puget-sound-regional"), ("Bus, Tram", "bus"),
        ("Metro (formerly City Bus)", "metro"), ("\u{41C}\u{41E}", ""),
    ])
    func suggestsAShortIdentifier(provider: String, identifier: String) {
        let feed = CatalogFeed(id: "mdb-1", provider: provider, status: .active, realtime: [])
        #expect(feed.suggestedID == identifier)
    }

    @Test func ordersChoices() {
        let siri = ProviderSummary(
            name: "siri511", title: "511.org", needsKey: true,
            settings: [ProviderSetting(key: "agency", requirement: .required, example: "CT")],
            presets: [ProviderPresetSummary(id: "caltrain", title: "Caltrain", agency: "CT")])
        let gtfs = ProviderSummary(
            name: "gtfs", title: "GTFS", needsKey: false,
            settings: [ProviderSetting(key: "static", requirement: .required)])
        let own = ProviderSummary(name: "hongkong", title: "Hong Kong", needsKey: false, settings: [])
        let demo = ProviderSummary(
            name: "demo", title: "demo city", needsKey: false, isDemo: true, settings: [],
            presets: [ProviderPresetSummary(id: "demo", title: "Demo city")])
        let offers = SetupOffer.all([gtfs, demo, own, siri])
        #expect(
            offers.map(\.title) == [
                "Caltrain", "Hong Kong", "A timetable whose URL or file you have (GTFS)", "Demo city",
            ])
        #expect(offers.map(\.id) == ["caltrain", "hongkong", nil, "demo"])
        #expect(offers[0].agency == "CT")
    }
}

@Suite struct SourceAnswerTests {
    @Test(
        arguments: [
            ("/a.zip", "/a.zip"), ("~/a.zip", "~/a.zip"), ("file:///a.zip", "/a.zip"), ("a.zip", "a.zip"),
            ("./a", "./a"),
            ("https://a.example/a.zip", nil), ("a.example/a.zip", nil), ("localhost:80", nil),
        ] as [(String, String?)])
    func distinguishesFilesFromURLs(text: String, path: String?) {
        #expect(SourceAnswer.file(text) == path)
    }

    @Test func reportsUnusableFile() {
        #expect(SourceAnswer.problem(with: "a.zip", dataset: .static)?.hasPrefix("Enter a URL") == true)
        #expect(
            SourceAnswer.problem(with: "~/a.zip", dataset: .static, home: "/nowhere")
                == "Cannot read /nowhere/a.zip: No such file or directory.")
        #expect(
            SourceAnswer.problem(with: "/proc/self/stat", dataset: .static) == "/proc/self/stat is not a zip archive.")
        #expect(SourceAnswer.problem(with: "/proc/self/stat", dataset: .alerts) == nil)
    }
}

@Suite struct OfflineChecksTests {
    private func checks(
        _ files: [String: String], free: UInt64 = 1 << 40, problem: String? = nil
    ) -> [DoctorCheck]? {
        let search = OfflineChecks(
            variable: { ["PATH": "/bin:/opt", "HOME": "/home/me"][$0] }, exists: { files[$0] != nil },
            contents: { files[$0] }, freeBytes: { _ in free }, invalidConfiguration: { _ in problem })
        return search.checks(
            after: .notRunning(
                tried: [.init(path: "/x", reason: "no such file")], remedies: ["start it with: systemctl start it"]))
    }

    private func check(_ name: String, _ checks: [DoctorCheck]) throws -> DoctorCheck {
        try #require(checks.first { $0.check == name })
    }

    @Test func checksWithoutDaemon() throws {
        let nothing = try #require(checks([:]))
        #expect(nothing.map(\.outcome) == [.failed, .warning, .warning, .ok, .ok, .warning])
        #expect(nothing[0].message == "Cannot reach the daemon: tried /x (no such file).")
        #expect(nothing[0].remedy == "start it with: systemctl start it")
        #expect(
            try check("configuration", nothing).message
                == "Neither /home/me/.config/transitd/config.toml nor /etc/transitd/config.toml exists.")
        let installed = try #require(
            checks([
                "/run/systemd/system": "", "/opt/transitd": "", "/usr/lib/systemd/user/transitd.service": "",
                "/etc/transitd/config.toml": "# mine\n [[feed]]\n#[[feed]]\n[[feed]]\n",
            ]))
        #expect(installed.map(\.outcome) == [.failed, .ok, .ok, .ok, .ok, .ok])
        #expect(try check("configuration", installed).message.hasPrefix("/etc/transitd/config.toml has 2 feeds."))
        #expect(OfflineChecks().checks(after: .interrupted) == nil)
    }

    @Test func causeIsFixedBeforeTheStart() throws {
        let full = try #require(checks([:], free: 0))
        #expect(try check("disk.state", full).outcome == .failed)
        #expect(
            full[0].remedy
                == "first fix the failed check below, then start it with: systemctl start it")
        let invalid = try #require(checks(["/bin/transitd": ""], problem: "/c.toml:1:1: no; yes"))
        #expect(try check("configuration", invalid).message == "/c.toml:1:1: no; yes")
        #expect(invalid[0].remedy?.hasPrefix("first fix") == true)
    }
}

@Suite struct ConfigurationWriterTests {
    /// Writing the new text to the disk takes long enough for another program to change the file.
    @Test func fileThatChangesWhileItIsReplacedStays() throws {
        let folder = NSTemporaryDirectory() + "transitctl-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/config.toml"
        try Data("by hand".utf8).write(to: URL(fileURLWithPath: path))
        #expect(SmallFile.replace(path, with: Array("new".utf8), isCurrent: { false }) == ECANCELED)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "by hand")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["config.toml"])
    }

    private let folder = "/tmp/transitctl-\(UUID().uuidString)"

    private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    @Test func keepsPermissions() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/a/config.toml"
        let writer = ConfigurationWriter(path: path)
        try writer.replace(nil, with: "one\n")
        #expect(text(path) == "one\n")
        #expect(chmod(path, 0o640) == 0)
        try writer.replace("one\n", with: "two\n")
        #expect(text(path) == "two\n")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
        try writer.replace("two\n", with: nil)
        #expect(text(path) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/a") == [])
    }

    @Test func writesNothingIfTheFileWasChangedMeanwhile() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/config.toml"
        let writer = ConfigurationWriter(path: path)
        #expect(throws: ConfigurationWriter.Failure.changedMeanwhile(path: path)) {
            try writer.replace("mine\n", with: "new\n")
        }
        #expect(text(path) == nil)
        try writer.replace(nil, with: "mine, changed\n")
        for before in ["mine\n", nil] {
            #expect(throws: ConfigurationWriter.Failure.changedMeanwhile(path: path)) {
                try writer.replace(before, with: "new\n")
            }
        }
        #expect(text(path) == "mine, changed\n")
    }

    @Test(.enabled(if: geteuid() == 0)) func fileKeepsItsOwner() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/config.toml"
        let writer = ConfigurationWriter(path: path)
        try writer.replace(nil, with: "one\n")
        #expect(chown(path, 1234, 1235) == 0)
        try writer.replace("one\n", with: "two\n")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_uid == 1234 && status.st_gid == 1235)
    }

    @Test func preservesSymbolicLink() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("mine\n".utf8).write(to: URL(fileURLWithPath: folder + "/real.toml"))
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/config.toml", withDestinationPath: folder + "/real.toml")
        try ConfigurationWriter(path: folder + "/config.toml").replace("mine\n", with: "more\n")
        #expect(text(folder + "/real.toml") == "more\n")
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/config.toml") == folder + "/real.toml")
    }

    @Test func reportsWriteFailure() throws {
        #expect(throws: ConfigurationWriter.Failure.self) {
            try ConfigurationWriter(path: "/proc/nothing/config.toml").replace(nil, with: "x")
        }
    }
}
