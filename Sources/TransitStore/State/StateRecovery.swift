internal import GRDB
public import TransitModel

/// The recovery from an unusable state file.
public struct StateRecovery: Hashable, Sendable {
    /// The date of the recovery.
    public var date: ServiceDate
    /// The date of the backup that replaced the file; `nil` if there was no backup and an empty file replaced the
    /// unusable one.
    public var backup: ServiceDate?

    public init(date: ServiceDate, backup: ServiceDate?) {
        self.date = date
        self.backup = backup
    }
}

extension StateStore {
    /// The key of a setting of ``noUser``. The value is the two dates, separated by a space.
    private static let recoveryKey = "state_replaced"

    /// `(uid_t)-1`, which no user has (credentials(7)). Settings that apply to all users are stored under it.
    private static let noUser = UInt32.max

    /// Returns the last recovery. A recovery at this start is written to the new file, so that it is known after a
    /// restart.
    static func recovery(
        by opening: OpenResult, today: ServiceDate, _ queue: DatabaseQueue, _ path: String
    ) throws(StoreError) -> StateRecovery? {
        let backup: ServiceDate?
        switch opening {
        case .intact, .new: return try StateErrorTranslation.translating(path) { try queue.read(savedRecovery) }
        case .restored(let date, _, _): backup = date
        case .lost: backup = nil
        }
        do throws(StoreError) {
            try StateErrorTranslation.translating(path) {
                try queue.write { database in
                    try database.execute(
                        sql: "INSERT OR REPLACE INTO settings VALUES (?, ?, ?)",
                        arguments: [noUser, recoveryKey, "\(today) \(backup.map { "\($0)" } ?? "")"])
                }
            }
        } catch {
            // On a full disk, the recovery is known only until the next start, which is better than failing to start.
            guard case .diskFull = error else { throw error }
        }
        return StateRecovery(date: today, backup: backup)
    }

    private static func savedRecovery(_ database: Database) throws -> StateRecovery? {
        let text = try String.fetchOne(
            database, sql: "SELECT value FROM settings WHERE uid = ? AND key = ?", arguments: [noUser, recoveryKey])
        let dates = text?.split(separator: " ").map { ServiceDate(iso8601: String($0)) }
        guard let dates, let date = dates.first ?? nil else { return nil }
        return StateRecovery(date: date, backup: dates.count > 1 ? dates[1] : nil)
    }
}
