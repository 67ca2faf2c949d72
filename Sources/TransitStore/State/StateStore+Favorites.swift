internal import GRDB
internal import TransitModel

extension StateStore {
    /// Returns a user's favorites in the user's order.
    static func favorites(of uid: UInt32, _ database: Database) throws -> [SavedFavorite] {
        try Row.fetchAll(
            database, sql: "SELECT * FROM favorites WHERE uid = ? ORDER BY position, name", arguments: [uid]
        ).compactMap { row in
            target(row).map {
                SavedFavorite(
                    name: row["name"], category: row["category"], feed: FeedID(row["feed"] as String), target: $0)
            }
        }
    }

    private static func target(_ row: Row) -> SavedFavorite.Target? {
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
        try change(uid) { database in
            guard try !Self.has("favorites", favorite.name, uid, database) else {
                throw StoreError.exists("favorite \"\(favorite.name)\"")
            }
            try Self.checkLimit("favorites", uid, database)
            try database.execute(
                sql: """
                    INSERT INTO favorites SELECT ?, ?, coalesce(max(position), 0) + 1, ?, ?, ?, ?, ?
                    FROM favorites WHERE uid = ?
                    """,
                arguments: [
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
        try change(uid) { database in
            guard try Self.has("favorites", name, uid, database) else {
                throw StoreError.notFound("favorite \"\(name)\"")
            }
            if name != newName, try Self.has("favorites", newName, uid, database) {
                throw StoreError.exists("favorite \"\(newName)\"")
            }
            try database.execute(
                sql: "UPDATE favorites SET name = ?, category = ? WHERE uid = ? AND name = ?",
                arguments: [newName, category, uid, name])
        }
    }

    /// Reorders the favorites. The favorites in `first` come first, in the given order; the rest keep their order.
    ///
    /// - Throws: ``StoreError/notFound(_:)``.
    public func orderFavorites(_ first: [String], of uid: UInt32) throws(StoreError) {
        try change(uid) { database in
            let names = try Self.favorites(of: uid, database).map(\.name)
            for name in first where !names.contains(name) { throw StoreError.notFound("favorite \"\(name)\"") }
            var order: [String] = []
            for name in first + names where !order.contains(name) { order.append(name) }
            for (position, name) in order.enumerated() {
                try database.execute(
                    sql: "UPDATE favorites SET position = ? WHERE uid = ? AND name = ?",
                    arguments: [position + 1, uid, name])
            }
        }
    }

    /// - Throws: ``StoreError/notFound(_:)``.
    public func removeFavorite(_ name: String, of uid: UInt32) throws(StoreError) {
        try change(uid) { database in
            try database.execute(sql: "DELETE FROM favorites WHERE uid = ? AND name = ?", arguments: [uid, name])
            guard database.changesCount > 0 else { throw StoreError.notFound("favorite \"\(name)\"") }
        }
    }
}
