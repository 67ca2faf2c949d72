internal import TransitModel

/// What `/v1/routes/{line}/stops` tells: where the trips of a line call.
enum WaBusRouteStops {
    /// The stops in the server's order; none where it sends `null`. What has no identifier is counted.
    static func read(_ body: [UInt8]) throws(FeedError) -> WaBusList<StopID> {
        try WaBusList.read(body, of: "stops") { (json, _) throws(MalformedMessageError) -> StopID? in
            var row = WaBusRow()
            guard try row.read(&json), let id = row.texts["id"] else { return nil }
            return StopID(id)
        }
    }
}

/// What `/v1/routes/{line}/shape` tells: the ways that the trips of a line take over the ground, as
/// `{"shapes": [{"id", "points": [{"lat", "lon", "sequence"}]}]}`.
enum WaBusShapes {
    /// The longest way, which stands for the line; none where the server knows none. Points come in their order.
    static func longest(_ body: [UInt8]) throws(FeedError) -> [Coordinate] {
        let ways = try WaBusList.read(body, of: "shapes") { (json, _) throws(MalformedMessageError) -> [Coordinate]? in
            try way(&json)
        }.elements
        return ways.max { length($0) < length($1) } ?? []
    }

    private static func way(_ json: inout JSONReader) throws(MalformedMessageError) -> [Coordinate]? {
        guard try json.beginObject() else { return nil }
        var points: [(sequence: Double, place: Coordinate)] = []
        while let name = try json.nextMember() {
            guard name.folded == "points" else { continue }
            var list = try json.list()
            while try json.next(&list) {
                var row = WaBusRow()
                guard try row.read(&json), let latitude = row.number("lat"), let longitude = row.number("lon"),
                    let place = Coordinate(latitude: latitude, longitude: longitude)
                else { continue }
                points.append((row.number("sequence") ?? Double(points.count), place))
            }
        }
        return points.sorted { $0.sequence < $1.sequence }.map(\.place)
    }

    private static func length(_ way: [Coordinate]) -> Double {
        zip(way, way.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }
}
