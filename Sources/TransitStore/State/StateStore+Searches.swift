internal import GRDB
internal import Synchronization
internal import TransitModel

extension StateStore {
    /// The number of searches that are kept for each user.
    public static let maximumSearches = 30

    /// Returns a user's searches, newest first.
    static func searches(of uid: UInt32, _ database: Database) throws -> [SavedSearch] {
        try Row.fetchAll(
            database, sql: "SELECT * FROM searches WHERE uid = ? ORDER BY asked DESC, kind, text", arguments: [uid]
        ).compactMap { row in
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
        try StateErrorTranslation.translating(path) {
            try queue.writeWithoutTransaction { database in
                // Collects the searches within the write queue, so that cleared searches do not return.
                let unsaved = memory.withLock { memory in
                    defer { memory.unsavedSearches = [] }
                    return memory.unsavedSearches.map { ($0, memory.records[$0]?.searches ?? []) }
                }
                do {
                    try database.inTransaction(.immediate) {
                        for (uid, searches) in unsaved { try Self.replaceSearches(searches, of: uid, database) }
                        return .commit
                    }
                } catch {
                    memory.withLock { $0.unsavedSearches.formUnion(unsaved.map(\.0)) }
                    throw error
                }
            }
        }
    }

    private static func replaceSearches(_ searches: [SavedSearch], of uid: UInt32, _ database: Database) throws {
        try database.execute(sql: "DELETE FROM searches WHERE uid = ?", arguments: [uid])
        for search in searches {
            try database.cachedStatement(sql: "INSERT INTO searches VALUES (?, ?, ?, ?)").execute(
                arguments: [uid, search.kind.rawValue, search.text, search.at.secondsSince1970])
        }
    }

    /// Removes all searches of a user from memory and from the file. The file is written before the function returns.
    public func clearSearches(of uid: UInt32) throws(StoreError) {
        try StateErrorTranslation.translating(path) {
            try queue.writeWithoutTransaction { database in
                try database.inTransaction(.immediate) {
                    try Self.replaceSearches([], of: uid, database)
                    return .commit
                }
                memory.withLock { memory in
                    memory.records[uid]?.searches = []
                    memory.unsavedSearches.remove(uid)
                }
            }
        }
    }
}

extension SavedSearch {
    /// Whether kind and text are equal; the time is ignored.
    fileprivate func isSame(as other: SavedSearch) -> Bool { kind == other.kind && text == other.text }
}
