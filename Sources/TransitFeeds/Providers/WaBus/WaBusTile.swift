internal import TransitModel

#if canImport(Glibc)
    internal import Glibc
#endif

/// A Web Mercator tile, `zoom/x/y`, by which the server groups its vehicles.
struct WaBusTile: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The server's zoom level; no other level matches. A tile is about 1.5 km wide in Warsaw.
    static let zoom = 14
    /// The number of tiles in a row of the map.
    static let count = 1 << zoom

    var x: Int
    var y: Int

    var description: String { "\(Self.zoom)/\(x)/\(y)" }

    static func < (left: Self, right: Self) -> Bool { (left.x, left.y) < (right.x, right.y) }

    init(x: Int, y: Int) {
        self.x = min(max(0, x), Self.count - 1)
        self.y = min(max(0, y), Self.count - 1)
    }

    /// The tile of a place. Places near the poles, which are not on the map, belong to its first or last row.
    init(_ place: Coordinate) {
        let latitude = min(max(place.latitude, -85.0511), 85.0511) * .pi / 180
        let across = (place.longitude + 180) / 360 * Double(Self.count)
        let down = (1 - log(tan(latitude) + 1 / cos(latitude)) / .pi) / 2 * Double(Self.count)
        self.init(x: Int(across.rounded(.down)), y: Int(down.rounded(.down)))
    }

    /// Returns the sorted tiles that touch a square around each place.
    ///
    /// - Parameters:
    ///   - radius: Half the side of the square in meters.
    ///   - limit: The maximum number of tiles. If there are more, the first places take precedence.
    static func around(_ places: [Coordinate], radius: Double, limit: Int) -> [WaBusTile] {
        var tiles: Set<WaBusTile> = []
        for place in places {
            let joined = tiles.union(square(place, radius))
            guard joined.count <= limit else { break }
            tiles = joined
        }
        return tiles.sorted()
    }

    private static func square(_ place: Coordinate, _ radius: Double) -> Set<WaBusTile> {
        // The length of one degree of latitude in meters. A degree of longitude shrinks with the cosine of the
        // latitude. The cosine is clamped above zero near the poles.
        let degree = 111_195.0
        let north = radius / degree
        let east = north / max(0.05, cos(place.latitude * .pi / 180))
        func corner(_ up: Double, _ right: Double) -> WaBusTile {
            let latitude = min(max(place.latitude + up, -85), 85)
            let longitude = min(max(place.longitude + right, -180), 180)
            return WaBusTile(Coordinate(latitude: latitude, longitude: longitude) ?? place)
        }
        let (first, last) = (corner(north, -east), corner(-north, east))
        guard first.x <= last.x, first.y <= last.y else { return [WaBusTile(place)] }
        var tiles: Set<WaBusTile> = []
        for x in first.x...last.x {
            for y in first.y...last.y { tiles.insert(WaBusTile(x: x, y: y)) }
        }
        return tiles
    }
}
