internal import TransitFeeds
internal import TransitModel
internal import TransitSimulation

/// Mutated GTFS-Realtime messages.
package struct RealtimeFuzz: FuzzTarget {
    package static let name = "realtime"
    package static let defaultCount = 100_000

    package init() {}

    package mutating func run(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var bytes: [UInt8] = [0x0A, 0x05, 0x0A, 0x03, 0x32, 0x2E, 0x30]
        for _ in 0..<random.number(1...6) {
            bytes[random.number(0...bytes.count - 1)] ^= 1 << UInt8(random.number(0...7))
        }
        // A message that cannot be read is refused with an error: that is no failure.
        _ = try? RealtimeReader(bytes)
    }
}
