/// A histogram of delays in which older evidence fades: its weight halves every six weeks.
///
/// With counters of one byte it takes 34 bytes, so that a city's departures fit in memory. Counters are scaled to a period of
/// ``halfLife`` days: an observation counts 4 at the start of a period and almost 8 at its end, and when a period ends, all
/// counters are halved.
struct DelaySketch<Counter: DelayCounter>: Hashable, Sendable {
    /// Days after which an observation counts half.
    static var halfLife: Int { 42 }
    /// The weight of an observation on the first day of a period.
    static var unit: Int { 4 }

    private(set) var counters: [32 of Counter]
    /// The number of the period to which ``counters`` are scaled.
    private(set) var period: UInt16

    init() {
        counters = .init(repeating: 0)
        period = 0
    }

    init(counters: [32 of Counter], period: UInt16) {
        self.counters = counters
        self.period = period
    }

    /// Returns the weight of an observation on a day, which is a number of days since 1970.
    static func weight(on day: Int) -> Int { unit + unit * (day % halfLife) / halfLife }

    /// Adds a delay in seconds that was observed on a day.
    mutating func add(_ delay: Int, on day: Int) {
        fade(to: day)
        let bin = DelayBins.bin(of: delay)
        let weight = Self.weight(on: day)
        if Int(counters[bin]) + weight > Int(Counter.max) { halve() }
        counters[bin] += Counter(weight)
    }

    /// The sum of the counters.
    var total: Int {
        var sum = 0
        for bin in 0..<DelayBins.count { sum += Int(counters[bin]) }
        return sum
    }

    /// The sum of the counters, scaled to a day.
    func total(on day: Int) -> Int { total >> min(max(day / Self.halfLife - Int(period), 0), Counter.bitWidth) }

    private mutating func fade(to day: Int) {
        let now = day / Self.halfLife
        guard now > Int(period) else { return }
        for _ in 0..<min(now - Int(period), Counter.bitWidth) { halve() }
        period = UInt16(clamping: now)
    }

    /// Halves the counters. They are rounded up, except that a counter of 1 becomes 0, so that old evidence ends.
    private mutating func halve() {
        for bin in 0..<DelayBins.count {
            counters[bin] = counters[bin] > 1 ? counters[bin] / 2 + counters[bin] % 2 : 0
        }
    }

    static func == (left: Self, right: Self) -> Bool {
        guard left.period == right.period else { return false }
        for bin in 0..<DelayBins.count where left.counters[bin] != right.counters[bin] { return false }
        return true
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(period)
        for bin in 0..<DelayBins.count { hasher.combine(counters[bin]) }
    }
}

/// The bins of delay histograms: about 16 s wide around the schedule, wider further away.
enum DelayBins {
    static let count = 32
    /// The lower ends of the bins except the first, in seconds. No edge is at 0: many sources state a delay of exactly 0, and
    /// a quantile must not jump there.
    static let edges: [Int] = [
        -900, -600, -300, -180, -120, -80, -48, -24, -8, 8, 24, 40, 56, 72, 88, 104, 120, 140, 160, 180, 210, 240, 270,
        300, 360, 420, 500, 600, 800, 1200, 1800,
    ]
    /// The assumed end of the first bin and of the last one, in seconds.
    private static let limits = (-1200, 3600)

    /// The range of delays that a bin stands for.
    static func range(of bin: Int) -> Range<Int> {
        (bin == 0 ? limits.0 : edges[bin - 1])..<(bin == edges.count ? limits.1 : edges[bin])
    }

    /// The bin of departures on schedule.
    static let aroundZero = range(of: bin(of: 0))

    static func bin(of delay: Int) -> Int {
        var (low, high) = (0, edges.count)
        while low < high {
            let middle = (low + high) / 2
            if delay >= edges[middle] { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Counters of several sketches, added with weights.
struct DelayDistribution {
    private(set) var counters: [32 of Int] = .init(repeating: 0)
    private(set) var total = 0

    init() {}

    init(_ sketch: DelaySketch<some DelayCounter>) { add(sketch, factor: 1) }

    mutating func add(_ sketch: DelaySketch<some DelayCounter>, factor: Int) {
        for bin in 0..<DelayBins.count {
            let weight = Int(sketch.counters[bin]) * factor
            counters[bin] += weight
            total += weight
        }
    }

    /// Adds a sketch as if it had at most a given weight on a day.
    mutating func add(_ sketch: DelaySketch<some DelayCounter>, on day: Int, atMost weight: Int = .max, part: Int = 1) {
        let own = sketch.total
        guard own > 0 else { return }
        let available = min(sketch.total(on: day) / part, weight)
        guard available > 0 else { return }
        add(sketch, factor: max(1, 256 * available / own))
    }

    /// Returns the delay in seconds below which `permille` of 1000 parts of the weight are, interpolated within a bin; `nil`
    /// without evidence.
    func quantile(_ permille: Int) -> Int? {
        guard total > 0 else { return nil }
        let wanted = total * permille
        var seen = 0
        for bin in 0..<DelayBins.count where counters[bin] > 0 {
            let count = counters[bin]
            if (seen + count) * 1000 >= wanted {
                let range = DelayBins.range(of: bin)
                return range.lowerBound + range.count * max(wanted - seen * 1000, 0) / (count * 1000)
            }
            seen += count
        }
        return DelayBins.range(of: DelayBins.count - 1).upperBound
    }

    /// The lower end of a range. Many sources state a delay of exactly 0, so that an end in the bin around 0 includes the whole
    /// bin.
    func lowerEnd(_ permille: Int) -> Int? {
        quantile(permille).map { DelayBins.aroundZero.contains($0) ? DelayBins.aroundZero.lowerBound : $0 }
    }

    /// The upper end of a range; see ``lowerEnd(_:)``.
    func upperEnd(_ permille: Int) -> Int? {
        quantile(permille).map { DelayBins.aroundZero.contains($0) ? DelayBins.aroundZero.upperBound : $0 }
    }

    /// The share of the weight with a delay of at least `from` and below `to`, in percent. Delays count as spread evenly over
    /// their bin.
    func share(from: Int?, to: Int?) -> Int {
        guard total > 0 else { return 0 }
        var sum = 0
        for bin in 0..<DelayBins.count {
            let range = DelayBins.range(of: bin)
            let start = max(from ?? range.lowerBound, range.lowerBound)
            let inside = max(min(to ?? range.upperBound, range.upperBound) - start, 0)
            sum += counters[bin] * 100 * inside / range.count
        }
        return (sum + total / 2) / total
    }
}

/// The type of a histogram's counters: one byte for single departures, two bytes for what is collected over a whole feed.
typealias DelayCounter = FixedWidthInteger & Sendable & UnsignedInteger
