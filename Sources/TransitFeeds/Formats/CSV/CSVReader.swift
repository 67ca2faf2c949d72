/// Reads the tables of a feed row by row, without copying the fields or creating a `String` for each field.
package enum CSVReader {
    /// Passes every row of a table to `body` and returns the header, or `nil` if the feed does not have the table.
    ///
    /// `columns` are the names of the columns to read: `row[0]` is the field of the first name. The file can contain
    /// the columns in any order or lack some of them. Defects are added to the context's report, for example rows with
    /// too many or too few fields, unclosed quotes, duplicate columns, and an encoding other than UTF-8.
    ///
    /// Throws ``FeedError/table(_:reason:)`` if the table cannot be parsed further, ``FeedError/canceled``, the errors
    /// of ``ZipArchive/inflate(_:_:)`` (even after the last row), and the errors of `body`.
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
