internal import TransitModel

/// The files of the state store: the database, its write-ahead log, its backups, and corrupt files that were set aside.
struct StateFiles {
    let directory: String
    /// The number of daily backups that are kept.
    static let maximumBackups = 7

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

    func removeUnfinishedFiles() throws(StoreError) {
        for name in try FileSystem.names(in: directory) where name.hasSuffix(TimetableFile.buildingSuffix) {
            try FileSystem.remove(directory + "/" + name)
        }
    }

    /// Checks for visible corruption before the database is opened. Returns the reason, or `nil`.
    ///
    /// A power loss can leave the database missing or empty. Without backups, this is a normal first start.
    func visibleCorruption() throws(StoreError) -> String? {
        switch FileSystem.entry(at: database) {
        case .other: return "it is not a regular file"
        case .missing: return try backups().isEmpty ? nil : "it is missing"
        case .file(size: 0): return try backups().isEmpty ? nil : "it is empty"
        case .file: return nil
        }
    }

    /// Renames an unusable database and its write-ahead log. Returns the new path, or `nil` if there is no database. A
    /// database that was set aside earlier on the same day is kept.
    func setAside(today: ServiceDate) throws(StoreError) -> String? {
        var target = directory + "/state-damaged-\(today)"
        var number = 2
        while FileSystem.size(of: target) != nil {
            target = directory + "/state-damaged-\(today)-\(number)"
            number += 1
        }
        let isThere = FileSystem.size(of: database) != nil
        if isThere { try FileSystem.rename(database, to: target) }
        // SQLite would apply a remaining log to the restored backup.
        for suffix in ["-wal", "-shm"] where FileSystem.size(of: database + suffix) != nil {
            try FileSystem.setAside(database + suffix, as: target + suffix)
        }
        return isThere ? target : nil
    }

    /// Replaces the database with a backup.
    func restore(_ date: ServiceDate) throws(StoreError) {
        let building = database + TimetableFile.buildingSuffix
        try FileSystem.write(try FileSystem.read(backup(date), limit: 1 << 30), to: building)
        try FileSystem.synchronize(building)
        try FileSystem.rename(building, to: database)
        try FileSystem.synchronizeDirectory(directory)
    }
}
