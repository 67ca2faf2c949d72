internal import CSQLite
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
    /// The connection for all writes, and for reads that are not time-critical.
    private let writer: Mutex<SQLiteConnection>
    /// A connection for reads during a write; opened on first use.
    private let reader = Mutex<SQLiteConnection?>(nil)
    /// The number of milliseconds for which a statement waits while another process has locked the file.
    private let lockTimeout: Int32
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
    /// - Parameters:
    ///   - today: The date in the name of a corrupt file that is set aside.
    ///   - lockTimeout: The number of milliseconds for which a statement waits while another process has locked the file.
    /// - Throws: ``StoreError/format(path:found:supported:)`` for a file of a later release, which is not changed.
    public init(directory: String, today: ServiceDate, lockTimeout: Int32 = 5000) throws(StoreError) {
        try FileSystem.makeDirectory(directory)
        let files = StateFiles(directory: directory)
        try files.removeUnfinishedFiles()
        self.directory = directory
        self.lockTimeout = lockTimeout
        let (database, result) = try Self.open(files, today: today, lockTimeout: lockTimeout)
        openResult = result
        recovery = try Self.recovery(by: result, today: today, database)
        memory = Mutex(UserRecordCache(records: try Self.records(database)))
        writer = Mutex(database)
    }

    private static func open(
        _ files: StateFiles, today: ServiceDate, lockTimeout: Int32
    ) throws(StoreError) -> (SQLiteConnection, OpenResult) {
        if let reason = try files.visibleCorruption() {
            return try recover(files, today: today, lockTimeout: lockTimeout, reason: reason)
        }
        let isNew = (FileSystem.size(of: files.database) ?? 0) == 0
        if isNew { try FileSystem.write([], to: files.database) }
        do throws(StoreError) {
            let hasBackups = try !files.backups().isEmpty
            return (
                try openIntact(files.database, mayBeEmpty: !hasBackups, lockTimeout: lockTimeout),
                isNew ? .new : .intact
            )
        } catch {
            guard case .corrupt(_, let reason) = error else { throw error }
            return try recover(files, today: today, lockTimeout: lockTimeout, reason: reason)
        }
    }

    private static func recover(
        _ files: StateFiles, today: ServiceDate, lockTimeout: Int32, reason: String
    ) throws(StoreError) -> (SQLiteConnection, OpenResult) {
        let damaged = try files.setAside(today: today)
        // A backup from a later date was made while the clock was wrong.
        let dates = try files.backups()
        for date in dates.filter({ $0 <= today }) + dates.filter({ $0 > today }) {
            do throws(StoreError) {
                try files.restore(date, today: today)
                return (
                    try openIntact(files.database, mayBeEmpty: false, lockTimeout: lockTimeout),
                    .restored(backup: date, damaged: damaged, reason: reason)
                )
            } catch {
                // If the disk is full, no other backup would fit either, and no backup should be skipped for that
                // reason.
                if case .diskFull = error { throw error }
            }
        }
        for suffix in [""] + StateFiles.companionSuffixes { try FileSystem.remove(files.database + suffix) }
        try FileSystem.write([], to: files.database)
        return (
            try openIntact(files.database, mayBeEmpty: true, lockTimeout: lockTimeout),
            .lost(damaged: damaged, reason: reason)
        )
    }

    /// Opens a database without detectable corruption and migrates it to the current schema.
    ///
    /// - Parameter mayBeEmpty: Whether a database without tables is new rather than corrupt.
    private static func openIntact(
        _ path: String, mayBeEmpty: Bool, lockTimeout: Int32
    ) throws(StoreError) -> SQLiteConnection {
        let database: SQLiteConnection
        let applied: Set<String>
        do throws(StoreError) {
            database = try connect(path, isReader: false, lockTimeout: lockTimeout)
            let check = try database.value("PRAGMA integrity_check(1)", as: String.self) ?? "no result"
            guard check == "ok" else { throw .corrupt(path: path, detail: check) }
            // Such a file can be read, but it would refuse every change.
            guard !database.isReadOnly || access(path, W_OK) != 0 else {
                throw .corrupt(path: path, detail: "its header does not permit changes")
            }
            applied = try StateSchema.appliedIdentifiers(database)
            guard !applied.isEmpty || mayBeEmpty else { throw .corrupt(path: path, detail: "it has no tables") }
        } catch {
            guard case .database(_, let code, let detail) = error, isCorruption(code, path) else { throw error }
            throw .corrupt(path: path, detail: detail)
        }
        let supported = StateSchema.migrations.map(\.identifier)
        guard applied.isSubset(of: supported) else {
            throw .format(path: path, found: applied.count, supported: supported.count)
        }
        try StateSchema.migrate(database)
        guard try StateSchema.hasAllColumns(database) else {
            throw .corrupt(path: path, detail: "a column is missing")
        }
        return database
    }

    /// Whether an error of SQLite means a corrupt file when it occurs while the file is opened. SQLite then also
    /// reports a corrupt header with other errors, such as an unsupported file format, or a read-only error for a
    /// writable file.
    private static func isCorruption(_ code: Int32, _ path: String) -> Bool {
        switch code {
        case SQLITE_ERROR, SQLITE_FORMAT, SQLITE_MISMATCH, SQLITE_SCHEMA, SQLITE_TOOBIG: true
        case SQLITE_READONLY: access(path, R_OK | W_OK) == 0
        default: false
        }
    }

    /// Connects to the database. With these settings, a maliciously crafted file can at most make SQLite fail
    /// (sqlite.org/security.html).
    private static func connect(
        _ path: String, isReader: Bool, lockTimeout: Int32
    ) throws(StoreError) -> SQLiteConnection {
        let database = try SQLiteConnection.database(path, isReader: isReader)
        database.setBusyTimeout(milliseconds: lockTimeout)
        try database.execute("PRAGMA cache_size = -256; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        try database.setDefensive()
        if isReader { return database }
        guard try database.value("PRAGMA journal_mode = WAL", as: String.self) == "wal" else {
            throw .database(path: path, code: SQLITE_ERROR, detail: "SQLite cannot use a write-ahead log")
        }
        // With NORMAL, a power loss could revert a change.
        try database.execute("PRAGMA synchronous = FULL")
        return database
    }

    /// Creates a backup of the state for the day, unless one exists, and keeps the last seven backups.
    ///
    /// - Returns: Whether a backup was created.
    @discardableResult
    public func backUp(today: ServiceDate) throws(StoreError) -> Bool {
        let files = StateFiles(directory: directory)
        guard FileSystem.size(of: files.backup(today)) == nil else { return false }
        try withWriter { (database) throws(StoreError) in try Self.writeBackup(files, today: today, database) }
        try files.removeOldBackups()
        return true
    }

    /// Writes the backup of a day, and replaces one that exists.
    private static func writeBackup(
        _ files: StateFiles, today: ServiceDate, _ database: SQLiteConnection
    ) throws(StoreError) {
        let path = files.backup(today)
        let building = path + TimetableFile.buildingSuffix
        do throws(StoreError) {
            try FileSystem.write([], to: building)
            // The copy is made by one statement. It has no unused pages, and making it reads every row.
            try database.run("VACUUM INTO ?", [building])
            try FileSystem.synchronize(building)
            try FileSystem.rename(building, to: path)
            try FileSystem.synchronizeDirectory(files.directory)
        } catch {
            // Report the first error.
            for suffix in ["", "-journal"] { try? FileSystem.remove(building + suffix) }
            if case .diskFull = error { throw .diskFull(path: building) }
            throw error
        }
    }

    /// Removes what earlier changes left behind: rewrites the file without its unused pages, empties the write-ahead log,
    /// and replaces all backups and all files that were set aside by one new backup.
    ///
    /// The older copies are removed last, so that there is always a usable backup. After an error, the function can be
    /// called again.
    public func eraseRemains(today: ServiceDate) throws(StoreError) {
        let files = StateFiles(directory: directory)
        try withWriter { (database) throws(StoreError) in
            try database.run("VACUUM")
            // SQLite waits for reads of an older state, which keep the log (sqlite.org/pragma.html#pragma_wal_checkpoint).
            // ``reader`` is not locked meanwhile, so that requests need not wait for the disk.
            guard try database.value("PRAGMA wal_checkpoint(TRUNCATE)", as: Bool.self) == false else {
                throw .locked(path: path)
            }
            try Self.writeBackup(files, today: today, database)
        }
        for date in try files.backups() where date != today { try FileSystem.remove(files.backup(date)) }
        for path in try files.damagedFiles() { try FileSystem.remove(path) }
        try FileSystem.synchronizeDirectory(directory)
    }

    /// Returns the first error that an integrity check of the whole file finds, or `nil` if the file is intact.
    ///
    /// Reads the whole file with a connection of its own. The page cache of the others may contain intact copies of
    /// damaged pages, all of them if the file is small.
    public func corruption() throws(StoreError) -> String? {
        let database = try Self.connect(path, isReader: true, lockTimeout: lockTimeout)
        let answer: String = try database.value("PRAGMA integrity_check(1)") ?? "no result"
        return answer == "ok" ? nil : answer
    }

    /// Rewrites an existing value to find out whether the file can be written.
    ///
    /// - Throws: ``StoreError/diskFull(path:)`` and any other error that a change would throw.
    public func checkIsWritable() throws(StoreError) {
        try write { (database) throws(StoreError) in
            let version = try database.value("PRAGMA user_version", as: Int.self) ?? 0
            try database.execute("PRAGMA user_version = \(version)")
        }
    }

    var path: String { StateFiles(directory: directory).database }

    // MARK: Connections

    /// Calls `body` with the connection for writes. No other write runs meanwhile.
    func withWriter<Result: Sendable>(
        _ body: (SQLiteConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try writer.withLock { (database) throws(StoreError) in try body(database) }
    }

    /// Runs `body` in one transaction.
    func write<Result: Sendable>(
        _ body: (SQLiteConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try withWriter { (database) throws(StoreError) in try database.transaction(body) }
    }

    /// Reads for a caller that may wait for a write.
    func read<Result: Sendable>(
        _ body: (SQLiteConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result { try withWriter(body) }

    /// Reads for a request, in parallel with a write that waits for the disk. The write-ahead log makes this possible.
    func readConcurrently<Result: Sendable>(
        _ body: (SQLiteConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try withReader { (database) throws(StoreError) in try database.snapshot(body) }
    }

    private func withReader<Result: Sendable>(
        _ body: (SQLiteConnection) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try reader.withLock { (reader) throws(StoreError) in
            let database: SQLiteConnection
            if let reader {
                database = reader
            } else {
                database = try Self.connect(path, isReader: true, lockTimeout: lockTimeout)
            }
            reader = database
            return try body(database)
        }
    }
}
