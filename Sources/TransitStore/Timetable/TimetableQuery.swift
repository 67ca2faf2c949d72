/// The questions that are put to a timetable file, each prepared when it is first asked.
enum TimetableQuery: Int, CaseIterable {
    case stop, stopIDs, children, places, stopNames, visits
    case routePatterns, pattern, trip, tripIDs, text, shape, transfers, translation

    var sql: String {
        switch self {
        case .stop:
            """
            SELECT id, code, name, latitude, longitude, kind, parent, platform, timezone, wheelchair
            FROM stops WHERE stop = ?
            """
        case .stopIDs: "SELECT content FROM stop_ids WHERE bucket = ?"
        case .children: "SELECT stop FROM stops WHERE parent = ? ORDER BY stop"
        case .places: "SELECT content FROM stop_places WHERE block = ?"
        case .stopNames:
            """
            SELECT stop, name, code, kind, parent, id, platform FROM stops
            WHERE stop >= ? ORDER BY stop LIMIT 256
            """
        case .visits: "SELECT visits FROM stops WHERE stop = ?"
        case .routePatterns: "SELECT patterns FROM routes WHERE route = ?"
        case .pattern: "SELECT content FROM patterns WHERE pattern = ?"
        case .trip: "SELECT content FROM trips WHERE block = ?"
        case .tripIDs: "SELECT content FROM trip_ids WHERE bucket = ?"
        case .text: "SELECT content FROM texts WHERE block = ?"
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
