/// A reproducible random number generator (SplitMix64; Steele, Lea and Flood, 2014).
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    package mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// Returns `true` with a probability of 1 in `count`.
    package mutating func once(in count: Int) -> Bool { next() % UInt64(count) == 0 }

    /// Returns a duration in milliseconds between two limits in seconds. Short and long durations are equally likely.
    package mutating func duration(_ shortest: Int, _ longest: Int) -> Int64 {
        var length = Int64(shortest) * 1000
        let maximum = Int64(longest) * 1000
        while length < maximum, !once(in: 3) { length *= 2 }
        return min(maximum, length + Int64(next() % UInt64(max(1, length))))
    }

    package mutating func duration(_ seconds: ClosedRange<Int>) -> Int64 {
        duration(seconds.lowerBound, seconds.upperBound)
    }

    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(0...elements.count - 1)] }
}
