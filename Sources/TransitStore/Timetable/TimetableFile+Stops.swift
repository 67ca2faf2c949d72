public import TransitModel

extension TimetableFile {
    public func stop(_ index: StopIndex) throws(StoreError) -> Stop {
        try read { (reader) throws(StoreError) in
            try reader.row(.stop, index.position, "stop") { (row) throws(StoreError) in
                guard let stop = Self.stop(row, stops: sizes.stops) else {
                    throw reader.corrupt("stop \(index.rawValue) has an unknown value")
                }
                return stop
            }
        }
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
        return Stop(
            id: StopID(row.text(0)), code: row.optionalText(1), name: row.text(2), coordinate: coordinate(row, 3, 4),
            kind: kind, parent: parent, platform: row.optionalText(7), timezone: row.optionalText(8),
            wheelchair: wheelchair)
    }

    private static func coordinate(_ row: SQLiteStatement, _ latitude: Int32, _ longitude: Int32) -> Coordinate? {
        guard let north = row.optionalInteger(latitude), let east = row.optionalInteger(longitude) else { return nil }
        let units = TimetableSchema.unitsPerDegree
        return Coordinate(latitude: Double(north) / units, longitude: Double(east) / units)
    }

    /// `nil` when the version has no such stop.
    public func stop(id: StopID) throws(StoreError) -> StopIndex? {
        try read { (reader) throws(StoreError) in
            let statement = try reader.statement(.stopID)
            statement.bind(id.rawValue, at: 0)
            defer { statement.reset() }
            guard try statement.step() else { return nil }
            return statement.index(0, below: sizes.stops)
        }
    }

    /// The stops whose parent it is: a station's platforms, entrances and nodes, a platform's boarding areas.
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

    /// The stops of every kind within so many metres of a place, the nearest first.
    public func stops(
        near place: Coordinate, within metres: Double
    ) throws(StoreError) -> [(stop: StopIndex, metres: Double)] {
        // A degree of latitude has at least 110,574 m.
        let reach = metres / 110_574 + 1e-6
        let units = TimetableSchema.unitsPerDegree
        var found: [(stop: StopIndex, metres: Double)] = []
        try read { (reader) throws(StoreError) in
            let statement = try reader.statement(.nearby)
            statement.bind(Int((max(-90, place.latitude - reach) * units).rounded(.down)), at: 0)
            statement.bind(Int((min(90, place.latitude + reach) * units).rounded(.up)), at: 1)
            defer { statement.reset() }
            while try statement.step() {
                guard let stop: StopIndex = statement.index(0, below: sizes.stops),
                    let coordinate = Self.coordinate(statement, 1, 2)
                else { continue }
                let distance = place.distance(to: coordinate)
                if distance <= metres { found.append((stop, distance)) }
            }
        }
        return found.sorted { ($0.metres, $0.stop) < ($1.metres, $1.stop) }
    }

    /// A stop as a search by name sees it.
    public struct SearchableStop: Hashable, Sendable {
        public var index: StopIndex
        public var id: StopID
        /// As ``SearchText/fold(_:)`` makes it.
        public var foldedName: String
        public var code: String?
        public var platform: String?
        public var kind: Stop.Kind
        public var parent: StopIndex?
    }

    /// Goes through all stops in the order of their index. `body` may ask this file for more.
    public func searchStops(_ body: (SearchableStop) -> Void) throws(StoreError) {
        var first = 0
        while first < sizes.stops {
            let stops = try searchableStops(from: first)
            guard let last = stops.last else { return }
            stops.forEach(body)
            first = last.index.position + 1
        }
    }

    private func searchableStops(from first: Int) throws(StoreError) -> [SearchableStop] {
        try read { (reader) throws(StoreError) in
            let statement = try reader.statement(.stopNames)
            statement.bind(first, at: 0)
            defer { statement.reset() }
            var stops: [SearchableStop] = []
            while try statement.step() {
                guard let index: StopIndex = statement.index(0, below: sizes.stops),
                    let kind = UInt8(exactly: statement.integer(4)).flatMap(Stop.Kind.init(rawValue:))
                else { throw reader.corrupt("stop \(statement.integer(0)) has an unknown value") }
                let folded = statement.optionalText(2) ?? SearchText.fold(statement.text(1))
                let parent: StopIndex? = statement.isNull(5) ? nil : statement.index(5, below: sizes.stops)
                stops.append(
                    SearchableStop(
                        index: index, id: StopID(statement.text(6)), foldedName: folded,
                        code: statement.optionalText(3), platform: statement.optionalText(7), kind: kind,
                        parent: parent))
            }
            return stops
        }
    }
}
