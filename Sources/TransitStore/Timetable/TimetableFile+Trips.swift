public import TransitModel

extension TimetableFile {
    public func trip(_ index: TripIndex) throws(StoreError) -> Trip {
        try read { (reader) throws(StoreError) in try reader.trip(index).trip }
    }

    /// `nil` when the version has no such trip.
    public func trip(id: TripID) throws(StoreError) -> TripIndex? {
        var found: TripIndex?
        try search([id]) { (_, match, _) in found = found ?? match.trip }
        return found
    }

    /// Where a trip runs.
    public struct TripLocation: Sendable {
        public var pattern: Pattern
        /// Position in ``Pattern/lanes``.
        public var timingGroup: Int
        /// Position of the trip in its lane.
        public var position: Int
    }

    /// `nil` for a trip that calls nowhere.
    public func locate(_ trip: TripIndex) throws(StoreError) -> TripLocation? {
        try read { (reader) throws(StoreError) in
            guard let pattern = try reader.trip(trip).pattern else { return nil }
            return try Self.location(of: trip, on: pattern, near: 0, reader)
        }
    }

    /// Where the trips with these identifiers run, one for each, in their order; `nil` for one that the version does not have
    /// or that calls nowhere. Thousands together cost a small part of what they cost one by one, and other questions are
    /// answered meanwhile.
    public func locate(_ ids: [TripID]) throws(StoreError) -> [TripLocation?] {
        var locations = [TripLocation?](repeating: nil, count: ids.count)
        var timingGroup = 0
        try search(ids) { (position, match, reader) throws(StoreError) in
            guard locations[position] == nil, let pattern = match.pattern else { return }
            // Trips are numbered lane by lane: the next one is mostly in the same lane.
            let location = try Self.location(of: match.trip, on: pattern, near: timingGroup, reader)
            locations[position] = location
            timingGroup = location.timingGroup
        }
        return locations
    }

    /// Hands over every trip that has one of the identifiers, with the identifier's position, in the order of the file.
    private func search(
        _ ids: [TripID], _ body: (Int, TripBlock.Match, TimetableReader) throws(StoreError) -> Void
    ) throws(StoreError) {
        let search = TripIDLookup(ids, rows: sizes.trips)
        var candidates: [TripIDLookup.Place] = []
        try search.forEachBucket { (bucket, wanted) throws(StoreError) in
            try read { (reader) throws(StoreError) in
                try reader.blob(.tripIDs, bucket, "trip bucket") { (blob) throws(MalformedDataError) in
                    try search.addCandidates(of: blob, wanted: wanted, to: &candidates)
                }
            }
        }
        try search.forEachBlock(of: candidates) { (block, candidates) throws(StoreError) in
            try read { (reader) throws(StoreError) in
                var matches: [(Int, TripBlock.Match)] = []
                try reader.blob(.trip, block, "trip block") { (blob) throws(MalformedDataError) in
                    try search.match(blob, number: block, candidates: candidates, sizes: sizes) {
                        matches.append(($0, $1))
                    }
                }
                for (position, match) in matches { try body(position, match, reader) }
            }
        }
    }

    private static func location(
        of trip: TripIndex, on index: PatternIndex, near timingGroup: Int, _ reader: TimetableReader
    ) throws(StoreError) -> TripLocation {
        let pattern = try reader.pattern(index)
        guard let place = pattern.place(of: trip, near: timingGroup) else {
            throw reader.corrupt("trip \(trip.rawValue) is not on its pattern")
        }
        return TripLocation(pattern: pattern, timingGroup: place.timingGroup, position: place.position)
    }
}
