/// The queries on a timetable file. Each is prepared on first use.
enum TimetableQuery: Int, CaseIterable {
    case stop, stopLocations, children, stopNames, visits
    case shape, transfers, translation

    var sql: String {
        switch self {
        case .stop:
            """
            SELECT id, code, name, latitude, longitude, kind, parent, platform, timezone, wheelchair
            FROM stops WHERE stop = ?
            """
        case .stopLocations:
            "SELECT stop, id, parent, latitude, longitude FROM stops WHERE stop BETWEEN ? AND ? ORDER BY stop"
        case .children: "SELECT stop FROM stops WHERE parent = ? ORDER BY stop"
        case .stopNames:
            """
            SELECT stop, name, code, kind, parent, id, platform FROM stops
            WHERE stop >= ? ORDER BY stop LIMIT 256
            """
        case .visits: "SELECT visits FROM stops WHERE stop = ?"
        case .shape: "SELECT id, points FROM shapes WHERE shape = ?"
        case .transfers:
            """
            SELECT to_stop, from_route, to_route, from_trip, to_trip, kind, minimum_time
            FROM transfers WHERE from_stop = ? ORDER BY position
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
    case stopIDs, places, routePatterns, pattern, trip, tripIDs, text

    var table: String {
        switch self {
        case .stopIDs: "stop_ids"
        case .places: "stop_places"
        case .routePatterns: "routes"
        case .pattern: "patterns"
        case .trip: "trips"
        case .tripIDs: "trip_ids"
        case .text: "texts"
        }
    }

    var name: String { self == .routePatterns ? "patterns" : "content" }
}
