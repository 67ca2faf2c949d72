internal import GRDB
public import TransitModel

/// A commute or a list of favorites that a user viewed.
public struct SavedRecentView: Hashable, Sendable {
    public var uid: UInt32
    /// The name of the commute; `nil` for the user's favorites.
    public var commute: String?
    public var at: Instant

    public init(uid: UInt32, commute: String?, at: Instant) {
        self.uid = uid
        self.commute = commute
        self.at = at
    }
}

extension StateStore {
    /// Returns the recent views, newest first.
    public func recentViews() throws(StoreError) -> [SavedRecentView] {
        try read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM looks ORDER BY position").map {
                SavedRecentView(uid: $0["uid"], commute: $0["commute"], at: Instant(secondsSince1970: $0["at"]))
            }
        }
    }

    /// Replaces the stored recent views.
    ///
    /// - Parameter views: The views, newest first.
    public func saveRecentViews(_ views: [SavedRecentView]) throws(StoreError) {
        try write { database in
            try database.execute(sql: "DELETE FROM looks")
            for (position, view) in views.enumerated() {
                try database.execute(
                    sql: "INSERT INTO looks VALUES (?, ?, ?, ?)",
                    arguments: [position, view.uid, view.commute, view.at.secondsSince1970])
            }
        }
    }
}
