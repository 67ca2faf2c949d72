import Foundation
import Testing
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon

/// Tests of `transitctl feed add`, `edit` and `remove` with the built daemon.
@Suite(.enabled(if: BuiltClient.path != nil), .ownThreads) struct FeedConfigurationProcessTests {
    private let daemon: DaemonProcess
    private let text = "# mine\n[daemon]\nlog_level = \"info\" # quiet\n"

    init() throws {
        daemon = try DaemonProcess()
        try Data(FeedBuilder.small.zip()).write(to: URL(fileURLWithPath: daemon.folder("city.zip")))
        try daemon.configure(text)
    }

    private func start() throws { try daemon.start(["--replay-clock", "2026-03-27T06:30:00Z/1"]) }

    private var configuration: String? {
        try? String(contentsOfFile: daemon.folder("config/config.toml"), encoding: .utf8)
    }

    private var path: String { daemon.folder("city.zip") }

    @Test func feedIsAddedChangedAndRemoved() throws {
        try start()
        let added = try daemon.transitctl(["feed", "add", path, "--id", "city", "refresh_hours=12"])
        #expect(added.code == 0, "\(added.error)")
        let table = "\n[[feed]]\nid = \"city\"\nprovider = \"gtfs\"\nstatic = \"\(path)\"\nrefresh_hours = 12\n"
        #expect(configuration == text + table)
        #expect(added.error.contains("Added city to "))
        let departures = try daemon.transitctl(["departures", "Central Station"])
        #expect(departures.code == 0, "\(departures.error)")

        let changed = try daemon.transitctl(
            ["feed", "edit", "city", "refresh_hours=24", "refresh.vehicles=45s", "--unset", "provider"])
        #expect(changed.code == 78 && changed.error.contains("has no `provider`"), "\(changed.error)")
        #expect(configuration == text + table)
        let edited = try daemon.transitctl(["feed", "edit", "city", "refresh_hours=24", "refresh.idle=10m"])
        #expect(edited.code == 0, "\(edited.error)")
        #expect(
            configuration == text + table.replacing("= 12", with: "= 24") + "refresh.idle = \"10m\"\n")

        let refused = try daemon.transitctl(["feed", "remove", "city"])
        #expect(refused.code == 64 && refused.error.contains("add --yes"), "\(refused)")
        #expect(try daemon.transitctl(["feed", "remove", "city", "--yes"]).code == 0)
        #expect(configuration == text + "\n")
        let gone = try daemon.transitctl(["feed", "remove", "city", "--yes"])
        #expect(gone.code != 0 && gone.error.contains("has no feed \"city\""), "\(gone)")
    }

    @Test func nothingIsWrittenForAnUnusableSource() throws {
        try start()
        try Data("no archive".utf8).write(to: URL(fileURLWithPath: daemon.folder("no.zip")))
        let failures: [([String], String)] = [
            ([daemon.folder("none.zip"), "--id", "a"], "No such file"),
            ([daemon.folder("no.zip"), "--id", "a"], "is not a zip archive"),
            ([path], "Add --id NAME"), ([path, "--id", "A B"], "not a valid feed id"),
            (["atlantis"], "There is no source \"atlantis\""),
            ([path, "--id", "a", "vehicels=x"], "Did you mean `vehicles`?"),
            ([path, "--id", "a", "vehicles"], "vehicles"),
            (["http://127.0.0.1:9/a.zip", "--id", "a"], "http://127.0.0.1:9/a.zip: "),
            (["ftp://example.org/a.zip", "--id", "a"], "ftp://example.org/a.zip has the scheme \"ftp\"."),
            ([path, "--id", "a", "alerts=ftp://example.org/a.pb"], "alerts has the scheme \"ftp\"."),
        ]
        for (arguments, words) in failures {
            let result = try daemon.transitctl(["feed", "add"] + arguments)
            let status: Int32 =
                words.hasPrefix("http:") ? 75 : words.contains("feed id") || words.hasPrefix("Did") ? 78 : 64
            #expect(result.code == status && result.error.contains(words), "\(arguments): \(result)")
            #expect(configuration == text, "\(arguments)")
        }
    }

    /// A change of the kept part waits for the import and reports its result.
    @Test func changeOfTheKeptPartIsImported() throws {
        try start()
        #expect(try daemon.transitctl(["feed", "add", path, "--id", "city"]).code == 0)
        #expect(try daemon.transitctl(["place", "set", "flat", "53.5405,9.9805"]).code == 0)
        // A place of the user is not in the configuration.
        let kept = try daemon.transitctl(["feed", "edit", "city", "keep.places=flat", "keep.radius=100000"])
        #expect(kept.code == 0 && kept.error.contains("Version 2 is in use"), "\(kept)")
        #expect(configuration?.contains("keep.places = [\"53.5405,9.9805\"]") == true, "\(configuration ?? "")")
        let none = try daemon.transitctl(["feed", "edit", "city", "keep.places=-40,20"])
        #expect(none.code == 1 && none.error.contains("No stop of the feed is within"), "\(none)")
        #expect(none.error.contains("previous version stays in use"), "\(none)")
        #expect(try daemon.transitctl(["departures", "Central Station"]).code == 0)
    }

    @Test func unusableSourceIsNotWritten() throws {
        try start()
        #expect(try daemon.transitctl(["feed", "add", path, "--id", "city"]).code == 0)
        let before = configuration
        let server = try LoopbackServer { _ in
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        }
        let edit = try daemon.transitctl(["feed", "edit", "city", "static=\(server.url("/none.zip"))"])
        #expect(edit.code == 64 && edit.error.contains("404"), "\(edit)")
        #expect(configuration == before)
    }

    /// Runs the command that the message names, which then reports no problem.
    @Test func feedThatSupplementsAnotherPreventsItsRemoval() throws {
        let feed = "[[feed]]\nprovider = \"gtfs\"\nstatic = \"\(path)\"\n"
        let before = "\(feed)id = \"city\"\n\n\(feed)id = \"more\"\nsupplements = \"city\"\n"
        try daemon.configure(before)
        try start()
        let refused = try daemon.transitctl(["feed", "remove", "city", "--yes"])
        #expect(
            refused.code == 78 && refused.error.contains("there is no feed \"city\"".capitalizedSentence), "\(refused)")
        #expect(configuration == before)
        #expect(try daemon.transitctl(["feed", "edit", "more", "--unset", "supplements"]).code == 0)
        let removed = try daemon.transitctl(["feed", "remove", "city", "--yes"])
        #expect(removed.code == 0, "\(removed)")
        #expect(try daemon.transitctl(["config", "check"]).code == 0)
    }

    @Test func fileThatCannotBeWrittenStaysAsItIs() throws {
        try start()
        let file = daemon.folder("config/config.toml")
        try FileManager.default.removeItem(atPath: file)
        // A symbolic link into a folder that does not exist and cannot be created.
        #expect(symlink("/proc/none/config.toml", file) == 0)
        let result = try daemon.transitctl(["feed", "add", path, "--id", "city"])
        #expect(result.code != 0 && result.error.contains("Cannot write"), "\(result)")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file) == "/proc/none/config.toml")
    }
}

extension String {
    /// The text with a capital first letter.
    fileprivate var capitalizedSentence: String { prefix(1).uppercased() + dropFirst() }
}
