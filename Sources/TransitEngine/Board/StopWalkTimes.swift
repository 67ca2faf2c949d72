internal import TransitModel

/// The stops at one end of a direct trip with their walking times in seconds. Optimized for looking up every call of
/// many patterns.
struct StopWalkTimes {
    private let walks: [StopIndex: Int]
    /// Bit `n` is set if the index of a stop is `n` modulo 256. The bits make most dictionary lookups unnecessary.
    private var marks = SIMD4<UInt64>()

    init(_ walks: [StopIndex: Int]) {
        self.walks = walks
        for stop in walks.keys { marks[Self.word(stop)] |= Self.bit(stop) }
    }

    @inline(__always)
    subscript(stop: StopIndex) -> Int? { marks[Self.word(stop)] & Self.bit(stop) == 0 ? nil : walks[stop] }

    private static func word(_ stop: StopIndex) -> Int { Int(stop.rawValue >> 6 & 3) }
    private static func bit(_ stop: StopIndex) -> UInt64 { 1 << UInt64(stop.rawValue & 63) }
}
