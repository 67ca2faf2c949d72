/// Counts headsigns by their number of trips.
struct HeadsignCounts {
    private var counts: [String: Int] = [:]

    /// The maximum number of headsigns in ``mostFrequent``.
    private static let maximum = 5

    mutating func add(_ headsign: String, trips: Int) { counts[headsign, default: 0] += trips }

    /// The most frequent headsigns first.
    var mostFrequent: [String] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.maximum).map(\.key)
    }
}
