internal import Glibc
internal import Synchronization
public import TransitModel

/// One version of a timetable, backed by a read-only file.
///
/// Opening is fast: agencies, routes and services are loaded at once, all other data on demand. Thread-safe. Corruption
/// is reported as ``StoreError/corrupt(path:detail:)``.
public final class TimetableFile: Sendable {
    public let path: String
    public let summary: TimetableSummary
    /// Indexed by ``AgencyIndex``.
    public let agencies: [Agency]
    /// Indexed by ``RouteIndex``.
    public let routes: [Route]
    /// Indexed by ``ServiceIndex``.
    public let services: [Service]
    let sizes: TableSizes
    private let reader: Mutex<TimetableReader>
    /// The texts for searches by name.
    let stopTexts: StopTextCache

    /// The default size of the pattern cache in bytes.
    public static let defaultCacheSize = 8 << 20
    /// The default maximum size in bytes of the texts that searches of stops keep, which 15,000 to 20,000 stops take.
    public static let defaultStopTextLimit = 1 << 20

    /// Opens a file written by ``write(_:origin:contentDigest:report:to:progress:isCancelled:)``.
    ///
    /// - Parameters:
    ///   - cacheSize: The size of the pattern cache in bytes.
    ///   - stopTextLimit: The maximum size in bytes of the texts that searches of stops keep; 0 to keep none.
    public init(
        path: String, cacheSize: Int = TimetableFile.defaultCacheSize,
        stopTextLimit: Int = TimetableFile.defaultStopTextLimit
    ) throws(StoreError) {
        let connection = try Self.open(path)
        let loader = try TimetableFileLoader(connection)
        self.path = path
        summary = loader.summary
        sizes = loader.sizes
        agencies = try loader.agencies()
        routes = try loader.routes()
        services = try loader.services()
        // The file never changes, so one permanent transaction spares SQLite from starting one for each query.
        try connection.execute("BEGIN")
        stopTexts = StopTextCache(limit: stopTextLimit)
        reader = Mutex(TimetableReader(connection, sizes: loader.sizes, cacheSize: cacheSize))
    }

    /// Returns the summary of a file without loading the rest.
    public static func summary(ofFileAt path: String) throws(StoreError) -> TimetableSummary {
        try TimetableFileLoader(open(path)).summary
    }

    /// The size of the file in bytes; 0 if it was removed.
    public var size: Int { FileSystem.size(of: path) ?? 0 }

    /// The approximate number of bytes that the opened file takes in memory, with full caches.
    public var memoryEstimate: Int {
        let ofRoutes = routes.reduce(0) { sum, route in
            let texts = [route.id.rawValue, route.shortName, route.longName].map { $0?.utf8.count ?? 0 }
            // Strings of up to 15 bytes are stored inline.
            return sum + MemoryLayout<Route>.stride + texts.reduce(0) { $0 + ($1 > 15 ? $1 + 48 : 0) }
        }
        let ofServices = services.reduce(0) { sum, service in
            sum + MemoryLayout<Service>.stride
                + (service.added.count + service.removed.count) * MemoryLayout<ServiceDate>.stride
        }
        // The caches of a small file do not fill. Unpacked patterns take several times as much as in the file.
        let size = FileSystem.size(of: path) ?? Self.defaultCacheSize
        let ofPatterns = size < Self.defaultCacheSize / 8 ? size * 8 : Self.defaultCacheSize
        return ofRoutes + ofServices + sizes.patterns * 16 + ofPatterns + min(size, Self.connectionCacheSize)
            + min(sizes.stops * 64, Self.defaultStopTextLimit)
    }

    /// The size of the page cache of the connection in bytes.
    private static let connectionCacheSize = 2 << 20

    /// Runs one query. Queries are serialized: each takes microseconds, and the memory of a second connection would
    /// cost more than the time that it saves.
    func read<Result: Sendable>(
        _ query: (TimetableReader) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try reader.withLock { (reader) throws(StoreError) in try query(reader) }
    }

    private static func open(_ path: String) throws(StoreError) -> SQLiteConnection {
        let size: Int
        switch FileSystem.entry(at: path) {
        case .missing: throw FileSystem.failure(path, "open")
        // If the path were a FIFO, SQLite would wait for a writer.
        case .other: throw .file(path: path, operation: "open", reason: FileSystem.notRegular)
        case .file(let bytes): size = bytes
        }
        let connection = try SQLiteConnection.reading(path)
        try connection.execute(
            "PRAGMA cache_size = -2048; PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF")
        guard try connection.value("PRAGMA application_id", as: Int.self) == TimetableSchema.applicationID else {
            throw .notATimetable(path: path)
        }
        let version = try connection.value("PRAGMA user_version", as: Int.self) ?? 0
        guard version == TimetableSchema.version else {
            throw .format(path: path, found: version, supported: TimetableSchema.version)
        }
        let pages = try connection.value("PRAGMA page_count", as: Int.self) ?? 0
        let pageSize = try connection.value("PRAGMA page_size", as: Int.self) ?? 0
        guard pages * pageSize == size else {
            throw .corrupt(path: path, detail: "it has \(size) bytes instead of \(pages * pageSize)")
        }
        return connection
    }
}

// MARK: - Writing

extension TimetableFile {
    /// The progress of writing a file, in rows of the large tables.
    public struct WriteProgress: Hashable, Sendable {
        public var done: Int
        public var total: Int
    }

    /// Writes a draft as a new version at `path`. The file is written to `path.building` first, verified, flushed to
    /// disk and renamed. After an error, that file is removed and a previous file at `path` is unchanged.
    ///
    /// - Parameters:
    ///   - origin: The source of the draft.
    ///   - contentDigest: See ``TimetableSummary/contentDigest``.
    ///   - report: The findings made while reading the source, which are stored in the file.
    ///   - progress: Called about once per thousand rows, and at the end.
    ///   - isCancelled: Called just as often. Writing stops with ``StoreError/canceled`` if it returns `true`.
    /// - Throws: ``StoreError/diskFull(path:)``, ``StoreError/draft(_:)``, ``StoreError/canceled``, and errors of the
    ///   operating system.
    @discardableResult
    public static func write(
        _ draft: TimetableDraft, origin: TimetableSummary.Origin, contentDigest: String, report: ValidationReport,
        to path: String, progress: @escaping (WriteProgress) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) throws(StoreError) -> TimetableSummary {
        let building = path + buildingSuffix
        try FileSystem.remove(building)
        do throws(StoreError) {
            let summary = try build(building, draft, origin, contentDigest, report, progress, isCancelled)
            try check(building)
            try FileSystem.synchronize(building)
            try FileSystem.rename(building, to: path)
            try FileSystem.synchronizeDirectory(FileSystem.parent(of: path) ?? ".")
            return summary
        } catch {
            // If the file cannot be removed, the next start removes it. Report the first error.
            try? FileSystem.remove(building)
            throw error
        }
    }

    /// The suffix of unfinished files.
    static let buildingSuffix = ".building"

    private static func build(
        _ path: String, _ draft: TimetableDraft, _ origin: TimetableSummary.Origin, _ contentDigest: String,
        _ report: ValidationReport, _ progress: @escaping (WriteProgress) -> Void,
        _ isCancelled: @escaping () -> Bool
    ) throws(StoreError) -> TimetableSummary {
        var writer = try TimetableWriter(
            path: path, draft: draft, report: report, progress: progress, isCancelled: isCancelled)
        return try writer.write(origin: origin, contentDigest: contentDigest)
    }

    /// Runs SQLite's check of all pages. Opening the file checks the row counts.
    private static func check(_ path: String) throws(StoreError) {
        _ = try TimetableFile(path: path, cacheSize: 0)
        let connection = try SQLiteConnection.reading(path)
        let check = try connection.prepare("PRAGMA quick_check(1)")
        guard try check.step(), check.text(0) == "ok" else {
            throw .corrupt(path: path, detail: "the check after writing failed: \(check.text(0))")
        }
    }
}

/// Loads the part of a timetable file that is held in memory.
private struct TimetableFileLoader {
    let connection: SQLiteConnection
    let summary: TimetableSummary
    let sizes: TableSizes

    init(_ connection: SQLiteConnection) throws(StoreError) {
        self.connection = connection
        let row = try connection.prepare("SELECT * FROM summary")
        guard try row.step() else { throw .corrupt(path: connection.path, detail: "it has no summary") }
        let numbers = (5...13).map { row.integer(Int32($0)) }
        guard numbers.allSatisfy({ (0...Int(UInt32.max) - 1).contains($0) }) else {
            throw .corrupt(path: connection.path, detail: "its summary contains a count out of range")
        }
        let buckets = row.integer(28)
        guard buckets >= 0, buckets & (buckets &- 1) == 0 else {
            throw .corrupt(path: connection.path, detail: "its index of outside trips has \(buckets) buckets")
        }
        sizes = TableSizes(
            agencies: numbers[0], stops: numbers[1], routes: numbers[2], services: numbers[6], patterns: numbers[4],
            trips: numbers[3], texts: numbers[8], shapes: numbers[7], outsideTripBuckets: buckets)
        summary = try Self.summary(row, numbers, connection)
        try checkSizes()
    }

    /// Checks that the tables have the sizes that the summary states, because memory is allocated according to these
    /// sizes.
    private func checkSizes() throws(StoreError) {
        let patterns = try connection.value("SELECT max(pattern) + 1 FROM patterns", as: Int.self) ?? 0
        let trips = try connection.value("SELECT max(block) + 1 FROM trips", as: Int.self) ?? 0
        let stops = try connection.value("SELECT max(stop) + 1 FROM stops", as: Int.self) ?? 0
        guard patterns == sizes.patterns, trips == (sizes.trips + PackedTripGroup.size - 1) / PackedTripGroup.size,
            stops == sizes.stops
        else {
            throw .corrupt(path: connection.path, detail: "the sizes of its tables differ from its summary")
        }
    }

    private static func summary(
        _ row: SQLiteStatement, _ numbers: [Int], _ connection: SQLiteConnection
    ) throws(StoreError) -> TimetableSummary {
        var counts = TimetableSummary.Counts()
        counts.agencies = numbers[0]
        counts.stops = numbers[1]
        counts.routes = numbers[2]
        counts.trips = numbers[3]
        counts.patterns = numbers[4]
        counts.stopTimes = numbers[5]
        counts.services = numbers[6]
        counts.shapes = numbers[7]
        var dates: ClosedRange<ServiceDate>?
        if let first = row.date(14), let last = row.date(15) {
            guard first <= last else { throw .corrupt(path: connection.path, detail: "its dates are out of order") }
            dates = first...last
        }
        return TimetableSummary(
            counts: counts, feedInfo: row.integer(17) == 0 ? nil : feedInfo(row), serviceDates: dates,
            latestStopTime: ServiceTime(seconds: Int32(clamping: row.integer(16))), contentDigest: row.text(0),
            origin: TimetableSummary.Origin(
                url: row.text(1), etag: row.optionalText(2), lastModified: row.optionalText(3),
                fetched: Instant(secondsSince1970: Int64(row.integer(4)))),
            subset: row.optionalText(24).map {
                TimetableSummary.Subset(
                    rule: $0, stops: row.integer(25), stopsInSource: row.integer(26), tripsInSource: row.integer(27))
            })
    }

    private static func feedInfo(_ row: SQLiteStatement) -> FeedInfo {
        FeedInfo(
            publisher: row.optionalText(18), publisherURL: row.optionalText(19), language: row.optionalText(20),
            startDate: row.date(21), endDate: row.date(22), version: row.optionalText(23))
    }

    func agencies() throws(StoreError) -> [Agency] {
        try rows("agencies", sizes.agencies) { row in
            Agency(
                id: AgencyID(row.text(1)), name: row.text(2), url: row.optionalText(3), timezone: row.text(4),
                language: row.optionalText(5), phone: row.optionalText(6))
        }
    }

    func routes() throws(StoreError) -> [Route] {
        try rows("routes", sizes.routes) { row in
            guard let agency: AgencyIndex = row.index(2, below: sizes.agencies) else { return nil }
            return Route(
                id: RouteID(row.text(1)), agency: agency, shortName: row.optionalText(3),
                longName: row.optionalText(4), type: row.integer(5), color: row.optionalText(6),
                textColor: row.optionalText(7), sortOrder: row.optionalInteger(8))
        }
    }

    func services() throws(StoreError) -> [Service] {
        try rows("services", sizes.services) { row in
            guard let weekdays = UInt8(exactly: row.integer(2)), let start = row.date(3), let end = row.date(4),
                let added = try? row.withBlob(5, DateList.read), let removed = try? row.withBlob(6, DateList.read)
            else { return nil }
            return Service(
                id: ServiceID(row.text(1)), weekdays: weekdays, start: start, end: end, added: added, removed: removed)
        }
    }

    /// Returns all rows of a table in the order of their numbers, which are consecutive from 0. A `nil` result of
    /// `body` indicates an invalid row.
    private func rows<Value>(
        _ table: String, _ count: Int, _ body: (SQLiteStatement) -> Value?
    ) throws(StoreError) -> [Value] {
        let statement = try connection.prepare("SELECT * FROM \(table) ORDER BY 1")
        var values: [Value] = []
        while try statement.step() {
            guard statement.integer(0) == values.count, let value = body(statement) else {
                throw .corrupt(path: connection.path, detail: "row \(values.count) of \(table) is invalid")
            }
            values.append(value)
        }
        guard values.count == count else {
            throw .corrupt(path: connection.path, detail: "\(table) has \(values.count) rows instead of \(count)")
        }
        return values
    }
}

extension SQLiteStatement {
    /// Returns `nil` for NULL and for a number that is not a valid date.
    func date(_ column: Int32) -> ServiceDate? {
        optionalInteger(column).flatMap { Int32(exactly: $0) }.map { ServiceDate(daysSince1970: $0) }
    }

    /// Returns `nil` for NULL and for a number that is not a valid index below `limit`.
    func index<Subject>(_ column: Int32, below limit: Int) -> Index<Subject>? {
        optionalInteger(column).flatMap { $0 >= 0 && $0 < limit ? Index($0) : nil }
    }
}
