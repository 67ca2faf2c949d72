internal import TransitModel

/// A lookup of many trips by identifier. It reads each bucket of the hash index and each block of trips once, in file
/// order. Individual lookups would need two reads per identifier.
struct TripIDLookup {
    private let ids: [TripID]
    private let hashes: [UInt64]
    private let index: IdentifierHashIndex

    /// A row (a bucket or a trip) and the position of the identifier that is looked up there. Ordered by row.
    struct Entry: Comparable {
        /// Both values are packed into one number, which makes sorting thousands of entries fast.
        private let packed: UInt64

        init(row: Int, position: Int) { packed = UInt64(row) << 32 | UInt64(position) }

        var row: Int { Int(packed >> 32) }
        var position: Int { Int(packed & 0xFFFF_FFFF) }
        static func < (left: Self, right: Self) -> Bool { left.packed < right.packed }
    }

    /// - Parameter rows: The number of trips in the file.
    init(_ ids: [TripID], rows: Int) {
        self.ids = ids
        hashes = ids.map { IdentifierHashIndex.hash($0.rawValue) }
        index = IdentifierHashIndex(rows: rows)
    }

    /// Calls `body` for each bucket that contains identifiers, with their entries.
    func forEachBucket(_ body: (Int, ArraySlice<Entry>) throws(StoreError) -> Void) throws(StoreError) {
        let entries = hashes.indices.map { Entry(row: index.bucket(hashes[$0]), position: $0) }.sorted()
        try Self.forEachGroup(of: entries, size: 1, body)
    }

    /// Adds the trips of a bucket that may have one of the `wanted` identifiers.
    func addCandidates(
        of bucket: UnsafeRawBufferPointer, wanted: ArraySlice<Entry>, to candidates: inout [Entry]
    ) throws(MalformedDataError) {
        // Few of the hundreds of rows match; a lookup table skips the rest.
        var isWanted = [Bool](repeating: false, count: 256)
        for entry in wanted { isWanted[Int(IdentifierHashIndex.fingerprint(hashes[entry.position]))] = true }
        try index.forEachRow(bucket) { row, fingerprint in
            guard isWanted[Int(fingerprint)] else { return }
            for entry in wanted where IdentifierHashIndex.fingerprint(hashes[entry.position]) == fingerprint {
                candidates.append(Entry(row: row, position: entry.position))
            }
        }
    }

    /// Calls `body` for each block that contains candidates, with those candidates.
    func forEachBlock(
        of candidates: [Entry], _ body: (Int, ArraySlice<Entry>) throws(StoreError) -> Void
    ) throws(StoreError) {
        try Self.forEachGroup(of: candidates.sorted(), size: PackedTripGroup.size, body)
    }

    /// Calls `body` for each candidate in a block that has its identifier, with the position of the identifier.
    func match(
        _ block: UnsafeRawBufferPointer, number: Int, candidates: ArraySlice<Entry>, sizes: TableSizes,
        _ body: (Int, PackedTripGroup.Match) -> Void
    ) throws(MalformedDataError) {
        var cursor = try PackedTripGroup.Cursor(block, block: number, sizes: sizes)
        for entry in candidates {
            if let match = try cursor.match(row: entry.row, ids[entry.position]) { body(entry.position, match) }
        }
    }

    /// Calls `body` for each run of entries whose rows are in the same group of `size` rows, with the number of the
    /// group.
    private static func forEachGroup(
        of entries: [Entry], size: Int, _ body: (Int, ArraySlice<Entry>) throws(StoreError) -> Void
    ) throws(StoreError) {
        var begin = 0
        while begin < entries.count {
            let group = entries[begin].row / size
            var end = begin + 1
            while end < entries.count, entries[end].row / size == group { end += 1 }
            try body(group, entries[begin..<end])
            begin = end
        }
    }
}
