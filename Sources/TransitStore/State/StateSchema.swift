/// The schema of the state file and its migrations. Released migrations never change.
enum StateSchema {
    /// One step from an older schema to the current one.
    struct Migration {
        /// Is written to ``migrationsTable`` when the migration is applied.
        var identifier: String
        var sql: String
    }

    static let migrations = [
        Migration(identifier: "1 commutes, places, settings, feeds", sql: first),
        Migration(identifier: "2 refresh ledger", sql: second),
        Migration(identifier: "3 favourites", sql: favorites),
        Migration(identifier: "4 searches", sql: searches),
        Migration(identifier: "5 refusals of upstreams", sql: refusals),
        Migration(identifier: "6 windows of commutes, looks", sql: windows),
        Migration(identifier: "7 canceled updates", sql: canceledUpdates),
        Migration(identifier: "8 notifications, observed departures", sql: notifications),
        Migration(identifier: "9 trips, usual departures", sql: trips),
        Migration(identifier: "10 pinned journeys", sql: journeys),
    ]

    /// The table of the applied migrations. It has the name that the GRDB library gave it, which wrote this file in
    /// earlier releases: an earlier release and this one can open each other's files.
    private static let migrationsTable = "grdb_migrations"

    /// Returns the identifiers of the migrations that were applied to a file. Identifiers that ``migrations`` lacks are
    /// those of a later release.
    static func appliedIdentifiers(_ database: SQLiteConnection) throws(StoreError) -> Set<String> {
        let hasTable = try database.value(
            "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?)", [migrationsTable],
            as: Bool.self)
        guard hasTable == true else { return [] }
        return Set(try database.rows("SELECT identifier FROM \(migrationsTable)") { $0.text(0) })
    }

    /// Whether every column of the current schema is there. An integrity check does not notice a damaged name in the text
    /// of the schema.
    static func hasAllColumns(_ database: SQLiteConnection) throws(StoreError) -> Bool {
        let model = try SQLiteConnection.database(":memory:", isReader: false)
        try migrate(model)
        let sql = """
            SELECT s.name || '.' || c.name FROM sqlite_schema AS s, pragma_table_info(s.name) AS c
            WHERE s.type = 'table'
            """
        let expected = try model.rows(sql) { $0.text(0) }
        return Set(expected).isSubset(of: try database.rows(sql) { $0.text(0) })
    }

    /// Applies the missing migrations, each in a transaction of its own.
    ///
    /// - Parameter count: The number of migrations of the schema to reach. Tests reach older schemas.
    static func migrate(_ database: SQLiteConnection, count: Int = migrations.count) throws(StoreError) {
        try database.execute(
            "CREATE TABLE IF NOT EXISTS \(migrationsTable) (identifier TEXT NOT NULL PRIMARY KEY)")
        let applied = try appliedIdentifiers(database)
        for migration in migrations.prefix(count) where !applied.contains(migration.identifier) {
            try database.transaction { (database) throws(StoreError) in
                try database.execute(migration.sql)
                try database.run("INSERT INTO \(migrationsTable) VALUES (?)", [migration.identifier])
            }
        }
    }

    private static let first = """
        CREATE TABLE commutes (
            uid INTEGER NOT NULL, name TEXT NOT NULL, position INTEGER NOT NULL, from_end TEXT NOT NULL,
            to_end TEXT NOT NULL, PRIMARY KEY (uid, name)) STRICT, WITHOUT ROWID;
        CREATE TABLE places (
            uid INTEGER NOT NULL, name TEXT NOT NULL, latitude REAL, longitude REAL, feed TEXT, stop TEXT,
            walk INTEGER, PRIMARY KEY (uid, name),
            CHECK ((latitude IS NULL) = (longitude IS NULL) AND (feed IS NULL) = (stop IS NULL)
                AND (latitude IS NULL) <> (stop IS NULL))) STRICT, WITHOUT ROWID;
        CREATE TABLE settings (
            uid INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (uid, key))
            STRICT, WITHOUT ROWID;
        CREATE TABLE feeds (
            feed TEXT PRIMARY KEY, attempt_ended INTEGER, attempt_outcome TEXT, attempt_message TEXT,
            attempt_seconds REAL, confirmed INTEGER, next_attempt INTEGER, etag TEXT, last_modified TEXT)
            STRICT, WITHOUT ROWID;
        CREATE TABLE refused_findings (
            feed TEXT NOT NULL, finding INTEGER NOT NULL, rule TEXT NOT NULL, severity INTEGER NOT NULL,
            count INTEGER NOT NULL, PRIMARY KEY (feed, finding)) STRICT, WITHOUT ROWID;
        CREATE TABLE refused_examples (
            feed TEXT NOT NULL, finding INTEGER NOT NULL, position INTEGER NOT NULL, file TEXT NOT NULL, line INTEGER,
            column INTEGER, field TEXT, message TEXT NOT NULL, PRIMARY KEY (feed, finding, position))
            STRICT, WITHOUT ROWID;
        """

    /// `is_open` is 1 during an import of a timetable, 2 during the other parts of a fetch, and 0 otherwise. Earlier
    /// releases wrote 1 for both.
    ///
    /// Copies the content of `feeds` into the ledger: its last success becomes the last success of the dataset
    /// `static`. There is no row in `refresh_clock`, so the boot times belong to no known boot and the engine derives
    /// them from the wall clock.
    private static let second = """
        CREATE TABLE refresh_clock (
            only INTEGER PRIMARY KEY CHECK (only = 1), boot TEXT NOT NULL, written_wall INTEGER NOT NULL,
            written_boot INTEGER NOT NULL) STRICT;
        CREATE TABLE refresh_datasets (
            feed TEXT NOT NULL, kind TEXT NOT NULL, source TEXT, attempt_wall INTEGER, attempt_boot INTEGER,
            is_open INTEGER NOT NULL, success_wall INTEGER, success_boot INTEGER, full_wall INTEGER,
            full_boot INTEGER, change_wall INTEGER, change_boot INTEGER, failures INTEGER NOT NULL,
            failure_lasts INTEGER NOT NULL, not_modified INTEGER NOT NULL, same_content INTEGER NOT NULL,
            etag TEXT, last_modified TEXT, validators_lie INTEGER NOT NULL, digest TEXT, expiry_date INTEGER,
            expiry_days INTEGER, PRIMARY KEY (feed, kind)) STRICT, WITHOUT ROWID;
        CREATE TABLE refresh_history (
            feed TEXT NOT NULL, kind TEXT NOT NULL, number INTEGER NOT NULL, began INTEGER NOT NULL,
            milliseconds INTEGER NOT NULL, outcome TEXT NOT NULL, bytes INTEGER NOT NULL, status INTEGER,
            priority TEXT NOT NULL, reason TEXT, PRIMARY KEY (feed, kind, number)) STRICT, WITHOUT ROWID;
        CREATE TABLE refresh_spends (
            spend INTEGER PRIMARY KEY, key TEXT NOT NULL, feed TEXT NOT NULL, kind TEXT NOT NULL,
            priority TEXT NOT NULL, wall INTEGER NOT NULL, boot INTEGER NOT NULL) STRICT;
        CREATE TABLE refresh_hosts (
            host TEXT PRIMARY KEY, failures INTEGER NOT NULL, pauses INTEGER NOT NULL, open_wall INTEGER,
            open_boot INTEGER, retry_wall INTEGER, retry_boot INTEGER) STRICT, WITHOUT ROWID;
        INSERT INTO refresh_datasets (
            feed, kind, attempt_wall, attempt_boot, is_open, success_wall, success_boot, failures, failure_lasts,
            not_modified, same_content, etag, last_modified, validators_lie)
            SELECT feed, 'static', attempt_ended, 0, 0, confirmed, 0,
                attempt_outcome IS NOT NULL AND attempt_outcome IN ('failed', 'refused'),
                attempt_outcome IS NOT NULL AND attempt_outcome IN ('failed', 'refused'), 0, 0, etag, last_modified, 0
            FROM feeds;
        INSERT INTO refresh_history
            SELECT feed, 'static', 1, attempt_ended - cast(attempt_seconds AS INTEGER),
                cast(attempt_seconds * 1000 AS INTEGER), attempt_outcome, 0, NULL, 'background', attempt_message
            FROM feeds WHERE attempt_ended IS NOT NULL AND attempt_outcome IS NOT NULL;
        """

    private static let searches = """
        CREATE TABLE searches (
            uid INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL, asked INTEGER NOT NULL,
            PRIMARY KEY (uid, kind, text)) STRICT, WITHOUT ROWID;
        """

    /// A feed without a row in `arrivals_pauses` has no rows in `arrivals_refused` and `arrivals_hosts`.
    private static let refusals = """
        CREATE TABLE arrivals_pauses (feed TEXT PRIMARY KEY, boot TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE arrivals_refused (
            feed TEXT NOT NULL, query TEXT NOT NULL, status INTEGER NOT NULL, until_wall INTEGER NOT NULL,
            until_boot INTEGER NOT NULL, PRIMARY KEY (feed, query)) STRICT, WITHOUT ROWID;
        CREATE TABLE arrivals_hosts (
            feed TEXT NOT NULL, host TEXT NOT NULL, failures INTEGER NOT NULL, pauses INTEGER NOT NULL,
            open_wall INTEGER, open_boot INTEGER, retry_wall INTEGER, retry_boot INTEGER,
            PRIMARY KEY (feed, host)) STRICT, WITHOUT ROWID;
        CREATE TABLE rejected_keys (
            feed TEXT PRIMARY KEY, mark TEXT NOT NULL, since INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        """

    /// Windows and days are comma-separated lists.
    private static let windows = """
        ALTER TABLE commutes ADD COLUMN windows TEXT NOT NULL DEFAULT '';
        ALTER TABLE commutes ADD COLUMN days TEXT NOT NULL DEFAULT '';
        CREATE TABLE looks (
            position INTEGER PRIMARY KEY, uid INTEGER NOT NULL, commute TEXT, at INTEGER NOT NULL) STRICT;
        """

    /// Earlier versions spelled `UpdateOutcome.canceled` as "cancelled" and had another text for
    /// `DatasetRecord.interrupted`, which the refresh engine uses to count interruptions.
    private static let canceledUpdates = """
        UPDATE feeds SET attempt_outcome = 'canceled' WHERE attempt_outcome = 'cancelled';
        UPDATE refresh_history SET outcome = 'canceled' WHERE outcome = 'cancelled';
        UPDATE refresh_history SET reason = 'the daemon stopped during the update'
            WHERE reason = 'the daemon was stopped in the middle of it';
        """

    /// `both_sides` applies only if there is a stop; see ``SavedFavorite/Target``.
    private static let favorites = """
        CREATE TABLE favorites (
            uid INTEGER NOT NULL, name TEXT NOT NULL, position INTEGER NOT NULL, category TEXT, feed TEXT NOT NULL,
            stop TEXT, both_sides INTEGER NOT NULL, route TEXT, PRIMARY KEY (uid, name),
            CHECK (stop IS NOT NULL OR route IS NOT NULL)) STRICT, WITHOUT ROWID;
        """

    /// `notification_states.state` and `notification_events.event` are JSON documents of the daemon.
    ///
    /// `observed_departures` has one row for each change of what was known about a watched departure. `at` and `measured`
    /// are seconds since 1970. `status`, `source` and `confidence` are raw values of `CallStatus`, `CallTimeSource` and
    /// `CallConfidence`.
    private static let notifications = """
        CREATE TABLE notification_states (uid INTEGER PRIMARY KEY, state TEXT NOT NULL) STRICT;
        CREATE TABLE notification_events (
            uid INTEGER NOT NULL, id TEXT NOT NULL, key TEXT NOT NULL, rule TEXT NOT NULL, stage INTEGER NOT NULL,
            decided INTEGER NOT NULL, valid_until INTEGER NOT NULL, event TEXT NOT NULL, failure TEXT,
            PRIMARY KEY (uid, id)) STRICT, WITHOUT ROWID;
        CREATE INDEX notification_events_by_time ON notification_events (uid, decided);
        CREATE TABLE watched_departures (
            number INTEGER PRIMARY KEY, feed TEXT NOT NULL, route TEXT NOT NULL, direction INTEGER NOT NULL,
            stop TEXT NOT NULL, scheduled INTEGER NOT NULL, service_date INTEGER NOT NULL,
            UNIQUE (feed, route, direction, stop, scheduled, service_date)) STRICT;
        CREATE INDEX watched_departures_by_time ON watched_departures (scheduled);
        CREATE TABLE observed_departures (
            departure INTEGER NOT NULL, at INTEGER NOT NULL,
            expected INTEGER, uncertainty INTEGER, status INTEGER NOT NULL, source INTEGER NOT NULL,
            confidence INTEGER NOT NULL, scheduled_platform TEXT, platform TEXT, measured INTEGER,
            is_fresh INTEGER NOT NULL, is_missing INTEGER NOT NULL, PRIMARY KEY (departure, at))
            STRICT, WITHOUT ROWID;
        """

    /// `trips` has one row for each trip that is kept whole. `trip_days`, `trip_routes` and `folded_trips` stand for older
    /// ones. `asks` are requests that a user made by hand. The bits of `usual_departures.days` are raw values of `Weekday`.
    ///
    /// The columns of a primary key come first and in its order. Otherwise some versions of SQLite (3.40) find `NULL` in a
    /// column that has none when they check the integrity of a table without rowid.
    private static let trips = """
        CREATE TABLE trips (
            uid INTEGER NOT NULL, feed TEXT NOT NULL, route TEXT NOT NULL, direction INTEGER NOT NULL,
            stop TEXT NOT NULL, scheduled INTEGER NOT NULL, service_date INTEGER NOT NULL, departed INTEGER NOT NULL,
            utc_offset INTEGER NOT NULL, route_name TEXT NOT NULL, stop_name TEXT NOT NULL, to_stop TEXT, to_name TEXT,
            commute TEXT, meters INTEGER, is_straight INTEGER NOT NULL, logged INTEGER NOT NULL,
            PRIMARY KEY (uid, feed, route, direction, stop, scheduled, service_date)) STRICT, WITHOUT ROWID;
        CREATE INDEX trips_by_time ON trips (uid, scheduled);
        CREATE TABLE trip_days (
            uid INTEGER NOT NULL, service_date INTEGER NOT NULL, trips INTEGER NOT NULL, early INTEGER NOT NULL,
            late INTEGER NOT NULL, meters INTEGER NOT NULL, straight INTEGER NOT NULL, unmeasured INTEGER NOT NULL,
            PRIMARY KEY (uid, service_date)) STRICT, WITHOUT ROWID;
        CREATE TABLE trip_routes (
            uid INTEGER NOT NULL, feed TEXT NOT NULL, route TEXT NOT NULL, stop TEXT NOT NULL, to_stop TEXT NOT NULL,
            trips INTEGER NOT NULL, last INTEGER NOT NULL, route_name TEXT NOT NULL, stop_name TEXT NOT NULL,
            to_name TEXT, PRIMARY KEY (uid, feed, route, stop, to_stop)) STRICT, WITHOUT ROWID;
        CREATE TABLE folded_trips (
            uid INTEGER NOT NULL, fingerprint INTEGER NOT NULL, PRIMARY KEY (uid, fingerprint)) STRICT, WITHOUT ROWID;
        CREATE TABLE asks (
            number INTEGER PRIMARY KEY, uid INTEGER NOT NULL, at INTEGER NOT NULL, date INTEGER NOT NULL, commute TEXT,
            feed TEXT, route TEXT, direction INTEGER, stop TEXT, scheduled INTEGER, service_date INTEGER, time INTEGER)
            STRICT;
        CREATE INDEX asks_by_time ON asks (uid, at);
        CREATE TABLE usual_departures (
            uid INTEGER NOT NULL, is_pinned INTEGER NOT NULL, feed TEXT NOT NULL, route TEXT NOT NULL,
            direction INTEGER NOT NULL, stop TEXT NOT NULL, time INTEGER NOT NULL, date INTEGER NOT NULL,
            days INTEGER NOT NULL, commute TEXT,
            PRIMARY KEY (uid, is_pinned, feed, route, direction, stop, time, date)) STRICT, WITHOUT ROWID;
        CREATE TABLE forgotten_departures (
            uid INTEGER NOT NULL, feed TEXT NOT NULL, route TEXT NOT NULL, direction INTEGER NOT NULL,
            stop TEXT NOT NULL, time INTEGER NOT NULL, at INTEGER NOT NULL,
            PRIMARY KEY (uid, feed, route, direction, stop, time)) STRICT, WITHOUT ROWID;
        """

    /// `pinned_journeys.legs` is the number of rows in `pinned_legs`, and `modes` a comma-separated list.
    private static let journeys = """
        CREATE TABLE pinned_journeys (
            uid INTEGER NOT NULL, number INTEGER NOT NULL, from_end TEXT NOT NULL, to_end TEXT NOT NULL,
            legs INTEGER NOT NULL, walk_before INTEGER, walk_after INTEGER, modes TEXT NOT NULL,
            needs_wheelchair INTEGER NOT NULL, needs_bicycle INTEGER NOT NULL,
            PRIMARY KEY (uid, number)) STRICT, WITHOUT ROWID;
        CREATE TABLE pinned_legs (
            uid INTEGER NOT NULL, number INTEGER NOT NULL, position INTEGER NOT NULL, feed TEXT NOT NULL,
            route TEXT NOT NULL, direction INTEGER NOT NULL, stop TEXT NOT NULL, scheduled INTEGER NOT NULL,
            service_date INTEGER NOT NULL, to_stop TEXT NOT NULL, arrival INTEGER NOT NULL, change_time INTEGER,
            is_timed INTEGER NOT NULL, PRIMARY KEY (uid, number, position)) STRICT, WITHOUT ROWID;
        """
}
