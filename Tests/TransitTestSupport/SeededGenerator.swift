/// A reproducible random number generator (SplitMix64; Steele, Lea and Flood, 2014) for tests.
///
/// A seed gives the same numbers on every machine. A test with random input takes its seed from its arguments or from a
/// constant, so that a failure shows or implies it. `TransitSimulation`, which is not test code, has its own generator.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    public mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
}
