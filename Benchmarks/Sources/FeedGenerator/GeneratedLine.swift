/// A route with its path through the streets in both directions, and its patterns.
struct GeneratedLine {
    var number: Int
    var agency: Int
    var isNight: Bool
    /// The headway at the busiest time, in minutes.
    var headway: Int
    /// Whether times are published in whole minutes. Otherwise, they are published in seconds.
    var wholeMinutes: Bool
    /// Whether only every fourth call has times.
    var onlyTimepoints: Bool
    /// Whether almost every trip has its own running times. Otherwise, all trips at a time of day share running times.
    var ownTimes: Bool
    /// Whether the rows of two trips are interleaved in stop_times.txt.
    var mixedRows: Bool
    var patterns: [LinePattern]

    /// The calls of one pattern.
    struct LinePattern {
        var direction: Int
        /// Stop numbers: twice the number of the intersection, plus the side of the street (0 or 1).
        var stops: [Int]
        /// The running times between consecutive calls without traffic, in seconds.
        var legs: [Int]
        /// Whether the pattern serves only part of the route, at busy times.
        var isShort: Bool
    }

    init(number: Int, size: FeedSize, streets: StreetGrid, hubs: [Int], random: inout FeedRandom) {
        self.number = number
        agency = number % size.agencies
        isNight = random.chance(percent: 6)
        headway = max(4, random.pick([8, 10, 10, 12, 15, 15, 20, 20, 30]) * size.headwayPercent / 100)
        wholeMinutes = random.chance(percent: 60)
        onlyTimepoints = random.chance(percent: 6)
        ownTimes = random.chance(percent: 30)
        mixedRows = random.chance(percent: 3)
        let start = random.chance(percent: 60) ? random.pick(hubs) : random.pick(0...size.columns * size.rows - 1)
        let path = streets.walk(from: start, length: random.pick(20...46), &random)
        patterns = []
        for direction in 0...1 {
            let stops = (direction == 0 ? path : path.reversed()).map { $0 * 2 + direction }
            addStopSequences(stops, direction: direction, &random)
        }
    }

    private mutating func addStopSequences(_ stops: [Int], direction: Int, _ random: inout FeedRandom) {
        let legs = stops.dropFirst().map { _ in random.pick(45...140) }
        patterns.append(LinePattern(direction: direction, stops: stops, legs: legs, isShort: false))
        guard random.chance(percent: 55), stops.count > 12 else { return }
        let cut = stops.count * 2 / 3
        patterns.append(
            LinePattern(
                direction: direction, stops: Array(stops[..<cut]), legs: Array(legs[..<(cut - 1)]), isShort: true))
    }

    var routeID: String { "R\(Decimals.padded(number, to: 4))" }
    var shortName: String { isNight ? "N\(number)" : String(number) }
}
