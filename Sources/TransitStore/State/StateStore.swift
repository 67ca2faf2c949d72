internal import CSQLite
internal import GRDB
internal import Glibc
internal import Synchronization
public import TransitModel

/// Persistent user data and daemon state: every user's commutes, places and favorites, and the refresh ledger of the
/// feeds.
///
/// The store is one SQLite file. A change is on disk before its call returns, except that searches are collected until
/// ``saveSearches()``. All data that requests read is held in memory, so that no request waits for the disk. A corrupt
/// file is set aside, never deleted, and the newest intact backup replaces it. The store is thread-safe. Only one
/// process may use the folder.
public final class StateStore: Sendable {
    public let directory: String
    /// The result of opening the file.
    public let openResult: OpenResult
    /// The last recovery from an unusable file, at this start or earlier; `nil` if there was none.
    public let recovery: StateRecovery?
    /// Serializes all writes, and reads that are not time-critical.
    let queue: DatabaseQueue
    /// A connection for reads during a write; opened on first use.
    private let reader = Mutex<DatabaseQueue?>(nil)
    /// The users' records. The lock is never held during disk access.
    let memory: Mutex<UserRecordCache>

    /// The result of opening the file.
    public enum OpenResult: Hashable, Sendable {
        case intact
        /// There was no file.
        case new
        /// The file was corrupt and is now at `damaged`; the backup of that day replaces it. `damaged` is `nil` if the
        /// file was missing.
        case restored(backup: ServiceDate, damaged: String?, reason: String)
        /// The file was corrupt and no backup could be used. All user data is lost.
        case lost(damaged: String?, reason: String)
    }

    /// Opens `state.sqlite` in a folder, checks it and migrates it to the current schema. Creates a missing folder.
    ///
    /// - Parameter today: The date in the name of a corrupt file that is set aside.
    /// - Throws: ``StoreError/format(path:found:supported:)`` for a file of a later release, which is not changed.
    public init(directory: String, today: ServiceDate) throws(StoreError) {
        try FileSystem.makeDirectory(directory)
        let files = StateFiles(directory: directory)
        try files.removeUnfinishedFiles()
        self.directory = directory
        let (queue, opening) = try Self.open(files, today: today)
        self.queue = queue
        self.openResult = opening
        recovery = try Self.recovery(by: opening, today: today, queue, files.database)
        memory = Mutex(
            UserRecordCache(
                records: try StateErrorTranslation.translating(files.database) { try queue.read(Self.records) }))
    }

    private static func open(
        _ files: StateFiles, today: ServiceDate
    ) throws(StoreError) -> (DatabaseQueue, OpenResult) {
        if let reason = try files.visibleCorruption() { return try recover(files, today: today, reason: reason) }
        let isNew = (FileSystem.size(of: files.database) ?? 0) == 0
        if isNew { try FileSystem.write([], to: files.database) }
        do throws(StoreError) {
            let hasBackups = try !files.backups().isEmpty
            return (try openIntact(files.database, mayBeEmpty: !hasBackups), isNew ? .new : .intact)
        } catch {
            guard case .corrupt(_, let reason) = error else { throw error }
            return try recover(files, today: today, reason: reason)
        }
    }

    private static func recover(
        _ files: StateFiles, today: ServiceDate, reason: String
    ) throws(StoreError) -> (DatabaseQueue, OpenResult) {
        let damaged = try files.setAside(today: today)
        for date in try files.backups() {
            do throws(StoreError) {
                try files.restore(date)
                return (
                    try openIntact(files.database, mayBeEmpty: false),
                    .restored(backup: date, damaged: damaged, reason: reason)
                )
            } catch {
                // If the disk is full, no other backup would fit either, and no backup should be skipped for that
                // reason.
                if case .diskFull = error { throw error }
            }
        }
        for suffix in ["", "-wal", "-shm"] { try FileSystem.remove(files.database + suffix) }
        try FileSystem.write([], to: files.database)
        return (try openIntact(files.database, mayBeEmpty: true), .lost(damaged: damaged, reason: reason))
    }

    /// Opens a database without detectable corruption and migrates it to the current schema.
    ///
    /// - Parameter mayBeEmpty: Whether a database without tables is new rather than corrupt.
    private static func openIntact(_ path: String, mayBeEmpty: Bool) throws(StoreError) -> DatabaseQueue {
        let (queue, applied) = try StateErrorTranslation.opening(path) {
            let queue = try DatabaseQueue(path: path, configuration: configuration(isReader: false))
            // GRDB sets NORMAL together with the journal mode. With NORMAL, a power loss could revert a change.
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            let check = try queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check(1)") ?? "no result" }
            guard check == "ok" else { throw StoreError.corrupt(path: path, detail: check) }
            let applied = try queue.read { try StateSchema.migrator.appliedIdentifiers($0).count }
            guard applied > 0 || mayBeEmpty else { throw StoreError.corrupt(path: path, detail: "it has no tables") }
            return (queue, applied)
        }
        return try StateErrorTranslation.translating(path) {
            let migrator = StateSchema.migrator
            guard try !queue.read(migrator.hasBeenSuperseded) else {
                throw StoreError.format(path: path, found: applied, supported: migrator.migrations.count)
            }
            try migrator.migrate(queue)
            return queue
        }
    }

    /// With these settings, a maliciously crafted file can at most make SQLite fail (sqlite.org/security.html).
    private static func configuration(isReader: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = isReader
        if !isReader { configuration.journalMode = .wal }
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { database in
            try database.execute(
                sql: "PRAGMA cache_size = -256; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
            let code = sqlite_set_defensive(UnsafeMutableRawPointer(database.sqliteConnection))
            guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        }
        return configuration
    }

    /// Creates a backup of the state for the day, unless one exists, and keeps the last seven backups.
    ///
    /// - Returns: Whether a backup was created.
    @discardableResult
    public func backUp(today: ServiceDate) throws(StoreError) -> Bool {
        let files = StateFiles(directory: directory)
        let path = files.backup(today)
        guard FileSystem.size(of: path) == nil else { return false }
        let building = path + TimetableFile.buildingSuffix
        do throws(StoreError) {
            try FileSystem.write([], to: building)
            try StateErrorTranslation.translating(building) {
                try queue.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [building]) }
            }
            try FileSystem.synchronize(building)
            try FileSystem.rename(building, to: path)
            try FileSystem.synchronizeDirectory(directory)
        } catch {
            // Report the first error.
            try? FileSystem.remove(building)
            throw error
        }
        try files.removeOldBackups()
        return true
    }

    /// Returns the first error that an integrity check of the whole file finds, or `nil` if the file is intact. Reads
    /// the whole file.
    public func corruption() throws(StoreError) -> String? {
        let answer = try pragma("integrity_check(1)") ?? "no result"
        return answer == "ok" ? nil : answer
    }

    /// Rewrites an existing value to find out whether the file can be written.
    ///
    /// - Throws: ``StoreError/diskFull(path:)`` and any other error that a change would throw.
    public func checkIsWritable() throws(StoreError) {
        try StateErrorTranslation.translating(path) {
            try queue.write { database in
                let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
                try database.execute(sql: "PRAGMA user_version = \(version)")
            }
        }
    }

    /// Returns the value of a PRAGMA.
    func pragma(_ name: String) throws(StoreError) -> String? {
        try read { try String.fetchOne($0, sql: "PRAGMA \(name)") }
    }

    var path: String { StateFiles(directory: directory).database }

    func read<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        try StateErrorTranslation.translating(path) { try queue.read(body) }
    }

    /// Reads for a request, in parallel with a write that waits for the disk. The write-ahead log makes this possible.
    func readConcurrently<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        try StateErrorTranslation.translating(path) {
            let queue = try reader.withLock { reader in
                let queue = try reader ?? DatabaseQueue(path: path, configuration: Self.configuration(isReader: true))
                reader = queue
                return queue
            }
            return try queue.read(body)
        }
    }

    /// Runs `body` in one transaction.
    func write<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        try StateErrorTranslation.translating(path) { try queue.write(body) }
    }
}

/// Translates GRDB's errors to ``StoreError``.
enum StateErrorTranslation {
    static func translating<Result>(_ path: String, _ body: () throws -> Result) throws(StoreError) -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch let error as DatabaseError {
            throw translate(error, path)
        } catch {
            throw .database(path: path, detail: "\(error)")
        }
    }

    /// Translates errors while the database is opened. SQLite then also reports a corrupt header with other errors,
    /// such as an unsupported file format, or a read-only error for a writable file.
    static func opening<Result>(_ path: String, _ body: () throws -> Result) throws(StoreError) -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch let error as DatabaseError {
            let isCorruption =
                switch error.resultCode {
                case .SQLITE_ERROR, .SQLITE_FORMAT, .SQLITE_MISMATCH, .SQLITE_SCHEMA, .SQLITE_TOOBIG: true
                case .SQLITE_READONLY: access(path, R_OK | W_OK) == 0
                default: false
                }
            guard isCorruption else { throw translate(error, path) }
            throw .corrupt(path: path, detail: error.message ?? error.description)
        } catch {
            // GRDB's migrator throws this for a migrations table with unexpected content.
            throw .corrupt(path: path, detail: "\(error)")
        }
    }

    private static func translate(_ error: DatabaseError, _ path: String) -> StoreError {
        let detail = error.message ?? error.description
        switch error.resultCode {
        case .SQLITE_FULL: return .diskFull(path: path)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return .corrupt(path: path, detail: detail)
        default: return .database(path: path, detail: detail)
        }
    }
}
