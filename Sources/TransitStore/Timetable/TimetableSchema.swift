/// The schema of a timetable file.
///
/// Small tables are plain rows, which can be inspected with `sqlite3`. Large tables are packed into blobs: one per
/// pattern with its timing groups (``PatternCoding``), one per 16 trips (``PackedTripGroup``), and one per 16 shared texts
/// (``PackedTextGroup``). Row numbers are the model's indices.
enum TimetableSchema {
    /// "trTT", stored in the header of the file (SQLite file format, section 1.3.14).
    static let applicationID = 0x7472_5454
    /// The version of this schema. The feed of a file with another version is imported again.
    static let version = 3

    static let tables = """
        CREATE TABLE summary (
            contents TEXT NOT NULL, url TEXT NOT NULL, etag TEXT, last_modified TEXT, fetched INTEGER NOT NULL,
            agencies INTEGER NOT NULL, stops INTEGER NOT NULL, routes INTEGER NOT NULL, trips INTEGER NOT NULL,
            patterns INTEGER NOT NULL, stop_times INTEGER NOT NULL, services INTEGER NOT NULL, shapes INTEGER NOT NULL,
            texts INTEGER NOT NULL, first_date INTEGER, last_date INTEGER, latest_call INTEGER NOT NULL,
            has_feed_info INTEGER NOT NULL, publisher TEXT, publisher_url TEXT, language TEXT, start_date INTEGER,
            end_date INTEGER, version TEXT, kept TEXT, kept_stops INTEGER, source_stops INTEGER,
            source_trips INTEGER, outside_buckets INTEGER) STRICT;
        CREATE TABLE agencies (
            agency INTEGER PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL, url TEXT, timezone TEXT NOT NULL,
            language TEXT, phone TEXT) STRICT;
        CREATE TABLE routes (
            route INTEGER PRIMARY KEY, id TEXT NOT NULL, agency INTEGER NOT NULL, short_name TEXT, long_name TEXT,
            type INTEGER NOT NULL, color TEXT, text_color TEXT, sort_order INTEGER, patterns BLOB NOT NULL) STRICT;
        CREATE TABLE services (
            service INTEGER PRIMARY KEY, id TEXT NOT NULL, weekdays INTEGER NOT NULL, start_date INTEGER NOT NULL,
            end_date INTEGER NOT NULL, added BLOB NOT NULL, removed BLOB NOT NULL) STRICT;
        CREATE TABLE stops (
            stop INTEGER PRIMARY KEY, id TEXT NOT NULL, code TEXT, name TEXT NOT NULL, latitude INTEGER,
            longitude INTEGER, kind INTEGER NOT NULL, parent INTEGER, platform TEXT, timezone TEXT,
            wheelchair INTEGER NOT NULL, outside INTEGER, visits BLOB) STRICT;
        CREATE TABLE stop_ids (bucket INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT;
        CREATE TABLE stop_places (
            block INTEGER PRIMARY KEY, south INTEGER NOT NULL, content BLOB NOT NULL) STRICT;
        CREATE TABLE patterns (pattern INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT;
        CREATE TABLE trips (block INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT;
        CREATE TABLE trip_ids (bucket INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT;
        CREATE TABLE texts (block INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT;
        CREATE TABLE shapes (shape INTEGER PRIMARY KEY, id TEXT NOT NULL, points BLOB NOT NULL) STRICT;
        CREATE TABLE transfers (
            from_stop INTEGER NOT NULL, position INTEGER NOT NULL, to_stop INTEGER, from_route INTEGER,
            to_route INTEGER, from_trip TEXT, to_trip TEXT, kind INTEGER NOT NULL, minimum_time INTEGER,
            PRIMARY KEY (from_stop, position)) STRICT, WITHOUT ROWID;
        CREATE TABLE translated_fields (
            field INTEGER PRIMARY KEY, table_name TEXT NOT NULL, field_name TEXT NOT NULL,
            language TEXT NOT NULL) STRICT;
        CREATE TABLE translations (
            field INTEGER NOT NULL, by_value INTEGER NOT NULL, subject TEXT NOT NULL, sub_id TEXT NOT NULL,
            text TEXT NOT NULL, PRIMARY KEY (field, by_value, subject, sub_id)) STRICT, WITHOUT ROWID;
        CREATE TABLE findings (
            finding INTEGER PRIMARY KEY, rule TEXT NOT NULL, severity INTEGER NOT NULL, count INTEGER NOT NULL) STRICT;
        CREATE TABLE examples (
            finding INTEGER NOT NULL, position INTEGER NOT NULL, file TEXT NOT NULL, line INTEGER, column INTEGER,
            field TEXT, message TEXT NOT NULL, PRIMARY KEY (finding, position)) STRICT, WITHOUT ROWID;
        """

    /// Created only in the file of a part of a feed, because an empty table takes a page.
    static let outsideTrips = "CREATE TABLE outside_trips (bucket INTEGER PRIMARY KEY, content BLOB NOT NULL) STRICT"

    /// Created in each file without pathways: a file that lacks the table was written before this program read pathways.txt.
    /// The empty table is a view, because it takes no page.
    static let noPathways = "CREATE VIEW pathways AS SELECT NULL AS pathway WHERE 0"

    /// Created instead in a file with pathways. Earlier releases ignore the tables of pathways, so the version of the schema
    /// is the same.
    static let pathways = """
        CREATE TABLE pathways (
            pathway INTEGER PRIMARY KEY, from_location INTEGER NOT NULL, to_location INTEGER NOT NULL,
            mode INTEGER NOT NULL, bidirectional INTEGER NOT NULL, length INTEGER, traversal_time INTEGER,
            stair_count INTEGER, max_slope INTEGER, min_width INTEGER) STRICT
        """

    /// Created only together with ``pathways``.
    static let pathwayLocations = """
        CREATE TABLE pathway_locations (
            location INTEGER PRIMARY KEY, stop INTEGER, station INTEGER NOT NULL, platform INTEGER,
            entrance INTEGER NOT NULL, latitude INTEGER, longitude INTEGER) STRICT
        """

    /// Created after the rows are inserted: sorting once is faster than inserting in order and fills the pages better.
    static let indexes = """
        CREATE INDEX stops_by_parent ON stops (parent) WHERE parent IS NOT NULL;
        """

    /// The number of coordinate units per degree. A unit is 1.1 cm, and an integer takes half the bytes of a
    /// floating-point number.
    static let unitsPerDegree = 10_000_000.0
}

/// The number of rows in each table, which limits the indices in blobs.
struct TableSizes: Sendable {
    var agencies = 0
    var stops = 0
    var routes = 0
    var services = 0
    var patterns = 0
    var trips = 0
    var texts = 0
    var shapes = 0
    /// The buckets of ``OutsideTripIndex``; 0 if the file has all trips of the source.
    var outsideTripBuckets = 0
}

/// The queries on a timetable file. Each is prepared on first use.
enum TimetableQuery: Int, CaseIterable {
    case stop, stopLocations, stopAccessibility, children, stopNames, visits
    case shape, transfers, allTransfers, translation

    var sql: String {
        switch self {
        case .stop:
            """
            SELECT id, code, name, latitude, longitude, kind, parent, platform, timezone, wheelchair, outside
            FROM stops WHERE stop = ?
            """
        case .stopLocations:
            "SELECT stop, id, parent, latitude, longitude FROM stops WHERE stop BETWEEN ? AND ? ORDER BY stop"
        case .stopAccessibility: "SELECT stop, wheelchair FROM stops WHERE wheelchair <> 0 ORDER BY stop"
        case .children: "SELECT stop FROM stops WHERE parent = ? ORDER BY stop"
        case .stopNames:
            """
            SELECT stop, name, code, kind, parent, id, platform, outside FROM stops
            WHERE stop >= ? ORDER BY stop LIMIT 256
            """
        case .visits: "SELECT visits FROM stops WHERE stop = ?"
        case .shape: "SELECT id, points FROM shapes WHERE shape = ?"
        case .transfers:
            """
            SELECT to_stop, from_route, to_route, from_trip, to_trip, kind, minimum_time
            FROM transfers WHERE from_stop = ? ORDER BY position
            """
        case .allTransfers:
            """
            SELECT to_stop, from_route, to_route, from_trip, to_trip, kind, minimum_time, from_stop, position
            FROM transfers WHERE (from_stop, position) > (?, ?) ORDER BY from_stop, position LIMIT 256
            """
        case .translation:
            """
            SELECT text FROM translations WHERE field = (
                SELECT field FROM translated_fields WHERE table_name = ? AND field_name = ? AND language = ?)
            AND by_value = ? AND subject = ? AND sub_id = ?
            """
        }
    }
}

/// The blob columns of a timetable file that are read by row number.
enum BlobColumn: Int, CaseIterable {
    case stopIDs, places, routePatterns, pattern, trip, tripIDs, outsideTrips, text

    var table: String {
        switch self {
        case .stopIDs: "stop_ids"
        case .places: "stop_places"
        case .routePatterns: "routes"
        case .pattern: "patterns"
        case .trip: "trips"
        case .tripIDs: "trip_ids"
        case .outsideTrips: "outside_trips"
        case .text: "texts"
        }
    }

    var name: String { self == .routePatterns ? "patterns" : "content" }
}
