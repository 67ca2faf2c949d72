internal import TransitModel

/// A search for many trips by their identifiers: first the buckets of the directory, then the blocks of trips, each read
/// once and in the order of the file. One by one, every identifier would cost two readings.
struct TripIDLookup {
    private let ids: [TripID]
    private let hashes: [UInt64]
    private let directory: IdentifierHashIndex

    /// A row, bucket or trip, and the position of an identifier among those that are searched; ascending by row.
    struct Place: Comparable {
        /// In one number, as thousands are sorted.
        private let packed: UInt64

        init(row: Int, position: Int) { packed = UInt64(row) << 32 | UInt64(position) }

        var row: Int { Int(packed >> 32) }
        var position: Int { Int(packed & 0xFFFF_FFFF) }
        static func < (left: Self, right: Self) -> Bool { left.packed < right.packed }
    }

    /// - Parameter rows: the number of trips in the file.
    init(_ ids: [TripID], rows: Int) {
        self.ids = ids
        hashes = ids.map { IdentifierHashIndex.hash($0.rawValue) }
        directory = IdentifierHashIndex(rows: rows)
    }

    /// The buckets in which the identifiers are, each with its places.
    func forEachBucket(_ body: (Int, ArraySlice<Place>) throws(StoreError) -> Void) throws(StoreError) {
        let places = hashes.indices.map { Place(row: directory.bucket(hashes[$0]), position: $0) }.sorted()
        try Self.forEachGroup(of: places, size: 1, body)
    }

    /// Adds the trips of a bucket that may be among the `wanted` ones.
    func addCandidates(
        of bucket: UnsafeRawBufferPointer, wanted: ArraySlice<Place>, to candidates: inout [Place]
    ) throws(MalformedDataError) {
        // Of hundreds of rows few are wanted: one look at a table passes over the others.
        var isWanted = [Bool](repeating: false, count: 256)
        for place in wanted { isWanted[Int(IdentifierHashIndex.fingerprint(hashes[place.position]))] = true }
        try directory.forEachRow(bucket) { row, fingerprint in
            guard isWanted[Int(fingerprint)] else { return }
            for place in wanted where IdentifierHashIndex.fingerprint(hashes[place.position]) == fingerprint {
                candidates.append(Place(row: row, position: place.position))
            }
        }
    }

    /// The blocks of the candidates, each with these.
    func forEachBlock(
        of candidates: [Place], _ body: (Int, ArraySlice<Place>) throws(StoreError) -> Void
    ) throws(StoreError) {
        try Self.forEachGroup(of: candidates.sorted(), size: TripBlock.size, body)
    }

    /// Hands over those of a block's candidates that are what was searched, with the position of their identifier.
    func match(
        _ block: UnsafeRawBufferPointer, number: Int, candidates: ArraySlice<Place>, sizes: TableSizes,
        _ body: (Int, TripBlock.Match) -> Void
    ) throws(MalformedDataError) {
        var cursor = try TripBlock.Cursor(block, block: number, sizes: sizes)
        for place in candidates {
            if let match = try cursor.match(row: place.row, ids[place.position]) { body(place.position, match) }
        }
    }

    /// Calls `body` for each run of places whose rows are in one group of `size` rows, with the number of the group.
    private static func forEachGroup(
        of places: [Place], size: Int, _ body: (Int, ArraySlice<Place>) throws(StoreError) -> Void
    ) throws(StoreError) {
        var begin = 0
        while begin < places.count {
            let group = places[begin].row / size
            var end = begin + 1
            while end < places.count, places[end].row / size == group { end += 1 }
            try body(group, places[begin..<end])
            begin = end
        }
    }
}
