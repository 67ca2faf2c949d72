internal import TransitModel

/// A hash index to find trips or stops by identifier. Each bucket, of about a hundred rows, lists the rows whose
/// identifiers hash to it, each with eight more bits of the hash.
///
/// The index takes about three bytes per row; an index of the identifiers themselves would store all of them a second
/// time. A match is only a candidate, which must be compared with the identifier in the row.
struct IdentifierHashIndex {
    /// A power of two.
    let bucketCount: Int
    private let rows: Int

    init(rows: Int) {
        var count = 1
        while count * 128 < rows { count *= 2 }
        bucketCount = count
        self.rows = rows
    }

    func bucket(_ hash: UInt64) -> Int { Int(hash & UInt64(bucketCount - 1)) }

    static func fingerprint(_ hash: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: hash >> 56) }

    /// Calls `body` with the blob of each bucket, in order. `hashes` has one element per row.
    func forEachBucket(_ hashes: [UInt64], _ body: (Int, [UInt8]) throws(StoreError) -> Void) throws(StoreError) {
        var starts = [Int](repeating: 0, count: bucketCount + 1)
        for hash in hashes { starts[bucket(hash) + 1] += 1 }
        for bucket in 0..<bucketCount { starts[bucket + 1] += starts[bucket] }
        var sorted = [UInt32](repeating: 0, count: hashes.count)
        var next = starts
        for (row, hash) in hashes.enumerated() {
            sorted[next[bucket(hash)]] = UInt32(row)
            next[bucket(hash)] += 1
        }
        var writer = ByteWriter()
        for bucket in 0..<bucketCount {
            writer.clear()
            var previous: UInt32 = 0
            for row in sorted[starts[bucket]..<starts[bucket + 1]] {
                writer.put(row - previous)
                writer.put(byte: Self.fingerprint(hashes[Int(row)]))
                previous = row
            }
            writer.seal()
            try body(bucket, writer.bytes)
        }
    }

    /// Returns the rows of a bucket that may have the identifier.
    func candidates<Subject>(
        _ blob: UnsafeRawBufferPointer, hash: UInt64
    ) throws(MalformedDataError) -> [Index<Subject>] {
        var candidates: [Index<Subject>] = []
        try forEachRow(blob) { row, fingerprint in
            if fingerprint == Self.fingerprint(hash) { candidates.append(Index(row)) }
        }
        return candidates
    }

    /// Calls `body` for each row of a bucket in ascending order, with eight bits of the identifier's hash.
    func forEachRow(_ blob: UnsafeRawBufferPointer, _ body: (Int, UInt8) -> Void) throws(MalformedDataError) {
        var reader = try ByteReader(sealed: blob)
        var row: UInt32 = 0
        while !reader.isAtEnd {
            row &+= try reader.number()
            guard row < rows else { throw MalformedDataError("contains a row past the end of its table") }
            body(Int(row), try reader.byte())
        }
    }
}
