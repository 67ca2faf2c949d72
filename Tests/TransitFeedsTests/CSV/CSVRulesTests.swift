import Testing
import TransitModel
import TransitTestSupport

@testable import TransitFeeds

@Suite("CSV syntax")
struct CSVRulesTests {
    /// A text, the expected rows in the form "line:field|field|field", and the expected findings.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var rows: [String]
        var findings: [String] = []
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "plain", text: "a,b,c\n1,2,3\n4,5,6\n", rows: ["2:1|2|3", "3:4|5|6"]),
        Case(name: "no line end after the last row", text: "a,b,c\n1,2,3", rows: ["2:1|2|3"]),
        Case(name: "empty last field without line end", text: "a,b,c\n1,2,", rows: ["2:1|2|"]),
        Case(name: "any column order, other columns", text: "x,c,a,y,b\n0,3,1,0,2\n", rows: ["2:1|2|3"]),
        Case(name: "absent column", text: "c,a\n3,1\n", rows: ["2:1||3"]),
        Case(name: "CRLF", text: "a,b,c\r\n1,2,3\r\n4,5,6\r\n", rows: ["2:1|2|3", "3:4|5|6"]),
        Case(name: "CR", text: "a,b,c\r1,2,3\r4,5,6\r", rows: ["2:1|2|3", "3:4|5|6"]),
        Case(name: "CR, CRLF and LF", text: "a,b,c\r1,2,3\r\n4,5,6\n7,8,9", rows: ["2:1|2|3", "3:4|5|6", "4:7|8|9"]),
        Case(
            name: "blank lines", text: "\n\r\n  \na,b,c\n\n1,2,3\n \t\n\r\n4,5,6\n\n", rows: ["6:1|2|3", "9:4|5|6"]),
        Case(
            name: "blanks around fields and names", text: " a ,\tb, c\u{c}\n 1 ,2\t,\u{b} 3 x \n", rows: ["2:1|2|3 x"]),
        Case(name: "names in any case", text: "A,B,c\n1,2,3\n", rows: ["2:1|2|3"]),
        Case(name: "quotes", text: "\"a\",\"b\",\"c\"\n\"1\",2,\"3\"\n", rows: ["2:1|2|3"]),
        Case(name: "empty quotes", text: "a,b,c\n\"\",\"\",\"\"\n", rows: ["2:||"]),
        Case(name: "separator in quotes", text: "a,b,c\n\"1,1\",2,\",\"\n", rows: ["2:1,1|2|,"]),
        Case(name: "doubled quotes", text: "a,b,c\n\"1\"\"1\",\"\"\"\",\"\"\"3\"\"\"\n", rows: ["2:1\"1|\"|\"3\""]),
        Case(
            name: "line ends in quotes", text: "a,b,c\n\"1\n1\",\"2\r\n2\",\"3\r3\"\n4,5,6\n",
            rows: ["2:1\n1|2\r\n2|3\r3", "6:4|5|6"]),
        Case(name: "blanks around quotes", text: "a,b,c\n \"1\" ,\t\"2,2\", \" 3 \" \n", rows: ["2:1|2,2|3"]),
        Case(name: "quote within a field", text: "a,b,c\n1\",2\"2,\"3\"\n", rows: ["2:1\"|2\"2|3"]),
        Case(name: "quoted column that is not requested", text: "a,x,b,c\n1,\"0\"\"0\",2,3\n", rows: ["2:1|2|3"]),
        Case(
            name: "text after a closing quote", text: "a,b,c\n\"1\"x,2,3\n\"4\"\"\"5\"6,5,6\n",
            rows: ["2:1x|2|3", "3:4\"5\"6|5|6"], findings: ["text_after_quote 2 2"]),
        Case(
            name: "too few fields", text: "a,b,c\n1\n1,2,3\n1,2\n", rows: ["2:1||", "3:1|2|3", "4:1|2|"],
            findings: ["invalid_row_length 2 2"]),
        Case(
            name: "too many fields", text: "a,b,c\n1,2,3,4\n1,2,3,,\n", rows: ["2:1|2|3", "3:1|2|3"],
            findings: ["invalid_row_length 2 2"]),
        Case(
            name: "separators only", text: "a,b,c\n,,,,\n, ,\n , \n", rows: ["3:||"], findings: ["empty_row 2 2"]),
        Case(
            name: "duplicate column", text: "a,b,b,c\n1,2,x,3\n", rows: ["2:1|2|3"],
            findings: ["duplicated_column 1 1"]),
        Case(name: "a header without a name at the end", text: "a,b,c,\n1,2,3,\n", rows: ["2:1|2|3"]),
        Case(name: "header only", text: "a,b,c\n", rows: []),
        Case(name: "empty file", text: "", rows: [], findings: ["empty_file 1 0"]),
        Case(name: "blank lines only", text: "\n \r\n", rows: [], findings: ["empty_file 1 0"]),
        Case(
            name: "unclosed quote", text: "a,b,c\n1,2,3\n4,\"5,6\n7,8,9\n", rows: ["2:1|2|3", "4:7|8|9"],
            findings: ["csv_parsing_failed 1 3"]),
        Case(
            name: "unclosed quote in the last line", text: "a,b,c\r\n1,2,3\r\n4,5,\"6", rows: ["2:1|2|3"],
            findings: ["csv_parsing_failed 1 3"]),
        Case(
            name: "doubled quotes in a skipped line",
            text: "a,b,c\n\"1\"\"1\",\"2\n3\"\",4,\"\"5\"\"\n", rows: ["3:3\"\"|4|5\"\""],
            findings: ["csv_parsing_failed 1 2", "text_after_quote 1 3"]),
        Case(
            name: "zero bytes", text: "a,b,c\n1\0,\0\02,3\n", rows: ["2:1|2|3"], findings: ["nul_byte 2 2"]),
        Case(name: "non-ASCII letters", text: "a,b,c\nÅ,東京,😀\n", rows: ["2:Å|東京|😀"]),
    ]

    @Test("Rows do not depend on the division into pieces", arguments: cases)
    func piecesDoNotAffectRows(_ test: Case) throws {
        for size in [1, 2, 3, 4, 5, 7, 8, 9, 16, 1000] {
            let table = try ParsedTable(test.text, pieces: size)
            #expect(
                table.rows.map { "\($0.line):" + $0.fields.joined(separator: "|") } == test.rows, "pieces of \(size)")
            #expect(table.findings == test.findings, "pieces of \(size)")
        }
    }

    @Test("Places have line, column and name")
    func placesHaveLineColumnAndName() throws {
        let report = try ParsedTable("x,a,b,c\n0,1,2,3,4\n0,1,2\n\"0\",\"1\"!,2,3\n0,1,\"2,3\n").report
        let places = report.findings.flatMap { $0.examples.map(\.place) }
        #expect(places.map(\.line) == [2, 3, 4, 5])
        #expect(places.map(\.column) == [5, 4, 2, 3])
        #expect(places.allSatisfy { $0.file == "table.txt" })
    }

    @Test("The place of a field has its column in the file")
    func fieldPlaceHasColumnInFile() throws {
        let archive = try ZipArchive(FeedBuilder().file("stops.txt", "x, stop_name\n1,2\n").source)
        var place: ValidationReport.Location?
        var absent: ValidationReport.Location?
        let table = try CSVReader.read(archive, "stops.txt", columns: ["stop_name", "stop_id"], ReadingContext()) {
            row throws(FeedError) in
            place = row.place(0)
            absent = row.place(1)
        }
        #expect(place == .init(file: "stops.txt", line: 2, column: 2, field: "stop_name"))
        #expect(absent == .init(file: "stops.txt", line: 2))
        #expect(table?.header == ["x", "stop_name"])
        #expect(table?.has(0) == true && table?.has(1) == false)
    }

    @Test("A missing table has no rows")
    func missingTableHasNoRows() throws {
        let archive = try ZipArchive(FeedBuilder.small.source)
        let table = try CSVReader.read(archive, "levels.txt", columns: [], ReadingContext()) { _ throws(FeedError) in
            Issue.record("a row of a missing table")
        }
        #expect(table == nil)
    }

    @Test("A header of more than 1,024 columns is rejected")
    func tooManyColumnsAreRejected() {
        let header = (0...1024).map { "c\($0)" }.joined(separator: ",")
        let error = #expect(throws: FeedError.self) { try ParsedTable(header + "\n1\n") }
        #expect(error?.description == "table.txt, line 1: The header has more than 1024 columns")
    }
}
