import ArgumentParser
import Testing
import TransitControl
import TransitModel

@testable import TransitClient
@testable import transitctl

@Suite struct CommandLineTests {
    @Test(arguments: [
        (["--json", "next", "gym"], ["next", "--json", "gym"]),
        (["--at", "08:00", "-q", "stops", "near"], ["stops", "near", "--at", "08:00", "-q"]),
        (["--socket=/x", "feed", "--help"], ["feed", "--socket=/x", "--help"]),
        (["next", "--json"], ["next", "--json"]), (["--json"], ["--json"]), ([], []), (["--help"], ["--help"]),
        (["-n", "3", "departures", "Main"], ["departures", "-n", "3", "Main"]),
        (["--theme", "ocean", "theme", "list"], ["theme", "list", "--theme", "ocean"]),
        (["--theme=ocean:light", "status"], ["status", "--theme=ocean:light"]),
        (
            ["--json", "notify", "days-off", "import", "a.ics"], ["notify", "days-off", "import", "--json", "a.ics"]
        ), (["notify", "-n", "3", "list", "--log"], ["notify", "list", "-n", "3", "--log"]),
        (["--json", "favorite", "home"], ["favorite", "home", "--json"]),
        (["--json", "help", "notify", "list"], ["help", "notify", "list", "--json"]),
        (["next", "--at", "list", "gym"], ["next", "--at", "list", "gym"]), (["--at"], ["--at"]),
        (["next", "gym", "--json", "status"], ["next", "gym", "--json", "status"]),
        (["--json", "--", "next"], ["--json", "--", "next"]),
    ])
    func globalOptionsMayPrecedeCommand(typed: [String], read: [String]) {
        #expect(CommandLineOrder.commandFirst(typed) == read)
    }

    /// The names of every command, such as "notify days-off import".
    private static let commands: [[String]] = commands(of: Transitctl.self, [])

    private static func commands(of command: any ParsableCommand.Type, _ names: [String]) -> [[String]] {
        command.configuration.subcommands.flatMap { command -> [[String]] in
            let path = names + [command.configuration.commandName ?? ""]
            return [path] + commands(of: command, path)
        }
    }

    @Test func commandsAreFound() {
        #expect(Self.commands.count > 60)
        #expect(Self.commands.contains(["notify", "days-off", "import"]))
    }

    @Test(arguments: commands) func globalOptionsMayPrecedeEachNameOfACommand(names: [String]) {
        for position in names.indices {
            for options in [["--json"], ["--socket", "/run/x.sock"], ["-q", "--at=08:00"]] {
                let typed = Array(names[..<position]) + options + names[position...]
                #expect(CommandLineOrder.commandFirst(typed + ["file"]).starts(with: names), "\(typed)")
                #expect(CommandLineOrder.commandFirst(typed) == names + options, "\(typed)")
            }
        }
    }

    @Test(arguments: [("30m", 1800), ("2h", 7200), ("90", 5400), ("1", 60), ("7d", 604_800)])
    func windowIsInSeconds(text: String, seconds: Int) throws { #expect(try WindowArgument.read(text) == seconds) }

    @Test(arguments: ["", "m", "0", "0m", "-5", "-5m", "30 m", "1h30m", "8d", "999999999999999999999", "soon", "30s"])
    func otherWindowIsRejected(text: String) {
        #expect(throws: (any Error).self) { try WindowArgument.read(text) }
    }

    @Test func optionBeforeTheCommandIsParsed() throws {
        let arguments = CommandLineOrder.commandFirst(["--json", "notify", "days-off", "import", "a.ics"])
        let command = try #require(try Transitctl.parseAsRoot(arguments) as? DaysOffImportCommand)
        #expect(command.global.json && command.file == "a.ics")
    }

    /// Command lines that `QuickCommand` parses. ArgumentParser must give the same result.
    @Test(arguments: [
        ["next"], ["next", "home-to-work"], ["next", "gym", "--json", "-n", "5"], ["next", "--at", "tomorrow 08:00"],
        ["next", "--socket", "/x", "--plain", "--no-color", "-q"], ["next", "--count", "2", "gym", "--quiet"],
        ["next", "--at", "08:00", "--at", "09:00"], ["departures", "Main Street"],
        ["departures", "-n", "20", "caltrain:70211"], ["next", "--theme", "ocean:light"],
    ])
    func quickCommandAgreesWithArgumentParser(arguments: [String]) throws {
        let quick = try #require(QuickCommand(arguments))
        let command = try Transitctl.parseAsRoot(arguments)
        switch (quick.query, command) {
        case (.next(let commute), let command as NextCommand):
            #expect(command.words == commute.map { [$0] } ?? [])
            #expect(command.global.settings == quick.settings)
        case (.departures(let stop), let command as DeparturesCommand):
            #expect(command.stop.name == stop)
            #expect(command.route == nil && command.feed == nil)
            #expect(command.global.settings == quick.settings)
        default:
            Issue.record("another command: \(command)")
        }
    }

    @Test(arguments: [
        ["status"], [], ["next", "a", "b"], ["next", "--help"], ["next", "-n", "x"], ["next", "-n", "0"],
        ["next", "--at"],
        ["next", "--socket=/x"], ["departures"], ["departures", "a", "--route", "24"], ["next", "-n", "-3"],
        ["next", ""],
        ["next", "--", "gym"], ["next", "--jsno"], ["next", "--theme", "nosuch"],
    ])
    func quickCommandDeclinesOtherCommandLines(arguments: [String]) {
        #expect(QuickCommand(arguments) == nil)
    }

    @Test(arguments: [
        "next gym --reachable", "departures Main --reachable", "departures Main --reachable --from home",
        "departures Main --walk-minutes 0", "next --within 30m", "next gym --within 90",
        "departures Main --within 1h --each-direction",
        "journey home work", "journey San Mateo to Tamien --at 8:00 --arrive-by --changes 0",
        "journey 37.39,-122.07 home", "journey --on-board 2 to City Park --changes 1",
        "journey home work --modes train,bus --wheelchair --bicycle", "last home work --modes tram --wheelchair",
        "journey home work --via Main",
        "next home work --changes 0", "next gym --modes train,bus --wheelchair --bicycle", "last gym --via Main",
        "watch next gym --changes 2 --bicycle", "watch next gym --format waybar --changes 0 --modes bus",
        "last",
        "journey pin home work --at 8:00 --choice 2", "journey pinned", "journey unpin 1", "watch journey",
        "journey find pin home",
        "journey home work --explain", "last --explain",
        "last home work -n 2 --at friday --changes 1",
        "next", "next gym", "departures Main Street --route 24 --feed demo", "stops search main street",
        "stops near", "stops near 37.39,-122.07 --radius 500",
        "stops near 37.39 \u{2212}122.07", "stops show demo:1", "routes search --next-characters 9",
        "routes search", "routes show 24 --date 2026-03-28", "routes stops 24 --direction 1",
        "trip show demo:T1 --date 2026-03-28", "commute list", "commute add gym home demo:7 --replace",
        "commute add gym home demo:7 --window 07:00-09:00 --window 16:00-18:00 --days mon-fri",
        "commute rename gym pool", "commute remove pool", "commute use", "commute use gym", "place list",
        "place set home 37.39,-122.07 --walk-minutes 8", "place remove home", "favorite",
        "setup", "recent", "recent clear", "key set demo --unverified", "key check demo", "key remove demo",
        "favorite show --category morning", "favorite Mill Lane", "favorite list", "favorite add Mill Lane --route 24",
        "favorite add --route 24 --name bus --category morning", "favorite rename 2 school run",
        "favorite category 2", "favorite category 2 morning", "favorite order 3 1", "favorite remove Mill Lane",
        "stops near --all --route 24", "stops search main --favorite bus", "feed find munich mvv",
        "feed find --near 48.1,11.5 -n 3", "feed list",
        "feed update demo --force",
        "refresh", "refresh demo trip-updates", "refresh demo --force", "refresh --all --force", "budget demo",
        "explain demo:T1@2026-03-28/3", "vehicles --route 24 --stop x", "alerts --commute gym", "watch",
        "watch next gym", "next a b", "next San Mateo to Tamien", "explain Tram 1 08:22", "taken 2", "usual pin 08:22",
        "trip show 435", "departures Main --each-direction", "watch next home work",
        "watch departures Main Street --route 24", "watch vehicles --trip T1", "watch alerts", "watch status demo",
        "status demo --updates", "status --follow", "feed validate demo --realtime", "doctor --bundle /tmp/x.tar",
        "feed validate demo --version 3", "feed validate demo --attempt", "feed versions demo", "feed rollback demo 2",
        "feed rollback demo", "feed add https://a.example/a.zip vehicles=x --id a --unchecked",
        "feed edit demo a=1 b.c=2 --unset d --unset e", "feed remove demo --yes", "feed diff demo 1 2",
        "feed diff demo", "feed history", "feed history demo --clear --yes", "departures Main --punctuality", "status",
        "config check", "config reload",
        "describe", "describe stops.search", "raw", "raw status {}", "theme", "theme list", "theme preview",
        "theme preview all", "theme preview ocean", "theme use vintage --background light", "mcp", "mcp --personal",
    ])
    func commandLineParses(line: String) throws {
        let arguments = line.split(separator: " ").map(String.init)
        let command = try Transitctl.parseAsRoot(arguments + ["--json", "-n", "2"])
        // A command group without a subcommand would print help instead.
        #expect(type(of: command).configuration.subcommands.isEmpty)
    }

    @Test(arguments: [
        "stops", "departures", "trip show", "place set home", "place set home 137,12", "stops near 137 12",
        "feed update", "feed add", "feed add a b", "feed edit a", "feed edit a b", "feed edit a =b", "feed remove",
        "routes show 24 --date tomorrow", "feed history --yes", "raw status {", "describe nxt", "next --count many",
        "place set x 1,2 --walk-minutes 500", "favorite add", "favorite remove", "favorite order",
        "departures Main --walk-minutes 181", "departures Main --walk-minutes -1",
        "departures Main --from home --walk-minutes 5", "next --within soon", "next --within 0m",
        "departures Main --within 8d", "departures Main --within", "journey", "journey a b --changes 8",
        "journey a b --arrive-by", "journey a b --modes ,", "journey b --on-board 2 --via a", "journey --on-board 2",
        "journey b --on-board 2 --at 9:00",
        "journey a b -n 51",
        "next --changes 8", "last -n 51", "last --changes x",
        "journey pin a b --choice 0", "journey unpin", "journey unpin x",
        "theme use", "theme use nosuch", "theme preview nosuch", "theme use ocean --background gray", "theme ocean",
    ])
    func invalidCommandLineIsRejected(line: String) {
        let arguments = line.split(separator: " ").map(String.init)
        // "stops" alone prints help, so it counts as invalid.
        #expect {
            let command = try Transitctl.parseAsRoot(arguments)
            if !type(of: command).configuration.subcommands.isEmpty { throw CleanExit.helpRequest() }
        } throws: { _ in true }
    }

    /// A command line for each command, without options.
    private static let lines = [
        "setup", "next", "journey find a b", "journey pin a b", "journey pinned", "journey unpin 1", "last",
        "departures Main", "watch next", "watch departures Main",
        "watch vehicles",
        "watch alerts",
        "watch status", "watch favorite", "watch journey", "watch notifications", "vehicles", "alerts", "weather",
        "events", "explain a",
        "stops search a", "stops near home", "stops show a", "routes search a", "routes show a", "routes stops a",
        "trip show a", "commute list", "commute add a b c", "commute rename a b", "commute remove a", "commute use a",
        "place list", "place set home 1,2", "place remove a", "address a", "favorite show", "favorite list",
        "favorite add a", "favorite rename a b", "favorite category a b", "favorite order a", "favorite remove a",
        "recent list", "recent clear", "feed find a", "feed list", "feed update a", "feed validate a",
        "feed versions a",
        "feed rollback a", "feed diff a", "feed history", "feed add a", "feed edit a b=1", "feed remove a",
        "taken --list",
        "usual list", "usual pin a", "usual unpin a",
        "usual forget a", "usual explain a", "insights", "notify list", "notify on", "notify off", "notify set a b",
        "notify reset a", "notify mute 2h", "notify unmute", "notify test", "notify act a taken",
        "notify days-off list",
        "notify days-off add 2026-12-24", "notify days-off remove 2026-12-24", "notify days-off import a",
        "notify rehearse", "key set a", "key check a", "key remove a", "refresh", "budget", "status", "theme list",
        "theme preview", "theme use ocean", "doctor", "config check", "config reload", "describe", "raw status", "mcp",
    ].map { $0.split(separator: " ").map(String.init) }

    @Test func everyCommandHasACommandLine() {
        let leaves = Self.commands.filter { names in
            !Self.commands.contains { $0.count > names.count && $0.starts(with: names) }
        }
        for names in leaves { #expect(Self.lines.contains { $0.starts(with: names) }, "\(names)") }
    }

    /// Help offers an option exactly if the program does not refuse it.
    @Test(.enabled(if: Program.url != nil), arguments: lines) func helpOffersOnlyAcceptedOptions(line: [String])
        async throws
    {
        let names = try #require(Self.commands.filter { line.starts(with: $0) }.max { $0.count < $1.count })
        let help = try await Program.run(["help"] + names)
        for (option, value) in [("--at", "08:00"), ("-n", "3")] {
            let isOffered = help.output.split(whereSeparator: { " ,\n".contains($0) }).contains { $0 == option }
            let outcome = try await Program.run(line + [option, value, "--socket", "/nonexistent.sock"])
            let isRefused = outcome.error.contains("does not support")
            #expect(isOffered == !isRefused, "\(line) \(option): \(outcome.error)")
        }
    }

    @Test func misspelledCommandHasSuggestion() {
        #expect(MisspelledCommand.message(for: ["nxet"])?.contains("Did you mean \"next\"?") == true)
        #expect(MisspelledCommand.message(for: ["weather-forecast"])?.contains("--help") == true)
        #expect(MisspelledCommand.message(for: ["next"]) == nil)
        #expect(MisspelledCommand.message(for: ["help"]) == nil)
        #expect(MisspelledCommand.message(for: ["help", "stops", "near"]) == nil)
        #expect(MisspelledCommand.message(for: ["help", "nosuch"])?.contains("\"nosuch\"") == true)
        #expect(MisspelledCommand.message(for: ["config", "chek"])?.contains("\"config check\"") == true)
        #expect(MisspelledCommand.message(for: ["favorite", "Mill", "Lane"]) == nil)
        #expect(MisspelledCommand.message(for: ["departures", "Mill"]) == nil)
        #expect(MisspelledCommand.message(for: ["--version"]) == nil)
        #expect(MisspelledCommand.message(for: []) == nil)
    }

    @Test(arguments: [
        ("37.3942,-122.0764", 37.3942, -122.0764), ("-33.86,151.21", -33.86, 151.21),
        ("37.39, -122.07", 37.39, -122.07), ("37.39 -122.07", 37.39, -122.07), ("37.39; -122.07", 37.39, -122.07),
        ("37.39N 122.07W", 37.39, -122.07), ("33.86\u{B0}S, 151.21\u{B0}E", -33.86, 151.21),
        ("\u{2212}33.86,\u{2212}1.5", -33.86, -1.5),
    ])
    func parsesCoordinates(text: String, latitude: Double, longitude: Double) {
        #expect(Coordinates.read(text)?.lat == latitude)
        #expect(Coordinates.read(text)?.lon == longitude)
        #expect(Coordinates.read(NegativeCoordinate.escaped(text))?.lat == latitude)
    }

    @Test(arguments: [
        (["-n5"], ["-n", "5"]), (["next", "-n=12"], ["next", "-n", "12"]), (["-nx"], ["-nx"]), (["-n"], ["-n"]),
        (["--", "-n5"], ["--", "-n5"]),
    ])
    func splitsAttachedCount(typed: [String], read: [String]) {
        #expect(AttachedCount.separated(typed) == read)
    }

    @Test(arguments: [
        ("53.5405 9.9805", true), ("geo:37.3942,-122.0764", true), ("37\u{B0} 23' N 122\u{B0} 4' W", true),
        ("2026", true), ("Quay 7", false), ("1600 Amphitheatre Parkway, 94043", false), ("Mill Lane", false),
        ("7.5 Main Street", false), ("", false),
    ])
    func distinguishesCoordinatesFromAddresses(text: String, isLikely: Bool) {
        #expect(CoordinateText.isLikely(text) == isLikely)
    }

    @Test(arguments: [
        "home", "91,0", "0,181", "1", "1,2,3", ",", "nan,1", "1,inf", "caltrain:70211", "", "1 2 3", "-37.39N 1E",
    ])
    func rejectsInvalidCoordinates(text: String) {
        #expect(Coordinates.read(text) == nil)
    }

    @Test(arguments: [
        (#"{"jsonrpc":"2.0","id":1,"method":"status"}"#, true), (#"{"jsonrpc":"2.0","method":"status"}"#, false),
        (#"[{"jsonrpc":"2.0","method":"status"}]"#, false), ("[]", true), ("nonsense", true), ("{}", true),
        (#"[{"method":"a"},{"id":1,"method":"b"}]"#, true),
    ])
    func rawWaitsOnlyForResponses(line: String, hasResponse: Bool) {
        #expect(RawLine.hasResponse(line) == hasResponse)
    }

    @Test(arguments: [
        (["LANG": "de_AT.UTF-8"], "de-AT"), (["LANG": "de_DE", "LC_ALL": "fr_FR@euro"], "fr-FR"),
        (["LC_MESSAGES": "zh_HK.UTF-8", "LANG": "C"], "zh-HK"), (["LANG": "C.UTF-8"], nil), (["LANG": "POSIX"], nil),
        (["LC_ALL": "", "LANG": "en"], "en"), ([:], nil), (["LANG": "en_GB.UTF-8@euro"], "en-GB"),
        (["LANG": "\u{1F600}"], nil), (["LANG": "de_DE de"], nil), (["LANG": "_DE"], nil), (["LANG": "../x"], nil),
        (["LANG": String(repeating: "abcdefgh_", count: 9)], nil), (["LANG": "zh_Hant_HK.UTF-8"], "zh-Hant-HK"),
    ])
    func languageFollowsLocale(variables: [String: String], language: String?) {
        #expect(Environment.language { variables[$0] } == language)
    }
}
