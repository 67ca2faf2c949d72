internal import TransitModel

extension TimetableWriter {
    /// Writes one row per pattern in the order of the source.
    mutating func writePatterns() throws(StoreError) -> PatternIndexBuilder {
        let insert = try connection.prepare("INSERT INTO patterns VALUES (?, ?)")
        var indexBuilder = PatternIndexBuilder(sizes: sizes)
        var writer = ByteWriter()
        var expected: UInt32 = 0
        try draft.patterns.forEachPattern { (pattern: Pattern) throws(StoreError) in
            guard pattern.index.rawValue == expected, pattern.index.position < sizes.patterns else {
                throw .draft("pattern \(pattern.index.rawValue) is out of order")
            }
            expected += 1
            writer.clear()
            try PatternCoding.write(pattern, sizes: sizes, to: &writer)
            try indexBuilder.add(pattern)
            insert.bind(pattern.index.position, at: 0)
            insert.bind(blob: writer.bytes, at: 1)
            try insert.run()
            try advance()
        }
        guard expected == sizes.patterns else {
            throw .draft("the source has \(expected) patterns instead of \(sizes.patterns)")
        }
        return indexBuilder
    }

    mutating func writeTrips(_ indexBuilder: borrowing PatternIndexBuilder) throws(StoreError) {
        let trips = draft.trips
        if let defect = Self.defect(of: trips, sizes: sizes) { throw .draft("trips.txt: \(defect)") }
        let patterns = indexBuilder.patternOfTrip
        try writeBlocks("trips", of: trips.count, size: PackedTripGroup.size) { block, writer in
            PackedTripGroup.write(trips, patterns: patterns, block: block, to: &writer)
        }
        let ids = trips.ids
        try writeHashIndex("trip_ids", (0..<ids.count).map { IdentifierHash.of(ids.bytes[ids.range($0)]) })
    }

    /// Writes the hash index of a table. `hashes` has one element per row.
    func writeHashIndex(_ table: String, _ hashes: [UInt64]) throws(StoreError) {
        let insert = try connection.prepare("INSERT INTO \(table) VALUES (?, ?)")
        try IdentifierHashIndex(rows: hashes.count).forEachBucket(hashes) { (bucket, content) throws(StoreError) in
            insert.bind(bucket, at: 0)
            insert.bind(blob: content, at: 1)
            try insert.run()
        }
    }

    /// Writes the hashes of the trips that are not in the file, so that realtime data about them is recognized.
    func writeOutsideTrips() throws(StoreError) {
        guard !draft.outsideTrips.isEmpty else { return }
        try connection.execute(TimetableSchema.outsideTrips)
        let insert = try connection.prepare("INSERT INTO outside_trips VALUES (?, ?)")
        try OutsideTripIndex(bucketCount: sizes.outsideTripBuckets).forEachBucket(draft.outsideTrips) {
            (bucket, content) throws(StoreError) in
            insert.bind(bucket, at: 0)
            insert.bind(blob: content, at: 1)
            try insert.run()
        }
    }

    private static func defect(of trips: TripColumns, sizes: TableSizes) -> String? {
        let counts = [
            trips.ids.count, trips.headsigns.count, trips.shortNames.count, trips.blocks.count, trips.shapes.count,
            trips.wheelchair.count, trips.bikes.count,
        ]
        guard counts.allSatisfy({ $0 == trips.count }) else { return "the columns differ in length" }
        guard trips.services.allSatisfy({ $0.position < sizes.services }) else {
            return "a trip refers to an unknown service"
        }
        guard trips.shapes.allSatisfy({ $0.map { $0.position < sizes.shapes } ?? true }) else {
            return "a trip refers to an unknown shape"
        }
        let isKnown = { (text: TextIndex?) in text.map { $0.position < sizes.texts } ?? true }
        let areKnown =
            trips.headsigns.allSatisfy(isKnown) && trips.shortNames.allSatisfy(isKnown)
            && trips.blocks.allSatisfy(isKnown)
        return areKnown ? nil : "a trip refers to an unknown text"
    }

    mutating func writeTexts() throws(StoreError) {
        let texts = draft.texts
        try writeBlocks("texts", of: texts.count, size: PackedTextGroup.size) { block, writer in
            PackedTextGroup.write(texts, block: block, to: &writer)
        }
    }

    /// Writes rows of `size` elements each, numbered from 0.
    private mutating func writeBlocks(
        _ table: String, of count: Int, size: Int, _ fill: (Int, inout ByteWriter) -> Void
    ) throws(StoreError) {
        let insert = try connection.prepare("INSERT INTO \(table) VALUES (?, ?)")
        var writer = ByteWriter()
        for block in 0..<(count + size - 1) / size {
            writer.clear()
            fill(block, &writer)
            insert.bind(block, at: 0)
            insert.bind(blob: writer.bytes, at: 1)
            try insert.run()
            try advance(by: min(size, count - block * size))
        }
    }

    mutating func writeShapes() throws(StoreError) {
        let insert = try connection.prepare("INSERT INTO shapes VALUES (?, ?, ?)")
        let shapes = draft.shapes
        guard shapes.packed.count == shapes.count else { throw .draft("shapes.txt: a shape has no points") }
        var writer = ByteWriter()
        for position in 0..<shapes.count {
            writer.clear()
            writer.put(bytes: shapes.packed.bytes[shapes.packed.range(position)])
            writer.seal()
            insert.bind(position, at: 0)
            insert.bind(shapes.ids[position], at: 1)
            insert.bind(blob: writer.bytes, at: 2)
            try insert.run()
            try advance()
        }
    }

    func writeServices() throws(StoreError) {
        let insert = try connection.prepare("INSERT INTO services VALUES (?, ?, ?, ?, ?, ?, ?)")
        for (position, service) in draft.services.enumerated() {
            insert.bind(position, at: 0)
            insert.bind(service.id.rawValue, at: 1)
            insert.bind(Int(service.weekdays), at: 2)
            insert.bind(service.start.number, at: 3)
            insert.bind(service.end.number, at: 4)
            insert.bind(blob: DateList.packed(service.added), at: 5)
            insert.bind(blob: DateList.packed(service.removed), at: 6)
            try insert.run()
        }
    }
}

/// Collects the data that is known only after all patterns have been read: the visits of each stop, the patterns of
/// each route and trip, and the latest stop time.
struct PatternIndexBuilder {
    /// The pattern index of each trip plus one; 0 for a trip without calls.
    private(set) var patternOfTrip: [UInt32]
    private(set) var patternsOfRoute: [[PatternIndex]]
    private(set) var latestStopTime: Int32 = 0
    private var visits: [Visit] = []

    private struct Visit {
        var stop: UInt32
        var pattern: UInt32
        var position: UInt32
    }

    init(sizes: TableSizes) {
        patternOfTrip = [UInt32](repeating: 0, count: sizes.trips)
        patternsOfRoute = [[PatternIndex]](repeating: [], count: sizes.routes)
    }

    /// Adds a pattern whose indices have been checked.
    mutating func add(_ pattern: Pattern) throws(StoreError) {
        patternsOfRoute[pattern.route.position].append(pattern.index)
        for (position, call) in pattern.calls.enumerated() {
            visits.append(
                Visit(stop: call.stop.rawValue, pattern: pattern.index.rawValue, position: UInt32(position)))
        }
        for timingGroup in 0..<pattern.timingGroupCount {
            let first = pattern.firstTrip(ofTimingGroup: timingGroup).position
            for trip in first..<first + pattern.tripRange(ofTimingGroup: timingGroup).count {
                guard patternOfTrip[trip] == 0 else { throw .draft("trip \(trip) is in more than one pattern") }
                patternOfTrip[trip] = pattern.index.rawValue + 1
            }
        }
        latestStopTime = max(latestStopTime, pattern.latestStopTime)
    }

    /// Calls `body` with the encoded visits of each stop in order, or with `nil` for a stop without visits.
    consuming func forEachStop(
        _ count: Int, _ body: (Int, [UInt8]?) throws(StoreError) -> Void
    ) throws(StoreError) {
        // A stable sort keeps the visits of a stop in the order of the patterns.
        var ends = [Int](repeating: 0, count: count + 1)
        for visit in visits { ends[Int(visit.stop) + 1] += 1 }
        for stop in 0..<count { ends[stop + 1] += ends[stop] }
        var sorted = [UInt32](repeating: 0, count: visits.count)
        var next = ends
        for (number, visit) in visits.enumerated() {
            sorted[next[Int(visit.stop)]] = UInt32(number)
            next[Int(visit.stop)] += 1
        }
        var writer = ByteWriter()
        for stop in 0..<count {
            guard ends[stop] < ends[stop + 1] else {
                try body(stop, nil)
                continue
            }
            writer.clear()
            var previous: UInt32 = 0
            for number in sorted[ends[stop]..<ends[stop + 1]] {
                let visit = visits[Int(number)]
                writer.put(visit.pattern - previous)
                writer.put(visit.position)
                previous = visit.pattern
            }
            writer.seal()
            try body(stop, writer.bytes)
        }
    }
}

extension Pattern {
    /// The latest stop time of any trip, in seconds of service time.
    fileprivate var latestStopTime: Int32 {
        var latestOffsets = [Int32](repeating: 0, count: timingGroupCount)
        let dwellTimes = column(.dwellTimes)
        for call in 0..<callCount {
            let departures = departures(at: call)
            for timingGroup in latestOffsets.indices {
                let departure = departures[timingGroup]
                latestOffsets[timingGroup] = max(
                    latestOffsets[timingGroup], departure, departure - dwellTimes[call * timingGroupCount + timingGroup]
                )
            }
        }
        let starts = column(.starts)
        return latestOffsets.indices.reduce(0) { latest, timingGroup in
            let lastEnd = frequencies(ofTimingGroup: timingGroup).map(\.end).max() ?? 0
            let lastStart = tripRange(ofTimingGroup: timingGroup).last.map { starts[$0] } ?? 0
            return max(latest, latestOffsets[timingGroup] + max(lastStart, lastEnd))
        }
    }
}
