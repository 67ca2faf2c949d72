internal import TransitModel

/// Pseudorandom numbers that depend only on a seed and the arguments, so that plans are pure functions.
public struct Jitter: Hashable, Sendable {
    private let seed: UInt64

    /// - Parameter seed: The seed of this installation, so that installations do not all send requests in the same
    ///   second.
    public init(seed: UInt64) { self.seed = seed }

    /// Returns a uniformly distributed number in `0..<1` for a dataset and a count.
    func fraction(_ id: DatasetID, _ count: Int) -> Double {
        finish(add(id.kind.rawValue, to: add(id.feed.rawValue, to: start)), count)
    }

    /// Returns a uniformly distributed number in `0..<1` for a host and a count.
    func fraction(_ host: HostID, _ count: Int) -> Double { finish(add(host.rawValue, to: start), count) }

    // FNV-1a over the name, then the finalizer of SplitMix64.

    private var start: UInt64 { seed ^ 0xCBF2_9CE4_8422_2325 }

    private func add(_ name: String, to hash: UInt64) -> UInt64 {
        var hash = hash
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }

    private func finish(_ hash: UInt64, _ count: Int) -> Double {
        var hash = hash
        hash ^= UInt64(bitPattern: Int64(count)) &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        hash ^= hash >> 31
        return Double(hash >> 11) / Double(1 << 53)
    }
}
