public import TransitModel

/// The recovery from an unusable state file.
public struct StateRecovery: Hashable, Sendable {
    /// The date of the recovery.
    public var date: ServiceDate
    /// The date of the backup that replaced the file; `nil` if there was no backup and an empty file replaced the
    /// unusable one.
    public var backup: ServiceDate?
}

extension StateStore {
    /// The key of a setting of ``noUser``. The value is the two dates, separated by a space.
    private static let recoveryKey = "state_replaced"

    /// `(uid_t)-1`, which no user has (credentials(7)). Settings that apply to all users are stored under it.
    private static let noUser = UInt32.max

    /// Returns the last recovery. A recovery at this start is written to the new file, so that it is known after a
    /// restart.
    static func recovery(
        by opening: OpenResult, today: ServiceDate, _ database: SQLiteConnection
    ) throws(StoreError) -> StateRecovery? {
        let backup: ServiceDate?
        switch opening {
        case .intact, .new: return try savedRecovery(database)
        case .restored(let date, _, _): backup = date
        case .lost: backup = nil
        }
        let recovery = StateRecovery(date: today, backup: backup)
        do throws(StoreError) { try save(recovery, in: database) } catch {
            // On a full disk, the recovery is known only until the next start, which is better than failing to start.
            guard case .diskFull = error else { throw error }
        }
        return recovery
    }

    private static func save(_ recovery: StateRecovery, in database: SQLiteConnection) throws(StoreError) {
        try database.run(
            "INSERT OR REPLACE INTO settings VALUES (?, ?, ?)",
            [noUser, recoveryKey, "\(recovery.date) \(recovery.backup.map { "\($0)" } ?? "")"])
    }

    /// Writes the recovery to the copy of a backup before it becomes the state, so that a kill right afterwards does not
    /// hide that the state is older. An unusable copy is left as it is: it is found when it is opened as the state.
    fileprivate static func save(_ recovery: StateRecovery, inCopy path: String) throws(StoreError) {
        do throws(StoreError) {
            try save(recovery, in: SQLiteConnection.database(path, isReader: false))
        } catch {
            if case .diskFull = error { throw error }
        }
    }

    private static func savedRecovery(_ database: SQLiteConnection) throws(StoreError) -> StateRecovery? {
        let text = try database.value(
            "SELECT value FROM settings WHERE uid = ? AND key = ?", [noUser, recoveryKey], as: String.self)
        let dates = text?.split(separator: " ").map { ServiceDate(iso8601: String($0)) }
        guard let dates, let date = dates.first ?? nil else { return nil }
        return StateRecovery(date: date, backup: dates.count > 1 ? dates[1] : nil)
    }
}

/// The files of the state store: the database, its write-ahead log, its backups, and corrupt files that were set aside.
struct StateFiles {
    let directory: String
    /// The number of daily backups that are kept.
    static let maximumBackups = 7
    /// The suffixes of the files that SQLite keeps beside a database, and would apply to another file of its name.
    static let companionSuffixes = ["-wal", "-shm", "-journal"]

    var database: String { directory + "/state.sqlite" }
    func backup(_ date: ServiceDate) -> String { directory + "/state-\(date).sqlite" }

    /// Returns the dates of the existing backups, newest first.
    func backups() throws(StoreError) -> [ServiceDate] {
        try FileSystem.names(in: directory).compactMap { name -> ServiceDate? in
            guard name.hasPrefix("state-"), name.hasSuffix(".sqlite") else { return nil }
            return ServiceDate(iso8601: String(name.dropFirst(6).dropLast(7)))
        }.sorted(by: >)
    }

    func removeOldBackups() throws(StoreError) {
        for date in try backups().dropFirst(Self.maximumBackups) { try FileSystem.remove(backup(date)) }
    }

    private static let damagedPrefix = "state-damaged-"

    /// Returns the paths of the corrupt databases that were set aside, and of their logs.
    func damagedFiles() throws(StoreError) -> [String] {
        try FileSystem.names(in: directory).filter { $0.hasPrefix(Self.damagedPrefix) }.map { directory + "/" + $0 }
    }

    /// Whether there was a database: it has left backups, or was set aside and not yet replaced.
    func hasRemains() throws(StoreError) -> Bool {
        let backups = try backups()
        let damaged = try damagedFiles()
        return !backups.isEmpty || !damaged.isEmpty
    }

    func removeUnfinishedFiles() throws(StoreError) {
        let suffixes = ([""] + Self.companionSuffixes).map { TimetableFile.buildingSuffix + $0 }
        for name in try FileSystem.names(in: directory) where suffixes.contains(where: name.hasSuffix) {
            try FileSystem.remove(directory + "/" + name)
        }
    }

    /// Checks for visible corruption before the database is opened. Returns the reason, or `nil`.
    ///
    /// A power loss can leave the database missing or empty, and so can a recovery that a full disk stopped. Without
    /// backups and files that were set aside, this is a normal first start.
    func visibleCorruption() throws(StoreError) -> String? {
        switch FileSystem.entry(at: database) {
        case .other: return "it is not a regular file"
        case .missing: return try hasRemains() ? "it is missing" : nil
        case .file(size: 0): return try hasRemains() ? "it is empty" : nil
        case .file: return nil
        }
    }

    /// Renames an unusable database and its write-ahead log. Returns the new path, or `nil` if there is no database. A
    /// database that was set aside earlier on the same day is kept.
    func setAside(today: ServiceDate) throws(StoreError) -> String? {
        var target = directory + "/\(Self.damagedPrefix)\(today)"
        var number = 2
        while FileSystem.size(of: target) != nil {
            target = directory + "/state-damaged-\(today)-\(number)"
            number += 1
        }
        let isThere = FileSystem.size(of: database) != nil
        if isThere { try FileSystem.rename(database, to: target) }
        // SQLite would apply a remaining log to the restored backup.
        for suffix in Self.companionSuffixes where FileSystem.size(of: database + suffix) != nil {
            try FileSystem.setAside(database + suffix, as: target + suffix)
        }
        return isThere ? target : nil
    }

    /// Replaces the database with a backup in which the recovery is recorded.
    func restore(_ date: ServiceDate, today: ServiceDate) throws(StoreError) {
        let building = database + TimetableFile.buildingSuffix
        for suffix in Self.companionSuffixes { try FileSystem.remove(building + suffix) }
        try FileSystem.write(try FileSystem.read(backup(date), limit: 1 << 30), to: building)
        try StateStore.save(StateRecovery(date: today, backup: date), inCopy: building)
        try FileSystem.synchronize(building)
        // SQLite would apply a remaining journal to the restored backup.
        for suffix in Self.companionSuffixes { try FileSystem.remove(database + suffix) }
        try FileSystem.rename(building, to: database)
        try FileSystem.synchronizeDirectory(directory)
    }
}
