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
