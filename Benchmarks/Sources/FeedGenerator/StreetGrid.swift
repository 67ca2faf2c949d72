/// The street grid, which determines the positions and names of stops.
struct StreetGrid {
    let columns: Int
    let rows: Int
    private var names: [String] = []
    private var jitter: [(Int, Int)] = []

    /// The distance between intersections in units of 1e-6 degree: about 330 m in both directions at 52 degrees north.
    private static let step = (north: 2_960, east: 4_810)
    private static let origin = (north: 52_200_000, east: 9_100_000)

    init(columns: Int, rows: Int, random: inout FeedRandom) {
        self.columns = columns
        self.rows = rows
        for _ in 0..<(columns + rows) { names.append(Self.name(&random)) }
        for _ in 0..<(columns * rows) { jitter.append((random.pick(-700...700), random.pick(-1_100...1_100))) }
    }

    func name(of crossing: Int) -> String {
        let (east, north) = (names[crossing % columns], names[columns + crossing / columns])
        return crossing % 7 == 0 ? "\(east), \(north)" : "\(east) / \(north)"
    }

    /// Returns the latitude and longitude in units of 1e-6 degree.
    func position(of crossing: Int) -> (north: Int, east: Int) {
        (
            Self.origin.north + crossing / columns * Self.step.north + jitter[crossing].0,
            Self.origin.east + crossing % columns * Self.step.east + jitter[crossing].1
        )
    }

    /// Returns the intersections along a path that is mostly straight and visits each intersection at most once.
    func walk(from start: Int, length: Int, _ random: inout FeedRandom) -> [Int] {
        var path = [start]
        var seen: Set = [start]
        var heading = random.pick(0...3)
        while path.count < length {
            if random.chance(percent: 14) { heading = (heading + (random.chance(percent: 50) ? 1 : 3)) % 4 }
            guard let turn = [0, 1, 3].first(where: { isFree(path.last!, (heading + $0) % 4, seen) }) else { break }
            heading = (heading + turn) % 4
            path.append(neighbor(path.last!, heading)!)
            seen.insert(path.last!)
        }
        return path
    }

    private func isFree(_ crossing: Int, _ heading: Int, _ seen: Set<Int>) -> Bool {
        neighbor(crossing, heading).map { !seen.contains($0) } ?? false
    }

    private func neighbor(_ crossing: Int, _ heading: Int) -> Int? {
        let (column, row) = (crossing % columns, crossing / columns)
        switch heading {
        case 0: return row + 1 < rows ? crossing + columns : nil
        case 1: return column + 1 < columns ? crossing + 1 : nil
        case 2: return row > 0 ? crossing - columns : nil
        default: return column > 0 ? crossing - 1 : nil
        }
    }

    private static let beginnings = [
        "Ahorn", "Berg", "Birken", "Blumen", "Brücken", "Dorf", "Eichen", "Feld", "Garten", "Hafen", "Kirch",
        "Königs", "Linden", "Markt", "Mühlen", "Neu", "Park", "Rosen", "Schul", "See", "Sonnen", "Tal", "Wald",
        "Wiesen",
    ]
    private static let middles = ["", "", "", "hof", "tor", "burg", "grund", "kamp", "stein"]
    private static let endings = ["straße", "allee", "weg", "platz", "ring", "damm", "ufer", "gasse"]

    private static func name(_ random: inout FeedRandom) -> String {
        random.pick(beginnings) + random.pick(middles) + random.pick(endings)
    }
}
