import TransitModel

@testable import TransitFeeds

/// The rows and the report of a text that was parsed in pieces of a given size.
struct ParsedTable: Equatable {
    struct Row: Equatable {
        var line: Int
        var fields: [String]
    }

    var rows: [Row] = []
    var report = ValidationReport()
    var header: [String] = []

    /// The findings, each as the rule, the count and the line of the first example.
    var findings: [String] {
        report.findings.map { "\($0.rule) \($0.count) \($0.examples.first?.place.line ?? 0)" }
    }

    var fields: [[String]] { rows.map(\.fields) }

    /// Parses `bytes` in pieces of `size` bytes.
    init(_ bytes: [UInt8], columns: [String], pieces size: Int) throws(FeedError) {
        let context = ReadingContext()
        var parser = CSVParser(file: "table.txt", columns: columns, context)
        var rows: [Row] = []
        let body: CSVParser.Body = { row throws(FeedError) in
            rows.append(Row(line: row.line, fields: columns.indices.map { row.text($0) }))
        }
        var position = 0
        while position < bytes.count {
            let piece = bytes[position..<min(position + size, bytes.count)]
            // A separate allocation, so that a sanitizer detects reads past its end.
            let memory = ChunkMemory(capacity: piece.count)
            memory.buffer.copyBytes(from: piece)
            try parser.read(memory.chunk(count: piece.count), body)
            position += piece.count
        }
        header = try parser.finish(body).header
        self.rows = rows
        report = context.report
    }

    init(_ text: String, columns: [String] = ["a", "b", "c"], pieces size: Int = 1 << 20) throws(FeedError) {
        try self.init(Array(text.utf8), columns: columns, pieces: size)
    }
}
