public import TransitModel

extension TimetableFile {
    public func trip(_ index: TripIndex) throws(StoreError) -> Trip {
        try read { (reader) throws(StoreError) in try reader.trip(index).trip }
    }

    /// Returns `nil` if the version has no such trip.
    public func trip(id: TripID) throws(StoreError) -> TripIndex? {
        var found: TripIndex?
        try search([id]) { (_, match, _) in found = found ?? match.trip }
        return found
    }

    /// Returns the trips with the given identifiers, in the same order; `nil` for a trip that does not exist. Other queries
    /// can run in the meantime.
    public func trips(ids: [TripID]) throws(StoreError) -> [TripIndex?] {
        var found = [TripIndex?](repeating: nil, count: ids.count)
        try search(ids) { (position, match, _) in found[position] = found[position] ?? match.trip }
        return found
    }

    /// Returns the block (`block_id`) of each trip; empty if no trip has one. Other queries can run in the meantime.
    public func blocks() throws(StoreError) -> [TextIndex?] {
        try valuesOfTrips(absent: nil) { (blob, block) throws(MalformedDataError) in
            try PackedTripGroup.blocks(blob, block: block, sizes: sizes)
        }
    }

    /// Returns the accessibility of each trip; empty if nothing is stated about any. Other queries can run in the meantime.
    public func tripAccessibility() throws(StoreError) -> [TripAccessibility] {
        try valuesOfTrips(absent: TripAccessibility()) { (blob, block) throws(MalformedDataError) in
            try PackedTripGroup.accessibility(blob, block: block, sizes: sizes)
        }
    }

    /// Returns a value of each trip; empty if all are absent.
    private func valuesOfTrips<Value: Equatable>(
        absent: Value, read: (UnsafeRawBufferPointer, Int) throws(MalformedDataError) -> [Value]
    ) throws(StoreError) -> [Value] {
        var values: [Value] = []
        try forEachBlock(of: sizes.trips) { (range, reader) throws(StoreError) in
            for first in stride(from: range.lowerBound, to: range.upperBound, by: PackedTripGroup.size) {
                let block = first / PackedTripGroup.size
                let found = try reader.blob(.trip, block, "trip block") { (blob) throws(MalformedDataError) in
                    try read(blob, block)
                }
                // Few feeds have such values, so the trips before the first one with a value are added with it.
                guard !values.isEmpty || found.contains(where: { $0 != absent }) else { continue }
                if values.isEmpty {
                    values.reserveCapacity(sizes.trips)
                    values.append(contentsOf: repeatElement(absent, count: first))
                }
                values.append(contentsOf: found)
            }
        }
        return values
    }

    /// Returns the trips whose `trip_short_name` is a text, in index order, at most `count`.
    ///
    /// This reads all texts and, if the text is one of them, all trips. Other queries can run in the meantime.
    public func trips(withShortName text: String, count: Int) throws(StoreError) -> [TripIndex] {
        var name: TextIndex?
        try forEachBlock(of: sizes.texts) { (range, reader) throws(StoreError) in
            for position in range where name == nil {
                if try reader.text(TextIndex(position)) == text { name = TextIndex(position) }
            }
        }
        var found: [TripIndex] = []
        guard let name else { return [] }
        try forEachBlock(of: sizes.trips) { (range, reader) throws(StoreError) in
            for position in range where found.count < count {
                if try reader.trip(TripIndex(position)).trip.shortName == name { found.append(TripIndex(position)) }
            }
        }
        return found
    }

    /// Calls `body` for ranges that together cover the numbers below `count`. The file is not locked between two calls.
    private func forEachBlock(
        of count: Int, _ body: (Range<Int>, TimetableReader) throws(StoreError) -> Void
    ) throws(StoreError) {
        let size = 512
        for first in stride(from: 0, to: count, by: size) {
            try read { (reader) throws(StoreError) in try body(first..<min(first + size, count), reader) }
        }
    }

    /// The position of a trip in its pattern.
    public struct TripPatternLocation: Sendable {
        public var pattern: Pattern
        /// Position in ``Pattern/timingGroups``.
        public var timingGroup: Int
        /// Position of the trip in its timing group.
        public var position: Int
    }

    /// Returns the location of a trip, or `nil` if the trip has no calls.
    public func locate(_ trip: TripIndex) throws(StoreError) -> TripPatternLocation? {
        try read { (reader) throws(StoreError) in
            guard let pattern = try reader.trip(trip).pattern else { return nil }
            return try Self.location(of: trip, on: pattern, near: 0, reader)
        }
    }

    /// Returns the locations of the trips with the given identifiers, in the same order; `nil` for a trip that does not
    /// exist or has no calls. Looking up thousands of trips together is many times faster than one by one, and other
    /// queries can run in the meantime.
    public func locate(_ ids: [TripID]) throws(StoreError) -> [TripPatternLocation?] {
        var locations = [TripPatternLocation?](repeating: nil, count: ids.count)
        var timingGroup = 0
        try search(ids) { (position, match, reader) throws(StoreError) in
            guard locations[position] == nil, let pattern = match.pattern else { return }
            // Trips are numbered by timing group, so the next trip is usually in the same group.
            let location = try Self.location(of: match.trip, on: pattern, near: timingGroup, reader)
            locations[position] = location
            timingGroup = location.timingGroup
        }
        return locations
    }

    /// Calls `body` for each trip that has one of the identifiers, with the identifier's position, in file order.
    private func search(
        _ ids: [TripID], _ body: (Int, PackedTripGroup.Match, TimetableReader) throws(StoreError) -> Void
    ) throws(StoreError) {
        let lookup = TripIDLookup(ids, rows: sizes.trips)
        var candidates: [TripIDLookup.Entry] = []
        try lookup.forEachBucket { (bucket, wanted) throws(StoreError) in
            try read { (reader) throws(StoreError) in
                try reader.blob(.tripIDs, bucket, "trip bucket") { (blob) throws(MalformedDataError) in
                    try lookup.addCandidates(of: blob, wanted: wanted, to: &candidates)
                }
            }
        }
        try lookup.forEachBlock(of: candidates) { (block, candidates) throws(StoreError) in
            try read { (reader) throws(StoreError) in
                var matches: [(Int, PackedTripGroup.Match)] = []
                try reader.blob(.trip, block, "trip block") { (blob) throws(MalformedDataError) in
                    try lookup.match(blob, number: block, candidates: candidates, sizes: sizes) {
                        matches.append(($0, $1))
                    }
                }
                for (position, match) in matches { try body(position, match, reader) }
            }
        }
    }

    private static func location(
        of trip: TripIndex, on index: PatternIndex, near timingGroup: Int, _ reader: TimetableReader
    ) throws(StoreError) -> TripPatternLocation {
        let pattern = try reader.pattern(index)
        guard let position = pattern.position(of: trip, near: timingGroup) else {
            throw reader.corrupt("trip \(trip.rawValue) is not in its pattern")
        }
        return TripPatternLocation(pattern: pattern, timingGroup: position.timingGroup, position: position.position)
    }
}

/// A lookup of many trips by identifier. It reads each bucket of the hash index and each block of trips once, in file
/// order. Individual lookups would need two reads per identifier.
private struct TripIDLookup {
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
        hashes = ids.map { IdentifierHash.of($0.rawValue) }
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
