import Testing
import TransitModel

@testable import TransitFeeds

@Suite("Rows that are too long, and quotes that swallow a file")
struct CSVLimitTests {
    private static let long = String(repeating: "x", count: (1 << 20) + 300_000)

    @Test("A long row is read as long as it stays within the limit", arguments: [100_000, 1_000_000])
    func withinLimit(count: Int) throws {
        let text = String(repeating: "y", count: count)
        let table = try ParsedTable("a,b,c\n1,\(text),3\n4,5,6\n", pieces: 60_000)
        #expect(table.rows.map(\.line) == [2, 3])
        #expect(table.fields.first == ["1", text, "3"])
        #expect(table.findings.isEmpty)
    }

    @Test("A longer one is skipped, and reading goes on behind it", arguments: ["\n", "\r\n", "\r"])
    func overlong(end: String) throws {
        let table = try ParsedTable("a,b,c\(end)1,2,\(Self.long)\(end)4,5,6\(end)", pieces: 70_000)
        #expect(table.rows == [.init(line: 3, fields: ["4", "5", "6"])])
        #expect(table.findings == ["csv_parsing_failed 1 2"])
    }

    @Test("An unclosed quote costs its line, not the rows behind it")
    func unclosedQuote() throws {
        let rows = String(repeating: "1,2,3\n", count: 200_000)
        let table = try ParsedTable("a,b,c\n4,\"5,6\n" + rows, pieces: 128 << 10)
        #expect(table.rows.count == 200_000)
        #expect(table.rows.first?.line == 3)
        #expect(table.rows.last?.line == 200_002)
        #expect(table.findings == ["csv_parsing_failed 1 2"])
        #expect(table.report.findings.first?.examples.first?.place.column == 2)
    }

    @Test("A file of nothing but unclosed quotes is given up, in time")
    func hostile() {
        // Every line opens one quote more, whichever state it begins in.
        let text = "a,b,c\n" + String(repeating: "a\",\"\n", count: 300_000)
        let error = #expect(throws: FeedError.self) { try ParsedTable(text, pieces: 128 << 10) }
        guard case .table(let place, _) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(place.line == 101)
    }
}
