public import TransitModel

extension TimetableFile {
    /// Whether the file was written by a release that reads pathways.txt.
    public func hasPathwaysTable() throws(StoreError) -> Bool {
        try read { (reader) throws(StoreError) in
            let count = try reader.connection.value(
                "SELECT count(*) FROM sqlite_schema WHERE name = 'pathways'", as: Int.self)
            return (count ?? 0) > 0
        }
    }

    /// Returns the pathways of all stations, in the order of pathways.txt; none for a file of an earlier release. Other
    /// queries can run in the meantime.
    public func pathways() throws(StoreError) -> Pathways {
        var pathways = Pathways()
        guard try hasPathwaysTable() else { return pathways }
        try forEachPart("pathways", "pathway") { (row, _) throws(StoreError) in
            guard let pathway = Self.pathway(row) else { return false }
            pathways.pathways.append(pathway)
            return true
        }
        if pathways.pathways.isEmpty { return pathways }
        try forEachPart("pathway_locations", "location") { (row, number) throws(StoreError) in
            guard number == pathways.locations.count, let location = location(row) else { return false }
            pathways.locations.append(location)
            return true
        }
        let count = pathways.locations.count
        guard pathways.pathways.allSatisfy({ $0.from < count && $0.to < count }) else {
            throw .corrupt(path: path, detail: "a pathway has an unknown location")
        }
        return pathways
    }

    /// Calls `body` with each row of a table and its number, in order. `body` returns whether the row is valid.
    private func forEachPart(
        _ table: String, _ number: String, _ body: (SQLiteStatement, Int) throws(StoreError) -> Bool
    ) throws(StoreError) {
        var next: Int? = 0
        while let first = next {
            next = try read { (reader) throws(StoreError) in
                let rows = try reader.connection.prepare(
                    "SELECT * FROM \(table) WHERE \(number) >= ? ORDER BY \(number) LIMIT 256")
                rows.bind(first, at: 0)
                var last: Int?
                while try rows.step() {
                    guard try body(rows, rows.integer(0)) else {
                        throw reader.corrupt("row \(rows.integer(0)) of \(table) is invalid")
                    }
                    last = rows.integer(0)
                }
                return last.map { $0 + 1 }
            }
        }
    }

    private static func pathway(_ row: SQLiteStatement) -> Pathway? {
        guard let from = UInt32(exactly: row.integer(1)), let to = UInt32(exactly: row.integer(2)),
            let mode = UInt8(exactly: row.integer(3)).flatMap(Pathway.Mode.init(rawValue:))
        else { return nil }
        func number(_ column: Int32) -> Int32? { row.optionalInteger(column).map { Int32(clamping: $0) } }
        return Pathway(
            from: from, to: to, mode: mode, isBidirectional: row.integer(4) != 0, length: number(5),
            traversalTime: number(6), stairCount: number(7), maximumSlope: number(8), minimumWidth: number(9))
    }

    private func location(_ row: SQLiteStatement) -> PathwayLocation? {
        guard let station: StopIndex = row.index(2, below: sizes.stops) else { return nil }
        return PathwayLocation(
            stop: row.index(1, below: sizes.stops), station: station, platform: row.index(3, below: sizes.stops),
            isEntrance: row.integer(4) != 0, coordinate: Self.coordinate(row, 5, 6))
    }
}

extension TimetableWriter {
    /// Writes the table of pathways even without rows (``TimetableSchema/noPathways``).
    func writePathways() throws(StoreError) {
        if draft.pathways.pathways.isEmpty { return try connection.execute(TimetableSchema.noPathways) }
        try connection.execute(TimetableSchema.pathways)
        let insert = try connection.prepare("INSERT INTO pathways VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        for (position, pathway) in draft.pathways.pathways.enumerated() {
            guard max(pathway.from, pathway.to) < draft.pathways.locations.count else {
                throw .draft("pathway \(position) has an unknown location")
            }
            insert.bind(position, at: 0)
            insert.bind(Int(pathway.from), at: 1)
            insert.bind(Int(pathway.to), at: 2)
            insert.bind(Int(pathway.mode.rawValue), at: 3)
            insert.bind(pathway.isBidirectional ? 1 : 0, at: 4)
            let numbers = [
                pathway.length, pathway.traversalTime, pathway.stairCount, pathway.maximumSlope, pathway.minimumWidth,
            ]
            for (column, number) in numbers.enumerated() { insert.bind(number.map { Int($0) }, at: Int32(column + 5)) }
            try insert.run()
        }
        try writePathwayLocations()
    }

    private func writePathwayLocations() throws(StoreError) {
        try connection.execute(TimetableSchema.pathwayLocations)
        let insert = try connection.prepare("INSERT INTO pathway_locations VALUES (?, ?, ?, ?, ?, ?, ?)")
        for (position, location) in draft.pathways.locations.enumerated() {
            insert.bind(position, at: 0)
            insert.bind(location.stop?.position, at: 1)
            insert.bind(location.station.position, at: 2)
            insert.bind(location.platform?.position, at: 3)
            insert.bind(location.isEntrance ? 1 : 0, at: 4)
            insert.bind(location.coordinate.map { Int(StopCoordinateIndex.units($0.latitude)) }, at: 5)
            insert.bind(location.coordinate.map { Int(StopCoordinateIndex.units($0.longitude)) }, at: 6)
            try insert.run()
        }
    }
}
