internal import GRDB
internal import TransitModel

extension StateStore {
    /// How many searches of a user are kept.
    public static let mostSearches = 30

    /// Newest first.
    static func searches(of uid: UInt32, _ database: Database) throws -> [SavedSearch] {
        try Row.fetchAll(
            database, sql: "SELECT * FROM searches WHERE uid = ? ORDER BY asked DESC, kind, text", arguments: [uid]
        ).compactMap { row in
            SavedSearch.Kind(rawValue: row["kind"]).map {
                SavedSearch(kind: $0, text: row["text"], at: Instant(secondsSince1970: row["asked"]))
            }
        }
    }

    /// Keeps a search as the newest of its user; the oldest of too many is let go.
    ///
    /// - Parameter instead: One that was only its beginning, whose place it takes.
    public func noteSearch(
        _ search: SavedSearch, instead old: SavedSearch? = nil, of uid: UInt32
    ) throws(StoreError) {
        try change(uid) { database in
            if let old {
                try database.execute(
                    sql: "DELETE FROM searches WHERE uid = ? AND kind = ? AND text = ?",
                    arguments: [uid, old.kind.rawValue, old.text])
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO searches VALUES (?, ?, ?, ?)",
                arguments: [uid, search.kind.rawValue, search.text, search.at.secondsSince1970])
            for late in try Self.searches(of: uid, database).dropFirst(Self.mostSearches) {
                try database.execute(
                    sql: "DELETE FROM searches WHERE uid = ? AND kind = ? AND text = ?",
                    arguments: [uid, late.kind.rawValue, late.text])
            }
        }
    }

    /// Forgets everything that a user looked for.
    public func clearSearches(of uid: UInt32) throws(StoreError) {
        try change(uid) { try $0.execute(sql: "DELETE FROM searches WHERE uid = ?", arguments: [uid]) }
    }
}
