internal import Synchronization
public import TransitModel

// Usual departures, and the requests from which they are learned.
extension StateStore {
    /// The number of requests that are kept for each user.
    public static let maximumAsks = 2000
    /// The number of days for which requests are kept.
    public static let askRetention = 180
    /// The maximum number of pinned departures per user, and of learned ones.
    public static let maximumPinned = 50
    public static let maximumLearned = 50

    // MARK: Requests

    /// Records a request that a user made by hand, unless it repeats a recent one. ``saveAsks(now:)`` writes it to the
    /// file.
    ///
    /// - Returns: Whether the request was recorded.
    @discardableResult
    public func recordAsk(_ ask: SavedLookup, of uid: UInt32) -> Bool {
        memory.withLock { memory in
            let recent = memory.recentAsks[uid, default: []].filter {
                $0.at.seconds(to: ask.at) < SavedLookup.succession
            }
            guard !recent.contains(where: { ask.repeats($0) }) else { return false }
            memory.recentAsks[uid] = recent.suffix(Self.maximumRecentAsks) + [ask]
            memory.unsavedAsks[uid, default: []].append(ask)
            return true
        }
    }

    /// The number of recent requests of a user that are compared with a new one.
    private static let maximumRecentAsks = 32

    /// Whether a power loss would delete requests.
    public var hasUnsavedAsks: Bool { memory.withLock { !$0.unsavedAsks.isEmpty } }

    /// Writes the unsaved requests of all users in one transaction, and removes old ones. After an error they remain
    /// unsaved.
    ///
    /// - Returns: The users whose requests were written.
    @discardableResult
    public func saveAsks(now: Instant) throws(StoreError) -> [UInt32] {
        guard hasUnsavedAsks else { return [] }
        return try withWriter { (database) throws(StoreError) in
            let unsaved = memory.withLock { memory in
                defer { memory.unsavedAsks = [:] }
                return memory.unsavedAsks
            }
            do throws(StoreError) {
                try database.transaction { (database) throws(StoreError) in
                    for (uid, asks) in unsaved { try Self.write(asks, of: uid, now: now, database) }
                }
            } catch {
                memory.withLock { $0.unsavedAsks.merge(unsaved) { newer, older in older + newer } }
                throw error
            }
            return unsaved.keys.sorted()
        }
    }

    private static func write(
        _ asks: [SavedLookup], of uid: UInt32, now: Instant, _ database: SQLiteConnection
    ) throws(StoreError) {
        for ask in asks {
            let key = ask.departure
            let columns: [any SQLiteValue] = [
                uid, ask.at.secondsSince1970, Int(ask.date.daysSince1970), ask.commute, key?.feed.rawValue,
                key?.route.rawValue, key?.direction.map { Int($0.rawValue) } ?? -1, key?.stop.rawValue,
                key?.scheduled.secondsSince1970, key.map { Int($0.serviceDate.daysSince1970) },
                ask.time.map { Int($0.seconds) },
            ]
            try database.run("INSERT INTO asks VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", columns)
        }
        try database.run(
            """
            DELETE FROM asks WHERE uid = ?1 AND (at < ?2 OR number IN (
                SELECT number FROM asks WHERE uid = ?1 ORDER BY at DESC, number DESC LIMIT -1 OFFSET ?3))
            """, [uid, now.advanced(by: -askRetention * 86_400).secondsSince1970, maximumAsks])
    }

    /// Returns a user's requests, oldest first, with those that are not yet saved.
    public func asks(of uid: UInt32) throws(StoreError) -> [SavedLookup] {
        let saved = try readConcurrently { (database) throws(StoreError) in
            try database.rows("SELECT * FROM asks WHERE uid = ? ORDER BY at, number", [uid]) { row in
                var ask = SavedLookup(
                    at: Instant(secondsSince1970: row["at"]),
                    date: ServiceDate(daysSince1970: Int32(clamping: row["date"] as Int)), commute: row["commute"])
                if let time: Int = row["time"], (row["feed"] as String?) != nil {
                    ask.departure = DepartureKey(columns: row)
                    ask.time = ServiceTime(seconds: Int32(clamping: time))
                }
                return ask
            }
        }
        return saved + memory.withLock { $0.unsavedAsks[uid] ?? [] }.filter { !saved.contains($0) }
    }

    // MARK: Usual departures

    /// Returns a user's pinned departures, then the learned ones.
    static func usualDepartures(
        of uid: UInt32, _ database: SQLiteConnection
    ) throws(StoreError) -> [SavedUsualDeparture] {
        try database.rows(
            "SELECT * FROM usual_departures WHERE uid = ? ORDER BY is_pinned DESC, time, feed, route, stop", [uid]
        ) { SavedUsualDeparture($0) }
    }

    /// Pins a departure, or replaces the pin of the same departure.
    ///
    /// - Throws: ``StoreError/invalid(_:)`` if the user has too many pins.
    public func pinDeparture(_ departure: SavedUsualDeparture, of uid: UInt32) throws(StoreError) {
        var pinned = departure
        pinned.isPinned = true
        try change(uid) { (database) throws(StoreError) in
            try database.run(
                """
                DELETE FROM usual_departures WHERE uid = ? AND is_pinned = 1 AND feed = ? AND route = ?
                    AND direction = ? AND stop = ? AND time = ? AND date = ?
                """, [uid] + pinned.key)
            let count = try database.value(
                "SELECT count(*) FROM usual_departures WHERE uid = ? AND is_pinned = 1", [uid], as: Int.self)
            guard (count ?? 0) < Self.maximumPinned else {
                throw .invalid("you cannot pin more than \(Self.maximumPinned) departures")
            }
            try Self.insert(pinned, of: uid, database)
        }
    }

    /// Removes a usual departure. A learned one is learned again only from what the user does after `now`.
    ///
    /// - Throws: ``StoreError/notFound(_:)``.
    public func forgetDeparture(
        _ departure: SavedUsualDeparture, of uid: UInt32, now: Instant
    ) throws(StoreError) {
        try change(uid) { (database) throws(StoreError) in
            try database.run(
                """
                DELETE FROM usual_departures WHERE uid = ? AND is_pinned = ? AND feed = ? AND route = ?
                    AND direction = ? AND stop = ? AND time = ? AND date = ?
                """, [uid, departure.isPinned] + departure.key)
            guard database.changedRows > 0 else { throw .notFound("usual departure") }
            guard !departure.isPinned else { return }
            try database.run(
                "INSERT OR REPLACE INTO forgotten_departures VALUES (?, ?, ?, ?, ?, ?, ?)",
                [uid] + departure.key.dropLast() + [now.secondsSince1970])
        }
    }

    /// Replaces a user's learned departures. Does nothing if they are unchanged.
    public func setLearnedDepartures(
        _ departures: [SavedUsualDeparture], of uid: UInt32
    ) throws(StoreError) {
        let learned = Array(departures.filter { !$0.isPinned }.prefix(Self.maximumLearned))
        guard Set(userRecord(of: uid).usualDepartures.filter { !$0.isPinned }) != Set(learned) else { return }
        try change(uid) { (database) throws(StoreError) in
            try database.run("DELETE FROM usual_departures WHERE uid = ? AND is_pinned = 0", [uid])
            for departure in learned { try Self.insert(departure, of: uid, database) }
        }
    }

    private static func insert(
        _ departure: SavedUsualDeparture, of uid: UInt32, _ database: SQLiteConnection
    ) throws(StoreError) {
        let days = departure.days.reduce(0) { $0 | 1 << Int($1.rawValue) }
        let values: [any SQLiteValue] = [uid, departure.isPinned] + departure.key + [days, departure.commute]
        try database.run("INSERT OR REPLACE INTO usual_departures VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
    }

    /// Returns the observations of the departures of a route from a stop that are scheduled in a range, in the order of
    /// their times.
    public func observations(
        scheduled range: Range<Instant>, feed: FeedID, route: RouteID, stop: StopID
    ) throws(StoreError) -> [DepartureObservation] {
        try readConcurrently { (database) throws(StoreError) in
            try database.rows(
                """
                SELECT * FROM watched_departures JOIN observed_departures ON departure = number
                WHERE feed = ? AND route = ? AND direction BETWEEN -1 AND 1 AND stop = ? AND scheduled >= ?
                    AND scheduled < ? ORDER BY at, number
                """,
                [
                    feed.rawValue, route.rawValue, stop.rawValue, range.lowerBound.secondsSince1970,
                    range.upperBound.secondsSince1970,
                ]
            ) { DepartureObservation($0) }
        }
    }

    /// The users with learned departures.
    public var usersWithLearnedDepartures: [UInt32] {
        memory.withLock { memory in
            memory.records.filter { $0.value.usualDepartures.contains { !$0.isPinned } }.keys.sorted()
        }
    }

    /// Returns the learned departures that a user forgot.
    public func forgottenDepartures(of uid: UInt32) throws(StoreError) -> [ForgottenDeparture] {
        try readConcurrently { (database) throws(StoreError) in
            try database.rows("SELECT * FROM forgotten_departures WHERE uid = ?", [uid]) { row in
                let (direction, time): (Int, Int) = (row["direction"], row["time"])
                return FeedID(validating: row["feed"]).map { feed in
                    ForgottenDeparture(
                        feed: feed, route: RouteID(row["route"]),
                        direction: direction < 0 ? nil : Direction(rawValue: UInt8(clamping: direction)),
                        stop: StopID(row["stop"]), time: ServiceTime(seconds: Int32(clamping: time)),
                        at: Instant(secondsSince1970: row["at"]))
                }
            }
        }
    }
}

extension SavedUsualDeparture {
    /// The values of the columns `feed` to `date`. No date is stored as the smallest integer, because a primary key
    /// cannot contain `NULL`.
    fileprivate var key: [any SQLiteValue] {
        [
            feed.rawValue, route.rawValue, direction.map { Int($0.rawValue) } ?? -1, stop.rawValue, Int(time.seconds),
            date.map { Int($0.daysSince1970) } ?? Self.noDate,
        ]
    }

    private static let noDate = Int(Int32.min)

    fileprivate init?(_ row: SQLiteStatement) {
        guard let feed = FeedID(validating: row["feed"]) else { return nil }
        let (direction, time, date, days): (Int, Int, Int, Int) = (
            row["direction"], row["time"], row["date"], row["days"]
        )
        self.init(
            feed: feed, route: RouteID(row["route"]),
            direction: direction < 0 ? nil : Direction(rawValue: UInt8(clamping: direction)), stop: StopID(row["stop"]),
            time: ServiceTime(seconds: Int32(clamping: time)),
            days: Set(Weekday.allCases.filter { days & 1 << Int($0.rawValue) != 0 }),
            date: date == Self.noDate ? nil : ServiceDate(daysSince1970: Int32(clamping: date)),
            commute: row["commute"], isPinned: row["is_pinned"])
    }
}
