internal import TransitModel

/// A connection to a timetable file with its prepared statements and pattern cache. Not thread-safe; ``TimetableFile``
/// protects it with a lock.
final class TimetableReader {
    let connection: SQLiteConnection
    let sizes: TableSizes
    private var patterns: PatternCache
    private var statements: [SQLiteStatement?]
    private var columns: [SQLiteBlob?]
    /// The buffer for the blob that is being read.
    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
    /// The maximum size in bytes that the buffer keeps between reads. Only a few patterns and no other blobs are
    /// larger.
    private static let maximumBufferSize = 64 << 10
    /// A cache of texts, because queries request the same few headsigns repeatedly.
    private var texts: [TextIndex: String] = [:]
    private static let maximumTexts = 256
    /// A call of a pattern at a stop.
    typealias Visit = (pattern: PatternIndex, position: Int)
    /// A cache of the calls at stops, because most requests are for the same few stops.
    private var visits: [StopIndex: [Visit]] = [:]
    /// The number of cached calls, in which a stop counts as one more.
    private var visitCount = 0
    /// The maximum of ``visitCount``; the calls take up to 600 KB.
    private static let maximumVisits = 32_768
    /// The southernmost latitude of each block of ``StopCoordinateIndex``; loaded by the first search by distance.
    private var minimumLatitudes: [Int32]?

    init(_ connection: SQLiteConnection, sizes: TableSizes, cacheSize: Int) {
        self.connection = connection
        self.sizes = sizes
        patterns = PatternCache(patterns: sizes.patterns, limit: cacheSize)
        statements = TimetableQuery.allCases.map { _ in nil }
        columns = BlobColumn.allCases.map { _ in nil }
    }

    deinit { buffer.deallocate() }

    func statement(_ query: TimetableQuery) throws(StoreError) -> SQLiteStatement {
        if let statement = statements[query.rawValue] { return statement }
        let statement = try connection.prepare(query.sql)
        statements[query.rawValue] = statement
        return statement
    }

    /// Calls `body` with the row with the given number. If the row is missing, throws an error in which `what`
    /// describes it.
    func row<Result>(
        _ query: TimetableQuery, _ number: Int, _ what: String, _ body: (SQLiteStatement) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let statement = try statement(query)
        statement.bind(number, at: 0)
        defer { statement.reset() }
        guard try statement.step() else { throw corrupt("\(what) \(number) is missing") }
        return try body(statement)
    }

    /// Calls `body` with the blob in the given row. If the row is missing, throws an error in which `what` describes
    /// it.
    func blob<Result>(
        _ column: BlobColumn, _ number: Int, _ what: String,
        _ body: (UnsafeRawBufferPointer) throws(MalformedDataError) -> Result
    ) throws(StoreError) -> Result {
        guard let blob = try open(column, at: number) else { throw corrupt("\(what) \(number) is missing") }
        let count = blob.count
        if count > buffer.count {
            buffer.deallocate()
            buffer = .allocate(byteCount: count, alignment: 16)
        }
        let bytes = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        try blob.read(into: bytes)
        defer {
            if count > Self.maximumBufferSize {
                buffer.deallocate()
                buffer = .allocate(byteCount: Self.maximumBufferSize, alignment: 16)
            }
        }
        do throws(MalformedDataError) { return try body(UnsafeRawBufferPointer(bytes)) } catch {
            throw corrupt("\(what) \(number) \(error.reason)")
        }
    }

    /// Returns `nil` if the row does not exist.
    private func open(_ column: BlobColumn, at row: Int) throws(StoreError) -> SQLiteBlob? {
        if let open = columns[column.rawValue] {
            if try open.move(to: row) { return open }
            columns[column.rawValue] = nil
            return nil
        }
        let opened = try SQLiteBlob(connection, table: column.table, column: column.name, row: row)
        columns[column.rawValue] = opened
        return opened
    }

    func unpack<Result>(
        _ statement: SQLiteStatement, _ column: Int32, _ what: @autoclosure () -> String,
        _ body: (UnsafeRawBufferPointer) throws(MalformedDataError) -> Result
    ) throws(StoreError) -> Result {
        do throws(MalformedDataError) {
            return try statement.withBlob(column, body)
        } catch {
            throw corrupt("\(what()) \(error.reason)")
        }
    }

    func corrupt(_ detail: String) -> StoreError { .corrupt(path: connection.path, detail: detail) }

    func pattern(_ index: PatternIndex) throws(StoreError) -> Pattern {
        guard index.position < sizes.patterns else { throw corrupt("pattern \(index.rawValue) is missing") }
        if let known = patterns.pattern(at: index.position) { return known }
        let pattern = try blob(.pattern, index.position, "pattern") { (blob) throws(MalformedDataError) in
            try PatternCoding.read(blob, index: index, sizes: sizes)
        }
        patterns.insert(pattern, at: index.position)
        return pattern
    }

    func trip(_ index: TripIndex) throws(StoreError) -> PackedTripGroup.Row {
        guard index.position < sizes.trips else { throw corrupt("trip \(index.rawValue) is missing") }
        return try blob(.trip, PackedTripGroup.location(of: index).block, "trip block") {
            (blob) throws(MalformedDataError) in
            try PackedTripGroup.read(blob, of: index, sizes: sizes)
        }
    }

    func text(_ index: TextIndex) throws(StoreError) -> String {
        guard index.position < sizes.texts else { throw corrupt("text \(index.rawValue) is missing") }
        if let known = texts[index] { return known }
        let (block, position) = index.position.quotientAndRemainder(dividingBy: PackedTextGroup.size)
        let text = try blob(.text, block, "text block") { (blob) throws(MalformedDataError) in
            try PackedTextGroup.read(blob, position: position)
        }
        if texts.count >= Self.maximumTexts { texts.removeAll(keepingCapacity: true) }
        texts[index] = text
        return text
    }

    /// Returns the calls at a stop.
    func visits(at stop: StopIndex) throws(StoreError) -> [Visit] {
        if let known = visits[stop] { return known }
        let found = try row(.visits, stop.position, "stop") { (row) throws(StoreError) in
            try unpack(row, 0, "stop \(stop.rawValue)") { (blob) throws(MalformedDataError) in
                blob.isEmpty ? [] : try Self.visits(blob)
            }
        }
        if visitCount + found.count >= Self.maximumVisits {
            visits.removeAll(keepingCapacity: true)
            visitCount = 0
        }
        visits[stop] = found
        visitCount += found.count + 1
        return found
    }

    private static func visits(_ blob: UnsafeRawBufferPointer) throws(MalformedDataError) -> [Visit] {
        var reader = try ByteReader(sealed: blob)
        var visits: [Visit] = []
        visits.reserveCapacity(reader.remaining / 2)
        var pattern: UInt32 = 0
        while !reader.isAtEnd {
            pattern &+= try reader.number()
            visits.append((PatternIndex(pattern), Int(try reader.number())))
        }
        return visits
    }

    /// Calls `body` for all stops in the blocks that overlap a range of latitudes, including some stops outside the
    /// range.
    func forEachStop(
        from south: Int32, to north: Int32, _ body: (StopCoordinateIndex.Entry) -> Void
    ) throws(StoreError) {
        let minimumLatitudes = try loadMinimumLatitudes()
        // The last block that begins south of the range may extend into it.
        let first = max(0, (minimumLatitudes.firstIndex { $0 >= south } ?? minimumLatitudes.count) - 1)
        for (block, beginning) in minimumLatitudes.enumerated().dropFirst(first) {
            guard beginning <= north else { return }
            try blob(.places, block, "stop coordinate block") { (blob) throws(MalformedDataError) in
                try StopCoordinateIndex.read(blob, sizes: sizes, body)
            }
        }
    }

    private func loadMinimumLatitudes() throws(StoreError) -> [Int32] {
        if let minimumLatitudes { return minimumLatitudes }
        let rows = try connection.prepare("SELECT block, south FROM stop_places ORDER BY block")
        var found: [Int32] = []
        while try rows.step() {
            guard rows.integer(0) == found.count, let south = Int32(exactly: rows.integer(1)) else {
                throw corrupt("stop coordinate block \(found.count) is invalid")
            }
            found.append(south)
        }
        minimumLatitudes = found
        return found
    }
}

/// A least-recently-used cache of patterns with a limit in bytes. When the limit is exceeded, a quarter is evicted at
/// once, so that most queries evict nothing.
///
/// The cache has a slot for each pattern in the file instead of a dictionary, because a query looks up about a hundred
/// patterns.
private struct PatternCache {
    private var slots: [Slot]
    private var bytes = 0
    private var clock: UInt32 = 0
    let limit: Int

    private struct Slot {
        var pattern: Pattern?
        var lastUse: UInt32 = 0
    }

    init(patterns: Int, limit: Int) {
        slots = [Slot](repeating: Slot(), count: patterns)
        self.limit = limit
    }

    mutating func pattern(at position: Int) -> Pattern? {
        guard let pattern = slots[position].pattern else { return nil }
        clock &+= 1
        slots[position].lastUse = clock
        return pattern
    }

    mutating func insert(_ pattern: Pattern, at position: Int) {
        let cost = Self.cost(of: pattern)
        if bytes + cost > limit { evict() }
        clock &+= 1
        slots[position] = Slot(pattern: pattern, lastUse: clock)
        bytes += cost
    }

    private mutating func evict() {
        let byAge = slots.indices.filter { slots[$0].pattern != nil }
            .sorted { clock &- slots[$0].lastUse > clock &- slots[$1].lastUse }
        for position in byAge where bytes > limit / 4 * 3 {
            bytes -= slots[position].pattern.map(Self.cost) ?? 0
            slots[position].pattern = nil
        }
    }

    /// The approximate memory use of a pattern, including the headers of the object and of its array.
    static func cost(of pattern: Pattern) -> Int { pattern.packed.count + 96 }
}
