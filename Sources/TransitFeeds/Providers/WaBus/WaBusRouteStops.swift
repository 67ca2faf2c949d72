internal import TransitModel

/// `/v1/routes/{line}/stops`: the stops of a line's trips.
enum WaBusRouteStops {
    /// Returns the stops in the server's order; empty if the server sends `null`. Elements without an identifier are
    /// counted as skipped.
    static func read(_ body: [UInt8]) throws(FeedError) -> WaBusList<StopID> {
        try WaBusList.read(body, of: "stops") { (json, _) throws(MalformedMessageError) -> StopID? in
            var row = WaBusRow()
            guard try row.read(&json), let id = row.texts["id"] else { return nil }
            return StopID(id)
        }
    }
}

/// `/v1/routes/{line}/shape`: the shapes of a line's trips, as `{"shapes": [{"id", "points": [{"lat", "lon",
/// "sequence"}]}]}`.
enum WaBusShapes {
    /// Returns the longest shape, which represents the line; empty if the server has none. Points are sorted by
    /// sequence.
    static func longest(_ body: [UInt8]) throws(FeedError) -> [Coordinate] {
        let paths = try WaBusList.read(body, of: "shapes") { (json, _) throws(MalformedMessageError) -> [Coordinate]? in
            try path(&json)
        }.elements
        return paths.max { length($0) < length($1) } ?? []
    }

    private static func path(_ json: inout JSONReader) throws(MalformedMessageError) -> [Coordinate]? {
        guard try json.beginObject() else { return nil }
        var points: [(sequence: Double, coordinate: Coordinate)] = []
        while let name = try json.nextMember() {
            guard name.folded == "points" else { continue }
            var list = try json.list()
            while try json.next(&list) {
                var row = WaBusRow()
                guard try row.read(&json), let latitude = row.number("lat"), let longitude = row.number("lon"),
                    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
                else { continue }
                points.append((row.number("sequence") ?? Double(points.count), coordinate))
            }
        }
        return points.sorted { $0.sequence < $1.sequence }.map(\.coordinate)
    }

    private static func length(_ path: [Coordinate]) -> Double {
        zip(path, path.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }
}
