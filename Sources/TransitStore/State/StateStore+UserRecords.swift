internal import Synchronization
internal import TransitModel

extension StateStore {
    /// The maximum number of commutes, of places and of favorites per user. The numbers are limited because any user of
    /// the machine can add entries.
    public static let maximumPerUser = 200

    /// Returns a user's record from memory.
    public func userRecord(of uid: UInt32) -> UserRecord { memory.withLock { $0.records[uid] ?? UserRecord() } }

    /// Returns the records of all users from memory, in ascending order of their uid.
    public func userRecords() -> [(uid: UInt32, record: UserRecord)] {
        memory.withLock { $0.records }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Reads the records of all users from the file.
    static func records(_ database: SQLiteConnection) throws(StoreError) -> [UInt32: UserRecord] {
        let users = try database.rows(
            """
            SELECT uid FROM commutes UNION SELECT uid FROM places
            UNION SELECT uid FROM settings WHERE key IN (?, ?, ?) OR key GLOB 'notify.*'
            UNION SELECT uid FROM favorites UNION SELECT uid FROM searches UNION SELECT uid FROM usual_departures
            UNION SELECT uid FROM pinned_journeys
            """, [commuteInUse, agentLanguage, units]
        ) { UInt32.column(0, of: $0) }
        var records: [UInt32: UserRecord] = [:]
        for uid in users { records[uid] = try record(of: uid, database) }
        return records
    }

    private static func record(of uid: UInt32, _ database: SQLiteConnection) throws(StoreError) -> UserRecord {
        var record = UserRecord()
        record.commutes = try database.rows(
            "SELECT * FROM commutes WHERE uid = ? ORDER BY position, name", [uid]
        ) { SavedCommute($0) }
        record.places = try database.rows("SELECT * FROM places WHERE uid = ? ORDER BY name", [uid], Self.place)
        record.favorites = try favorites(of: uid, database)
        record.searches = try searches(of: uid, database)
        record.usualDepartures = try usualDepartures(of: uid, database)
        record.journeys = try journeys(of: uid, database)
        record.commuteInUse = try database.value(
            "SELECT value FROM settings WHERE uid = ? AND key = ?", [uid, commuteInUse])
        record.notificationSettings = try notificationSettings(of: uid, database)
        record.agentLanguage = try database.value(
            "SELECT value FROM settings WHERE uid = ? AND key = ?", [uid, agentLanguage])
        record.units = try database.value("SELECT value FROM settings WHERE uid = ? AND key = ?", [uid, units])
        return record
    }

    /// The key of the setting for the commute in use.
    private static let commuteInUse = "commute_in_use"
    /// The key of the setting for ``UserRecord/agentLanguage``.
    static let agentLanguage = "agent_language"
    /// The key of the setting for the units of distances, weights and the weather.
    private static let units = "units"

    private static func place(_ row: SQLiteStatement) -> SavedPlace? {
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
    func change(
        _ uid: UInt32, _ body: (SQLiteConnection) throws(StoreError) -> Void
    ) throws(StoreError) {
        try withWriter { (database) throws(StoreError) in
            var record = try database.transaction { (database) throws(StoreError) in
                try body(database)
                return try Self.record(of: uid, database)
            }
            // The records in memory are updated in the order of the writes, so that an older record never replaces a
            // newer one.
            memory.withLock { memory in
                // The searches in memory are newer than those in the file.
                record.searches = memory.records[uid]?.searches ?? record.searches
                memory.records[uid] = record
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
        try change(uid) { (database) throws(StoreError) in
            if try Self.has("commutes", commute.name, uid, database) {
                guard replacing else { throw .exists("commute \"\(commute.name)\"") }
                try database.run(
                    """
                    UPDATE commutes SET from_end = ?, to_end = ?, windows = ?, days = ? WHERE uid = ? AND name = ?
                    """,
                    [
                        commute.from, commute.to, SavedCommute.joined(commute.windows),
                        SavedCommute.joined(commute.days), uid, commute.name,
                    ])
            } else {
                try Self.checkLimit("commutes", uid, database)
                try database.run(
                    """
                    INSERT INTO commutes SELECT ?, ?, coalesce(max(position), 0) + 1, ?, ?, ?, ?
                    FROM commutes WHERE uid = ?
                    """,
                    [
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
        try change(uid) { (database) throws(StoreError) in
            guard try Self.has("commutes", name, uid, database) else {
                throw .notFound("commute \"\(name)\"")
            }
            if name == newName { return }
            guard try !Self.has("commutes", newName, uid, database) else {
                throw .exists("commute \"\(newName)\"")
            }
            try database.run("UPDATE commutes SET name = ? WHERE uid = ? AND name = ?", [newName, uid, name])
            try database.run(
                "UPDATE settings SET value = ? WHERE uid = ? AND key = ? AND value = ?",
                [newName, uid, Self.commuteInUse, name])
        }
    }

    /// Removes a commute. If it was in use, no commute is in use afterward.
    ///
    /// - Throws: ``StoreError/notFound(_:)``.
    public func removeCommute(_ name: String, of uid: UInt32) throws(StoreError) {
        try change(uid) { (database) throws(StoreError) in
            try database.run("DELETE FROM commutes WHERE uid = ? AND name = ?", [uid, name])
            guard database.changedRows > 0 else { throw .notFound("commute \"\(name)\"") }
            try database.run(
                "DELETE FROM settings WHERE uid = ? AND key = ? AND value = ?", [uid, Self.commuteInUse, name])
        }
    }

    /// Sets the commute that requests without a commute refer to. With `nil`, the time of day determines the commute.
    /// The commute may also be defined in the configuration.
    public func useCommute(_ name: String?, of uid: UInt32) throws(StoreError) {
        try change(uid) { (database) throws(StoreError) in
            guard let name else {
                try database.run("DELETE FROM settings WHERE uid = ? AND key = ?", [uid, Self.commuteInUse])
                return
            }
            try database.run("INSERT OR REPLACE INTO settings VALUES (?, ?, ?)", [uid, Self.commuteInUse, name])
        }
    }

    /// Sets the units in which the user reads distances, weights and the weather. `nil` removes the setting.
    public func setUnits(_ units: String?, of uid: UInt32) throws(StoreError) {
        try change(uid) { (database) throws(StoreError) in
            guard let units else {
                try database.run("DELETE FROM settings WHERE uid = ? AND key = ?", [uid, Self.units])
                return
            }
            try database.run("INSERT OR REPLACE INTO settings VALUES (?, ?, ?)", [uid, Self.units, units])
        }
    }

    // MARK: Places

    /// Adds a place, or changes the position of the place with the same name.
    ///
    /// - Throws: ``StoreError/invalid(_:)`` if the list is full.
    public func setPlace(_ place: SavedPlace, of uid: UInt32) throws(StoreError) {
        try change(uid) { (database) throws(StoreError) in
            if try !Self.has("places", place.name, uid, database) { try Self.checkLimit("places", uid, database) }
            var (latitude, longitude, feed, stop): (Double?, Double?, String?, String?) = (nil, nil, nil, nil)
            switch place.location {
            case .coordinate(let coordinate): (latitude, longitude) = (coordinate.latitude, coordinate.longitude)
            case .stop(let feedID, let stopID): (feed, stop) = (feedID.rawValue, stopID.rawValue)
            }
            try database.run(
                "INSERT OR REPLACE INTO places VALUES (?, ?, ?, ?, ?, ?, ?)",
                [uid, place.name, latitude, longitude, feed, stop, place.walk])
        }
    }

    /// - Throws: ``StoreError/notFound(_:)``.
    public func removePlace(_ name: String, of uid: UInt32) throws(StoreError) {
        try change(uid) { (database) throws(StoreError) in
            try database.run("DELETE FROM places WHERE uid = ? AND name = ?", [uid, name])
            guard database.changedRows > 0 else { throw .notFound("place \"\(name)\"") }
        }
    }

    static func has(
        _ table: String, _ name: String, _ uid: UInt32, _ database: SQLiteConnection
    ) throws(StoreError) -> Bool {
        try database.value("SELECT EXISTS (SELECT 1 FROM \(table) WHERE uid = ? AND name = ?)", [uid, name]) ?? false
    }

    /// - Throws: ``StoreError/invalid(_:)`` if the table is at the limit for this user.
    static func checkLimit(_ table: String, _ uid: UInt32, _ database: SQLiteConnection) throws(StoreError) {
        let count = try database.value("SELECT count(*) FROM \(table) WHERE uid = ?", [uid], as: Int.self) ?? 0
        guard count < maximumPerUser else {
            throw .invalid("you cannot have more than \(maximumPerUser) \(table)")
        }
    }

    // MARK: Favorites

    /// Returns a user's favorites in the user's order.
    static func favorites(of uid: UInt32, _ database: SQLiteConnection) throws(StoreError) -> [SavedFavorite] {
        try database.rows("SELECT * FROM favorites WHERE uid = ? ORDER BY position, name", [uid]) { row in
            target(row).map {
                SavedFavorite(
                    name: row["name"], category: row["category"], feed: FeedID(row["feed"] as String), target: $0)
            }
        }
    }

    private static func target(_ row: SQLiteStatement) -> SavedFavorite.Target? {
        let stop = (row["stop"] as String?).map { StopID($0) }
        let route = (row["route"] as String?).map { RouteID($0) }
        let bothSides: Bool = row["both_sides"]
        return switch (stop, route) {
        case (let stop?, let route?): .routeAtStop(route, stop, bothSides: bothSides)
        case (let stop?, nil): .stop(stop, bothSides: bothSides)
        case (nil, let route?): .route(route)
        case (nil, nil): nil
        }
    }

    /// Adds a favorite at the end of a user's list.
    ///
    /// - Throws: ``StoreError/exists(_:)`` if the user has a favorite with this name; ``StoreError/invalid(_:)`` if the
    ///   list is full.
    public func addFavorite(_ favorite: SavedFavorite, of uid: UInt32) throws(StoreError) {
        try change(uid) { (database) throws(StoreError) in
            guard try !Self.has("favorites", favorite.name, uid, database) else {
                throw .exists("favorite \"\(favorite.name)\"")
            }
            try Self.checkLimit("favorites", uid, database)
            try database.run(
                """
                INSERT INTO favorites SELECT ?, ?, coalesce(max(position), 0) + 1, ?, ?, ?, ?, ?
                FROM favorites WHERE uid = ?
                """,
                [
                    uid, favorite.name, favorite.category, favorite.feed.rawValue, favorite.target.stop?.rawValue,
                    favorite.target.hasBothSides, favorite.target.route?.rawValue, uid,
                ])
        }
    }

    /// Changes the name and category of a favorite but not its position.
    ///
    /// - Throws: ``StoreError/notFound(_:)``; ``StoreError/exists(_:)`` if another favorite has the new name.
    public func changeFavorite(
        _ name: String, to newName: String, category: String?, of uid: UInt32
    ) throws(StoreError) {
        try change(uid) { (database) throws(StoreError) in
            guard try Self.has("favorites", name, uid, database) else {
                throw .notFound("favorite \"\(name)\"")
            }
            if name != newName, try Self.has("favorites", newName, uid, database) {
                throw .exists("favorite \"\(newName)\"")
            }
            try database.run(
                "UPDATE favorites SET name = ?, category = ? WHERE uid = ? AND name = ?",
                [newName, category, uid, name])
        }
    }

    /// Reorders the favorites. The favorites in `first` come first, in the given order; the rest keep their order.
    ///
    /// - Throws: ``StoreError/notFound(_:)``.
    public func orderFavorites(_ first: [String], of uid: UInt32) throws(StoreError) {
        try change(uid) { (database) throws(StoreError) in
            let names = try Self.favorites(of: uid, database).map(\.name)
            for name in first where !names.contains(name) { throw .notFound("favorite \"\(name)\"") }
            var order: [String] = []
            for name in first + names where !order.contains(name) { order.append(name) }
            for (position, name) in order.enumerated() {
                try database.run(
                    "UPDATE favorites SET position = ? WHERE uid = ? AND name = ?", [position + 1, uid, name])
            }
        }
    }

    /// - Throws: ``StoreError/notFound(_:)``.
    public func removeFavorite(_ name: String, of uid: UInt32) throws(StoreError) {
        try change(uid) { (database) throws(StoreError) in
            try database.run("DELETE FROM favorites WHERE uid = ? AND name = ?", [uid, name])
            guard database.changedRows > 0 else { throw .notFound("favorite \"\(name)\"") }
        }
    }
}

extension SavedCommute {
    fileprivate init(_ row: SQLiteStatement) {
        self.init(
            name: row["name"], from: row["from_end"], to: row["to_end"], windows: Self.separated(row["windows"]),
            days: Self.separated(row["days"]))
    }

    fileprivate static func joined(_ texts: [String]) -> String { texts.joined(separator: ",") }

    private static func separated(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }
}
