internal import Synchronization
internal import TransitModel

/// A user's log of trips.
public struct TripLog: Hashable, Sendable {
    /// The newest trips, in the order of their scheduled departures.
    public var trips: [SavedTrip] = []
    /// The sums of the older trips.
    public var folded = TripTotals()
    /// The ``SavedTrip/fingerprint`` of each folded trip.
    public var foldedFingerprints: Set<Int64> = []

    /// The sums of all trips.
    public var totals: TripTotals { folded + TripTotals(trips) }
}

// The trips that users took.
extension StateStore {
    /// The number of trips that are kept individually for each user. Older ones are folded into ``TripTotals``.
    public static let maximumTrips = 2000
    /// The maximum number of folded trips per user, and of their days and routes. The numbers are limited because any user
    /// of the machine can import trips.
    public static let maximumFoldedTrips = 50_000

    /// Adds trips to a user's log, in one transaction. Trips that the log already has are skipped, even if they were
    /// folded. The oldest trips beyond the limit are folded.
    ///
    /// - Parameters:
    ///   - limit: The number of trips to keep whole. Tests use other limits.
    ///   - foldedLimit: The maximum number of folded trips.
    ///   - notifications: The state of the user's notifications after the change, which is written in the same
    ///     transaction if a trip is new.
    /// - Returns: For each trip, whether it is new.
    /// - Throws: ``StoreError/invalid(_:)`` if there are too many trips. No trip is added then.
    public func addTrips(
        _ trips: [SavedTrip], of uid: UInt32, keeping limit: Int = maximumTrips,
        foldedLimit: Int = maximumFoldedTrips, notifications: SavedNotifications? = nil
    ) throws(StoreError) -> [Bool] {
        try write { (database) throws(StoreError) in
            let isNew = try Self.add(trips, of: uid, keeping: limit, foldedLimit: foldedLimit, database)
            if let notifications, isNew.contains(true) { try Self.write(notifications, of: uid, database) }
            return isNew
        }
    }

    private static func add(
        _ trips: [SavedTrip], of uid: UInt32, keeping limit: Int, foldedLimit: Int, _ database: SQLiteConnection
    ) throws(StoreError) -> [Bool] {
        var isNew: [Bool] = []
        for trip in trips {
            let isFolded = try database.value(
                "SELECT EXISTS (SELECT 1 FROM folded_trips WHERE uid = ? AND fingerprint = ?)",
                [uid, trip.fingerprint], as: Bool.self)
            guard isFolded != true else {
                isNew.append(false)
                continue
            }
            try database.run(
                "INSERT OR IGNORE INTO trips VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                trip.columns(of: uid))
            isNew.append(database.changedRows > 0)
        }
        try foldTrips(of: uid, keeping: limit, database)
        try checkTotals(of: uid, limit: foldedLimit, database)
        return isNew
    }

    /// Adds the trips of an export and, before them, the sums of its older trips, in one transaction.
    ///
    /// - Parameter totals: The sums and the fingerprints of the trips in them; `nil` if there are none.
    /// - Returns: For each trip, whether it is new, and whether the totals have all sums now. They have not if the log had
    ///   trips, with which the sums could overlap; the sums are not changed then.
    /// - Throws: ``StoreError/invalid(_:)`` if there are too many trips. Nothing is changed then.
    public func importTrips(
        _ trips: [SavedTrip], restoring totals: (TripTotals, fingerprints: Set<Int64>)?, of uid: UInt32
    ) throws(StoreError) -> (isNew: [Bool], isRestored: Bool?) {
        try write { (database) throws(StoreError) in
            var isRestored: Bool?
            if let totals {
                isRestored = try Self.restore(totals.0, fingerprints: totals.fingerprints, of: uid, database)
            }
            let isNew = try Self.add(
                trips, of: uid, keeping: Self.maximumTrips, foldedLimit: Self.maximumFoldedTrips, database)
            return (isNew, isRestored)
        }
    }

    /// Adds the trips beyond the limit to the totals and removes them.
    private static func foldTrips(of uid: UInt32, keeping limit: Int, _ database: SQLiteConnection) throws(StoreError) {
        let old = try database.rows(
            "SELECT * FROM trips WHERE uid = ? ORDER BY scheduled DESC, logged DESC LIMIT -1 OFFSET ?", [uid, limit]
        ) { SavedTrip($0) }
        guard !old.isEmpty else { return }
        try write(try totals(of: uid, database) + TripTotals(old), of: uid, database)
        for trip in old {
            try database.run("INSERT OR IGNORE INTO folded_trips VALUES (?, ?)", [uid, trip.fingerprint])
            try remove(trip, of: uid, database)
        }
    }

    /// - Throws: ``StoreError/invalid(_:)`` if the totals of a user are at the limit.
    private static func checkTotals(
        of uid: UInt32, limit: Int = maximumFoldedTrips, _ database: SQLiteConnection
    ) throws(StoreError) {
        for table in ["folded_trips", "trip_days", "trip_routes"] {
            let count = try database.value("SELECT count(*) FROM \(table) WHERE uid = ?", [uid], as: Int.self) ?? 0
            guard count <= limit else { throw .invalid("you cannot log more than \(limit) older trips") }
        }
    }

    private static func remove(_ trip: SavedTrip, of uid: UInt32, _ database: SQLiteConnection) throws(StoreError) {
        let key = trip.departure
        try database.run(
            """
            DELETE FROM trips WHERE uid = ? AND feed = ? AND route = ? AND direction = ? AND stop = ? AND scheduled = ?
                AND service_date = ?
            """, [uid] + key.columns)
    }

    /// Returns the trip that the user logged last; `nil` if there is none that is kept individually.
    public func lastTrip(of uid: UInt32) throws(StoreError) -> SavedTrip? {
        try readConcurrently { (database) throws(StoreError) in
            try database.rows(
                "SELECT * FROM trips WHERE uid = ? ORDER BY logged DESC, scheduled DESC LIMIT 1", [uid]
            ) { SavedTrip($0) }.first
        }
    }

    /// Removes a trip.
    ///
    /// - Parameter notifications: The state of the user's notifications after the change, which is written in the same
    ///   transaction.
    public func removeTrip(
        _ trip: SavedTrip, of uid: UInt32, notifications: SavedNotifications? = nil
    ) throws(StoreError) {
        try write { (database) throws(StoreError) in
            try Self.remove(trip, of: uid, database)
            if let notifications { try Self.write(notifications, of: uid, database) }
        }
    }

    /// Returns a user's log.
    public func tripLog(of uid: UInt32) throws(StoreError) -> TripLog {
        try readConcurrently { (database) throws(StoreError) in
            var log = TripLog()
            log.trips = try Self.trips(of: uid, database)
            log.folded = try Self.totals(of: uid, database)
            log.foldedFingerprints = Set(
                try database.rows("SELECT fingerprint FROM folded_trips WHERE uid = ?", [uid]) {
                    Int64.column(0, of: $0)
                }
            )
            return log
        }
    }

    static func trips(of uid: UInt32, _ database: SQLiteConnection) throws(StoreError) -> [SavedTrip] {
        try database.rows("SELECT * FROM trips WHERE uid = ? ORDER BY scheduled, logged", [uid]) { SavedTrip($0) }
    }

    /// Adds totals from an export to a log without whole trips. Days, routes and trips that the totals have already do
    /// not change, so that totals can be added in parts and repeatedly.
    ///
    /// - Returns: Whether the totals have everything now. False if the log has trips, with which the totals could overlap;
    ///   nothing is changed then.
    private static func restore(
        _ totals: TripTotals, fingerprints: Set<Int64>, of uid: UInt32, _ database: SQLiteConnection
    ) throws(StoreError) -> Bool {
        let hasTrips = try database.value(
            "SELECT EXISTS (SELECT 1 FROM trips WHERE uid = ?)", [uid], as: Bool.self)
        guard hasTrips == true else {
            try write(totals, of: uid, statement: "INSERT OR IGNORE", database)
            for fingerprint in fingerprints {
                try database.run("INSERT OR IGNORE INTO folded_trips VALUES (?, ?)", [uid, fingerprint])
            }
            try checkTotals(of: uid, database)
            return true
        }
        let known = try Self.totals(of: uid, database)
        let folded = Set(
            try database.rows("SELECT fingerprint FROM folded_trips WHERE uid = ?", [uid]) {
                Int64.column(0, of: $0)
            }
        )
        return totals.days.allSatisfy { known.days[$0.key].map { $0.trips } ?? 0 >= $0.value.trips }
            && totals.routes.allSatisfy { known.routes[$0.key].map { $0.trips } ?? 0 >= $0.value.trips }
            && fingerprints.isSubset(of: folded)
    }

    // MARK: Totals

    private static func totals(of uid: UInt32, _ database: SQLiteConnection) throws(StoreError) -> TripTotals {
        var totals = TripTotals()
        let days = try database.rows("SELECT * FROM trip_days WHERE uid = ?", [uid]) { row in
            var day = TripTotals.Day()
            day.trips = row["trips"]
            day.earlyTrips = row["early"]
            day.lateTrips = row["late"]
            day.meters = row["meters"]
            day.straightLineTrips = row["straight"]
            day.unmeasuredTrips = row["unmeasured"]
            let date: Int = row["service_date"]
            return (ServiceDate(daysSince1970: Int32(clamping: date)), day)
        }
        totals.days = Dictionary(days) { _, last in last }
        let routes = try database.rows("SELECT * FROM trip_routes WHERE uid = ?", [uid]) { row in
            let destination: String = row["to_stop"]
            let key = FeedID(validating: row["feed"]).map { feed in
                TripTotals.RouteKey(
                    feed: feed, route: RouteID(row["route"]), stop: StopID(row["stop"]),
                    destination: destination.isEmpty ? nil : StopID(destination))
            }
            let route = TripTotals.Route(
                trips: row["trips"], last: Instant(secondsSince1970: row["last"]), routeName: row["route_name"],
                stopName: row["stop_name"], destinationName: row["to_name"])
            return key.map { ($0, route) }
        }
        totals.routes = Dictionary(routes) { _, last in last }
        return totals
    }

    private static func write(
        _ totals: TripTotals, of uid: UInt32, statement: String = "INSERT OR REPLACE", _ database: SQLiteConnection
    ) throws(StoreError) {
        for (date, day) in totals.days {
            try database.run(
                "\(statement) INTO trip_days VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    uid, Int(date.daysSince1970), day.trips, day.earlyTrips, day.lateTrips, day.meters,
                    day.straightLineTrips, day.unmeasuredTrips,
                ])
        }
        for (key, route) in totals.routes {
            try database.run(
                "\(statement) INTO trip_routes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    uid, key.feed.rawValue, key.route.rawValue, key.stop.rawValue, key.destination?.rawValue ?? "",
                    route.trips, route.last.secondsSince1970, route.routeName, route.stopName, route.destinationName,
                ])
        }
    }

    // MARK: Forgetting

    /// Removes everything that was logged and learned about a user. Departures that the user pinned remain.
    ///
    /// - Parameter notifications: The state of the user's notifications without the trips, which is written in the same
    ///   transaction.
    public func forgetTravel(of uid: UInt32, notifications: SavedNotifications? = nil) throws(StoreError) {
        var inMemory: (unsaved: [SavedLookup]?, recent: [SavedLookup]?)
        do throws(StoreError) {
            try change(uid) { (database) throws(StoreError) in
                if let notifications { try Self.write(notifications, of: uid, database) }
                for table in ["trips", "trip_days", "trip_routes", "folded_trips", "asks", "forgotten_departures"] {
                    try database.run("DELETE FROM \(table) WHERE uid = ?", [uid])
                }
                try database.run("DELETE FROM usual_departures WHERE uid = ? AND is_pinned = 0", [uid])
                // No other change can be made meanwhile, so that requests in memory do not return.
                inMemory = memory.withLock { memory in
                    (memory.unsavedAsks.removeValue(forKey: uid), memory.recentAsks.removeValue(forKey: uid))
                }
            }
        } catch {
            memory.withLock { memory in
                if let unsaved = inMemory.unsaved {
                    memory.unsavedAsks[uid, default: []].insert(contentsOf: unsaved, at: 0)
                }
                if let recent = inMemory.recent {
                    memory.recentAsks[uid, default: []].insert(contentsOf: recent, at: 0)
                }
            }
            throw error
        }
    }
}

extension DepartureKey {
    /// The values of the columns `feed` to `service_date`.
    var columns: [any SQLiteValue] {
        [
            feed.rawValue, route.rawValue, direction.map { Int($0.rawValue) } ?? -1, stop.rawValue,
            scheduled.secondsSince1970, Int(serviceDate.daysSince1970),
        ]
    }

    /// Reads the columns `feed` to `service_date`; `nil` if one of them is invalid.
    init?(columns row: SQLiteStatement) {
        guard let feed = FeedID(validating: row["feed"]) else { return nil }
        let (direction, date): (Int, Int) = (row["direction"], row["service_date"])
        self.init(
            feed: feed, route: RouteID(row["route"]),
            direction: direction < 0 ? nil : Direction(rawValue: UInt8(clamping: direction)), stop: StopID(row["stop"]),
            scheduled: Instant(secondsSince1970: row["scheduled"]),
            serviceDate: ServiceDate(daysSince1970: Int32(clamping: date)))
    }
}

extension SavedTrip {
    fileprivate func columns(of uid: UInt32) -> [any SQLiteValue] {
        [uid] + departure.columns + [
            departed.secondsSince1970, offset, routeName, stopName, destination?.rawValue, destinationName, commute,
            meters, isStraightLine, logged.secondsSince1970,
        ]
    }

    /// Returns `nil` for a row that a later release wrote with values that this one does not know.
    fileprivate init?(_ row: SQLiteStatement) {
        guard let departure = DepartureKey(columns: row) else { return nil }
        self.init(
            departure: departure, departed: Instant(secondsSince1970: row["departed"]), offset: row["utc_offset"],
            routeName: row["route_name"], stopName: row["stop_name"],
            destination: (row["to_stop"] as String?).map { StopID($0) }, destinationName: row["to_name"],
            commute: row["commute"], meters: row["meters"], isStraightLine: row["is_straight"],
            logged: Instant(secondsSince1970: row["logged"]))
    }
}
