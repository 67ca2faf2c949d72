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
