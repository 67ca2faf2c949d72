internal import TransitModel

/// One connection to a timetable file with its prepared statements and the cache of patterns. Not for several threads:
/// ``TimetableFile`` keeps it behind a lock.
final class TimetableReader {
    let connection: SQLiteConnection
    let sizes: TableSizes
    var patterns: PatternCache
    private var statements: [SQLiteStatement?]
    /// Texts that were asked for lately: the departures of one answer mostly share their headsign.
    private var texts: [TextIndex: String] = [:]
    private static let textLimit = 256

    init(_ connection: SQLiteConnection, sizes: TableSizes, cacheSize: Int) {
        self.connection = connection
        self.sizes = sizes
        patterns = PatternCache(patterns: sizes.patterns, limit: cacheSize)
        statements = TimetableQuery.allCases.map { _ in nil }
    }

    func statement(_ query: TimetableQuery) throws(StoreError) -> SQLiteStatement {
        if let statement = statements[query.rawValue] { return statement }
        let statement = try connection.prepare(query.sql)
        statements[query.rawValue] = statement
        return statement
    }

    /// Reads the one row with that number, which must be there: `what` names it when it is not.
    func row<Result>(
        _ query: TimetableQuery, _ number: Int, _ what: String, _ body: (SQLiteStatement) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let statement = try statement(query)
        statement.bind(number, at: 0)
        defer { statement.reset() }
        guard try statement.step() else { throw corrupt("\(what) \(number) is missing") }
        return try body(statement)
    }

    /// The same for a row whose only column of interest is a blob.
    func blob<Result>(
        _ query: TimetableQuery, _ number: Int, _ what: String,
        _ body: (UnsafeRawBufferPointer) throws(Malformed) -> Result
    ) throws(StoreError) -> Result {
        try row(query, number, what) { (statement) throws(StoreError) in
            try self.unpack(statement, 0, "\(what) \(number)", body)
        }
    }

    func unpack<Result>(
        _ statement: SQLiteStatement, _ column: Int32, _ what: @autoclosure () -> String,
        _ body: (UnsafeRawBufferPointer) throws(Malformed) -> Result
    ) throws(StoreError) -> Result {
        do throws(Malformed) {
            return try statement.withBlob(column, body)
        } catch {
            throw corrupt("\(what()) \(error.reason)")
        }
    }

    func corrupt(_ detail: String) -> StoreError { .corrupt(path: connection.path, detail: detail) }

    func pattern(_ index: PatternIndex) throws(StoreError) -> Pattern {
        guard index.position < sizes.patterns else { throw corrupt("pattern \(index.rawValue) is missing") }
        if let known = patterns.pattern(at: index.position) { return known }
        let pattern = try blob(.pattern, index.position, "pattern") { (blob) throws(Malformed) in
            try PatternCoding.read(blob, index: index, sizes: sizes)
        }
        patterns.insert(pattern, at: index.position)
        return pattern
    }

    func trip(_ index: TripIndex) throws(StoreError) -> TripBlock.Row {
        guard index.position < sizes.trips else { throw corrupt("trip \(index.rawValue) is missing") }
        return try blob(.trip, TripBlock.place(of: index).block, "trip block") { (blob) throws(Malformed) in
            try TripBlock.read(blob, of: index, sizes: sizes)
        }
    }

    func text(_ index: TextIndex) throws(StoreError) -> String {
        if let known = texts[index] { return known }
        guard index.position < sizes.texts else { throw corrupt("text \(index.rawValue) is missing") }
        let text = try blob(.text, index.position / TextBlock.size, "text block") { (blob) throws(Malformed) in
            try TextBlock.read(blob, position: index.position % TextBlock.size)
        }
        if texts.count == Self.textLimit { texts.removeAll(keepingCapacity: true) }
        texts[index] = text
        return text
    }
}
