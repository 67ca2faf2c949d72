internal import GRDB
public import TransitModel

// What upstreams have refused, so that a restart does not ask for it again.
extension StateStore {
    // MARK: Arrivals

    /// What must not be asked of a feed's source of arrivals yet; `nil` when nothing was kept.
    public func arrivalsBackoff(of feed: FeedID) throws(StoreError) -> ArrivalsBackoff? {
        try read { database in
            guard
                let boot = try String.fetchOne(
                    database, sql: "SELECT boot FROM arrivals_pauses WHERE feed = ?", arguments: [feed.rawValue])
            else { return nil }
            var pauses = ArrivalsBackoff(boot: BootID(rawValue: boot))
            pauses.refused = try Row.fetchAll(
                database, sql: "SELECT * FROM arrivals_refused WHERE feed = ? ORDER BY query",
                arguments: [feed.rawValue]
            ).compactMap { row in
                RefreshRows.reading(row, "until").map {
                    RefusedArrivalsQuery(ArrivalsQueryID(row["query"] as String), status: row["status"], until: $0)
                }
            }
            pauses.hosts = try Row.fetchAll(
                database, sql: "SELECT * FROM arrivals_hosts WHERE feed = ? ORDER BY host", arguments: [feed.rawValue]
            ).map(RefreshRows.host)
            return pauses
        }
    }

    /// Puts what must not be asked yet in the place of what was kept before.
    public func saveArrivalsBackoff(_ pauses: ArrivalsBackoff, of feed: FeedID) throws(StoreError) {
        try write { database in
            for table in Self.arrivalsTables {
                try database.execute(sql: "DELETE FROM \(table) WHERE feed = ?", arguments: [feed.rawValue])
            }
            guard !pauses.isEmpty else { return }
            try database.execute(
                sql: "INSERT INTO arrivals_pauses VALUES (?, ?)", arguments: [feed.rawValue, pauses.boot.rawValue])
            for refused in pauses.refused {
                try database.cachedStatement(sql: "INSERT INTO arrivals_refused VALUES (?, ?, ?, ?, ?)").execute(
                    arguments: [
                        feed.rawValue, refused.query.rawValue, refused.status, refused.until.wall.secondsSince1970,
                        refused.until.boot.milliseconds,
                    ])
            }
            for host in pauses.hosts {
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

    /// Forgets it of all feeds but these.
    public func removeArrivalsBackoff(besides feeds: [FeedID]) throws(StoreError) {
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

    /// The key of a feed that its source rejected, and since when; `nil` when none was.
    public func rejectedKey(of feed: FeedID) throws(StoreError) -> RejectedKey? {
        try read { database in
            try Row.fetchOne(
                database, sql: "SELECT * FROM rejected_keys WHERE feed = ?", arguments: [feed.rawValue]
            ).map { RejectedKey(mark: $0["mark"], since: Instant(secondsSince1970: $0["since"])) }
        }
    }

    /// - Parameter key: `nil`: none is rejected.
    public func saveRejectedKey(_ key: RejectedKey?, of feed: FeedID) throws(StoreError) {
        try write { database in
            guard let key else {
                return try database.execute(
                    sql: "DELETE FROM rejected_keys WHERE feed = ?", arguments: [feed.rawValue])
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO rejected_keys VALUES (?, ?, ?)",
                arguments: [feed.rawValue, key.mark, key.since.secondsSince1970])
        }
    }
}

/// A key that a source rejected.
public struct RejectedKey: Hashable, Sendable {
    /// Tells it from another key, and tells nothing else of it.
    public var mark: String
    public var since: Instant

    public init(mark: String, since: Instant) {
        self.mark = mark
        self.since = since
    }
}
