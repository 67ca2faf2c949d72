internal import GRDB

/// The tables of the state file and how they came to be. A migration that was released never changes again.
enum StateSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 commutes, places, settings, feeds") { try $0.execute(sql: first) }
        return migrator
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
}
