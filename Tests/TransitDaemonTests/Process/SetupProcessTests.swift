import Foundation
import Testing
import TransitControl
import TransitModel
import TransitTestSupport
import TransitTestTraits
import TransitWire

@testable import TransitDaemon
@testable import TransitFetch

/// Tests of `transitctl setup` with the built daemon: from no configuration to the next departure.
@Suite(.enabled(if: BuiltClient.path != nil), .ownThreads) struct SetupProcessTests {
    private let daemon: DaemonProcess

    init() throws {
        daemon = try DaemonProcess()
        try Data(FeedBuilder.small.zip()).write(to: URL(fileURLWithPath: daemon.folder("city.zip")))
    }

    private var configuration: String? {
        try? String(contentsOfFile: daemon.folder("config/config.toml"), encoding: .utf8)
    }

    private var answers: [String] {
        ["A timetable whose URL or file you have (GTFS)", daemon.folder("city.zip"), "", "", "", "My City", "n", "y"]
    }

    @Test func setupLeadsToNextDeparture() throws {
        try daemon.start(["--replay-clock", "2026-03-27T06:30:00Z/1"])
        let setup = try daemon.transitctl(["setup"], answers: answers + ["53.5405,9.9805", "Central Station"])
        #expect(setup.code == 0, "\(setup.error)")
        #expect(setup.output.hasPrefix("Bus 24 in "), "\(setup.output)")
        #expect(
            configuration
                == "[[feed]]\nid = \"my-city\"\nprovider = \"gtfs\"\nstatic = \"\(daemon.folder("city.zip"))\"\n")
        let places = try daemon.ask("place.list")["places"]
        #expect("\(String(describing: places))".contains("my-city:central"))
        // A second run keeps the configuration and does not repeat any question.
        let again = try daemon.transitctl(["setup"], answers: ["n"])
        #expect(again.code == 0)
        #expect(again.error.contains("Already configured: my-city."))
        #expect(again.error.contains("To remove one: transitctl feed remove my-city\n"))
        #expect(again.output.hasPrefix("Bus 24 in "))
    }

    /// A timetable of a nation, of which the user needs one city.
    private static var nation: FeedBuilder {
        let stops = (0..<6000).map { "far\($0),,Far \($0),\(47.5 + Double($0) / 1500),\(8 + Double($0 % 7)),0,,\n" }
        return FeedBuilder.small.adding(stops.joined(), to: "stops.txt")
    }

    @Test func largeTimetableCanBeKeptInPart() throws {
        try Data(Self.nation.zip()).write(to: URL(fileURLWithPath: daemon.folder("city.zip")))
        try daemon.start(["--replay-clock", "2026-03-27T06:30:00Z/1"])
        let before = try daemon.transitctl(["setup"], answers: answers + ["53.5405,9.9805", "Central Station", "n"])
        #expect(before.code == 0 && before.error.contains("has 6,006 stops and covers"), "\(before.error)")
        #expect(configuration?.contains("keep") == false)
        // The offer is repeated, and an answer that is no distance is asked again.
        let setup = try daemon.transitctl(["setup"], answers: ["n", "n", "5", "20000"])
        #expect(setup.code == 0 && setup.error.contains("Enter meters from 100 to 1000000"), "\(setup.error)")
        #expect(setup.output.hasPrefix("Bus 24 in "), "\(setup.output)")
        #expect(configuration?.contains("keep.radius = 20000") == true, "\(configuration ?? "")")
        let list = try daemon.transitctl(["feed", "list"])
        #expect(list.output.contains("keeps 6 of 6,006 stops"), "\(list)")
        let again = try daemon.transitctl(["setup"], answers: ["n", "n"])
        #expect(again.code == 0 && !again.error.contains("stops and covers"), "\(again)")
    }

    /// Runs the command that `commute add` and `setup` name, and adds the commute again.
    @Test func commuteInQuietHoursIsReportedWithTheCommandThatChangesIt() throws {
        try daemon.start(["--replay-clock", "2026-03-27T06:30:00Z/1"])
        let setup = try daemon.transitctl(["setup"], answers: answers + ["53.5405,9.9805", "Central Station"])
        #expect(setup.code == 0, "\(setup.error)")
        _ = try daemon.ask("notify.enable", ["is_on": true])
        let add = ["commute", "add", "early", "home", "work", "--window", "05:00-08:00", "--replace"]
        let command = "transitctl notify set quiet.until 05:00"
        let added = try daemon.transitctl(add)
        #expect(added.code == 0 && added.error.contains("quiet hours include 05:00-07:00"), "\(added)")
        #expect(added.error.contains(command))
        #expect(try daemon.transitctl(["setup"], answers: ["n"]).error.contains(command))
        #expect(try daemon.transitctl(command.split(separator: " ").dropFirst().map(String.init)).code == 0)
        let again = try daemon.transitctl(add)
        #expect(again.code == 0 && again.error.isEmpty, "\(again)")
        #expect(try !daemon.transitctl(["setup"], answers: ["n"]).error.contains("quiet"))
    }

    @Test func configurationWithErrorsIsNotChanged() throws {
        let text = "# mine\n[daemon]\nlog_level = \"info\"\n"
        try daemon.configure(text)
        try daemon.start()
        // The file became invalid after the daemon started.
        try daemon.configure(text + "log_file = \"x\"\n")
        let setup = try daemon.transitctl(["setup"], answers: answers)
        #expect(setup.code == 78, "\(setup.error)")
        #expect(setup.error.contains("has errors, so it was not changed."))
        #expect(configuration == text + "log_file = \"x\"\n")
        try daemon.configure(text)
        let setupAgain = try daemon.transitctl(["setup"], answers: answers + ["", ""])
        #expect(setupAgain.code == 0, "\(setupAgain.error)")
        #expect(configuration?.hasPrefix(text + "\n[[feed]]\nid = \"my-city\"\n") == true)
    }

    /// Every URL is checked before anything is written.
    @Test func sourceURLIsCheckedWhenEntered() throws {
        let page = "<!DOCTYPE html><html></html>"
        let server = try LoopbackServer { request in
            let status = request.path == "/gone.zip" ? "404 Not Found" : "200 OK"
            return "HTTP/1.1 \(status)\r\nContent-Length: \(page.utf8.count)\r\nConnection: close\r\n\r\n\(page)"
        }
        try daemon.start(["--replay-clock", "2026-03-27T06:30:00Z/1"])
        let wrong = [
            "example.org/gtfs.zip", "http://example.org/gtfs.zip", "ftp://example.org/gtfs.zip", "gtfs.zip",
            daemon.folder("nowhere.zip"), server.url("/page.zip"), server.url("/gone.zip"),
        ]
        // The URL of the alerts is also checked.
        let right = [daemon.folder("city.zip"), "", "", server.url("/alerts.pb"), "", "My City", "n", "y"]
        let setup = try daemon.transitctl(
            ["setup"], answers: [answers[0]] + wrong + right + ["53.5405 9.9805", "Central Station"])
        #expect(setup.code == 0, "\(setup.error)")
        for message in [
            "a URL without its scheme", "example.org is not this machine", "has the scheme \"ftp\"",
            "Enter a URL that begins with https://", "nowhere.zip: No such file", "not a zip archive",
            "There is no file at that URL",
        ] {
            #expect(setup.error.contains(message), "\(message): \(setup.error)")
        }
        #expect(setup.error.components(separatedBy: "URL or path of the timetable").count == wrong.count + 2)
        #expect(setup.error.components(separatedBy: "URL of the alerts").count == 3)
        #expect(
            configuration
                == "[[feed]]\nid = \"my-city\"\nprovider = \"gtfs\"\nstatic = \"\(daemon.folder("city.zip"))\"\n")
    }

    @Test func refusedTimetableIsRemoved() throws {
        try Data(FeedBuilder.small.file("stop_times.txt", "trip_id\n").zip()).write(
            to: URL(fileURLWithPath: daemon.folder("empty.zip")))
        try daemon.start(["--replay-clock", "2026-03-27T06:30:00Z/1"])
        var wrong = answers
        wrong[1] = daemon.folder("empty.zip")
        // The timetable is refused, so that there is nothing to confirm.
        let setup = try daemon.transitctl(["setup"], answers: wrong.dropLast() + ["y", "n", "", ""])
        #expect(setup.error.contains("Remove my-city from the configuration?"), "\(setup.error)")
        #expect(configuration == "")
        #expect(try daemon.ask("feed.list")["feeds"]?.elements.isEmpty == true)
    }

    @Test func setupOffersDemoCity() throws {
        try daemon.start(["--replay-clock", "2026-03-27T06:30:00Z/1"])
        let setup = try daemon.transitctl(
            ["setup", "--quiet"], answers: ["Demo city (works offline)", "", "n", "", ""])
        #expect(setup.code == 0, "\(setup.error)")
        #expect(configuration == "[[feed]]\nid = \"demo\"\nprovider = \"demo\"\n")
        // The choices are part of the question and are shown with --quiet; the confirmation is not.
        #expect(setup.error.contains("6  Demo city"))
        #expect(!setup.error.contains("Added demo to"))
    }

    @Test func setupNamesSourceOfKey() throws {
        try daemon.start()
        let setup = try daemon.transitctl(["setup"], answers: ["Caltrain"])
        #expect(setup.error.contains("https://511.org/open-data/token"), "\(setup.error)")
    }

    @Test func doctorReportsWithoutDaemon() throws {
        let doctor = try daemon.transitctl(["doctor", "--plain"], answers: [])
        #expect(doctor.code == 69, "\(doctor.error)")
        #expect(doctor.output.contains("daemon"), "\(doctor.output)")
        #expect(doctor.output.contains("configuration"))
    }

    @Test func commandsWithoutFeedMentionSetup() throws {
        try daemon.start()
        for command in ["next", "status"] {
            let answer = try daemon.transitctl([command], answers: [])
            #expect((answer.output + answer.error).contains("transitctl setup"), "\(command): \(answer)")
        }
        let doctor = try daemon.transitctl(["doctor"], answers: [])
        #expect(doctor.code == 1)
        #expect(doctor.output.contains("No feed is configured"), "\(doctor.output)")
    }

    /// The upstream is an empty recording, so the key cannot be verified.
    @Test func providerKeyIsRequestedOnce() throws {
        let recording = daemon.folder("recording")
        try FileManager.default.createDirectory(atPath: recording, withIntermediateDirectories: true)
        let exchange = RecordedExchange(
            FetchRequest(url: "https://example.org/"), FetchResult(failure: .dns), number: 1,
            time: .init(secondsSince1970: 0))
        try Data(exchange.json.encoded + [0x0A])
            .write(to: URL(fileURLWithPath: "\(recording)/\(RecordingFolder.indexName)"))
        try daemon.start(["--replay", recording, "--replay-clock", "2026-03-27T06:30:00Z/1"])
        let tooLong = String(repeating: "x", count: 20_000)
        let setup = try daemon.transitctl(
            ["setup"], answers: ["Caltrain", tooLong, "k3y", "", "y", "Caltrain", "", "n", "", ""])
        #expect(setup.code == 0, "\(setup.error)")
        #expect(setup.error.contains("The key is too long"))
        // The prompt is repeated only once, after a key that is too long.
        #expect(setup.error.components(separatedBy: "API key for 511.org (not displayed, back, quit): ").count == 3)
        #expect(setup.error.contains("Using the key for 511.org that you entered before."))
        #expect(configuration?.contains("id = \"caltrain-2\"") == true)
        #expect(!setup.error.contains("k3y") && configuration?.contains("k3y") == false)
    }

    // MARK: Back, quit and skip

    @Test func everyQuestionNamesBackAndQuit() throws {
        try daemon.start(["--replay-clock", "2026-03-27T06:30:00Z/1"])
        let setup = try daemon.transitctl(["setup"], answers: answers + ["53.5405,9.9805", "Central Station", "n"])
        #expect(setup.code == 0, "\(setup.error)")
        // The lines that end with a colon and a blank are questions.
        let questions = setup.error.split(separator: "\n").filter { $0.hasSuffix(": ") }
        #expect(questions.count == 11, "\(questions)")
        for question in questions { #expect(question.contains("back, quit"), "\(question)") }
        #expect(questions.count { $0.contains("Enter: skip") } == 5, "\(questions)")
    }

    @Test func backReturnsToThePreviousQuestion() throws {
        try daemon.start(["--replay-clock", "2026-03-27T06:30:00Z/1"])
        // From the trip updates to the timetable and the list of cities, from the list to nowhere, from work to home.
        let first = [
            "back", answers[0], daemon.folder("city.zip"), "back", "back", answers[0], daemon.folder("city.zip"), "",
            "",
            "", "My City", "back", answers[0], daemon.folder("city.zip"), "", "", "", "Other", "n", "y",
        ]
        let setup = try daemon.transitctl(
            ["setup"], answers: first + ["back", "53.5405,9.9805", "back", "53.5405,9.9805", "Central Station", "n"])
        #expect(setup.code == 0, "\(setup.error)")
        #expect(setup.error.components(separatedBy: "There is no earlier question.").count == 2, "\(setup.error)")
        #expect(setup.error.contains("The feeds are configured; there is no earlier question."))
        #expect(setup.error.components(separatedBy: "Where do you travel?").count == 5)
        #expect(setup.error.components(separatedBy: "Where is home?").count == 4)
        // The feed from which the user went back is not added.
        #expect(configuration?.contains("id = \"other\"") == true && configuration?.contains("my-city") == false)
        #expect(setup.output.hasPrefix("Bus 24 in "), "\(setup)")
    }

    @Test func quitChangesNothingBeforeAndKeepsEverythingAfterTheImport() throws {
        try daemon.start(["--replay-clock", "2026-03-27T06:30:00Z/1"])
        let early = try daemon.transitctl(["setup"], answers: Array(answers.prefix(3)) + ["quit"])
        #expect(early.code == 0 && early.error.contains("Nothing was changed."), "\(early)")
        #expect(configuration == nil)
        let late = try daemon.transitctl(["setup"], answers: answers + ["53.5405,9.9805", "q", "quit"])
        #expect(late.code == 0 && late.error.contains("Everything that was set up so far is kept."), "\(late)")
        #expect(configuration?.contains("my-city") == true)
        #expect("\(try daemon.ask("place.list"))".contains("home"))
    }

    @Test func incompleteAnswersChangeNothing() throws {
        try daemon.start()
        let setup = try daemon.transitctl(["setup"], answers: [answers[0]])
        #expect(setup.code == 64)
        #expect(setup.error.contains("Standard input has no more lines."))
        #expect(configuration == nil)
    }
}
