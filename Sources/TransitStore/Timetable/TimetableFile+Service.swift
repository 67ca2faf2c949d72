public import TransitModel

extension TimetableFile {
    /// Returns all calls of patterns at a stop, not including its children. Departure boards are based on this query.
    public func patterns(at stop: StopIndex) throws(StoreError) -> [PatternCallPosition] {
        try read { (reader) throws(StoreError) in
            let found = try reader.visits(at: stop)
            var visits: [PatternCallPosition] = []
            visits.reserveCapacity(found.count)
            for visit in found {
                let pattern = try reader.pattern(visit.pattern)
                guard visit.position < pattern.callCount, pattern.stop(at: visit.position) == stop else {
                    throw reader.corrupt("a visit of stop \(stop.rawValue) does not match its pattern")
                }
                visits.append(PatternCallPosition(pattern: pattern, position: visit.position))
            }
            return visits
        }
    }

    /// Returns the same calls as ``patterns(at:)`` without unpacking the patterns.
    public func visits(at stop: StopIndex) throws(StoreError) -> [(pattern: PatternIndex, position: Int)] {
        try read { (reader) throws(StoreError) in try reader.visits(at: stop) }
    }

    public func pattern(_ index: PatternIndex) throws(StoreError) -> Pattern {
        try read { (reader) throws(StoreError) in try reader.pattern(index) }
    }

    /// Calls `body` with all patterns in index order, without filling the cache. The file is not locked during the calls.
    ///
    /// - Throws: Errors of the file, and ``StoreError/canceled`` as soon as `body` returns false.
    public func forEachPattern(_ body: (Pattern) -> Bool) throws(StoreError) {
        for number in 0..<sizes.patterns {
            let pattern = try read { (reader) throws(StoreError) in
                try reader.blob(.pattern, number, "pattern") { (blob) throws(MalformedDataError) in
                    try PatternCoding.read(blob, index: PatternIndex(number), sizes: sizes)
                }
            }
            guard body(pattern) else { throw .canceled }
        }
    }

    /// Returns the patterns of a route in index order.
    public func patterns(of route: RouteIndex) throws(StoreError) -> [Pattern] {
        try read { (reader) throws(StoreError) in
            let indices = try reader.blob(.routePatterns, route.position, "route") {
                (blob) throws(MalformedDataError) in
                try Self.indices(blob)
            }
            var patterns: [Pattern] = []
            for index in indices { patterns.append(try reader.pattern(index)) }
            return patterns
        }
    }

    /// Whether a route has any trips with calls.
    public func hasTrips(_ route: RouteIndex) throws(StoreError) -> Bool {
        try read { (reader) throws(StoreError) in
            try reader.blob(.routePatterns, route.position, "route") { (blob) throws(MalformedDataError) in
                try !Self.indices(blob).isEmpty
            }
        }
    }

    private static func indices(_ blob: UnsafeRawBufferPointer) throws(MalformedDataError) -> [PatternIndex] {
        var reader = try ByteReader(sealed: blob)
        var indices: [PatternIndex] = []
        var index: UInt32 = 0
        while !reader.isAtEnd {
            index &+= try reader.number()
            indices.append(PatternIndex(index))
        }
        return indices
    }

    /// Returns `nil` if the version has no such route.
    public func route(id: RouteID) -> RouteIndex? {
        routes.firstIndex { $0.id == id }.map { RouteIndex($0) }
    }

    /// Returns a string that trips and calls share: a headsign, a block ID or a train number.
    public func text(_ index: TextIndex) throws(StoreError) -> String {
        try read { (reader) throws(StoreError) in try reader.text(index) }
    }

    public func shape(_ index: ShapeIndex) throws(StoreError) -> Shape {
        try read { (reader) throws(StoreError) in
            try reader.row(.shape, index.position, "shape") { (row) throws(StoreError) in
                let points = try reader.unpack(row, 1, "shape \(index.rawValue)") { (blob) throws(MalformedDataError) in
                    let packed = try ByteReader(sealed: blob).rest
                    guard let points = ShapePacking.points(packed) else {
                        throw MalformedDataError("has points out of range")
                    }
                    return points
                }
                return Shape(id: ShapeID(row.text(0)), points: points)
            }
        }
    }
}
