internal import GRDB
public import TransitModel

/// Something that a user looked at.
public struct SavedView: Hashable, Sendable {
    public var uid: UInt32
    /// The name of a commute; `nil`: their favourites.
    public var commute: String?
    public var at: Instant

    public init(uid: UInt32, commute: String?, at: Instant) {
        self.uid = uid
        self.commute = commute
        self.at = at
    }
}

extension StateStore {
    /// What was looked at last, the newest first.
    public func looks() throws(StoreError) -> [SavedView] {
        try read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM looks ORDER BY position").map {
                SavedView(uid: $0["uid"], commute: $0["commute"], at: Instant(secondsSince1970: $0["at"]))
            }
        }
    }

    /// Puts what was looked at in the place of what was kept before.
    ///
    /// - Parameter looks: the newest first.
    public func saveRecentViews(_ looks: [SavedView]) throws(StoreError) {
        try write { database in
            try database.execute(sql: "DELETE FROM looks")
            for (position, look) in looks.enumerated() {
                try database.execute(
                    sql: "INSERT INTO looks VALUES (?, ?, ?, ?)",
                    arguments: [position, look.uid, look.commute, look.at.secondsSince1970])
            }
        }
    }
}
