internal import TransitModel

/// Patterns that were asked for, up to a number of bytes. When they grow past it, those that were not asked for longest are dropped,
/// a quarter at a time, so that most questions drop none.
///
/// A slot for every pattern of the file instead of a dictionary: a question looks up a hundred of them.
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
        if bytes + cost > limit { makeRoom() }
        clock &+= 1
        slots[position] = Slot(pattern: pattern, lastUse: clock)
        bytes += cost
    }

    private mutating func makeRoom() {
        let byAge = slots.indices.filter { slots[$0].pattern != nil }
            .sorted { clock &- slots[$0].lastUse > clock &- slots[$1].lastUse }
        for position in byAge where bytes > limit / 4 * 3 {
            bytes -= slots[position].pattern.map(Self.cost) ?? 0
            slots[position].pattern = nil
        }
    }

    /// About what it takes in memory, with the heads of the pattern and of its bytes.
    static func cost(of pattern: Pattern) -> Int { pattern.packed.count + 96 }
}
