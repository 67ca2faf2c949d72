/// Reads the tables of a feed row by row, without a copy or a `String` per field.
package enum CSVReader {
    /// Hands every row of a table to `body` and returns its header; `nil` when the feed has no such table.
    ///
    /// `columns` are the names whose fields are wanted: `row[0]` is the first of them. They may stand in any order in the
    /// file or be absent. What is odd about the file goes to the context's report: rows with too many or too few fields,
    /// quotes that are not closed, doubled columns, an encoding other than UTF-8.
    ///
    /// Throws ``FeedError/table(_:reason:)`` when it makes no sense to go on, ``FeedError/canceled``, what
    /// ``ZipArchive/inflate(_:_:)`` throws (also after the last row), and what `body` throws.
    @discardableResult
    package static func read(
        _ archive: ZipArchive, _ name: String, columns: [String], _ context: ReadingContext,
        _ body: (borrowing CSVRow) throws(FeedError) -> Void
    ) throws(FeedError) -> CSVTable? {
        guard let member = archive.table(name) else { return nil }
        var parser = CSVParser(file: name, columns: columns, context)
        let digest = try archive.unpack(member) { chunk throws(FeedError) in
            try context.advance(name, by: chunk.count)
            try parser.read(chunk, body)
        }
        let table = try parser.finish(body)
        context.digest.add(member, sha256: digest)
        return table
    }
}
