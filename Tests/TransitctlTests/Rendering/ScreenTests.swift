import Foundation
import Testing
import TransitControl
import TransitTestSupport
import TransitTestTraits

@testable import transitctl

@Suite(.ownThreads) struct ScreenTests {
    @Test(arguments: [
        ("a\nb\n", ["a", "b", "", ""]), ("a\nb\nc\nd\n", ["a", "b", "c", "d"]), ("", ["", "", "", ""]),
    ])
    func frameReplacesPreviousFrame(text: String, shown: [String]) {
        var terminal = TerminalCells(columns: 4, rows: 4)
        terminal.write(Screen.open + "abcd\r\nefgh\r\nijkl\r\nmnop" + Screen.frame(text, rows: 4))
        #expect(terminal.lines == shown)
    }

    /// Boards with names that make lines of many widths, also with wide characters.
    private static func boards() throws -> (next: NextResult, departures: DeparturesResult) {
        var departures: [Departure] = []
        for (number, name) in ["A", "Harbor", "Düsseldorf Hbf", "新宿駅西口", "Long Beach Boulevard Station"].enumerated() {
            var departure = try Sample.departure(
                number % 2 == 0 ? Sample.bus : Sample.tram, "08:1\(number)", delay: 120)
            departure.headsign = name
            departure.arrival = try Sample.arrival("08:3\(number)", at: name, walk: 200)
            (departure.walk, departure.leaveBy) = (480, try Sample.time("08:04"))
            departures.append(departure)
        }
        let at = try Sample.time("08:05")
        return (
            NextResult(at: at, commute: Sample.gym, departures: departures),
            DeparturesResult(at: at, stop: Sample.stop, departures: departures)
        )
    }

    /// A line can be exactly as wide as the terminal; then the cursor remains on its last cell.
    @Test(arguments: 20...200) func everyLineOfTheFrameIsShownWhole(columns: Int) throws {
        let painter = Painter(canvas: Canvas(width: columns))
        let (next, departures) = try Self.boards()
        let pages: [String] = [
            painter.paint(View.next.page(next)), painter.paint(View.departures.page(departures)),
            // Lines of every width up to the terminal's, and lines of wide and of accented characters.
            (1...columns).map { String(repeating: "x", count: $0 - 1) + "!" }.joined(separator: "\n"),
            String(repeating: "駅", count: columns / 2) + "\n" + String(repeating: "é", count: columns),
        ]
        for opening in ["", Screen.open] {
            var terminal = TerminalCells(columns: columns, rows: 250)
            terminal.write(opening)
            for page in pages + pages.reversed() {
                terminal.write(Screen.frame(page, rows: 250))
                var lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                if lines.last?.isEmpty == true { lines.removeLast() }
                // The widest word of a board is narrower than every terminal of this test.
                let widest = lines.map { DisplayWidth.of($0) }.max() ?? 0
                #expect(widest <= columns)
                let shown = terminal.lines
                #expect(Array(shown.prefix(lines.count)) == lines)
                #expect(shown.dropFirst(lines.count).joined().isEmpty)
            }
        }
    }

    @Test(arguments: [1, 2, 3, 24]) func frameFillsTheScreenWithoutScrolling(rows: Int) {
        var terminal = TerminalCells(columns: 5, rows: rows)
        terminal.write(
            Screen.open + Screen.frame(Array(repeating: "12345", count: rows).joined(separator: "\n"), rows: rows))
        #expect(terminal.lines == Array(repeating: "12345", count: rows))
    }

    /// An extra line would scroll the screen.
    @Test(arguments: [(3, 3), (4, 3), (1, 1)])
    func frameFitsTerminal(_ lines: Int, _ rows: Int) {
        let frame = Screen.frame(String(repeating: "x\n", count: lines), rows: rows)
        let breaks = frame.count { $0 == "\r\n" }
        #expect(breaks == (lines < rows ? lines : rows - 1))
        #expect(frame.contains("more line") == (lines > rows))
    }

    @Test func tarReadsArchive() throws {
        let files: [(name: String, bytes: [UInt8])] = [
            ("status.json", Array("{}".utf8)), ("../evil/name", Array(repeating: 0x78, count: 513)), ("empty", []),
        ]
        let archive = TarArchive.of(files, time: 1_774_000_000)
        #expect(archive.count % 512 == 0)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".tar")
        try Data(archive).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let process = TestProcess()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["tar", "-tvf", path.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let listing = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(listing.contains("status.json"))
        #expect(listing.contains("_.._evil_name"))
        #expect(listing.contains(" 513 "))
        #expect(listing.contains("-rw-------"))
    }
}
