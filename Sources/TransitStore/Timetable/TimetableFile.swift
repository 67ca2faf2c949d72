internal import Synchronization
public import TransitModel

/// One version of a timetable: a file that is only read.
///
/// Opened cheaply; agencies, routes and services are loaded at once, everything else when it is asked for. Safe to use
/// from every thread. Whatever is found to be damaged is told as ``StoreError/corrupt(path:detail:)``.
public final class TimetableFile: Sendable {
    public let path: String
    public let summary: TimetableSummary
    /// By ``AgencyIndex``.
    public let agencies: [Agency]
    /// By ``RouteIndex``.
    public let routes: [Route]
    /// By ``ServiceIndex``.
    public let services: [Service]
    let sizes: TableSizes
    private let reader: Mutex<TimetableReader>

    /// How many bytes of patterns are kept unless told otherwise.
    public static let defaultCacheSize = 8 << 20

    /// Opens a file that ``write(_:origin:contentDigest:report:to:progress:isCancelled:)`` made.
    ///
    /// - Parameter cacheSize: bytes of patterns to keep.
    public init(path: String, cacheSize: Int = TimetableFile.defaultCacheSize) throws(StoreError) {
        let connection = try Self.open(path)
        let opening = try TimetableFileLoader(connection)
        self.path = path
        summary = opening.summary
        sizes = opening.sizes
        agencies = try opening.agencies()
        routes = try opening.routes()
        services = try opening.services()
        // Nobody changes the file: in one transaction that lasts, SQLite need not begin and end one for every question.
        try connection.execute("BEGIN")
        reader = Mutex(TimetableReader(connection, sizes: opening.sizes, cacheSize: cacheSize))
    }

    /// What a file says about itself, without loading the rest.
    public static func summary(ofFileAt path: String) throws(StoreError) -> TimetableSummary {
        try TimetableFileLoader(open(path)).summary
    }

    /// Runs one question. Questions wait for one another: each takes microseconds, and a second connection would take
    /// more memory than it would save time.
    func read<Result: Sendable>(
        _ question: (TimetableReader) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try reader.withLock { (reader) throws(StoreError) in try question(reader) }
    }

    private static func open(_ path: String) throws(StoreError) -> SQLiteConnection {
        let size: Int
        switch FileSystem.entry(at: path) {
        case .missing: throw FileSystem.failure(path, "open")
        // SQLite would wait for a writer to open a FIFO.
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
