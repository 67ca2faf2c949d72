public import TransitModel

extension TimetableFile {
    /// Every call of every pattern at one stop itself, not at its children. The question behind every departure board.
    public func patterns(at stop: StopIndex) throws(StoreError) -> [PatternVisit] {
        try read { (reader) throws(StoreError) in
            let places = try Self.places(at: stop, reader)
            var visits: [PatternVisit] = []
            visits.reserveCapacity(places.count)
            for place in places {
                let pattern = try reader.pattern(place.pattern)
                guard place.position < pattern.callCount, pattern.stop(at: place.position) == stop else {
                    throw reader.corrupt("stop \(stop.rawValue) is not where its visits say")
                }
                visits.append(PatternVisit(pattern: pattern, position: place.position))
            }
            return visits
        }
    }

    /// Where patterns call at one stop itself, without unpacking them: what ``patterns(at:)`` unpacks.
    public func visits(at stop: StopIndex) throws(StoreError) -> [(pattern: PatternIndex, position: Int)] {
        try read { (reader) throws(StoreError) in try Self.places(at: stop, reader) }
    }

    private static func places(
        at stop: StopIndex, _ reader: TimetableReader
    ) throws(StoreError) -> [(pattern: PatternIndex, position: Int)] {
        try reader.row(.visits, stop.position, "stop") { (row) throws(StoreError) in
            try reader.unpack(row, 0, "stop \(stop.rawValue)") { (blob) throws(Malformed) in
                blob.isEmpty ? [] : try visits(blob)
            }
        }
    }

    private static func visits(
        _ blob: UnsafeRawBufferPointer
    ) throws(Malformed) -> [(pattern: PatternIndex, position: Int)] {
        var reader = try ByteReader(sealed: blob)
        var visits: [(pattern: PatternIndex, position: Int)] = []
        visits.reserveCapacity(reader.remaining / 2)
        var pattern: UInt32 = 0
        while !reader.isAtEnd {
            pattern &+= try reader.number()
            visits.append((PatternIndex(pattern), Int(try reader.number())))
        }
        return visits
    }

    public func pattern(_ index: PatternIndex) throws(StoreError) -> Pattern {
        try read { (reader) throws(StoreError) in try reader.pattern(index) }
    }

    /// In the order of their index.
    public func patterns(of route: RouteIndex) throws(StoreError) -> [Pattern] {
        try read { (reader) throws(StoreError) in
            let indexes = try reader.blob(.routePatterns, route.position, "route") { (blob) throws(Malformed) in
                try Self.indexes(blob)
            }
            var patterns: [Pattern] = []
            for index in indexes { patterns.append(try reader.pattern(index)) }
            return patterns
        }
    }

    /// Whether any trip of a route calls anywhere.
    public func hasTrips(_ route: RouteIndex) throws(StoreError) -> Bool {
        try read { (reader) throws(StoreError) in
            try reader.blob(.routePatterns, route.position, "route") { (blob) throws(Malformed) in
                try !Self.indexes(blob).isEmpty
            }
        }
    }

    private static func indexes(_ blob: UnsafeRawBufferPointer) throws(Malformed) -> [PatternIndex] {
        var reader = try ByteReader(sealed: blob)
        var indexes: [PatternIndex] = []
        var index: UInt32 = 0
        while !reader.isAtEnd {
            index &+= try reader.number()
            indexes.append(PatternIndex(index))
        }
        return indexes
    }

    /// `nil` when the version has no such route.
    public func route(id: RouteID) -> RouteIndex? {
        routes.firstIndex { $0.id == id }.map { RouteIndex($0) }
    }

    public func trip(_ index: TripIndex) throws(StoreError) -> Trip {
        try read { (reader) throws(StoreError) in try reader.trip(index).trip }
    }

    /// `nil` when the version has no such trip.
    public func trip(id: TripID) throws(StoreError) -> TripIndex? {
        try read { (reader) throws(StoreError) in try match(id, reader)?.trip }
    }

    private func match(_ id: TripID, _ reader: TimetableReader) throws(StoreError) -> TripBlock.Match? {
        let directory = IdentifierDirectory(rows: sizes.trips)
        let hash = IdentifierDirectory.hash(id.rawValue.utf8)
        let candidates: [TripIndex] = try reader.blob(.tripIDs, directory.bucket(hash), "trip bucket") {
            (blob) throws(Malformed) in try directory.candidates(blob, hash: hash)
        }
        for trip in candidates {
            let match = try reader.blob(.trip, TripBlock.place(of: trip).block, "trip block") {
                (blob) throws(Malformed) in try TripBlock.match(id, blob, of: trip, sizes: sizes)
            }
            if let match { return match }
        }
        return nil
    }

    /// Where a trip runs: its pattern, the number of its lane there, and its position in the lane. `nil` for a trip
    /// that calls nowhere.
    public func locate(
        _ trip: TripIndex
    ) throws(StoreError) -> (pattern: Pattern, lane: Int, position: Int)? {
        try read { (reader) throws(StoreError) in
            guard let index = try reader.trip(trip).pattern else { return nil }
            return try Self.place(of: trip, on: try reader.pattern(index), reader)
        }
    }

    /// A trip with where it runs.
    public struct LocatedTrip: Sendable {
        public var id: TripID
        public var pattern: Pattern
        /// Position in ``Pattern/lanes``.
        public var lane: Int
        /// Position of the trip in its lane.
        public var position: Int
    }

    /// The trip with that identifier and those that are kept beside it, mostly the next ones of its line: live data tell of them
    /// as well, and they come with the same reading. Empty when the version has no such trip; trips that call nowhere are left out.
    public func locate(id: TripID) throws(StoreError) -> [LocatedTrip] {
        try read { (reader) throws(StoreError) in
            guard let match = try match(id, reader) else { return [] }
            let block = TripBlock.place(of: match.trip).block
            let neighbours = try reader.blob(.trip, block, "trip block") { (blob) throws(Malformed) in
                try TripBlock.matches(blob, block: block, sizes: sizes)
            }
            var located: [LocatedTrip] = []
            located.reserveCapacity(neighbours.count)
            for (id, match) in neighbours {
                guard let index = match.pattern else { continue }
                let place = try Self.place(of: match.trip, on: try reader.pattern(index), reader)
                located.append(
                    LocatedTrip(id: id, pattern: place.pattern, lane: place.lane, position: place.position))
            }
            return located
        }
    }

    private static func place(
        of trip: TripIndex, on pattern: Pattern, _ reader: TimetableReader
    ) throws(StoreError) -> (pattern: Pattern, lane: Int, position: Int) {
        for lane in 0..<pattern.laneCount {
            let position = trip.position - pattern.firstTrip(ofLane: lane).position
            if position >= 0, position < pattern.places(ofLane: lane).count { return (pattern, lane, position) }
        }
        throw reader.corrupt("trip \(trip.rawValue) is not on its pattern")
    }

    /// One of the texts that trips and calls share: a headsign, a block id, a train number.
    public func text(_ index: TextIndex) throws(StoreError) -> String {
        try read { (reader) throws(StoreError) in try reader.text(index) }
    }

    public func shape(_ index: ShapeIndex) throws(StoreError) -> Shape {
        try read { (reader) throws(StoreError) in
            try reader.row(.shape, index.position, "shape") { (row) throws(StoreError) in
                let points = try reader.unpack(row, 1, "shape \(index.rawValue)") { (blob) throws(Malformed) in
                    let packed = try ByteReader(sealed: blob).rest
                    guard let points = ShapePacking.points(packed) else { throw Malformed("has impossible points") }
                    return points
                }
                return Shape(id: ShapeID(row.text(0)), points: points)
            }
        }
    }
}
