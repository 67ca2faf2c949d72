internal import TransitEngine
internal import TransitModel

internal import struct TransitSimulation.SeededGenerator

/// Passes damaged files of learned delays to their reader, and asks what was read.
package struct DelayHistoryFuzz: FuzzTarget {
    package static let name = "delays"
    package static let defaultCount = 20_000

    private let whole: [UInt8]

    package init() { whole = DelayHistory.sample(days: 12, predictedDays: 2).encoded }

    package mutating func run(seed: UInt64) throws { try read(sample(seed: seed)) }

    package func sample(seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        var bytes = whole
        for _ in 0..<random.number(0...4) where !bytes.isEmpty {
            let place = random.number(0...bytes.count - 1)
            switch random.number(0...3) {
            case 0: bytes.removeSubrange(place..<min(bytes.count, place + random.number(1...200)))
            case 1: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 80)], at: place)
            case 2: bytes[place] = random.pick([0, 0x7F, 0x80, 0xFF])
            default: bytes[place] ^= 1 << UInt8(random.number(0...7))
            }
        }
        return bytes
    }

    package func read(_ bytes: [UInt8]) throws {
        // Rejecting a damaged file is not a failure.
        guard let history = DelayHistory(bytes) else { return }
        guard history.encoded == bytes else { throw FuzzFailure("the file differs from what was read from it") }
        let quality = history.quality
        guard quality.inside <= quality.judged else { throw FuzzFailure("more departures are inside than judged") }
        guard let usual = history.usual("r", nil, from: "s", at: ServiceTime(seconds: 30_000), .weekday) else { return }
        guard usual.earliest <= usual.delay, usual.delay <= usual.latest else {
            throw FuzzFailure("the range of a usual delay is out of order")
        }
        if let delays = history.delays(of: "r", nil), !(0...100).contains(delays.notServed) {
            throw FuzzFailure("\(delays.notServed) % did not run")
        }
    }
}
