internal import GRDB
internal import TransitModel

/// Converts between the rows of the refresh ledger and the model. Rows with values that are unknown to this release are
/// skipped.
enum RefreshRows {
    // MARK: Reading

    /// Reads a pair of columns, `name_wall` and `name_boot`.
    static func reading(_ row: Row, _ name: String) -> ClockReading? {
        guard let wall: Int64 = row["\(name)_wall"], let boot: Int64 = row["\(name)_boot"] else { return nil }
        return ClockReading(wall: Instant(secondsSince1970: wall), boot: BootTime(milliseconds: boot))
    }

    private static func id(_ row: Row) -> DatasetID? {
        DatasetKind(rawValue: row["kind"]).map { DatasetID(FeedID(row["feed"] as String), $0) }
    }

    static func histories(_ database: Database) throws -> [DatasetID: [UpdateRecord]] {
        var histories: [DatasetID: [UpdateRecord]] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT * FROM refresh_history ORDER BY feed, kind, number") {
            guard let id = id(row), let update = update(row) else { continue }
            histories[id, default: []].append(update)
        }
        return histories
    }

    private static func update(_ row: Row) -> UpdateRecord? {
        guard let outcome = UpdateOutcome(rawValue: row["outcome"]),
            let priority = FetchPriority(rawValue: row["priority"])
        else { return nil }
        return UpdateRecord(
            number: row["number"], began: Instant(secondsSince1970: row["began"]), milliseconds: row["milliseconds"],
            outcome: outcome, bytes: row["bytes"], status: row["status"], priority: priority, reason: row["reason"])
    }

    static func dataset(_ row: Row, _ histories: [DatasetID: [UpdateRecord]]) -> DatasetRecord? {
        guard let id = id(row) else { return nil }
        var record = DatasetRecord(id, history: histories[id] ?? [])
        record.source = (row["source"] as String?).map { EndpointID($0) }
        record.lastAttempt = reading(row, "attempt")
        record.isInProgress = row["is_open"]
        record.lastSuccess = reading(row, "success")
        record.lastFull = reading(row, "full")
        record.lastChange = reading(row, "change")
        record.consecutiveFailures = row["failures"]
        record.isFailurePermanent = row["failure_lasts"]
        record.notModifiedStreak = row["not_modified"]
        record.unchangedContentStreak = row["same_content"]
        record.validators = Validators(etag: row["etag"], lastModified: row["last_modified"])
        record.areValidatorsUnreliable = row["validators_lie"]
        record.contentDigest = row["digest"]
        if let date: Int64 = row["expiry_date"], let days: Int = row["expiry_days"] {
            record.expiryWarning = ExpiryWarning(
                lastDate: ServiceDate(daysSince1970: Int32(clamping: date)), daysAhead: days)
        }
        return record
    }

    static func host(_ row: Row) -> HostRecord {
        var record = HostRecord(HostID(row["host"] as String))
        record.consecutiveFailures = row["failures"]
        record.pauses = row["pauses"]
        record.openUntil = reading(row, "open")
        record.retryAfter = reading(row, "retry")
        return record
    }

    static func spend(_ row: Row) -> BudgetSpend? {
        guard let id = id(row), let priority = FetchPriority(rawValue: row["priority"]) else { return nil }
        let reading = ClockReading(
            wall: Instant(secondsSince1970: row["wall"]), boot: BootTime(milliseconds: row["boot"]))
        return BudgetSpend(key: KeyName(row["key"] as String), dataset: id, priority: priority, at: reading)
    }

    // MARK: Writing

    /// - Parameter record: `nil` deletes the record and its history.
    static func save(_ record: DatasetRecord?, as id: DatasetID, _ database: Database) throws {
        let name: [any DatabaseValueConvertible] = [id.feed.rawValue, id.kind.rawValue]
        guard let record else {
            for table in ["refresh_datasets", "refresh_history"] {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE feed = ? AND kind = ?", arguments: StatementArguments(name))
            }
            return
        }
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO refresh_datasets
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                id.feed.rawValue, id.kind.rawValue, record.source?.rawValue,
                record.lastAttempt?.wall.secondsSince1970, record.lastAttempt?.boot.milliseconds, record.isInProgress,
                record.lastSuccess?.wall.secondsSince1970, record.lastSuccess?.boot.milliseconds,
                record.lastFull?.wall.secondsSince1970, record.lastFull?.boot.milliseconds,
                record.lastChange?.wall.secondsSince1970, record.lastChange?.boot.milliseconds,
                record.consecutiveFailures, record.isFailurePermanent, record.notModifiedStreak,
                record.unchangedContentStreak,
                record.validators.etag, record.validators.lastModified, record.areValidatorsUnreliable,
                record.contentDigest,
                record.expiryWarning.map { Int64($0.lastDate.daysSince1970) }, record.expiryWarning?.daysAhead,
            ])
        try save(record.history, of: name, database)
    }

    /// Inserts new updates and deletes those beyond the limit.
    private static func save(
        _ history: [UpdateRecord], of name: [any DatabaseValueConvertible], _ database: Database
    ) throws {
        guard let first = history.first else { return }
        let last =
            try Int.fetchOne(
                database.cachedStatement(sql: "SELECT max(number) FROM refresh_history WHERE feed = ? AND kind = ?"),
                arguments: StatementArguments(name)) ?? 0
        for update in history where update.number > last {
            let values: [(any DatabaseValueConvertible)?] = [
                update.number, update.began.secondsSince1970, update.milliseconds, update.outcome.rawValue,
                update.bytes, update.status, update.priority.rawValue, update.reason,
            ]
            try database.cachedStatement(sql: "INSERT INTO refresh_history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .execute(arguments: StatementArguments(name + values))
        }
        try database.cachedStatement(sql: "DELETE FROM refresh_history WHERE feed = ? AND kind = ? AND number < ?")
            .execute(arguments: StatementArguments(name + [first.number]))
    }

    /// - Parameter record: `nil` deletes the record.
    static func save(_ record: HostRecord?, as host: HostID, _ database: Database) throws {
        guard let record else {
            try database.execute(sql: "DELETE FROM refresh_hosts WHERE host = ?", arguments: [host.rawValue])
            return
        }
        try database.execute(
            sql: "INSERT OR REPLACE INTO refresh_hosts VALUES (?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                host.rawValue, record.consecutiveFailures, record.pauses, record.openUntil?.wall.secondsSince1970,
                record.openUntil?.boot.milliseconds, record.retryAfter?.wall.secondsSince1970,
                record.retryAfter?.boot.milliseconds,
            ])
    }

    static func save(_ spend: BudgetSpend, _ database: Database) throws {
        try database.cachedStatement(
            sql: "INSERT INTO refresh_spends (key, feed, kind, priority, wall, boot) VALUES (?, ?, ?, ?, ?, ?)"
        ).execute(
            arguments: [
                spend.key.rawValue, spend.dataset.feed.rawValue, spend.dataset.kind.rawValue, spend.priority.rawValue,
                spend.at.wall.secondsSince1970, spend.at.boot.milliseconds,
            ])
    }
}
