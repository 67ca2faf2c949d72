internal import TransitControl
internal import TransitModel
internal import TransitQueries
internal import TransitWire

/// Reads the `[place.NAME]` tables.
struct PlaceSection {
    var feeds: [FeedID]

    func read(_ root: ConfigurationTable) -> [String: PlaceConfiguration] {
        var places: [String: PlaceConfiguration] = [:]
        for (name, table) in root.namedTables("place") {
            guard let table else { continue }
            guard PlaceName.isValid(name) else {
                table.reportName("\"\(name)\" is not a valid place name", remedy: PlaceName.rule)
                continue
            }
            places[name] = readPlace(table, owner: "[place.\(name)]")
        }
        return places
    }

    private func readPlace(_ table: ConfigurationTable, owner: String) -> PlaceConfiguration? {
        table.rejectUnknownKeys(
            besides: ["lat", "lon", "walk_minutes", "stop"],
            instead: [
                "lng": "did you mean `lon`?", "long": "did you mean `lon`?", "longitude": "did you mean `lon`?",
                "latitude": "did you mean `lat`?", "walk": "did you mean `walk_minutes`?",
                "address": "set `lat` and `lon`: `transitctl address` finds them",
            ], in: owner)
        let walk = table.number("walk_minutes", in: 0...180, unit: "minutes", example: 8)
        guard let location = readLocation(table, owner: owner) else { return nil }
        return PlaceConfiguration(location: location, walk: walk.map { Int(($0 * 60).rounded()) })
    }

    private func readLocation(_ table: ConfigurationTable, owner: String) -> PlaceConfiguration.Location? {
        if let text = table.text("stop", example: "\(feeds.first?.rawValue ?? "my-city"):1234") {
            if table.has("lat") || table.has("lon") {
                table.report("stop", "\(owner) has both `stop` and `lat`/`lon`", remedy: "keep one of them")
            }
            guard let stop = StopSection.check(text, feeds: feeds, key: "stop", in: table) else { return nil }
            return .stop(stop)
        }
        if table.has("stop") { return nil }
        guard table.has("lat"), table.has("lon") else {
            table.report(
                table.has("lat") ? "lon" : "lat", "\(owner) has no location",
                remedy: "add `lat = 37.3942` and `lon = -122.0764`, or `stop = \"feed:stop_id\"`")
            return nil
        }
        let latitude = table.number("lat", in: -90...90, unit: "degrees", example: 37.3942)
        let longitude = table.number("lon", in: -180...180, unit: "degrees", example: -122.0764)
        guard let latitude, let longitude else { return nil }
        guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
            table.report("lat", "\(owner) is at 0, 0, which is in the sea", remedy: "use its actual coordinates")
            return nil
        }
        return .coordinate(coordinate)
    }
}

/// The rule for the names of places and commutes, in the configuration and in requests.
enum PlaceName {
    static let rule = "use 1 to 64 letters, digits, `-`, `_` and `.`"

    static func isValid(_ name: String) -> Bool {
        (1...64).contains(name.unicodeScalars.count)
            && name.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || $0.properties.numericType != nil || "-_.".unicodeScalars.contains($0)
            }
    }
}

/// Checks that the feed of a configured stop exists. Whether the stop exists cannot be checked without the timetable.
enum StopSection {
    static func check(_ text: String, feeds: [FeedID], key: String, in table: ConfigurationTable) -> QualifiedStop? {
        guard let stop = QualifiedStop(text) else {
            table.report(
                key, "\"\(text)\" is not a stop",
                remedy: "write it as `\(feeds.first?.rawValue ?? "my-city"):STOP_ID`")
            return nil
        }
        guard feeds.contains(stop.feed) else {
            let near = Spelling.closest(to: stop.feed.rawValue, among: feeds.map(\.rawValue))
            table.report(
                key, "there is no feed \"\(stop.feed)\"",
                remedy: near.map { "did you mean \"\($0)\"?" } ?? "add a `[[feed]]` with `id = \"\(stop.feed)\"`")
            return nil
        }
        return stop
    }
}
