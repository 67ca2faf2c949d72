internal import TransitModel

/// A blob with 16 trips, column by column, with the identifiers last.
///
/// A column whose values are all equal is stored as a single number. The trips in a block usually belong to one
/// pattern, so this applies to most columns.
enum PackedTripGroup {
    /// The number of trips per block. Reading a trip skips the rest of its block, which favors small blocks; large
    /// blocks share more equal values.
    static let size = 16

    /// Returns the block of a trip and its position in the block.
    static func location(of trip: TripIndex) -> (block: Int, position: Int) {
        (trip.position / size, trip.position % size)
    }

    /// The columns in storage order. An absent value is 0; all other values are stored plus one.
    private enum Column: CaseIterable {
        case pattern, service, headsign, shortName, block, shape, accessibility
    }

    // MARK: Writing

    /// Writes a block. `patterns` has the pattern index plus one for each trip; 0 for a trip without calls.
    static func write(_ trips: TripColumns, patterns: [UInt32], block: Int, to writer: inout ByteWriter) {
        let rows = block * size..<min((block + 1) * size, trips.count)
        for column in Column.allCases {
            write(rows.map { value(column, trips, patterns, $0) }, to: &writer)
        }
        var coder = FrontCoding.Writer()
        for row in rows { coder.put(trips.ids.bytes[trips.ids.range(row)], to: &writer) }
        writer.seal()
    }

    private static func value(_ column: Column, _ trips: TripColumns, _ patterns: [UInt32], _ row: Int) -> UInt32 {
        switch column {
        case .pattern: patterns[row]
        case .service: trips.services[row].rawValue &+ 1
        case .headsign: raw(trips.headsigns[row])
        case .shortName: raw(trips.shortNames[row])
        case .block: raw(trips.blocks[row])
        case .shape: raw(trips.shapes[row])
        case .accessibility: UInt32(trips.wheelchair[row].rawValue) << 2 | UInt32(trips.bikes[row].rawValue)
        }
    }

    private static func raw<Subject>(_ index: Index<Subject>?) -> UInt32 { index.map { $0.rawValue &+ 1 } ?? 0 }

    /// Writes 0 and the value if all values are equal, otherwise 1 and the difference of each value from the previous
    /// one.
    private static func write(_ values: [UInt32], to writer: inout ByteWriter) {
        if values.allSatisfy({ $0 == values[0] }) {
            writer.put(byte: 0)
            writer.put(values[0])
            return
        }
        writer.put(byte: 1)
        var previous: UInt32 = 0
        for value in values {
            writer.putSigned(Int32(bitPattern: value &- previous))
            previous = value
        }
    }

    // MARK: Reading

    /// A trip and its pattern.
    struct Row {
        var trip: Trip
        var pattern: PatternIndex?
    }

    static func read(_ blob: UnsafeRawBufferPointer, of trip: TripIndex, sizes: TableSizes) throws(MalformedDataError)
        -> Row
    {
        var reader = try ByteReader(sealed: blob)
        let position = location(of: trip).position
        let count = min(size, sizes.trips - (trip.position - position))
        let pattern: PatternIndex? = index(try column(&reader, position, count, maximum: sizes.patterns))
        let service: ServiceIndex? = index(try column(&reader, position, count, maximum: sizes.services))
        let headsign: TextIndex? = index(try column(&reader, position, count, maximum: sizes.texts))
        let shortName: TextIndex? = index(try column(&reader, position, count, maximum: sizes.texts))
        let block: TextIndex? = index(try column(&reader, position, count, maximum: sizes.texts))
        let shape: ShapeIndex? = index(try column(&reader, position, count, maximum: sizes.shapes))
        let accessibility = try column(&reader, position, count, maximum: 15)
        guard let service else { throw MalformedDataError("contains a trip without a service") }
        let access = try self.accessibility(accessibility)
        let id = try FrontCoding.read(position, from: &reader).string
        return Row(
            trip: Trip(
                id: TripID(id), service: service, headsign: headsign, shortName: shortName, block: block, shape: shape,
                wheelchair: access.wheelchair, bikes: access.bikes),
            pattern: pattern)
    }

    private static func accessibility(_ value: UInt32) throws(MalformedDataError) -> TripAccessibility {
        guard let wheelchair = Accessibility(rawValue: UInt8(value >> 2)),
            let bikes = Accessibility(rawValue: UInt8(value & 3))
        else { throw MalformedDataError("contains an unknown accessibility value") }
        return TripAccessibility(wheelchair: wheelchair, bikes: bikes)
    }

    /// Returns the accessibility of each trip in a block of rows.
    static func accessibility(
        _ blob: UnsafeRawBufferPointer, block: Int, sizes: TableSizes
    ) throws(MalformedDataError) -> [TripAccessibility] {
        var reader = try ByteReader(sealed: blob)
        let count = min(size, sizes.trips - block * size)
        for _ in Column.allCases.prefix(while: { $0 != .accessibility }) {
            _ = try column(&reader, 0, count, maximum: .max)
        }
        var found: [TripAccessibility] = []
        for value in try values(&reader, count, maximum: 15) { found.append(try accessibility(value)) }
        return found
    }

    /// Returns the `block_id` of each trip in a block of rows.
    static func blocks(
        _ blob: UnsafeRawBufferPointer, block: Int, sizes: TableSizes
    ) throws(MalformedDataError) -> [TextIndex?] {
        var reader = try ByteReader(sealed: blob)
        let count = min(size, sizes.trips - block * size)
        for _ in Column.allCases.prefix(while: { $0 != .block }) { _ = try column(&reader, 0, count, maximum: .max) }
        return try values(&reader, count, maximum: sizes.texts).map { index($0) }
    }

    /// A trip that was found by its identifier.
    struct Match {
        var trip: TripIndex
        var pattern: PatternIndex?
    }

    /// Reads trips of a block in ascending order. Identifiers are compared without creating strings.
    struct Cursor {
        private let patterns: [UInt32]
        private var ids: FrontCoding.Cursor
        private let first: Int

        init(_ blob: UnsafeRawBufferPointer, block: Int, sizes: TableSizes) throws(MalformedDataError) {
            var reader = try ByteReader(sealed: blob)
            first = block * size
            let count = min(size, sizes.trips - first)
            patterns = try values(&reader, count, maximum: sizes.patterns)
            for _ in Column.allCases.dropFirst() { _ = try column(&reader, 0, count, maximum: .max) }
            ids = try FrontCoding.Cursor(reader)
        }

        /// Returns the trip if it has the given identifier. The row must be in this block and not before the row of the
        /// previous call.
        mutating func match(row: Int, _ id: TripID) throws(MalformedDataError) -> Match? {
            guard patterns.indices.contains(row - first), try ids.text(at: row - first).equals(id.rawValue) else {
                return nil
            }
            return Match(trip: TripIndex(row), pattern: index(patterns[row - first]))
        }
    }

    /// Reads the value at `position` and advances the reader past the column.
    private static func column(
        _ reader: inout ByteReader, _ position: Int, _ count: Int, maximum: Int
    ) throws(MalformedDataError) -> UInt32 {
        var value: UInt32 = 0
        if try reader.byte() == 0 {
            value = try reader.number()
        } else {
            for _ in 0...position { value &+= UInt32(bitPattern: try reader.signed()) }
            try reader.skipNumbers(count - position - 1)
        }
        guard Int(value) <= maximum else { throw MalformedDataError("contains an index past the end of a table") }
        return value
    }

    /// Reads all values of a column and advances the reader past it.
    private static func values(
        _ reader: inout ByteReader, _ count: Int, maximum: Int
    ) throws(MalformedDataError) -> [UInt32] {
        var values: [UInt32] = []
        values.reserveCapacity(count)
        if try reader.byte() == 0 {
            values.append(contentsOf: repeatElement(try reader.number(), count: count))
        } else {
            var current: UInt32 = 0
            for _ in 0..<count {
                current &+= UInt32(bitPattern: try reader.signed())
                values.append(current)
            }
        }
        guard values.allSatisfy({ Int($0) <= maximum }) else {
            throw MalformedDataError("contains an index past the end of a table")
        }
        return values
    }

    private static func index<Subject>(_ value: UInt32) -> Index<Subject>? { value == 0 ? nil : Index(value - 1) }
}

/// A blob with 16 entries of the table of shared texts.
enum PackedTextGroup {
    static let size = 16

    static func write(_ texts: TextColumn, block: Int, to writer: inout ByteWriter) {
        var coder = FrontCoding.Writer()
        for position in block * size..<min((block + 1) * size, texts.count) {
            coder.put(texts.bytes[texts.range(position)], to: &writer)
        }
        writer.seal()
    }

    static func read(_ blob: UnsafeRawBufferPointer, position: Int) throws(MalformedDataError) -> String {
        var reader = try ByteReader(sealed: blob)
        return try FrontCoding.read(position, from: &reader).string
    }
}
