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

    /// The default size of the pattern cache in bytes.
    public static let defaultCacheSize = 8 << 20

    /// Opens a file written by ``write(_:origin:contentDigest:report:to:progress:isCancelled:)``.
    ///
    /// - Parameter cacheSize: The size of the pattern cache in bytes.
    public init(path: String, cacheSize: Int = TimetableFile.defaultCacheSize) throws(StoreError) {
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
        reader = Mutex(TimetableReader(connection, sizes: loader.sizes, cacheSize: cacheSize))
    }

    /// Returns the summary of a file without loading the rest.
    public static func summary(ofFileAt path: String) throws(StoreError) -> TimetableSummary {
        try TimetableFileLoader(open(path)).summary
    }

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
        guard try connection.integer("PRAGMA application_id") == TimetableSchema.applicationID else {
            throw .notATimetable(path: path)
        }
        let version = try connection.integer("PRAGMA user_version") ?? 0
        guard version == TimetableSchema.version else {
            throw .format(path: path, found: version, supported: TimetableSchema.version)
        }
        let pages = try connection.integer("PRAGMA page_count") ?? 0
        let pageSize = try connection.integer("PRAGMA page_size") ?? 0
        guard pages * pageSize == size else {
            throw .corrupt(path: path, detail: "it has \(size) bytes instead of \(pages * pageSize)")
        }
        return connection
    }
}
