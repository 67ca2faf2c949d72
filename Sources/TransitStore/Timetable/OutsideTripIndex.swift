public import TransitModel

/// An index of the trips of the source that a partial timetable file does not contain. It answers whether an identifier
/// belongs to such a trip, which requires no other data of the trip.
///
/// Each bucket, of about a hundred trips, has the upper 48 bits of the hash of each trip, in ascending order. The lower
/// bits select the bucket. The index takes six bytes per trip. An identifier that is in no timetable is mistaken for one
/// of a million trips once in 10^12 lookups.
struct OutsideTripIndex {
    /// A power of two.
    let bucketCount: Int

    private static let size = 6

    /// - Parameter trips: The number of trips in the index.
    init(trips: Int) {
        var count = 1
        while count * 128 < trips { count *= 2 }
        bucketCount = count
    }

    init(bucketCount: Int) { self.bucketCount = bucketCount }

    func bucket(_ hash: UInt64) -> Int { Int(hash & UInt64(bucketCount - 1)) }

    /// Calls `body` with the blob of each bucket, in order.
    func forEachBucket(_ hashes: [UInt64], _ body: (Int, [UInt8]) throws(StoreError) -> Void) throws(StoreError) {
        let sorted = hashes.sorted { (bucket($0), $0) < (bucket($1), $1) }
        var writer = ByteWriter()
        var next = 0
        for bucket in 0..<bucketCount {
            writer.clear()
            while next < sorted.count, self.bucket(sorted[next]) == bucket {
                for shift in stride(from: 56, through: 16, by: -8) {
                    writer.put(byte: UInt8(truncatingIfNeeded: sorted[next] >> UInt64(shift)))
                }
                next += 1
            }
            writer.seal()
            try body(bucket, writer.bytes)
        }
    }

    /// Returns whether a bucket has a trip with the hash.
    func contains(_ hash: UInt64, in blob: UnsafeRawBufferPointer) throws(MalformedDataError) -> Bool {
        var reader = try ByteReader(sealed: blob)
        while !reader.isAtEnd {
            var upper: UInt64 = 0
            for _ in 0..<Self.size { upper = upper << 8 | UInt64(try reader.byte()) }
            if upper == hash >> 16 { return true }
        }
        return false
    }
}

extension TimetableFile {
    /// Returns whether a trip of the source is not in this file because it is outside of the kept part.
    public func isOutside(_ trip: TripID) throws(StoreError) -> Bool {
        guard sizes.outsideTripBuckets > 0 else { return false }
        let index = OutsideTripIndex(bucketCount: sizes.outsideTripBuckets)
        let hash = IdentifierHash.of(trip.rawValue)
        return try read { (reader) throws(StoreError) in
            try reader.blob(.outsideTrips, index.bucket(hash), "bucket of outside trips") {
                (blob) throws(MalformedDataError) in try index.contains(hash, in: blob)
            }
        }
    }
}
