internal import GRDB
public import TransitModel

// Rejections by upstreams. Rejected requests are not repeated after a restart.
extension StateStore {
    // MARK: Arrivals

    /// Returns the backoff state of a feed's source of arrivals, or `nil` if none is stored.
    public func arrivalsBackoff(of feed: FeedID) throws(StoreError) -> ArrivalsBackoff? {
        try read { database in
            guard
                let boot = try String.fetchOne(
                    database, sql: "SELECT boot FROM arrivals_pauses WHERE feed = ?", arguments: [feed.rawValue])
            else { return nil }
            var backoff = ArrivalsBackoff(boot: BootID(rawValue: boot))
            backoff.refused = try Row.fetchAll(
                database, sql: "SELECT * FROM arrivals_refused WHERE feed = ? ORDER BY query",
                arguments: [feed.rawValue]
            ).compactMap { row in
                RefreshRows.reading(row, "until").map {
                    RefusedArrivalsQuery(ArrivalsQueryID(row["query"] as String), status: row["status"], until: $0)
                }
            }
            backoff.hosts = try Row.fetchAll(
                database, sql: "SELECT * FROM arrivals_hosts WHERE feed = ? ORDER BY host", arguments: [feed.rawValue]
            ).map(RefreshRows.host)
            return backoff
        }
    }

    /// Replaces the stored backoff state of a feed's source of arrivals.
    public func saveArrivalsBackoff(_ backoff: ArrivalsBackoff, of feed: FeedID) throws(StoreError) {
        try write { database in
            for table in Self.arrivalsTables {
                try database.execute(sql: "DELETE FROM \(table) WHERE feed = ?", arguments: [feed.rawValue])
            }
            guard !backoff.isEmpty else { return }
            try database.execute(
                sql: "INSERT INTO arrivals_pauses VALUES (?, ?)", arguments: [feed.rawValue, backoff.boot.rawValue])
            for refused in backoff.refused {
                try database.cachedStatement(sql: "INSERT INTO arrivals_refused VALUES (?, ?, ?, ?, ?)").execute(
                    arguments: [
                        feed.rawValue, refused.query.rawValue, refused.status, refused.until.wall.secondsSince1970,
                        refused.until.boot.milliseconds,
                    ])
            }
            for host in backoff.hosts {
                try database.execute(
                    sql: "INSERT INTO arrivals_hosts VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    arguments: [
                        feed.rawValue, host.host.rawValue, host.consecutiveFailures, host.pauses,
                        host.openUntil?.wall.secondsSince1970, host.openUntil?.boot.milliseconds,
                        host.retryAfter?.wall.secondsSince1970, host.retryAfter?.boot.milliseconds,
                    ])
            }
        }
    }

    /// Deletes the backoff state of all feeds except the given ones.
    public func removeArrivalsBackoff(except feeds: [FeedID]) throws(StoreError) {
        let known = Set(feeds.map(\.rawValue))
        try write { database in
            for feed in try String.fetchAll(database, sql: "SELECT feed FROM arrivals_pauses")
            where !known.contains(feed) {
                for table in Self.arrivalsTables {
                    try database.execute(sql: "DELETE FROM \(table) WHERE feed = ?", arguments: [feed])
                }
            }
        }
    }

    private static let arrivalsTables = ["arrivals_pauses", "arrivals_refused", "arrivals_hosts"]

    // MARK: Keys

    /// Returns a feed's key that the source rejected, or `nil` if no key was rejected.
    public func rejectedKey(of feed: FeedID) throws(StoreError) -> RejectedKey? {
        try read { database in
            try Row.fetchOne(
                database, sql: "SELECT * FROM rejected_keys WHERE feed = ?", arguments: [feed.rawValue]
            ).map { RejectedKey(fingerprint: $0["mark"], since: Instant(secondsSince1970: $0["since"])) }
        }
    }

    /// - Parameter key: `nil` if no key is rejected.
    public func saveRejectedKey(_ key: RejectedKey?, of feed: FeedID) throws(StoreError) {
        try write { database in
            guard let key else {
                return try database.execute(
                    sql: "DELETE FROM rejected_keys WHERE feed = ?", arguments: [feed.rawValue])
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO rejected_keys VALUES (?, ?, ?)",
                arguments: [feed.rawValue, key.fingerprint, key.since.secondsSince1970])
        }
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
