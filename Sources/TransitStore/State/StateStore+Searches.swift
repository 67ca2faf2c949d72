internal import Synchronization
internal import TransitModel

// What users searched for and viewed.
extension StateStore {
    // MARK: Searches

    /// The number of searches that are kept for each user.
    public static let maximumSearches = 30

    /// Returns a user's searches, newest first.
    static func searches(of uid: UInt32, _ database: SQLiteConnection) throws(StoreError) -> [SavedSearch] {
        try database.rows("SELECT * FROM searches WHERE uid = ? ORDER BY asked DESC, kind, text", [uid]) { row in
            SavedSearch.Kind(rawValue: row["kind"]).map {
                SavedSearch(kind: $0, text: row["text"], at: Instant(secondsSince1970: row["asked"]))
            }
        }
    }

    /// Adds a search as the user's newest one and drops the oldest beyond the limit. The next ``saveSearches()`` writes
    /// it to the file.
    ///
    /// - Parameter instead: An earlier search that the new one replaces, because its text was only the beginning of the
    ///   new text.
    public func recordSearch(_ search: SavedSearch, instead old: SavedSearch? = nil, of uid: UInt32) {
        memory.withLock { memory in
            var searches = memory.records[uid]?.searches ?? []
            searches.removeAll { $0.isSame(as: search) || old.map($0.isSame) ?? false }
            searches.append(search)
            searches.sort { ($1.at, $0.kind.rawValue, $0.text) < ($0.at, $1.kind.rawValue, $1.text) }
            memory.records[uid, default: UserRecord()].searches = Array(searches.prefix(Self.maximumSearches))
            memory.unsavedSearches.insert(uid)
        }
    }

    /// Whether a power loss would delete searches.
    public var hasUnsavedSearches: Bool { memory.withLock { !$0.unsavedSearches.isEmpty } }

    /// Writes the unsaved searches of all users in one transaction. After an error they remain unsaved.
    public func saveSearches() throws(StoreError) {
        guard hasUnsavedSearches else { return }
        try withWriter { (database) throws(StoreError) in
            // Collects the searches while no other change can be made, so that cleared searches do not return.
            let unsaved = memory.withLock { memory in
                defer { memory.unsavedSearches = [] }
                return memory.unsavedSearches.map { ($0, memory.records[$0]?.searches ?? []) }
            }
            do throws(StoreError) {
                try database.transaction { (database) throws(StoreError) in
                    for (uid, searches) in unsaved { try Self.replaceSearches(searches, of: uid, database) }
                }
            } catch {
                memory.withLock { $0.unsavedSearches.formUnion(unsaved.map(\.0)) }
                throw error
            }
        }
    }

    private static func replaceSearches(
        _ searches: [SavedSearch], of uid: UInt32, _ database: SQLiteConnection
    ) throws(StoreError) {
        try database.run("DELETE FROM searches WHERE uid = ?", [uid])
        for search in searches {
            try database.run(
                "INSERT INTO searches VALUES (?, ?, ?, ?)",
                [uid, search.kind.rawValue, search.text, search.at.secondsSince1970])
        }
    }

    /// Removes all searches of a user from memory and from the file. The file is written before the function returns.
    public func clearSearches(of uid: UInt32) throws(StoreError) {
        try withWriter { (database) throws(StoreError) in
            try database.transaction { (database) throws(StoreError) in
                try Self.replaceSearches([], of: uid, database)
            }
            memory.withLock { memory in
                memory.records[uid]?.searches = []
                memory.unsavedSearches.remove(uid)
            }
        }
    }

    // MARK: Recent views

    /// Returns the recent views, newest first.
    public func recentViews() throws(StoreError) -> [SavedRecentView] {
        try read { (database) throws(StoreError) in
            try database.rows("SELECT * FROM looks ORDER BY position") { row in
                SavedRecentView(uid: row["uid"], commute: row["commute"], at: Instant(secondsSince1970: row["at"]))
            }
        }
    }

    /// Replaces the stored recent views.
    ///
    /// - Parameter views: The views, newest first.
    public func saveRecentViews(_ views: [SavedRecentView]) throws(StoreError) {
        try write { (database) throws(StoreError) in
            try database.run("DELETE FROM looks")
            for (position, view) in views.enumerated() {
                try database.run(
                    "INSERT INTO looks VALUES (?, ?, ?, ?)",
                    [position, view.uid, view.commute, view.at.secondsSince1970])
            }
        }
    }
}

extension SavedSearch {
    /// Whether kind and text are equal; the time is ignored.
    fileprivate func isSame(as other: SavedSearch) -> Bool { kind == other.kind && text == other.text }
}
