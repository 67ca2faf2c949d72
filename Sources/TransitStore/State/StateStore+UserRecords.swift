internal import GRDB
internal import Synchronization
internal import TransitModel

extension StateStore {
    /// The maximum number of commutes, of places and of favorites per user. The numbers are limited because any user of
    /// the machine can add entries.
    public static let maximumPerUser = 200

    /// Returns a user's record from memory.
    public func userRecord(of uid: UInt32) -> UserRecord { memory.withLock { $0.records[uid] ?? UserRecord() } }

    /// Reads the records of all users from the file.
    static func records(_ database: Database) throws -> [UInt32: UserRecord] {
        let users = try UInt32.fetchSet(
            database,
            sql: """
                SELECT uid FROM commutes UNION SELECT uid FROM places UNION SELECT uid FROM settings WHERE key = ?
                UNION SELECT uid FROM favorites UNION SELECT uid FROM searches
                """, arguments: [commuteInUse])
        return try Dictionary(uniqueKeysWithValues: users.map { ($0, try fetch($0, database)) })
    }

    private static func fetch(_ uid: UInt32, _ database: Database) throws -> UserRecord {
        var record = UserRecord()
        record.commutes = try Row.fetchAll(
            database, sql: "SELECT * FROM commutes WHERE uid = ? ORDER BY position, name", arguments: [uid]
        ).map(SavedCommute.init)
        record.places = try Row.fetchAll(
            database, sql: "SELECT * FROM places WHERE uid = ? ORDER BY name", arguments: [uid]
        ).compactMap(Self.place)
        record.favorites = try favorites(of: uid, database)
        record.searches = try searches(of: uid, database)
        record.commuteInUse = try String.fetchOne(
            database, sql: "SELECT value FROM settings WHERE uid = ? AND key = ?", arguments: [uid, commuteInUse])
        return record
    }

    /// The key of the setting for the commute in use.
    private static let commuteInUse = "commute_in_use"

    private static func place(_ row: Row) -> SavedPlace? {
        let walk: Int? = row["walk"]
        if let feed: String = row["feed"], let stop: String = row["stop"] {
            return SavedPlace(name: row["name"], location: .stop(feed: FeedID(feed), stop: StopID(stop)), walk: walk)
        }
        guard let latitude: Double = row["latitude"], let longitude: Double = row["longitude"],
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        return SavedPlace(name: row["name"], location: .coordinate(coordinate), walk: walk)
    }

    /// Makes a change in one transaction. Requests see the change when it is on disk.
    func change(_ uid: UInt32, _ body: (Database) throws -> Void) throws(StoreError) {
        try StateErrorTranslation.translating(path) {
            try queue.writeWithoutTransaction { database in
                var record = UserRecord()
                try database.inTransaction(.immediate) {
                    try body(database)
                    record = try Self.fetch(uid, database)
                    return .commit
                }
                // The records in memory are updated in the order of the writes, so that an older record never replaces
                // a newer one.
                memory.withLock { memory in
                    // The searches in memory are newer than those in the file.
                    record.searches = memory.records[uid]?.searches ?? record.searches
                    memory.records[uid] = record
                }
            }
        }
    }

    // MARK: Commutes

    /// Adds a commute at the end of the list. With `replacing`, changes an existing commute with the same name instead.
    ///
    /// - Throws: ``StoreError/exists(_:)``; ``StoreError/invalid(_:)`` if the list is full.
    public func addCommute(
        _ commute: SavedCommute, of uid: UInt32, replacing: Bool = false
    ) throws(StoreError) {
        try change(uid) { database in
            if try Self.has("commutes", commute.name, uid, database) {
                guard replacing else { throw StoreError.exists("commute \"\(commute.name)\"") }
                try database.execute(
                    sql: """
                        UPDATE commutes SET from_end = ?, to_end = ?, windows = ?, days = ? WHERE uid = ? AND name = ?
                        """,
                    arguments: [
                        commute.from, commute.to, SavedCommute.joined(commute.windows),
                        SavedCommute.joined(commute.days), uid, commute.name,
                    ])
            } else {
                try Self.checkLimit("commutes", uid, database)
                try database.execute(
                    sql: """
                        INSERT INTO commutes SELECT ?, ?, coalesce(max(position), 0) + 1, ?, ?, ?, ?
                        FROM commutes WHERE uid = ?
                        """,
                    arguments: [
                        uid, commute.name, commute.from, commute.to, SavedCommute.joined(commute.windows),
                        SavedCommute.joined(commute.days), uid,
                    ])
            }
        }
    }

    /// The maximum number of commutes of all users whose time windows are used.
    public static let maximumTimedCommutes = 100

    /// Returns the commutes of all users that have time windows. Beyond the limit, the first commutes of each user take
    /// precedence.
    public func timedCommutes() -> [(uid: UInt32, commute: SavedCommute)] {
        let timed = memory.withLock { memory in
            memory.records.flatMap { uid, record in
                record.commutes.enumerated().filter { !$0.element.windows.isEmpty }.map { ($0.offset, uid, $0.element) }
            }
        }
        return timed.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(Self.maximumTimedCommutes).map { ($0.1, $0.2) }
    }

    /// - Throws: ``StoreError/notFound(_:)``; ``StoreError/exists(_:)`` if another commute has the new name.
    public func renameCommute(_ name: String, to newName: String, of uid: UInt32) throws(StoreError) {
        try change(uid) { database in
            guard try Self.has("commutes", name, uid, database) else {
                throw StoreError.notFound("commute \"\(name)\"")
            }
            if name == newName { return }
            guard try !Self.has("commutes", newName, uid, database) else {
                throw StoreError.exists("commute \"\(newName)\"")
            }
            try database.execute(
                sql: "UPDATE commutes SET name = ? WHERE uid = ? AND name = ?", arguments: [newName, uid, name])
            try database.execute(
                sql: "UPDATE settings SET value = ? WHERE uid = ? AND key = ? AND value = ?",
                arguments: [newName, uid, Self.commuteInUse, name])
        }
    }

    /// Removes a commute. If it was in use, no commute is in use afterward.
    ///
    /// - Throws: ``StoreError/notFound(_:)``.
    public func removeCommute(_ name: String, of uid: UInt32) throws(StoreError) {
        try change(uid) { database in
            try database.execute(
                sql: "DELETE FROM commutes WHERE uid = ? AND name = ?", arguments: [uid, name])
            guard database.changesCount > 0 else { throw StoreError.notFound("commute \"\(name)\"") }
            try database.execute(
                sql: "DELETE FROM settings WHERE uid = ? AND key = ? AND value = ?",
                arguments: [uid, Self.commuteInUse, name])
        }
    }

    /// Sets the commute that requests without a commute refer to. With `nil`, the time of day determines the commute.
    /// The commute may also be defined in the configuration.
    public func useCommute(_ name: String?, of uid: UInt32) throws(StoreError) {
        try change(uid) { database in
            guard let name else {
                try database.execute(
                    sql: "DELETE FROM settings WHERE uid = ? AND key = ?", arguments: [uid, Self.commuteInUse])
                return
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO settings VALUES (?, ?, ?)", arguments: [uid, Self.commuteInUse, name])
        }
    }

    // MARK: Places

    /// Adds a place, or changes the position of the place with the same name.
    ///
    /// - Throws: ``StoreError/invalid(_:)`` if the list is full.
    public func setPlace(_ place: SavedPlace, of uid: UInt32) throws(StoreError) {
        try change(uid) { database in
            if try !Self.has("places", place.name, uid, database) { try Self.checkLimit("places", uid, database) }
            var (latitude, longitude, feed, stop): (Double?, Double?, String?, String?) = (nil, nil, nil, nil)
            switch place.location {
            case .coordinate(let coordinate): (latitude, longitude) = (coordinate.latitude, coordinate.longitude)
            case .stop(let feedID, let stopID): (feed, stop) = (feedID.rawValue, stopID.rawValue)
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO places VALUES (?, ?, ?, ?, ?, ?, ?)",
                arguments: [uid, place.name, latitude, longitude, feed, stop, place.walk])
        }
    }

    /// - Throws: ``StoreError/notFound(_:)``.
    public func removePlace(_ name: String, of uid: UInt32) throws(StoreError) {
        try change(uid) { database in
            try database.execute(sql: "DELETE FROM places WHERE uid = ? AND name = ?", arguments: [uid, name])
            guard database.changesCount > 0 else { throw StoreError.notFound("place \"\(name)\"") }
        }
    }

    static func has(_ table: String, _ name: String, _ uid: UInt32, _ database: Database) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE uid = ? AND name = ?)", arguments: [uid, name])
            ?? false
    }

    /// - Throws: ``StoreError/invalid(_:)`` if the table is at the limit for this user.
    static func checkLimit(_ table: String, _ uid: UInt32, _ database: Database) throws {
        let count =
            try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table) WHERE uid = ?", arguments: [uid]) ?? 0
        guard count < maximumPerUser else {
            throw StoreError.invalid("you cannot have more than \(maximumPerUser) \(table)")
        }
    }
}

extension SavedCommute {
    fileprivate init(_ row: Row) {
        self.init(
            name: row["name"], from: row["from_end"], to: row["to_end"], windows: Self.separated(row["windows"]),
            days: Self.separated(row["days"]))
    }

    fileprivate static func joined(_ texts: [String]) -> String { texts.joined(separator: ",") }

    private static func separated(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }
}
