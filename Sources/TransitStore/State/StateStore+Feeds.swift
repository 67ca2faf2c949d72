internal import GRDB
public import TransitModel

extension StateStore {
    /// Returns the update state of a feed; empty before the first update.
    public func feedRecord(_ feed: FeedID) throws(StoreError) -> FeedRecord {
        try read { database in
            let row = try Row.fetchOne(
                database, sql: "SELECT * FROM feeds WHERE feed = ?", arguments: [feed.rawValue])
            return row.map(Self.record) ?? FeedRecord()
        }
    }

    private static func record(_ row: Row) -> FeedRecord {
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
        try write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO feeds VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    feed.rawValue, record.lastAttempt?.ended.secondsSince1970, record.lastAttempt?.outcome.rawValue,
                    record.lastAttempt?.message, record.lastAttempt?.seconds, record.confirmed?.secondsSince1970,
                    record.nextAttempt?.secondsSince1970, record.etag, record.lastModified,
                ])
        }
    }

    /// Stores the validation report of a refused feed, which has no version to store it in. `nil` deletes it when a
    /// feed is accepted.
    public func setRefusal(_ report: ValidationReport?, of feed: FeedID) throws(StoreError) {
        try write { database in
            for table in ["refused_findings", "refused_examples"] {
                try database.execute(sql: "DELETE FROM \(table) WHERE feed = ?", arguments: [feed.rawValue])
            }
            for (number, finding) in (report?.findings ?? []).enumerated() {
                try Self.insert(finding, number, feed, database)
            }
        }
    }

    private static func insert(
        _ finding: ValidationReport.Finding, _ number: Int, _ feed: FeedID, _ database: Database
    ) throws {
        try database.execute(
            sql: "INSERT INTO refused_findings VALUES (?, ?, ?, ?, ?)",
            arguments: [feed.rawValue, number, finding.rule, finding.severity.rawValue, finding.count])
        for (position, example) in finding.examples.enumerated() {
            try database.execute(
                sql: "INSERT INTO refused_examples VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    feed.rawValue, number, position, example.place.file, example.place.line, example.place.column,
                    example.place.field, example.message,
                ])
        }
    }

    /// Returns the validation report of the last refused feed, or `nil` if no feed was refused since the last accepted
    /// one.
    public func refusal(of feed: FeedID) throws(StoreError) -> ValidationReport? {
        try readConcurrently { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT * FROM refused_findings WHERE feed = ? ORDER BY finding",
                arguments: [feed.rawValue])
            let findings = try rows.map { row in
                ValidationReport.Finding(
                    rule: row["rule"], severity: ValidationReport.Severity(rawValue: row["severity"]) ?? .error,
                    count: row["count"], examples: try Self.examples(feed, finding: row["finding"], database))
            }
            return findings.isEmpty ? nil : ValidationReport(findings: findings)
        }
    }

    private static func examples(
        _ feed: FeedID, finding: Int, _ database: Database
    ) throws -> [ValidationReport.Example] {
        try Row.fetchAll(
            database, sql: "SELECT * FROM refused_examples WHERE feed = ? AND finding = ? ORDER BY position",
            arguments: [feed.rawValue, finding]
        ).map { row in
            let place = ValidationReport.Location(
                file: row["file"], line: row["line"], column: row["column"], field: row["field"])
            return ValidationReport.Example(place: place, message: row["message"])
        }
    }

    /// Deletes the records of all feeds except the given ones.
    public func removeFeeds(except feeds: [FeedID]) throws(StoreError) {
        try write { database in
            let known = Set(feeds.map(\.rawValue))
            for feed in try String.fetchAll(database, sql: "SELECT feed FROM feeds") where !known.contains(feed) {
                for table in ["feeds", "refused_findings", "refused_examples"] {
                    try database.execute(sql: "DELETE FROM \(table) WHERE feed = ?", arguments: [feed])
                }
            }
        }
    }
}
