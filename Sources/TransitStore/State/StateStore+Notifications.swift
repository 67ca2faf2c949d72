internal import Synchronization
public import TransitModel

/// A notification event with the stage that it has reached.
public struct SavedNotificationEvent: Hashable, Sendable {
    /// How far the event has been handled.
    public enum Stage: Int, Hashable, Sendable {
        /// Not yet handed to a program.
        case decided
        case handedOut
        case done
        case failed
        /// Not shown, for a reason such as quiet hours.
        case suppressed
        /// Made needless by a later event with the same key before a hook ran.
        case replaced

        /// Whether an event of this stage takes another one. Stages only advance: a program's late report that it has
        /// the event does not undo the end of its hooks, and of two programs, the first to finish counts.
        public func advances(to next: Stage) -> Bool { rank < next.rank }

        private var rank: Int {
            switch self {
            case .decided: 0
            case .handedOut: 1
            case .replaced: 2
            case .done, .failed, .suppressed: 3
            }
        }
    }

    /// Unique for each user.
    public var id: String
    /// Identifies the notification.
    public var key: String
    public var rule: String
    public var stage: Stage
    public var decided: Instant
    public var validUntil: Instant
    /// The event as a JSON document.
    public var event: String
    /// Why the event failed or was suppressed, as a sentence.
    public var failure: String?

    public init(
        id: String, key: String, rule: String, stage: Stage, decided: Instant, validUntil: Instant, event: String,
        failure: String? = nil
    ) {
        self.id = id
        self.key = key
        self.rule = rule
        self.stage = stage
        self.decided = decided
        self.validUntil = validUntil
        self.event = event
        self.failure = failure
    }
}

/// What is written after a change of a user's notifications.
public struct SavedNotifications: Hashable, Sendable {
    /// The state as a JSON document.
    public var state: String
    /// The events that were decided. An event with the identifier of a saved one replaces it.
    public var events: [SavedNotificationEvent]
    /// Whether the state on disk, which cannot be read, is kept under another name, so that it is neither used nor lost.
    /// It replaces one that was set aside earlier.
    public var setsStateAside: Bool

    public init(state: String, events: [SavedNotificationEvent], setsStateAside: Bool = false) {
        self.state = state
        self.events = events
        self.setsStateAside = setsStateAside
    }
}

// Notifications and the observations of watched departures.
extension StateStore {
    // MARK: Settings

    /// The prefix of the keys of notifications in the table of settings.
    public static let notificationPrefix = "notify."

    /// The users with a setting, in ascending order.
    public func users(withNotificationSetting key: String, value: String) -> [UInt32] {
        memory.withLock { memory in
            memory.records.filter { $0.value.notificationSettings[key] == value }.keys.sorted()
        }
    }

    /// Writes some of a user's settings in one transaction. `nil` removes a setting.
    ///
    /// - Throws: ``StoreError/invalid(_:)`` if the user would have too many settings.
    public func setNotificationSettings(_ changes: [String: String?], of uid: UInt32) throws(StoreError) {
        try change(uid) { (database) throws(StoreError) in
            for (key, value) in changes.sorted(by: { $0.key < $1.key }) {
                let name = Self.notificationPrefix + key
                if let value {
                    try database.run("INSERT OR REPLACE INTO settings VALUES (?, ?, ?)", [uid, name, value])
                } else {
                    try database.run("DELETE FROM settings WHERE uid = ? AND key = ?", [uid, name])
                }
            }
            guard try Self.notificationSettings(of: uid, database).count <= Self.maximumPerUser else {
                throw .invalid("at most \(Self.maximumPerUser) settings of notifications are possible")
            }
        }
    }

    /// Writes the language of the program that subscribed to the user's notifications.
    ///
    /// - Parameter language: A BCP 47 language tag.
    public func setAgentLanguage(_ language: String, of uid: UInt32) throws(StoreError) {
        try change(uid) { (database) throws(StoreError) in
            try database.run(
                "INSERT OR REPLACE INTO settings VALUES (?, ?, ?)", [uid, Self.agentLanguage, language])
        }
    }

    static func notificationSettings(
        of uid: UInt32, _ database: SQLiteConnection
    ) throws(StoreError) -> [String: String] {
        let rows = try database.rows(
            "SELECT key, value FROM settings WHERE uid = ? AND key GLOB 'notify.*'", [uid]
        ) { row -> (String, String) in (row["key"], row["value"]) }
        return Dictionary(rows.map { (String($0.0.dropFirst(notificationPrefix.count)), $0.1) }) { _, last in last }
    }

    /// The key under which a state that cannot be read is kept.
    private static let setAsideState = "notification_state_set_aside"

    // MARK: Notifications

    /// Returns the state of a user's notifications as a JSON document; `nil` if there is none.
    public func notificationState(of uid: UInt32) throws(StoreError) -> String? {
        try readConcurrently { (database) throws(StoreError) in
            try database.value("SELECT state FROM notification_states WHERE uid = ?", [uid], as: String.self)
        }
    }

    /// Writes the state of a user's notifications and the events that were decided, in one transaction.
    public func saveNotifications(_ notifications: SavedNotifications, of uid: UInt32) throws(StoreError) {
        try saveNotifications([uid: notifications])
    }

    /// Writes the notifications of several users, in one transaction.
    public func saveNotifications(_ notifications: [UInt32: SavedNotifications]) throws(StoreError) {
        try write { (database) throws(StoreError) in
            for (uid, own) in notifications { try Self.write(own, of: uid, database) }
        }
    }

    static func write(
        _ notifications: SavedNotifications, of uid: UInt32, _ database: SQLiteConnection
    ) throws(StoreError) {
        if notifications.setsStateAside {
            try database.run(
                "INSERT OR REPLACE INTO settings SELECT uid, ?, state FROM notification_states WHERE uid = ?",
                [setAsideState, uid])
        }
        try database.run("INSERT OR REPLACE INTO notification_states VALUES (?, ?)", [uid, notifications.state])
        for event in notifications.events {
            try database.run(
                "INSERT OR REPLACE INTO notification_events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    uid, event.id, event.key, event.rule, event.stage.rawValue, event.decided.secondsSince1970,
                    event.validUntil.secondsSince1970, event.event, event.failure,
                ])
        }
    }

    /// Returns a user's events that were decided at or after a time, oldest first.
    public func notificationEvents(
        of uid: UInt32, since: Instant, limit: Int = 10_000
    ) throws(StoreError) -> [SavedNotificationEvent] {
        try readConcurrently { (database) throws(StoreError) in
            try database.rows(
                """
                SELECT * FROM (
                    SELECT * FROM notification_events WHERE uid = ? AND decided >= ?
                    ORDER BY decided DESC, id DESC LIMIT ?) ORDER BY decided, id
                """, [uid, since.secondsSince1970, limit]
            ) { row in
                SavedNotificationEvent.Stage(rawValue: row["stage"]).map { stage in
                    SavedNotificationEvent(
                        id: row["id"], key: row["key"], rule: row["rule"], stage: stage,
                        decided: Instant(secondsSince1970: row["decided"]),
                        validUntil: Instant(secondsSince1970: row["valid_until"]), event: row["event"],
                        failure: row["failure"])
                }
            }
        }
    }

    /// Records the stage of some of a user's events. An event whose stage does not advance is not changed
    /// (``SavedNotificationEvent/Stage/advances(to:)``).
    ///
    /// - Returns: The number of events that exist.
    @discardableResult
    public func setStage(
        _ stage: SavedNotificationEvent.Stage, failure: String? = nil, ofEvents ids: [String], of uid: UInt32
    ) throws(StoreError) -> Int {
        try write { (database) throws(StoreError) in
            var count = 0
            for id in ids {
                let saved = try database.value(
                    "SELECT stage FROM notification_events WHERE uid = ? AND id = ?", [uid, id], as: Int.self)
                guard let saved else { continue }
                count += 1
                // A stage that a later release wrote is not changed.
                guard SavedNotificationEvent.Stage(rawValue: saved)?.advances(to: stage) ?? false else { continue }
                try database.run(
                    "UPDATE notification_events SET stage = ?, failure = ? WHERE uid = ? AND id = ?",
                    [stage.rawValue, failure, uid, id])
            }
            return count
        }
    }

    /// Removes events that were decided before a time.
    public func removeNotificationEvents(before: Instant) throws(StoreError) {
        try write { (database) throws(StoreError) in
            try database.run("DELETE FROM notification_events WHERE decided < ?", [before.secondsSince1970])
        }
    }

    // MARK: Observed departures

    /// Writes observations of departures in one transaction. An observation with the departure and time of a saved one
    /// replaces it.
    public func saveObservations(_ observations: [DepartureObservation]) throws(StoreError) {
        try write { (database) throws(StoreError) in
            for observation in observations {
                let number = try Self.number(of: observation.departure, database)
                try database.run(
                    "INSERT OR REPLACE INTO observed_departures VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [
                        number, observation.at.secondsSince1970, observation.expected?.secondsSince1970,
                        observation.uncertainty, Int(observation.status.rawValue), Int(observation.source.rawValue),
                        Int(observation.confidence.rawValue), observation.scheduledPlatform, observation.platform,
                        observation.measured?.secondsSince1970, observation.isFresh, observation.isMissing,
                    ])
            }
        }
    }

    private static func number(of key: DepartureKey, _ database: SQLiteConnection) throws(StoreError) -> Int {
        let values: [any SQLiteValue] = [
            key.feed.rawValue, key.route.rawValue, key.direction.map { Int($0.rawValue) } ?? -1, key.stop.rawValue,
            key.scheduled.secondsSince1970, Int(key.serviceDate.daysSince1970),
        ]
        try database.run(
            """
            INSERT OR IGNORE INTO watched_departures (feed, route, direction, stop, scheduled, service_date)
            VALUES (?, ?, ?, ?, ?, ?)
            """, values)
        let number = try database.value(
            """
            SELECT number FROM watched_departures WHERE feed = ? AND route = ? AND direction = ? AND stop = ?
                AND scheduled = ? AND service_date = ?
            """, values, as: Int.self)
        return number ?? 0
    }

    /// Returns the observations of the departures that are scheduled in a range, in the order of their times.
    ///
    /// - Parameter departure: Limits the result to this departure.
    public func observations(
        scheduled range: Range<Instant>, departure: DepartureKey? = nil
    ) throws(StoreError) -> [DepartureObservation] {
        let all = try readConcurrently { (database) throws(StoreError) in
            try database.rows(
                """
                SELECT * FROM watched_departures JOIN observed_departures ON departure = number
                WHERE scheduled >= ? AND scheduled < ? ORDER BY at, number
                """, [range.lowerBound.secondsSince1970, range.upperBound.secondsSince1970]
            ) { DepartureObservation($0) }
        }
        guard let departure else { return all }
        return all.filter { $0.departure == departure }
    }

    /// Removes the observations of departures that are scheduled before a time.
    public func removeObservations(scheduledBefore time: Instant) throws(StoreError) {
        try write { (database) throws(StoreError) in
            try database.run(
                "DELETE FROM observed_departures WHERE departure IN (SELECT number FROM watched_departures WHERE scheduled < ?)",
                [time.secondsSince1970])
            try database.run("DELETE FROM watched_departures WHERE scheduled < ?", [time.secondsSince1970])
        }
    }
}

extension DepartureObservation {
    /// Returns `nil` for a row that a later release wrote with values that this one does not know.
    init?(_ row: SQLiteStatement) {
        func instant(_ name: String) -> Instant? { (row[name] as Int64?).map { Instant(secondsSince1970: $0) } }
        let (statusValue, sourceValue, confidenceValue): (Int, Int, Int) = (
            row["status"], row["source"], row["confidence"]
        )
        guard let feed = FeedID(validating: row["feed"]),
            let status = CallStatus(rawValue: UInt8(clamping: statusValue)),
            let source = CallTimeSource(rawValue: UInt8(clamping: sourceValue)),
            let confidence = CallConfidence(rawValue: UInt8(clamping: confidenceValue))
        else { return nil }
        let direction: Int = row["direction"]
        let days: Int = row["service_date"]
        let key = DepartureKey(
            feed: feed, route: RouteID(row["route"]),
            direction: direction < 0 ? nil : Direction(rawValue: UInt8(clamping: direction)), stop: StopID(row["stop"]),
            scheduled: Instant(secondsSince1970: row["scheduled"]),
            serviceDate: ServiceDate(daysSince1970: Int32(clamping: days)))
        self.init(
            departure: key, at: Instant(secondsSince1970: row["at"]), expected: instant("expected"),
            uncertainty: row["uncertainty"], status: status, source: source, confidence: confidence,
            scheduledPlatform: row["scheduled_platform"], platform: row["platform"], measured: instant("measured"),
            isFresh: row["is_fresh"], isMissing: row["is_missing"])
    }
}
