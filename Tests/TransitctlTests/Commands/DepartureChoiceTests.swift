import Foundation
import Glibc
import Testing
import TransitControl
import TransitModel
import TransitTestTraits

@testable import transitctl

@Suite(.ownThreads) struct DepartureChoiceTests {
    private static let rows = [
        TerminalRows.Row(
            id: "demo:a@2026-03-27/1", words: "Tram 1 to Airport at 08:22 from Mill Lane",
            names: ["Tram 1", "1", "08:20", "08:22"]),
        TerminalRows.Row(
            id: "demo:b@2026-03-27/1", words: "Bus 24 to Harbor at 08:25 from Mill Lane",
            names: ["Bus 24", "24", "08:25"]),
        TerminalRows.Row(
            id: "demo:c@2026-03-27/1", words: "Tram 2 to Harbor at 08:25 from Mill Lane",
            names: ["Tram 2", "2", "08:25"]),
    ]

    private let list = TerminalRows(
        time: 1000, socket: "/run/a.sock", command: "transitctl next", kind: .departure, rows: rows)

    private func choice(_ text: String, now: Int64 = 1010, socket: String = "/run/a.sock") -> DepartureChoice {
        DepartureChoice(text, in: list, list.problem(now: now, socket: socket), of: .departure)
    }

    @Test func rowIsNamedByNumberOrWords() {
        #expect(choice("#2") == .row(Self.rows[1]))
        #expect(choice("2") == .rowOrTrip(Self.rows[1]))
        for text in [
            "08:22", "8:22", "08:20", "Tram 1 08:22", "08:22 tram 1", "Tram 1 to Airport at 08:22 from Mill Lane",
        ] {
            #expect(choice(text) == .row(Self.rows[0]), "\(text)")
        }
        #expect(choice("08:25") == .rows([Self.rows[1], Self.rows[2]]))
        #expect(choice("Bus 24 08:25") == .row(Self.rows[1]))
        // A route alone is not a departure, and another time is for the daemon.
        for text in ["Tram 1", "08:30", "Tram 2 08:22", "demo:a@2026-03-27/1", "435x"] {
            #expect(choice(text) == .text(text))
        }
    }

    /// What a page only mentions is named by its words, and not by a number.
    @Test func departureThatIsOnlyMentionedIsNamedByWords() throws {
        var list = list
        let ferry = TerminalRows.Row(
            id: "demo:d@2026-03-27/1", words: "Ferry F at 09:00 from Pier", names: ["Ferry F", "F", "09:00"],
            after: PreviousRide(departure: "demo:a@2026-03-27/1", to: "harbor", changeTime: 240))
        let tram = TerminalRows.Row(id: "demo:e@2026-03-27/1", words: "", names: ["Tram 1", "08:22"])
        list.mentioned = [ferry, tram]
        func choice(_ text: String) -> DepartureChoice { DepartureChoice(text, in: list, nil, of: .departure) }
        #expect(choice("Ferry F at about 9:00 (scheduled)") == .row(ferry))
        #expect(choice("Tram 1 at 08:22 (live)") == .row(Self.rows[0]))
        guard case .missing(4, _) = choice("#4") else {
            Issue.record("A departure without a number has one.")
            return
        }
        #expect(TerminalRows(list.json) == list)
    }

    @Test func numbersExpire() {
        #expect(choice("2", now: 1000 + 1800) == .rowOrTrip(Self.rows[1]))
        guard case .missing(2, let reason) = choice("2", now: 1000 + 1801) else {
            Issue.record("An old number is valid.")
            return
        }
        #expect(reason.contains("30 minutes") && reason.contains("transitctl next"))
        // The machine was started again.
        #expect(choice("08:22", now: 10) == .text("08:22"))
        guard case .missing(2, let other) = choice("#2", socket: "/run/b.sock") else {
            Issue.record("The number of another daemon's row is valid.")
            return
        }
        #expect(other.contains("--socket /run/a.sock"))
        guard case .missing(4, let last) = choice("4") else {
            Issue.record("There is no such row.")
            return
        }
        #expect(last.contains("3 rows"))
    }

    @Test func rowsOfOtherListsAreNotDepartures() {
        let log = TerminalRows(
            time: 1000, socket: "/s", command: "transitctl notify list --log", kind: .notification, rows: Self.rows)
        guard case .missing(1, let reason) = DepartureChoice("1", in: log, nil, of: .departure) else {
            Issue.record("A notification is taken for a departure.")
            return
        }
        #expect(reason.contains("notify list --log"))
        #expect(DepartureChoice("1", in: log, nil, of: .notification) == .rowOrTrip(Self.rows[0]))
        guard case .missing = DepartureChoice("1", in: nil, nil, of: .departure) else {
            Issue.record("There is no list.")
            return
        }
    }

    @Test func fileIsReadOnlyByItsOwnerAndKeepsTheRows() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let stat = "123 (a) b) S 1 123 77 34816 123 4194304"
        let file = try #require(
            TerminalRowsFile(process: stat, user: geteuid()) { $0 == "XDG_RUNTIME_DIR" ? folder.path : nil })
        #expect(file.path == folder.path + "/transitctl/rows-77-34816.json")
        #expect(file.read() == nil)
        #expect(file.write(list) == nil)
        #expect(file.read() == list)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        // The next list replaces it.
        var next = list
        next.rows = []
        #expect(file.write(next) == nil)
        #expect(file.read()?.rows.isEmpty == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/transitctl").count == 1)
        // A link to a file of somebody else is not followed.
        try FileManager.default.removeItem(atPath: file.path)
        symlink("/etc/passwd", file.path)
        #expect(file.read() == nil)
    }

    @Test func processWithoutTerminalHasNoNumbers() {
        #expect(TerminalRowsFile.terminal("1 (x) S 1 2 3 0 5") == nil)
        #expect(TerminalRowsFile.terminal("") == nil)
        #expect(TerminalRowsFile.terminal("1 (x) S 1 2 3 1026 5") == "3-1026")
        #expect(TerminalRowsFile(process: "1 (x) S 1 2 3 1026 5", user: 4_000_000) { _ in nil } == nil)
    }

    @Test func numbersAreOnlyInTheListedPage() throws {
        var departure = try Sample.departure(Sample.bus, "08:12")
        departure.tripShortName = "435"
        let result = DeparturesResult(
            at: try Sample.time("08:05"), stop: Sample.stop,
            departures: [departure, try Sample.departure(Sample.tram, "08:15")])
        let listed = try #require(View.departures.listed?(result))
        let painter = Painter(canvas: Canvas(width: 100))
        let lines = painter.paint(listed.page).split(separator: "\n")
        #expect(lines[1].hasPrefix("1  Bus 24 in 7 minutes") && lines[2].hasPrefix("2  Tram 2 in 10 minutes"))
        #expect(
            listed.rows.map(\.words) == [
                "Bus 435 to Airport at 08:12 from Mill Lane", "Tram 2 to Airport at 08:15 from Mill Lane",
            ])
        #expect(listed.command == "transitctl departures \"Mill Lane\"")
        #expect(!painter.paint(View.departures.page(result)).contains("1  Bus"))
        let next = NextResult(
            at: result.at, commute: Sample.commute, departures: Array(repeating: departure, count: 12))
        let listedNext = try #require(View.next.listed?(next))
        let page = painter.paint(listedNext.page).split(separator: "\n")
        #expect(page[0].hasPrefix("from Mill Lane") && page[1].hasPrefix(" 1  Bus 24"))
        #expect(page.last?.hasPrefix("12  Bus 24") == true)
        // Too narrow for one line, the details are below the text of the row.
        let narrow = Painter(canvas: Canvas(width: 46)).paint(listedNext.page).split(separator: "\n")
        #expect(
            narrow[0].hasPrefix(" 1  Bus 24") && narrow[1].hasPrefix("    from Mill Lane")
                && narrow.last?.hasPrefix("    ") == true)
        #expect(narrow.contains { $0.hasPrefix("12  Bus 24") })
    }

    @Test(arguments: [
        (["gym"], ["gym"]), (["school", "run"], ["school run", "school > run"]),
        (["home", "to", "work"], ["home to work", "home > work"]),
        (["from", "San", "Mateo", "to", "Tamien"], ["from San Mateo to Tamien", "San Mateo > Tamien"]),
        (["San Mateo", "City Park"], ["San Mateo City Park", "San Mateo > City Park"]),
        (["San", "Mateo", "Tamien"], ["San Mateo Tamien", "San > Mateo Tamien", "San Mateo > Tamien"]),
        (["a to b"], ["a to b", "a > b"]), ([], [""]),
        // The name of a commute has at most 64 characters.
        (
            ["San Francisco International Airport", "to", "Mountain View Transit Center"],
            ["San Francisco International Airport > Mountain View Transit Center"]
        ),
        ([String(repeating: "a", count: 65)], [String(repeating: "a", count: 65)]),
    ])
    func wordsAreACommuteOrTwoEnds(words: [String], meanings: [String]) {
        let found = JourneyWords.meanings(of: words).map { meaning in
            meaning.from.map { "\($0) > \(meaning.to ?? "")" } ?? meaning.commute ?? ""
        }
        #expect(found == meanings)
    }

    /// Only such ends are sent to a geocoder.
    @Test(arguments: [
        ("Hauptstrasse 5", true), ("12a High Street", true), ("5, Main Street", true), ("address 7", true),
        ("46th Street", false), ("Central Station", false), ("70012", false), ("A12", false), ("", false),
        ("Line 123456", false), ("5 7", false),
    ])
    func addressHasAWordAndAHouseNumber(text: String, isLikely: Bool) {
        #expect(AddressEnd.isLikely(text) == isLikely)
        #expect(AddressEnd.stated(text) == nil)
        #expect(AddressEnd.stated("Address:\(text)") == text)
    }

    @Test(arguments: [
        (["dep", "Central"], ["departures", "Central"]), (["fav"], ["favorite"]), (["fav", "li"], ["favorite", "li"]),
        (["stops", "se", "x"], ["stops", "search", "x"]), (["watch", "dep", "x"], ["watch", "departures", "x"]),
        (["s"], ["s"]), (["next", "dep"], ["next", "dep"]), (["help", "dep"], ["help", "departures"]), (["-q"], ["-q"]),
        (["notify", "days-off", "li"], ["notify", "days-off", "li"]), (["tr", "sh", "1"], ["trip", "show", "1"]),
        (["place", "r", "home"], ["place", "r", "home"]), (["key", "rem", "a"], ["key", "rem", "a"]),
    ])
    func beginningOfACommandIsEnough(typed: [String], read: [String]) {
        #expect(AbbreviatedCommand.expanded(typed) == read)
    }

    @Test func ambiguousBeginningListsTheCommands() {
        #expect(MisspelledCommand.message(for: ["st"])?.contains("stops, status") == true)
    }

    @Test(arguments: [
        ("Harbor", "Harbor"), ("tomorrow 07:30", "\"tomorrow 07:30\""), ("O'Hare", "\"O'Hare\""), ("", "\"\""),
        ("$HOME", "'$HOME'"), ("a\"b'c", #"'a"b'\''c'"#), ("Łódź", "Łódź"),
    ])
    func wordsAreQuotedForShells(text: String, quoted: String) {
        #expect(ShellText.quoted(text) == quoted)
    }
}
