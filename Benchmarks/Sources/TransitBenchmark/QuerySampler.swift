import TransitModel

/// Random stops and times for queries. The seed is fixed, so every run has the same queries.
struct QuerySampler {
    private var state: UInt64 = 0x7214_51D0

    private mutating func next(below limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }

    /// Returns random stops without duplicates.
    mutating func stops(_ count: Int, of total: Int) -> [StopIndex] {
        var seen: Set<Int> = []
        var stops: [StopIndex] = []
        while stops.count < min(count, total) {
            let position = next(below: total)
            if seen.insert(position).inserted { stops.append(StopIndex(position)) }
        }
        return stops
    }

    /// Returns a time between 05:00 and 23:00 UTC on one of the 28 days that start at a date.
    mutating func moment(from date: ServiceDate) -> Instant {
        let day = Int64(date.daysSince1970) + Int64(next(below: 28))
        return Instant(secondsSince1970: day * 86_400 + 18_000 + Int64(next(below: 64_800)))
    }
}
