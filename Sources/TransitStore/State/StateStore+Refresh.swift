public import TransitModel

extension StateStore {
    /// Returns the stored ledger of the refresh engine; empty before its first start.
    public func refreshLedger() throws(StoreError) -> RefreshLedger {
        try read { (database) throws(StoreError) in
            var ledger = RefreshLedger()
            _ = try database.first("SELECT * FROM refresh_clock") { row in
                ledger.boot = BootID(rawValue: row["boot"])
                ledger.written = RefreshRows.reading(row, "written")
            }
            let histories = try RefreshRows.histories(database)
            let datasets = try database.rows("SELECT * FROM refresh_datasets") { RefreshRows.dataset($0, histories) }
            for record in datasets { ledger.datasets[record.id] = record }
            for record in try database.rows("SELECT * FROM refresh_hosts", [], RefreshRows.host) {
                ledger.hosts[record.host] = record
            }
            ledger.spends = try database.rows(
                "SELECT * FROM refresh_spends ORDER BY boot, spend", [], RefreshRows.spend)
            return ledger
        }
    }

    /// Writes changes in one transaction. If it throws, none of them is written.
    public func saveRefresh(_ changes: LedgerChanges) throws(StoreError) {
        try write { (database) throws(StoreError) in
            if changes.replacesAll {
                for table in ["refresh_datasets", "refresh_history", "refresh_spends", "refresh_hosts"] {
                    try database.run("DELETE FROM \(table)")
                }
            }
            try database.run(
                "INSERT OR REPLACE INTO refresh_clock VALUES (1, ?, ?, ?)",
                [changes.boot.rawValue, changes.written.wall.secondsSince1970, changes.written.boot.milliseconds])
            for (id, record) in changes.datasets { try RefreshRows.save(record, as: id, database) }
            for (host, record) in changes.hosts { try RefreshRows.save(record, as: host, database) }
            for spend in changes.spends { try RefreshRows.save(spend, database) }
            for refund in changes.refunds { try RefreshRows.remove(refund, database) }
            for (key, end) in changes.spendsEnd {
                try database.run(
                    "DELETE FROM refresh_spends WHERE key = ? AND boot < ?", [key.rawValue, end.milliseconds])
            }
        }
    }
}

/// Converts between the rows of the refresh ledger and the model. Rows with values that are unknown to this release are
/// skipped.
enum RefreshRows {
    // MARK: Reading

    /// Reads a pair of columns, `name_wall` and `name_boot`.
    static func reading(_ row: SQLiteStatement, _ name: String) -> ClockReading? {
        guard let wall: Int64 = row["\(name)_wall"], let boot: Int64 = row["\(name)_boot"] else { return nil }
        return ClockReading(wall: Instant(secondsSince1970: wall), boot: BootTime(milliseconds: boot))
    }

    private static func id(_ row: SQLiteStatement) -> DatasetID? {
        DatasetKind(rawValue: row["kind"]).map { DatasetID(FeedID(row["feed"] as String), $0) }
    }

    static func histories(_ database: SQLiteConnection) throws(StoreError) -> [DatasetID: [UpdateRecord]] {
        var histories: [DatasetID: [UpdateRecord]] = [:]
        let updates = try database.rows("SELECT * FROM refresh_history ORDER BY feed, kind, number") { row in
            if let id = id(row), let update = update(row) { (id, update) } else { nil }
        }
        for (id, update) in updates { histories[id, default: []].append(update) }
        return histories
    }

    private static func update(_ row: SQLiteStatement) -> UpdateRecord? {
        guard let outcome = UpdateOutcome(rawValue: row["outcome"]),
            let priority = FetchPriority(rawValue: row["priority"])
        else { return nil }
        return UpdateRecord(
            number: row["number"], began: Instant(secondsSince1970: row["began"]), milliseconds: row["milliseconds"],
            outcome: outcome, bytes: row["bytes"], status: row["status"], priority: priority, reason: row["reason"])
    }

    static func dataset(_ row: SQLiteStatement, _ histories: [DatasetID: [UpdateRecord]]) -> DatasetRecord? {
        guard let id = id(row) else { return nil }
        var record = DatasetRecord(id, history: histories[id] ?? [])
        record.source = (row["source"] as String?).map { EndpointID($0) }
        record.lastAttempt = reading(row, "attempt")
        let state: Int = row["is_open"]
        record.isInProgress = state != 0
        record.isImporting = state == 1
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

    static func host(_ row: SQLiteStatement) -> HostRecord {
        var record = HostRecord(HostID(row["host"] as String))
        record.consecutiveFailures = row["failures"]
        record.pauses = row["pauses"]
        record.openUntil = reading(row, "open")
        record.retryAfter = reading(row, "retry")
        return record
    }

    static func spend(_ row: SQLiteStatement) -> BudgetSpend? {
        guard let id = id(row), let priority = FetchPriority(rawValue: row["priority"]) else { return nil }
        let reading = ClockReading(
            wall: Instant(secondsSince1970: row["wall"]), boot: BootTime(milliseconds: row["boot"]))
        return BudgetSpend(key: KeyName(row["key"] as String), dataset: id, priority: priority, at: reading)
    }

    // MARK: Writing

    /// - Parameter record: `nil` deletes the record and its history.
    static func save(_ record: DatasetRecord?, as id: DatasetID, _ database: SQLiteConnection) throws(StoreError) {
        let name: [any SQLiteValue] = [id.feed.rawValue, id.kind.rawValue]
        guard let record else {
            for table in ["refresh_datasets", "refresh_history"] {
                try database.run("DELETE FROM \(table) WHERE feed = ? AND kind = ?", name)
            }
            return
        }
        try database.run(
            """
            INSERT OR REPLACE INTO refresh_datasets
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                id.feed.rawValue, id.kind.rawValue, record.source?.rawValue,
                record.lastAttempt?.wall.secondsSince1970, record.lastAttempt?.boot.milliseconds,
                record.isImporting ? 1 : record.isInProgress ? 2 : 0,
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
        _ history: [UpdateRecord], of name: [any SQLiteValue], _ database: SQLiteConnection
    ) throws(StoreError) {
        guard let first = history.first else { return }
        let last = try database.value(
            "SELECT max(number) FROM refresh_history WHERE feed = ? AND kind = ?", name, as: Int.self)
        for update in history where update.number > last ?? 0 {
            let values: [any SQLiteValue] = [
                update.number, update.began.secondsSince1970, update.milliseconds, update.outcome.rawValue,
                update.bytes, update.status, update.priority.rawValue, update.reason,
            ]
            try database.run("INSERT INTO refresh_history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", name + values)
        }
        try database.run(
            "DELETE FROM refresh_history WHERE feed = ? AND kind = ? AND number < ?", name + [first.number])
    }

    /// - Parameter record: `nil` deletes the record.
    static func save(_ record: HostRecord?, as host: HostID, _ database: SQLiteConnection) throws(StoreError) {
        guard let record else { return try database.run("DELETE FROM refresh_hosts WHERE host = ?", [host.rawValue]) }
        try database.run("INSERT OR REPLACE INTO refresh_hosts VALUES (?, ?, ?, ?, ?, ?, ?)", values(record))
    }

    /// Returns the values of a host record in the order of the columns from `host` to `retry_boot`.
    static func values(_ record: HostRecord) -> [any SQLiteValue] {
        [
            record.host.rawValue, record.consecutiveFailures, record.pauses, record.openUntil?.wall.secondsSince1970,
            record.openUntil?.boot.milliseconds, record.retryAfter?.wall.secondsSince1970,
            record.retryAfter?.boot.milliseconds,
        ]
    }

    static func save(_ spend: BudgetSpend, _ database: SQLiteConnection) throws(StoreError) {
        try database.run(
            "INSERT INTO refresh_spends (key, feed, kind, priority, wall, boot) VALUES (?, ?, ?, ?, ?, ?)",
            [
                spend.key.rawValue, spend.dataset.feed.rawValue, spend.dataset.kind.rawValue, spend.priority.rawValue,
                spend.at.wall.secondsSince1970, spend.at.boot.milliseconds,
            ])
    }

    /// Removes one of the charges that equal `spend`.
    static func remove(_ spend: BudgetSpend, _ database: SQLiteConnection) throws(StoreError) {
        try database.run(
            """
            DELETE FROM refresh_spends WHERE spend = (
                SELECT spend FROM refresh_spends
                WHERE key = ? AND feed = ? AND kind = ? AND priority = ? AND wall = ? AND boot = ? LIMIT 1)
            """,
            [
                spend.key.rawValue, spend.dataset.feed.rawValue, spend.dataset.kind.rawValue, spend.priority.rawValue,
                spend.at.wall.secondsSince1970, spend.at.boot.milliseconds,
            ])
    }
}
