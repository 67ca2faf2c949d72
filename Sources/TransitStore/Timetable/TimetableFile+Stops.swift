internal import Glibc
public import TransitModel

extension TimetableFile {
    public func stop(_ index: StopIndex) throws(StoreError) -> Stop {
        try read { (reader) throws(StoreError) in
            try reader.row(.stop, index.position, "stop") { (row) throws(StoreError) in
                try stop(row, index, reader)
            }
        }
    }

    private func stop(
        _ row: SQLiteStatement, _ index: StopIndex, _ reader: TimetableReader
    ) throws(StoreError) -> Stop {
        guard let stop = Self.stop(row, stops: sizes.stops) else {
            throw reader.corrupt("stop \(index.rawValue) has an unknown value")
        }
        return stop
    }

    private static func stop(_ row: SQLiteStatement, stops: Int) -> Stop? {
        guard let kind = UInt8(exactly: row.integer(5)).flatMap(Stop.Kind.init(rawValue:)),
            let wheelchair = UInt8(exactly: row.integer(9)).flatMap(Accessibility.init(rawValue:))
        else { return nil }
        var parent: StopIndex?
        if !row.isNull(6) {
            parent = row.index(6, below: stops)
            guard parent != nil else { return nil }
        }
        var stop = Stop(
            id: StopID(row.text(0)), code: row.optionalText(1), name: row.text(2), coordinate: coordinate(row, 3, 4),
            kind: kind, parent: parent, platform: row.optionalText(7), timezone: row.optionalText(8),
            wheelchair: wheelchair)
        stop.isKept = row.isNull(10)
        return stop
    }

    static func coordinate(_ row: SQLiteStatement, _ latitude: Int32, _ longitude: Int32) -> Coordinate? {
        guard let north = row.optionalInteger(latitude), let east = row.optionalInteger(longitude) else { return nil }
        let units = TimetableSchema.unitsPerDegree
        return Coordinate(latitude: Double(north) / units, longitude: Double(east) / units)
    }

    /// Returns the locations of the stops in a range of indices, in order. Indices past the end are ignored.
    public func stopLocations(ofStops range: Range<Int>) throws(StoreError) -> [StopLocation] {
        let range = range.clamped(to: 0..<sizes.stops)
        if range.isEmpty { return [] }
        return try read { (reader) throws(StoreError) in
            let statement = try reader.statement(.stopLocations)
            statement.bind(range.lowerBound, at: 0)
            statement.bind(range.upperBound - 1, at: 1)
            defer { statement.reset() }
            var stopLocations: [StopLocation] = []
            stopLocations.reserveCapacity(range.count)
            while try statement.step() {
                let parent: StopIndex? = statement.index(2, below: sizes.stops)
                guard statement.integer(0) == range.lowerBound + stopLocations.count,
                    statement.isNull(2) || parent != nil
                else { throw reader.corrupt("stop \(statement.integer(0)) has an unknown value") }
                stopLocations.append(
                    StopLocation(
                        id: StopID(statement.text(1)), parent: parent, coordinate: Self.coordinate(statement, 3, 4)))
            }
            guard stopLocations.count == range.count else {
                throw reader.corrupt("stop \(range.lowerBound + stopLocations.count) is missing")
            }
            return stopLocations
        }
    }

    /// Returns whether wheelchair users can board at each stop, with what a platform inherits from its station; empty if
    /// nothing is stated about any.
    public func stopAccessibility() throws(StoreError) -> [Accessibility] {
        try read { (reader) throws(StoreError) in
            let statement = try reader.statement(.stopAccessibility)
            defer { statement.reset() }
            var found: [Accessibility] = []
            while try statement.step() {
                guard let stop: StopIndex = statement.index(0, below: sizes.stops),
                    let value = UInt8(exactly: statement.integer(1)).flatMap(Accessibility.init(rawValue:))
                else { throw reader.corrupt("stop \(statement.integer(0)) has an unknown value") }
                if found.isEmpty { found = [Accessibility](repeating: .unknown, count: sizes.stops) }
                found[stop.position] = value
            }
            return found
        }
    }

    /// Returns `nil` if the version has no such stop.
    public func stop(id: StopID) throws(StoreError) -> StopIndex? { try find(id)?.index }

    /// Returns the stop and its index, or `nil` if the version has no such stop.
    public func find(_ id: StopID) throws(StoreError) -> (index: StopIndex, stop: Stop)? {
        let hashIndex = IdentifierHashIndex(rows: sizes.stops)
        let hash = IdentifierHash.of(id.rawValue.utf8)
        return try read { (reader) throws(StoreError) in
            let candidates: [StopIndex] = try reader.blob(.stopIDs, hashIndex.bucket(hash), "stop bucket") {
                (blob) throws(MalformedDataError) in try hashIndex.candidates(blob, hash: hash)
            }
            for index in candidates {
                let found = try reader.row(.stop, index.position, "stop") { (row) throws(StoreError) in
                    row.text(0) == id.rawValue ? try stop(row, index, reader) : nil
                }
                if let found { return (index, found) }
            }
            return nil
        }
    }

    /// Returns the stops with the given parent: platforms, entrances and nodes of a station, or boarding areas of a
    /// platform.
    public func children(of index: StopIndex) throws(StoreError) -> [StopIndex] {
        try read { (reader) throws(StoreError) in
            let statement = try reader.statement(.children)
            statement.bind(index.position, at: 0)
            defer { statement.reset() }
            var children: [StopIndex] = []
            while try statement.step() {
                if let child: StopIndex = statement.index(0, below: sizes.stops) { children.append(child) }
            }
            return children
        }
    }

    /// Returns the kept stops of all kinds within a distance of a coordinate, nearest first.
    public func stops(
        near place: Coordinate, within meters: Double
    ) throws(StoreError) -> [(stop: StopIndex, meters: Double)] {
        guard meters >= 0 else { return [] }
        let area = StopSearchArea(around: place, meters: meters)
        var found: [(stop: StopIndex, meters: Double)] = []
        try read { (reader) throws(StoreError) in
            try reader.forEachStop(from: area.south, to: area.north) { candidate in
                guard area.contains(candidate), let coordinate = candidate.coordinate else { return }
                let distance = place.distance(to: coordinate)
                if distance <= meters { found.append((candidate.stop, distance)) }
            }
        }
        return found.sorted { ($0.meters, $0.stop) < ($1.meters, $1.stop) }
    }

    /// Returns the rectangle around the kept stops with coordinates, which reads the index of their coordinates.
    ///
    /// - Returns: `nil` if no stop has coordinates, or if the rectangle is too large to be that of a timetable.
    public func stopArea() throws(StoreError) -> BoundingBox? {
        var latitudes: (Int32, Int32) = (.max, .min)
        var longitudes: (Int32, Int32) = (.max, .min)
        try read { (reader) throws(StoreError) in
            try reader.forEachStop(from: StopCoordinateIndex.units(-90), to: StopCoordinateIndex.units(90)) { entry in
                latitudes = (min(latitudes.0, entry.latitude), max(latitudes.1, entry.latitude))
                longitudes = (min(longitudes.0, entry.longitude), max(longitudes.1, entry.longitude))
            }
        }
        guard latitudes.0 <= latitudes.1 else { return nil }
        func degrees(_ limits: (Int32, Int32)) -> (Double, Double) {
            let units = TimetableSchema.unitsPerDegree
            return (Double(limits.0) / units, Double(limits.1) / units)
        }
        return BoundingBox(latitudes: degrees(latitudes), longitudes: degrees(longitudes))
    }

    /// The fields of a stop that are used in searches by name.
    public struct SearchableStop: Hashable, Sendable {
        public var index: StopIndex
        public var id: StopID
        /// The name as folded by ``SearchText/fold(_:)``.
        public var foldedName: String
        public var code: String?
        public var platform: String?
        public var kind: Stop.Kind
        public var parent: StopIndex?
        /// See `Stop.isKept`.
        public var isKept: Bool
    }

    /// The texts of a stop in UTF-8, valid only during the call that they are passed to. Most searches find few stops, so
    /// comparing bytes avoids creating strings for all others.
    public struct StopTexts {
        /// The name as folded by ``SearchText/fold(_:)``.
        public var foldedName: UnsafeBufferPointer<UInt8>
        public var code: UnsafeBufferPointer<UInt8>?
        public var id: UnsafeBufferPointer<UInt8>
        public var kind: Stop.Kind
    }

    /// A stop in a search by name. Its texts are valid only during the call that it is passed to.
    struct StopRow {
        var index: StopIndex
        var texts: StopTexts
        var platform: UnsafeBufferPointer<UInt8>?
        var parent: StopIndex?
        var isKept: Bool

        var searchable: SearchableStop {
            SearchableStop(
                index: index, id: StopID(Self.text(texts.id)), foldedName: Self.text(texts.foldedName),
                code: texts.code.map(Self.text), platform: platform.map(Self.text), kind: texts.kind, parent: parent,
                isKept: isKept)
        }

        private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
            String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Calls `body` for all stops that a condition holds for, in index order. `body` may query this file.
    ///
    /// The first search keeps the texts of all stops in memory for the next ones (``StopTextCache``).
    ///
    /// - Parameters:
    ///   - includesOutside: Whether to include the stops that have no board (`Stop.isKept`).
    ///   - isFound: The condition. It must not query this file, and it may be evaluated for several stops before `body` is
    ///     called.
    public func searchStops(
        includesOutside: Bool = false, where isFound: (StopTexts) -> Bool, _ body: (SearchableStop) -> Void
    ) throws(StoreError) {
        try search(try keptStopTexts(), where: { (includesOutside || $0.isKept) && isFound($0.texts) }, body)
    }

    /// Calls `body` for all stops, in index order. `body` may query this file.
    ///
    /// - Parameter includesOutside: Whether to include the stops that have no board (`Stop.isKept`).
    public func searchStops(
        includesOutside: Bool = false, _ body: (SearchableStop) -> Void
    ) throws(StoreError) {
        try search(stopTexts.kept, where: { includesOutside || $0.isKept }, body)
    }

    /// Calls `body` for the stops in a table, or in this file without a table, that a condition holds for.
    private func search(
        _ table: StopTextTable?, where isWanted: (StopRow) -> Bool, _ body: (SearchableStop) -> Void
    ) throws(StoreError) {
        if let table {
            table.passAll { row in
                if isWanted(row) { body(row.searchable) }
            }
            return
        }
        var first = 0
        while first < sizes.stops {
            var stops: [SearchableStop] = []
            let last = try readStops(from: first) { row in
                if isWanted(row) { stops.append(row.searchable) }
            }
            guard let last else { return }
            for stop in stops { body(stop) }
            first = last.position + 1
        }
    }

    /// Returns the texts of all stops, and reads them at the first search; `nil` if they are not kept.
    private func keptStopTexts() throws(StoreError) -> StopTextTable? {
        try stopTexts.table { (table) throws(StoreError) in
            var first = 0
            while first < sizes.stops, table.isComplete {
                guard let last = try readStops(from: first, { table.append($0) }) else { return }
                first = last.position + 1
            }
        }
    }

    /// Calls `body` for the next stops, and returns the last of them; `nil` if there are no more. Further calls read the
    /// others, so that other queries of the file need not wait for all stops.
    private func readStops(from first: Int, _ body: (StopRow) -> Void) throws(StoreError) -> StopIndex? {
        try read { (reader) throws(StoreError) in
            let statement = try reader.statement(.stopNames)
            statement.bind(first, at: 0)
            defer { statement.reset() }
            var buffer = SearchTextBuffer()
            var last: StopIndex?
            while try statement.step() {
                guard let index: StopIndex = statement.index(0, below: sizes.stops),
                    let kind = UInt8(exactly: statement.integer(3)).flatMap(Stop.Kind.init(rawValue:))
                else { throw reader.corrupt("stop \(statement.integer(0)) has an unknown value") }
                last = index
                let texts = StopTexts(
                    foldedName: buffer.fold(statement.textBytes(1)), code: statement.optionalTextBytes(2),
                    id: statement.textBytes(5), kind: kind)
                body(
                    StopRow(
                        index: index, texts: texts, platform: statement.optionalTextBytes(6),
                        parent: statement.index(4, below: sizes.stops), isKept: statement.isNull(7)))
            }
            return last
        }
    }
}

/// A rectangle around the searched circle. Checking it first avoids computing most distances.
private struct StopSearchArea {
    /// In units of ``TimetableSchema/unitsPerDegree``.
    let south: Int32
    let north: Int32
    private let center: Int64
    /// Half the width, in units of longitude.
    private let longitudeRadius: Int64

    init(around place: Coordinate, meters: Double) {
        // A degree of latitude is 111,195 m on the model's sphere. Degrees of longitude become shorter toward the
        // poles.
        let degrees = meters / 111_190 + 1e-6
        south = StopCoordinateIndex.units(max(-90, place.latitude - degrees))
        north = StopCoordinateIndex.units(min(90, place.latitude + degrees))
        center = Int64(StopCoordinateIndex.units(place.longitude))
        let shrinking = cos(min(90, abs(place.latitude) + degrees) * .pi / 180)
        longitudeRadius = shrinking * 360 > degrees ? Int64(degrees / shrinking * TimetableSchema.unitsPerDegree) : .max
    }

    func contains(_ entry: StopCoordinateIndex.Entry) -> Bool {
        guard entry.latitude >= south, entry.latitude <= north else { return false }
        let difference = abs(Int64(entry.longitude) - center)
        return min(difference, Int64(360 * TimetableSchema.unitsPerDegree) - difference) <= longitudeRadius
    }
}
