import Testing
import TransitControl
import TransitModel
import TransitTestSupport

@testable import transitctl

@Suite struct TripFileTests {
    private static func trip(
        _ clock: String = "08:12", name: String = "24", destination: String? = "Airport"
    ) throws -> LoggedTrip {
        let time = try Sample.time(clock)
        return LoggedTrip(
            serviceDate: time.date, scheduled: time,
            departed: Timestamp(time.instant.advanced(by: 60), offset: time.offset),
            feed: "demo", route: "R24", routeName: name, directionId: 1, stop: "70211", stopName: "Mill Lane",
            destination: destination.map { _ in "9" }, destinationName: destination, commute: nil, distance: 12_345,
            straightLine: true, logged: time)
    }

    private static func read(_ text: String, _ format: TripFile.Format = .csv) -> TripFile {
        TripFile(Array(text.utf8), format: format)
    }

    private static func problems(_ file: TripFile) -> [String] {
        file.problems.map { "\($0.position): \($0.message)" }
    }

    /// Names with separators, quotation marks, line breaks, other scripts, and nothing unusual.
    private static let names = [
        "24", "a,b", "say \"hi\"", "two\nlines", "CR\r\nLF", "日本, 線", " spaces ", "=1+1", "\"",
        "=HYPERLINK(\"http://localhost\")",
        "+1", "-1", "@SUM(A1)", "\t=1", "'=1", "''", "'24", "＝1", "'-", "-",
    ]

    @Test(arguments: names) func csvIsReadAsWritten(name: String) throws {
        let trips = [try Self.trip(name: name), try Self.trip("09:00", destination: nil)]
        let file = Self.read(TripFile.csv(trips))
        #expect(file.entries.map(\.trip) == trips)
        #expect(file.problems.isEmpty)
    }

    /// No field begins with a character that spreadsheets evaluate.
    @Test(arguments: names) func spreadsheetsEvaluateNoField(name: String) throws {
        var reader = TripCSVReader(Array(TripFile.csv([try Self.trip(name: name)]).utf8))
        var fields: [String] = []
        while let record = reader.next() { fields += record.fields.map(\.text) }
        #expect(fields.contains { $0.hasSuffix(name) })
        for field in fields { #expect(field.wholeMatch(of: /(?s)[=+\-@\t\r\n＝＋－＠].*/) == nil) }
    }

    @Test(arguments: names) func jsonIsReadAsWritten(name: String) throws {
        let trips = [try Self.trip(name: name), try Self.trip("09:00", destination: nil)]
        let folded = FoldedTrips(
            days: [
                FoldedDay(
                    date: trips[0].serviceDate, trips: 2, early: 0, late: 1, distance: 100, straightLine: 1,
                    unmeasured: 0)
            ], digests: ["a1"])
        let file = Self.read(TripFile.json(trips, folded: folded), .json)
        #expect(file.entries.map(\.trip) == trips)
        #expect(file.entries.map(\.position.line) == [2, 2 + 1])
        #expect(file.folded == folded)
        #expect(file.problems.isEmpty)
    }

    @Test func csvFollowsRFC4180() throws {
        let text = TripFile.csv([try Self.trip(name: "a,\"b\"")])
        #expect(
            text == #"""
                service_date,scheduled,departed,feed,route,route_name,direction_id,stop,stop_name,destination,\#
                destination_name,commute,distance,straight_line,logged\#r
                2026-03-28,2026-03-28T08:12:00-07:00,2026-03-28T08:13:00-07:00,demo,R24,"a,""b""",1,70211,Mill Lane,9,\#
                Airport,,12345,true,2026-03-28T08:12:00-07:00\#r

                """#)
    }

    @Test func otherProgramsMayLeaveColumnsOut() {
        let file = Self.read(
            "\u{FEFF}stop,route,feed,scheduled,service_date\nA,24,demo,2026-03-28T08:12:00-07:00,2026-03-28")
        #expect(file.problems.isEmpty)
        #expect(file.entries.map(\.trip.routeName) == ["24"])
        #expect(file.entries.map(\.trip.distance) == [nil])
    }

    private static let header = "service_date,scheduled,feed,route,stop,distance\n"
    private static let row = "2026-03-28,2026-03-28T08:12:00-07:00,demo,24,A,7\n"

    private static let badFiles: [(text: String, entries: Int, problems: [String])] = [
        ("", 0, ["line 1, column 1: The file is empty."]),
        ("feed,route,stop,scheduled\n", 0, ["line 1, column 1: The column service_date is missing."]),
        (
            "\(header)2026-02-30,2026-03-28T08:12:00-07:00,demo,24,A,7\n\(row)", 1,
            ["line 2, column 1: service_date must be a date such as 2026-03-28."]
        ),
        (
            "\(header)\(row)2026-03-28,yesterday,demo,24,A,7\n", 1,
            ["line 3, column 12: scheduled must be a time such as 2026-03-28T08:12:00-07:00."]
        ),
        ("\(header)2026-03-28,x\n\(row)", 1, ["line 2, column 1: The row has 2 fields instead of 6."]),
        ("\(header)\n\(row)", 1, []),
        (
            "\(header)\(row)2026-03-28,\"a\"b,demo,24,A,7\n\(row)", 2,
            ["line 3, column 15: There is text after the closing quotation mark."]
        ),
        (
            "\(header)2026-03-28,2026-03-28T08:12:00-07:00,de\"mo,24,A,7\n\(row)", 1,
            ["line 2, column 40: A field with quotation marks has to begin with one."]
        ),
        (
            "\(header)\(row)2026-03-28,\"2026\n\(row)", 1,
            ["line 3, column 12: The quotation mark has no end, so the rest of the file is not read."]
        ),
        (
            "\(header)2026-03-28,2026-03-28T08:12:00-07:00,demo,\"2\n4\",A,far\n", 0,
            ["line 3, column 6: distance must be a whole number."]
        ),
        (
            "service_date,scheduled,feed,route,stop,note\n2026-03-28,2026-03-28T08:12:00-07:00,demo,24,A,hi\n", 1,
            ["line 1, column 40: The column \"note\" is not known and is ignored."]
        ),
    ]

    @Test(arguments: badFiles)
    func badRowsHavePositions(text: String, entries: Int, problems: [String]) {
        let file = Self.read(text)
        #expect(file.entries.count == entries)
        #expect(Self.problems(file).map { $0.prefix(40) } == problems.map { $0.prefix(40) })
    }

    private static let badJSON: [(text: String, positions: [String])] = [
        (
            "{\n \"x\": [1, 2],\n \"trips\": [\n  5,\n  {\"a\": \"[{,\\\"\"}\n ]}",
            ["line 4, column 3", "line 5, column 3"]
        ),
        ("[1,\n [2, 3]]", ["line 1, column 2", "line 2, column 2"]), ("{\"trips\": 7}", ["line 1, column 1"]),
        ("{\"trips\": [\n", ["line 2, column 1"]), ("7", ["line 1, column 1"]), ("{\"trips\": []}", []),
    ]

    @Test(arguments: badJSON)
    func badJSONHasPositions(text: String, positions: [String]) {
        let file = Self.read(text, .json)
        #expect(file.entries.isEmpty)
        #expect(file.problems.map(\.position.description) == positions)
    }

    /// With thousands of trips, the positions took most of the time when each was counted from the start.
    @Test(arguments: [" ", "\n"]) func positionsInALongFileAreCounted(separator: String) {
        let count = 20_000
        let text = "[" + (0..<count).map { _ in "\"é🚋\"" }.joined(separator: "," + separator) + "]"
        let positions = JSONElementPositions(Array(text.utf8)).elements
        let expected = (0..<count).map {
            separator == "\n"
                ? TripFile.Position(line: $0 + 1, column: $0 == 0 ? 2 : 1)
                : TripFile.Position(line: 1, column: 2 + 6 * $0)
        }
        #expect(positions == expected)
    }

    /// Any text gives entries or problems, but no crash.
    @Test(arguments: 0..<200) func randomTextIsReported(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            ",", "\"", "\n", "\r\n", "a", "\u{301}", "2026-03-28", "{", "[", "]", "}", "trips", ":", "\\", "\u{0}",
        ]
        let text = (0..<60).map { _ in pieces.randomElement(using: &random)! }.joined()
        _ = Self.read(text)
        _ = Self.read(TripFile.csv([try Self.trip()]) + text)
        _ = Self.read(text, .json)
        _ = Self.read("{\"trips\": [" + text, .json)
    }
}
