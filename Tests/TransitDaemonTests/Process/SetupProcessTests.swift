import Foundation
import Testing
import TransitControl
import TransitModel
import TransitTestSupport

@testable import TransitDaemon

/// `transitctl setup` against the built daemon: from no configuration to the next departure.
@Suite(.enabled(if: BuiltClient.path != nil)) struct SetupProcessTests {
    private let daemon: DaemonProcess

    init() throws {
        daemon = try DaemonProcess()
        try Data(FeedBuilder.small.zip()).write(to: URL(fileURLWithPath: daemon.folder("city.zip")))
    }

    private var configuration: String? {
        try? String(contentsOfFile: daemon.folder("config/config.toml"), encoding: .utf8)
    }

    private var answers: [String] {
        ["Any other city, by GTFS", daemon.folder("city.zip"), "", "", "", "My City", "n"]
    }

    @Test func fromNothingToTheNextDeparture() throws {
        try daemon.start(["--replay-clock", "2026-03-27T06:30:00Z/1"])
        let setup = try daemon.transitctl(["setup"], answers: answers + ["53.5405,9.9805", "Central Station"])
        #expect(setup.code == 0, "\(setup.error)")
        #expect(setup.output.hasPrefix("Bus 24 in "), "\(setup.output)")
        #expect(
            configuration
                == "[[feed]]\nid = \"my-city\"\nprovider = \"gtfs\"\nstatic = \"\(daemon.folder("city.zip"))\"\n")
        let places = try daemon.ask("place.list")["places"]
        #expect("\(String(describing: places))".contains("my-city:central"))
        // A second time: what is there stays, and nothing is asked twice.
        let again = try daemon.transitctl(["setup"], answers: ["n"])
        #expect(again.code == 0)
        #expect(again.error.contains("Configured already: my-city."))
        #expect(again.output.hasPrefix("Bus 24 in "))
    }

    @Test func aConfigurationThatIsRefusedIsTakenBack() throws {
        let text = "# mine\n[daemon]\nlog_level = \"info\"\n"
        try daemon.configure(text)
        try daemon.start()
        var wrong = answers
        wrong[1] = "http://example.org/gtfs.zip"
        let setup = try daemon.transitctl(["setup"], answers: wrong)
        #expect(setup.code == 78, "\(setup.error)")
        #expect(setup.error.contains("The configuration is as it was before."))
        #expect(configuration == text)
        let setupAgain = try daemon.transitctl(["setup"], answers: answers + ["", ""])
        #expect(setupAgain.code == 0, "\(setupAgain.error)")
        #expect(configuration?.hasPrefix(text + "\n[[feed]]\nid = \"my-city\"\n") == true)
    }

    /// The upstream is a recording that knows nothing, so that nobody is asked whether the key is good.
    @Test func aProvidersKeyIsAskedForOnce() throws {
        let recording = daemon.folder("recording")
        try FileManager.default.createDirectory(atPath: recording, withIntermediateDirectories: true)
        let exchange = Exchange(
            FetchRequest(url: "https://example.org/"), FetchResult(failure: .dns), number: 1,
            time: .init(secondsSince1970: 0))
        try Data(exchange.json.encoded + [0x0A])
            .write(to: URL(fileURLWithPath: "\(recording)/\(RecordingFolder.indexName)"))
        try daemon.start(["--replay", recording, "--replay-clock", "2026-03-27T06:30:00Z/1"])
        let tooLong = String(repeating: "x", count: 20_000)
        let setup = try daemon.transitctl(
            ["setup"], answers: ["Caltrain", tooLong, "k3y", "", "y", "Caltrain", "", "n", "", ""])
        #expect(setup.code == 0, "\(setup.error)")
        #expect(setup.error.contains("That is too long for a key."))
        // Once too long, and once.
        #expect(setup.error.components(separatedBy: "Key of 511.org: ").count == 3)
        #expect(setup.error.contains("The key of 511.org is the one that you gave before."))
        #expect(configuration?.contains("id = \"caltrain-2\"") == true)
        #expect(!setup.error.contains("k3y") && configuration?.contains("k3y") == false)
    }

    @Test func answersThatEndTooSoonChangeNothing() throws {
        try daemon.start()
        let setup = try daemon.transitctl(["setup"], answers: [answers[0]])
        #expect(setup.code == 64)
        #expect(setup.error.contains("There are no more answers."))
        #expect(configuration == nil)
    }
}
