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
            try reader.unpack(row, 0, "stop \(stop.rawValue)") { (blob) throws(MalformedDataError) in
                blob.isEmpty ? [] : try visits(blob)
            }
        }
    }

    private static func visits(
        _ blob: UnsafeRawBufferPointer
    ) throws(MalformedDataError) -> [(pattern: PatternIndex, position: Int)] {
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
            let indexes = try reader.blob(.routePatterns, route.position, "route") {
                (blob) throws(MalformedDataError) in
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
            try reader.blob(.routePatterns, route.position, "route") { (blob) throws(MalformedDataError) in
                try !Self.indexes(blob).isEmpty
            }
        }
    }

    private static func indexes(_ blob: UnsafeRawBufferPointer) throws(MalformedDataError) -> [PatternIndex] {
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

    /// One of the texts that trips and calls share: a headsign, a block id, a train number.
    public func text(_ index: TextIndex) throws(StoreError) -> String {
        try read { (reader) throws(StoreError) in try reader.text(index) }
    }

    public func shape(_ index: ShapeIndex) throws(StoreError) -> Shape {
        try read { (reader) throws(StoreError) in
            try reader.row(.shape, index.position, "shape") { (row) throws(StoreError) in
                let points = try reader.unpack(row, 1, "shape \(index.rawValue)") { (blob) throws(MalformedDataError) in
                    let packed = try ByteReader(sealed: blob).rest
                    guard let points = ShapePacking.points(packed) else {
                        throw MalformedDataError("has impossible points")
                    }
                    return points
                }
                return Shape(id: ShapeID(row.text(0)), points: points)
            }
        }
    }
}
