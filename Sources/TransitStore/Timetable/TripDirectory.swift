internal import TransitModel

/// Finds a trip by its identifier: for each of some hundred buckets the trips whose identifiers fall into it, each with
/// eight bits more of its hash. About three bytes a trip, where an index of the texts would repeat them all.
///
/// A match is only a candidate; the identifier itself is in the trip's block.
struct TripDirectory {
    /// A power of two.
    let bucketCount: Int

    init(trips: Int) {
        var count = 1
        while count * 128 < trips { count *= 2 }
        bucketCount = count
    }

    func bucket(_ hash: UInt64) -> Int { Int(hash & UInt64(bucketCount - 1)) }

    static func fingerprint(_ hash: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: hash >> 56) }

    /// FNV-1a of 64 bits with a last mixing: kept in files, so it must never change.
    static func hash(_ id: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in id { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return (hash ^ (hash >> 32)) &* 0x9E37_79B9_7F4A_7C15
    }

    /// One blob for each bucket, in their order.
    func forEachBucket(_ ids: TextColumn, _ body: (Int, [UInt8]) throws(StoreError) -> Void) throws(StoreError) {
        let hashes = (0..<ids.count).map { Self.hash(ids.bytes[ids.range($0)]) }
        var starts = [Int](repeating: 0, count: bucketCount + 1)
        for hash in hashes { starts[bucket(hash) + 1] += 1 }
        for bucket in 0..<bucketCount { starts[bucket + 1] += starts[bucket] }
        var sorted = [UInt32](repeating: 0, count: ids.count)
        var next = starts
        for (trip, hash) in hashes.enumerated() {
            sorted[next[bucket(hash)]] = UInt32(trip)
            next[bucket(hash)] += 1
        }
        var writer = ByteWriter()
        for bucket in 0..<bucketCount {
            writer.clear()
            var previous: UInt32 = 0
            for trip in sorted[starts[bucket]..<starts[bucket + 1]] {
                writer.put(trip - previous)
                writer.put(byte: Self.fingerprint(hashes[Int(trip)]))
                previous = trip
            }
            writer.seal()
            try body(bucket, writer.bytes)
        }
    }

    static func candidates(
        _ blob: UnsafeRawBufferPointer, hash: UInt64, sizes: TableSizes
    ) throws(Malformed) -> [TripIndex] {
        var reader = try ByteReader(sealed: blob)
        var candidates: [TripIndex] = []
        var trip: UInt32 = 0
        while !reader.isAtEnd {
            trip &+= try reader.number()
            guard trip < sizes.trips else { throw Malformed("names an unknown trip") }
            if try reader.byte() == fingerprint(hash) { candidates.append(TripIndex(trip)) }
        }
        return candidates
    }
}
