/// A reproducible pseudorandom number generator (SplitMix64): a feed is the same on every machine.
struct FeedRandom {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number uniformly distributed over `range`.
    mutating func pick(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    mutating func pick<Element>(_ choices: [Element]) -> Element { choices[pick(0...choices.count - 1)] }

    /// Returns `true` with a probability of `percent`.
    mutating func chance(percent: Int) -> Bool { pick(0...99) < percent }
}
