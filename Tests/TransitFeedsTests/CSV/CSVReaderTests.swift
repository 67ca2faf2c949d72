import Testing
import TransitModel
import TransitTestSupport

@testable import TransitFeeds

@Suite("Rows of a table")
struct CSVReaderTests {
    @Test("Fields are in the requested order, and missing columns are empty")
    func fieldsAreInRequestedOrder() throws {
        let archive = try ZipArchive(FeedBuilder.small.source)
        let context = ReadingContext()
        var rows: [[String]] = []
        let columns = ["stop_name", "absent", "stop_id"]
        let table = try CSVReader.read(archive, "stops.txt", columns: columns, context) { row throws(FeedError) in
            rows.append([row.text(0), row.text(1), row.text(2), "\(row.line)"])
        }
        #expect(table?.rowCount == 6)
        #expect(rows.first == ["Harbor", "", "harbor", "2"])
        #expect(rows.last == ["City Park", "", "park", "7"])
        #expect(context.report.findings.isEmpty)
    }
}

@Suite("Overlong rows and unclosed quotes")
struct CSVLimitTests {
    private static let long = String(repeating: "x", count: (1 << 20) + 300_000)

    @Test("A long row within the limit is read", arguments: [100_000, 1_000_000])
    func longRowWithinLimitIsRead(count: Int) throws {
        let text = String(repeating: "y", count: count)
        let table = try ParsedTable("a,b,c\n1,\(text),3\n4,5,6\n", pieces: 60_000)
        #expect(table.rows.map(\.line) == [2, 3])
        #expect(table.fields.first == ["1", text, "3"])
        #expect(table.findings.isEmpty)
    }

    @Test("An overlong row is skipped, and the following rows are read", arguments: ["\n", "\r\n", "\r"])
    func overlongRowIsSkipped(end: String) throws {
        let table = try ParsedTable("a,b,c\(end)1,2,\(Self.long)\(end)4,5,6\(end)", pieces: 70_000)
        #expect(table.rows == [.init(line: 3, fields: ["4", "5", "6"])])
        #expect(table.findings == ["csv_parsing_failed 1 2"])
    }

    @Test("Only the line with an unclosed quote is skipped")
    func onlyLineWithUnclosedQuoteIsSkipped() throws {
        let rows = String(repeating: "1,2,3\n", count: 200_000)
        let table = try ParsedTable("a,b,c\n4,\"5,6\n" + rows, pieces: 128 << 10)
        #expect(table.rows.count == 200_000)
        #expect(table.rows.first?.line == 3)
        #expect(table.rows.last?.line == 200_002)
        #expect(table.findings == ["csv_parsing_failed 1 2"])
        #expect(table.report.findings.first?.examples.first?.place.column == 2)
    }

    @Test("Reading stops after many unclosed quotes")
    func manyUnclosedQuotesStopReading() {
        // Every line opens another quote, whether or not a quote is open at the start of the line.
        let text = "a,b,c\n" + String(repeating: "a\",\"\n", count: 300_000)
        let error = #expect(throws: FeedError.self) { try ParsedTable(text, pieces: 128 << 10) }
        guard case .table(let place, _) = error else {
            Issue.record("unexpected error: \(String(describing: error))")
            return
        }
        #expect(place.line == 101)
    }
}
