public import TransitModel

extension StateStore {
    // MARK: Updates

    /// Returns the update state of a feed; empty before the first update.
    public func feedRecord(_ feed: FeedID) throws(StoreError) -> FeedRecord {
        try read { (database) throws(StoreError) in
            try database.first("SELECT * FROM feeds WHERE feed = ?", [feed.rawValue], Self.record) ?? FeedRecord()
        }
    }

    private static func record(_ row: SQLiteStatement) -> FeedRecord {
        var record = FeedRecord()
        if let ended: Int64 = row["attempt_ended"], let message: String = row["attempt_message"],
            let outcome = (row["attempt_outcome"] as String?).flatMap(UpdateOutcome.init(rawValue:))
        {
            record.lastAttempt = RecordedFeedAttempt(
                ended: Instant(secondsSince1970: ended), outcome: outcome, message: message,
                seconds: row["attempt_seconds"] ?? 0)
        }
        record.confirmed = (row["confirmed"] as Int64?).map { Instant(secondsSince1970: $0) }
        record.nextAttempt = (row["next_attempt"] as Int64?).map { Instant(secondsSince1970: $0) }
        record.etag = row["etag"]
        record.lastModified = row["last_modified"]
        return record
    }

    public func setFeedRecord(_ record: FeedRecord, of feed: FeedID) throws(StoreError) {
        try write { (database) throws(StoreError) in
            try database.run(
                "INSERT OR REPLACE INTO feeds VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    feed.rawValue, record.lastAttempt?.ended.secondsSince1970, record.lastAttempt?.outcome.rawValue,
                    record.lastAttempt?.message, record.lastAttempt?.seconds, record.confirmed?.secondsSince1970,
                    record.nextAttempt?.secondsSince1970, record.etag, record.lastModified,
                ])
        }
    }

    /// Stores the validation report of a refused feed, which has no version to store it in. `nil` deletes it when a
    /// feed is accepted.
    public func setRefusal(_ report: ValidationReport?, of feed: FeedID) throws(StoreError) {
        try write { (database) throws(StoreError) in
            for table in ["refused_findings", "refused_examples"] {
                try database.run("DELETE FROM \(table) WHERE feed = ?", [feed.rawValue])
            }
            for (number, finding) in (report?.findings ?? []).enumerated() {
                try Self.insert(finding, number, feed, database)
            }
        }
    }

    private static func insert(
        _ finding: ValidationReport.Finding, _ number: Int, _ feed: FeedID, _ database: SQLiteConnection
    ) throws(StoreError) {
        try database.run(
            "INSERT INTO refused_findings VALUES (?, ?, ?, ?, ?)",
            [feed.rawValue, number, finding.rule, Int(finding.severity.rawValue), finding.count])
        for (position, example) in finding.examples.enumerated() {
            try database.run(
                "INSERT INTO refused_examples VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    feed.rawValue, number, position, example.place.file, example.place.line, example.place.column,
                    example.place.field, example.message,
                ])
        }
    }

    /// Returns the validation report of the last refused feed, or `nil` if no feed was refused since the last accepted
    /// one.
    public func refusal(of feed: FeedID) throws(StoreError) -> ValidationReport? {
        try readConcurrently { (database) throws(StoreError) in
            let findings = try database.rows(
                "SELECT * FROM refused_findings WHERE feed = ? ORDER BY finding", [feed.rawValue]
            ) { (row) throws(StoreError) in
                ValidationReport.Finding(
                    rule: row["rule"],
                    severity: ValidationReport.Severity(rawValue: UInt8(clamping: row["severity"] as Int)) ?? .error,
                    count: row["count"], examples: try Self.examples(feed, finding: row["finding"], database))
            }
            return findings.isEmpty ? nil : ValidationReport(findings: findings)
        }
    }

    private static func examples(
        _ feed: FeedID, finding: Int, _ database: SQLiteConnection
    ) throws(StoreError) -> [ValidationReport.Example] {
        try database.rows(
            "SELECT * FROM refused_examples WHERE feed = ? AND finding = ? ORDER BY position", [feed.rawValue, finding]
        ) { row in
            let place = ValidationReport.Location(
                file: row["file"], line: row["line"], column: row["column"], field: row["field"])
            return ValidationReport.Example(place: place, message: row["message"])
        }
    }

    /// Deletes the records of all feeds except the given ones.
    public func removeFeeds(except feeds: [FeedID]) throws(StoreError) {
        try write { (database) throws(StoreError) in
            let known = Set(feeds.map(\.rawValue))
            let stored = try database.rows("SELECT feed FROM feeds") { $0.text(0) }
            for feed in stored where !known.contains(feed) {
                for table in ["feeds", "refused_findings", "refused_examples"] {
                    try database.run("DELETE FROM \(table) WHERE feed = ?", [feed])
                }
            }
        }
    }

    // MARK: Backoff of arrivals

    /// Returns the backoff state of a feed's source of arrivals, or `nil` if none is stored.
    public func arrivalsBackoff(of feed: FeedID) throws(StoreError) -> ArrivalsBackoff? {
        try read { (database) throws(StoreError) in
            guard
                let boot: String = try database.value(
                    "SELECT boot FROM arrivals_pauses WHERE feed = ?", [feed.rawValue])
            else { return nil }
            var backoff = ArrivalsBackoff(boot: BootID(rawValue: boot))
            backoff.refused = try database.rows(
                "SELECT * FROM arrivals_refused WHERE feed = ? ORDER BY query", [feed.rawValue]
            ) { row in
                RefreshRows.reading(row, "until").map {
                    RefusedArrivalsQuery(ArrivalsQueryID(row["query"] as String), status: row["status"], until: $0)
                }
            }
            backoff.hosts = try database.rows(
                "SELECT * FROM arrivals_hosts WHERE feed = ? ORDER BY host", [feed.rawValue], RefreshRows.host)
            return backoff
        }
    }

    /// Replaces the stored backoff state of a feed's source of arrivals.
    public func saveArrivalsBackoff(_ backoff: ArrivalsBackoff, of feed: FeedID) throws(StoreError) {
        try write { (database) throws(StoreError) in
            for table in Self.arrivalsTables {
                try database.run("DELETE FROM \(table) WHERE feed = ?", [feed.rawValue])
            }
            guard !backoff.isEmpty else { return }
            try database.run("INSERT INTO arrivals_pauses VALUES (?, ?)", [feed.rawValue, backoff.boot.rawValue])
            for refused in backoff.refused {
                try database.run(
                    "INSERT INTO arrivals_refused VALUES (?, ?, ?, ?, ?)",
                    [
                        feed.rawValue, refused.query.rawValue, refused.status, refused.until.wall.secondsSince1970,
                        refused.until.boot.milliseconds,
                    ])
            }
            for host in backoff.hosts {
                try database.run(
                    "INSERT INTO arrivals_hosts VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    [feed.rawValue] + RefreshRows.values(host))
            }
        }
    }

    /// Deletes the backoff state of all feeds except the given ones.
    public func removeArrivalsBackoff(except feeds: [FeedID]) throws(StoreError) {
        let known = Set(feeds.map(\.rawValue))
        try write { (database) throws(StoreError) in
            let stored = try database.rows("SELECT feed FROM arrivals_pauses") { $0.text(0) }
            for feed in stored where !known.contains(feed) {
                for table in Self.arrivalsTables {
                    try database.run("DELETE FROM \(table) WHERE feed = ?", [feed])
                }
            }
        }
    }

    private static let arrivalsTables = ["arrivals_pauses", "arrivals_refused", "arrivals_hosts"]

    // MARK: Rejected keys

    /// Returns a feed's key that the source rejected, or `nil` if no key was rejected.
    public func rejectedKey(of feed: FeedID) throws(StoreError) -> RejectedKey? {
        try read { (database) throws(StoreError) in
            try database.first("SELECT * FROM rejected_keys WHERE feed = ?", [feed.rawValue]) { row in
                RejectedKey(fingerprint: row["mark"], since: Instant(secondsSince1970: row["since"]))
            }
        }
    }

    /// - Parameter key: `nil` if no key is rejected.
    public func saveRejectedKey(_ key: RejectedKey?, of feed: FeedID) throws(StoreError) {
        try write { (database) throws(StoreError) in
            guard let key else {
                return try database.run("DELETE FROM rejected_keys WHERE feed = ?", [feed.rawValue])
            }
            try database.run(
                "INSERT OR REPLACE INTO rejected_keys VALUES (?, ?, ?)",
                [feed.rawValue, key.fingerprint, key.since.secondsSince1970])
        }
    }
}

/// A feed's update state, which is kept across restarts.
public struct FeedRecord: Hashable, Sendable {
    /// The last attempt; `nil` before the first.
    public var lastAttempt: RecordedFeedAttempt?
    /// The time at which the source last confirmed or delivered the current version.
    public var confirmed: Instant?
    /// The time of the next request to the source.
    public var nextAttempt: Instant?
    /// The `ETag` of the last response, for conditional requests. Stored here because a feed that was only compressed
    /// again has a new `ETag` but keeps its version.
    public var etag: String?
    /// The `Last-Modified` header as the server sent it.
    public var lastModified: String?

    public init() {}
}

/// One attempt to update a feed.
public struct RecordedFeedAttempt: Hashable, Sendable {
    public var ended: Instant
    public var outcome: UpdateOutcome
    /// A sentence for users.
    public var message: String
    /// Duration in seconds.
    public var seconds: Double

    public init(ended: Instant, outcome: UpdateOutcome, message: String, seconds: Double) {
        self.ended = ended
        self.outcome = outcome
        self.message = message
        self.seconds = seconds
    }
}

/// An API key that a source rejected.
public struct RejectedKey: Hashable, Sendable {
    /// A value that distinguishes the key from other keys without revealing it.
    public var fingerprint: String
    public var since: Instant

    public init(fingerprint: String, since: Instant) {
        self.fingerprint = fingerprint
        self.since = since
    }
}
