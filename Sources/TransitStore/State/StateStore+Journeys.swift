public import TransitModel

// Journeys that users pinned.
extension StateStore {
    /// The maximum number of journeys that a user can pin at the same time.
    public static let maximumJourneys = 8

    /// Returns a user's pinned journeys in the order of their departures.
    static func journeys(of uid: UInt32, _ database: SQLiteConnection) throws(StoreError) -> [SavedJourney] {
        var legs: [Int: [SavedJourney.Leg]] = [:]
        let rows = try database.rows("SELECT * FROM pinned_legs WHERE uid = ? ORDER BY number, position", [uid]) {
            row in
            SavedJourney.Leg(row).map { (number: row["number"] as Int, leg: $0) }
        }
        for (number, leg) in rows { legs[number, default: []].append(leg) }
        return try database.rows("SELECT * FROM pinned_journeys WHERE uid = ?", [uid]) { row -> SavedJourney? in
            let (number, count): (Int, Int) = (row["number"], row["legs"])
            // A ride that cannot be read leaves no journey.
            guard let legs = legs[number], !legs.isEmpty, legs.count == count else { return nil }
            var journey = SavedJourney(
                number: number, from: row["from_end"], to: row["to_end"], legs: legs, walkBefore: row["walk_before"],
                walkAfter: row["walk_after"])
            let modes: String = row["modes"]
            journey.modes = Set(modes.split(separator: ",").compactMap { TransportMode(rawValue: String($0)) })
            (journey.needsWheelchair, journey.needsBicycle) = (row["needs_wheelchair"], row["needs_bicycle"])
            return journey
        }.sorted { ($0.legs[0].departure.scheduled, $0.number) < ($1.legs[0].departure.scheduled, $1.number) }
    }

    /// Pins a journey with the lowest free number, and removes those that are over. A journey with the same rides keeps its
    /// number.
    ///
    /// - Returns: The number.
    /// - Throws: ``StoreError/invalid(_:)`` if the user has too many pinned journeys.
    public func pinJourney(_ journey: SavedJourney, of uid: UInt32, now: Instant) throws(StoreError) -> Int {
        var number = 0
        try change(uid) { (database) throws(StoreError) in
            var kept: [SavedJourney] = []
            for other in try Self.journeys(of: uid, database) {
                if other.expiry < now || other.legs == journey.legs {
                    try Self.removeJourney(other.number, of: uid, database)
                } else {
                    kept.append(other)
                }
                if other.legs == journey.legs { number = other.number }
            }
            guard kept.count < Self.maximumJourneys else {
                throw .invalid("At most \(Self.maximumJourneys) journeys can be pinned.")
            }
            let taken = Set(kept.map(\.number))
            if number == 0 { number = (1...Self.maximumJourneys).first { !taken.contains($0) } ?? 1 }
            try Self.insert(journey, number, of: uid, database)
        }
        return number
    }

    /// - Throws: ``StoreError/notFound(_:)``.
    public func unpinJourney(_ number: Int, of uid: UInt32) throws(StoreError) {
        try change(uid) { (database) throws(StoreError) in
            try Self.removeJourney(number, of: uid, database)
            guard database.changedRows > 0 else { throw .notFound("journey \(number)") }
        }
    }

    private static func removeJourney(
        _ number: Int, of uid: UInt32, _ database: SQLiteConnection
    ) throws(StoreError) {
        try database.run("DELETE FROM pinned_legs WHERE uid = ? AND number = ?", [uid, number])
        try database.run("DELETE FROM pinned_journeys WHERE uid = ? AND number = ?", [uid, number])
    }

    private static func insert(
        _ journey: SavedJourney, _ number: Int, of uid: UInt32, _ database: SQLiteConnection
    ) throws(StoreError) {
        try database.run(
            "INSERT INTO pinned_journeys VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                uid, number, journey.from, journey.to, journey.legs.count, journey.walkBefore, journey.walkAfter,
                journey.modes.map(\.rawValue).sorted().joined(separator: ","), journey.needsWheelchair,
                journey.needsBicycle,
            ])
        for (position, leg) in journey.legs.enumerated() {
            let key = leg.departure
            let values: [any SQLiteValue] = [
                uid, number, position, key.feed.rawValue, key.route.rawValue,
                key.direction.map { Int($0.rawValue) } ?? -1, key.stop.rawValue, key.scheduled.secondsSince1970,
                Int(key.serviceDate.daysSince1970), leg.destination.rawValue, leg.arrival.secondsSince1970,
                leg.changeTime, leg.isTimed,
            ]
            try database.run("INSERT INTO pinned_legs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
        }
    }
}

extension SavedJourney.Leg {
    fileprivate init?(_ row: SQLiteStatement) {
        guard let departure = DepartureKey(columns: row) else { return nil }
        self.init(
            departure: departure, destination: StopID(row["to_stop"]),
            arrival: Instant(secondsSince1970: row["arrival"]),
            changeTime: row["change_time"], isTimed: row["is_timed"])
    }
}
