internal import GRDB
public import TransitModel

/// The replacement of a state file that could not be used.
public struct StateRecovery: Hashable, Sendable {
    /// The day on which it happened.
    public var date: ServiceDate
    /// The day of the backup that took its place; `nil`: there was none, and an empty file did.
    public var backup: ServiceDate?

    public init(date: ServiceDate, backup: ServiceDate?) {
        self.date = date
        self.backup = backup
    }
}

extension StateStore {
    /// The key of a setting of ``noUser``: the two dates, with a blank between them.
    private static let replacementKey = "state_replaced"

    /// `(uid_t)-1`, which no user has (credentials(7)): what holds for all users stands under it.
    private static let noUser = UInt32.max

    /// The last replacement. One at this opening is written into the new file, so that it is known after a restart.
    static func replacement(
        by opening: OpenResult, today: ServiceDate, _ queue: DatabaseQueue, _ path: String
    ) throws(StoreError) -> StateRecovery? {
        let backup: ServiceDate?
        switch opening {
        case .sound, .new: return try StateErrorTranslation.translating(path) { try queue.read(savedReplacement) }
        case .restored(let date, _, _): backup = date
        case .lost: backup = nil
        }
        do throws(StoreError) {
            try StateErrorTranslation.translating(path) {
                try queue.write { database in
                    try database.execute(
                        sql: "INSERT OR REPLACE INTO settings VALUES (?, ?, ?)",
                        arguments: [noUser, replacementKey, "\(today) \(backup.map { "\($0)" } ?? "")"])
                }
            }
        } catch {
            // On a full disk it is known until the next start, which is better than no start.
            guard case .diskFull = error else { throw error }
        }
        return StateRecovery(date: today, backup: backup)
    }

    private static func savedReplacement(_ database: Database) throws -> StateRecovery? {
        let text = try String.fetchOne(
            database, sql: "SELECT value FROM settings WHERE uid = ? AND key = ?", arguments: [noUser, replacementKey])
        let dates = text?.split(separator: " ").map { ServiceDate(iso8601: String($0)) }
        guard let dates, let date = dates.first ?? nil else { return nil }
        return StateRecovery(date: date, backup: dates.count > 1 ? dates[1] : nil)
    }
}
