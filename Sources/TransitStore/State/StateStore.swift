internal import GRDB
internal import Synchronization
public import TransitModel

/// What must never be lost: every user's commutes and places, and the ledger of the feeds' updates.
///
/// One SQLite file, written through to the disk before a call returns. A damaged file is set aside, never deleted, and
/// the newest sound backup takes its place. Safe to use from every thread; only one process may have the folder.
public final class StateStore: Sendable {
    public let directory: String
    /// What was found when it was opened.
    public let opening: Opening
    let queue: DatabaseQueue
    /// Users' records as they stand in the file, so that a question does not have to ask it.
    let records = Mutex<[UInt32: PersonalRecord]>([:])

    /// What opening the file had to do.
    public enum Opening: Hashable, Sendable {
        case sound
        /// There was none.
        case new
        /// The file was damaged and is at `damaged` now; the backup of that day is in its place.
        case restored(backup: ServiceDate, damaged: String, reason: String)
        /// The same, but no backup could be used: everything personal is to be told again.
        case lost(damaged: String, reason: String)
    }

    /// Opens `state.sqlite` in a folder, which is made when it is missing, checks it and brings it to today's form.
    ///
    /// - Parameter today: names what is set aside.
    /// - Throws: ``StoreError/format(path:found:supported:)`` for a file of a later release, which is left as it is.
    public init(directory: String, today: ServiceDate) throws(StoreError) {
        try FileSystem.makeDirectory(directory)
        let files = StateFiles(directory: directory)
        try files.removeLitter()
        self.directory = directory
        (queue, opening) = try Self.open(files, today: today)
    }

    private static func open(
        _ files: StateFiles, today: ServiceDate
    ) throws(StoreError) -> (DatabaseQueue, Opening) {
        let isNew = FileSystem.size(of: files.database) == nil
        if isNew { try FileSystem.write([], to: files.database) }
        do throws(StoreError) {
            return (try openSound(files.database), isNew ? .new : .sound)
        } catch {
            guard case .corrupt(_, let reason) = error else { throw error }
            return try recover(files, today: today, reason: reason)
        }
    }

    private static func recover(
        _ files: StateFiles, today: ServiceDate, reason: String
    ) throws(StoreError) -> (DatabaseQueue, Opening) {
        let damaged = try files.setAside(today: today)
        for date in try files.backups() {
            try files.restore(date)
            guard let queue = try? openSound(files.database) else { continue }
            return (queue, .restored(backup: date, damaged: damaged, reason: reason))
        }
        for suffix in ["", "-wal", "-shm"] { try FileSystem.remove(files.database + suffix) }
        try FileSystem.write([], to: files.database)
        return (try openSound(files.database), .lost(damaged: damaged, reason: reason))
    }

    /// Opens a database that has no damage to be seen.
    private static func openSound(_ path: String) throws(StoreError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -256") }
        return try StateError.translating(path) {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            // GRDB sets NORMAL together with the journal mode: a loss of power could then take back a change.
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            let check = try queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check(1)") ?? "no answer" }
            guard check == "ok" else { throw StoreError.corrupt(path: path, detail: check) }
            let migrator = StateSchema.migrator
            let applied = try queue.read { try migrator.appliedIdentifiers($0).count }
            guard try !queue.read(migrator.hasBeenSuperseded) else {
                throw StoreError.format(path: path, found: applied, supported: migrator.migrations.count)
            }
            try migrator.migrate(queue)
            return queue
        }
    }

    /// Keeps a copy of the state under the name of the day, unless there is one; the last seven stay.
    ///
    /// - Returns: whether a copy was made.
    @discardableResult
    public func backUp(today: ServiceDate) throws(StoreError) -> Bool {
        let files = StateFiles(directory: directory)
        let path = files.backup(today)
        guard FileSystem.size(of: path) == nil else { return false }
        let building = path + TimetableFile.buildingSuffix
        do throws(StoreError) {
            try FileSystem.write([], to: building)
            try StateError.translating(building) {
                try queue.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [building]) }
            }
            try FileSystem.synchronize(building)
            try FileSystem.rename(building, to: path)
            try FileSystem.synchronizeDirectory(directory)
        } catch {
            // The first error is the one to tell.
            try? FileSystem.remove(building)
            throw error
        }
        try files.removeOldBackups()
        return true
    }

    /// What an integrity check of the whole file finds; `nil` when it is sound. Takes as long as reading the file does.
    public func damage() throws(StoreError) -> String? {
        let answer = try pragma("integrity_check(1)") ?? "no answer"
        return answer == "ok" ? nil : answer
    }

    /// Writes what is there already, to find out whether anything can be written.
    ///
    /// - Throws: ``StoreError/diskFull(path:)`` and whatever else a change would throw now.
    public func probe() throws(StoreError) {
        try StateError.translating(path) {
            try queue.write { database in
                let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
                try database.execute(sql: "PRAGMA user_version = \(version)")
            }
        }
    }

    /// What SQLite answers to a PRAGMA.
    func pragma(_ name: String) throws(StoreError) -> String? {
        try read { try String.fetchOne($0, sql: "PRAGMA \(name)") }
    }

    var path: String { StateFiles(directory: directory).database }

    func read<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        try StateError.translating(path) { try queue.read(body) }
    }

    /// One transaction: everything in it happens, or nothing.
    func write<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        try StateError.translating(path) { try queue.write(body) }
    }
}

/// GRDB's errors in the store's words.
enum StateError {
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

    private static func translate(_ error: DatabaseError, _ path: String) -> StoreError {
        let detail = error.message ?? error.description
        switch error.resultCode {
        case .SQLITE_FULL: return .diskFull(path: path)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return .corrupt(path: path, detail: detail)
        default: return .database(path: path, detail: detail)
        }
    }
}
