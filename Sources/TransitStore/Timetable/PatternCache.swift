internal import TransitModel

/// A least-recently-used cache of patterns with a limit in bytes. When the limit is exceeded, a quarter is evicted at
/// once, so that most queries evict nothing.
///
/// The cache has a slot for each pattern in the file instead of a dictionary, because a query looks up about a hundred
/// patterns.
struct PatternCache {
    private var slots: [Slot]
    private var bytes = 0
    private var clock: UInt32 = 0
    let limit: Int

    private struct Slot {
        var pattern: Pattern?
        var lastUse: UInt32 = 0
    }

    init(patterns: Int, limit: Int) {
        slots = [Slot](repeating: Slot(), count: patterns)
        self.limit = limit
    }

    mutating func pattern(at position: Int) -> Pattern? {
        guard let pattern = slots[position].pattern else { return nil }
        clock &+= 1
        slots[position].lastUse = clock
        return pattern
    }

    mutating func insert(_ pattern: Pattern, at position: Int) {
        let cost = Self.cost(of: pattern)
        if bytes + cost > limit { evict() }
        clock &+= 1
        slots[position] = Slot(pattern: pattern, lastUse: clock)
        bytes += cost
    }

    private mutating func evict() {
        let byAge = slots.indices.filter { slots[$0].pattern != nil }
            .sorted { clock &- slots[$0].lastUse > clock &- slots[$1].lastUse }
        for position in byAge where bytes > limit / 4 * 3 {
            bytes -= slots[position].pattern.map(Self.cost) ?? 0
            slots[position].pattern = nil
        }
    }

    /// The approximate memory use of a pattern, including the headers of the object and of its array.
    static func cost(of pattern: Pattern) -> Int { pattern.packed.count + 96 }
}
