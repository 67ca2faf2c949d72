internal import TransitModel

/// 16 trips in one blob, column by column, the identifiers last.
///
/// A column whose values are all the same is one number. The trips of a block mostly belong to one pattern, so most of
/// its columns are.
enum TripBlock {
    /// Reading one trip passes over the others: few, so that it is quick; not fewer, so that they share what is the same.
    static let size = 16

    /// Where a trip's row is, and where in it.
    static func place(of trip: TripIndex) -> (block: Int, position: Int) {
        (trip.position / size, trip.position % size)
    }

    /// The columns in their order. An absent value is 0, every other one is one higher.
    private enum Column: CaseIterable {
        case pattern, service, headsign, shortName, block, shape, accessibility
    }

    // MARK: Writing

    /// `patterns` has the pattern of every trip, one higher; 0 for a trip without calls.
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

    /// 0 and the value when there is only one; else 1 and each value's difference from the one before it.
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

    /// A trip and the pattern it runs on.
    struct Row {
        var trip: Trip
        var pattern: PatternIndex?
    }

    static func read(_ blob: UnsafeRawBufferPointer, of trip: TripIndex, sizes: TableSizes) throws(MalformedDataError)
        -> Row
    {
        var reader = try ByteReader(sealed: blob)
        let position = place(of: trip).position
        let count = min(size, sizes.trips - (trip.position - position))
        let pattern: PatternIndex? = index(try column(&reader, position, count, most: sizes.patterns))
        let service: ServiceIndex? = index(try column(&reader, position, count, most: sizes.services))
        let headsign: TextIndex? = index(try column(&reader, position, count, most: sizes.texts))
        let shortName: TextIndex? = index(try column(&reader, position, count, most: sizes.texts))
        let block: TextIndex? = index(try column(&reader, position, count, most: sizes.texts))
        let shape: ShapeIndex? = index(try column(&reader, position, count, most: sizes.shapes))
        let accessibility = try column(&reader, position, count, most: 15)
        guard let service else { throw MalformedDataError("names no service") }
        guard let wheelchair = Accessibility(rawValue: UInt8(accessibility >> 2)),
            let bikes = Accessibility(rawValue: UInt8(accessibility & 3))
        else { throw MalformedDataError("has an unknown accessibility") }
        let id = try FrontCoding.read(position, from: &reader).string
        return Row(
            trip: Trip(
                id: TripID(id), service: service, headsign: headsign, shortName: shortName, block: block, shape: shape,
                wheelchair: wheelchair, bikes: bikes),
            pattern: pattern)
    }

    /// A trip that was searched by its identifier.
    struct Match {
        var trip: TripIndex
        var pattern: PatternIndex?
    }

    /// Reads some trips of a block by their position, in their order: each with its identifier, which is compared and not made.
    struct Cursor {
        private let patterns: [UInt32]
        private var ids: FrontCoding.Cursor
        private let first: Int

        init(_ blob: UnsafeRawBufferPointer, block: Int, sizes: TableSizes) throws(MalformedDataError) {
            var reader = try ByteReader(sealed: blob)
            first = block * size
            let count = min(size, sizes.trips - first)
            patterns = try values(&reader, count, most: sizes.patterns)
            for _ in Column.allCases.dropFirst() { _ = try column(&reader, 0, count, most: .max) }
            ids = try FrontCoding.Cursor(reader)
        }

        /// The trip, when it has that identifier. Its row is in this block, and not before the one that was asked for last.
        mutating func match(row: Int, _ id: TripID) throws(MalformedDataError) -> Match? {
            guard patterns.indices.contains(row - first), try ids.text(at: row - first).equals(id.rawValue) else {
                return nil
            }
            return Match(trip: TripIndex(row), pattern: index(patterns[row - first]))
        }
    }

    /// The value at `position`; the reader stands behind the column afterwards.
    private static func column(
        _ reader: inout ByteReader, _ position: Int, _ count: Int, most: Int
    ) throws(MalformedDataError) -> UInt32 {
        var value: UInt32 = 0
        if try reader.byte() == 0 {
            value = try reader.number()
        } else {
            var current: UInt32 = 0
            for row in 0..<count {
                current &+= UInt32(bitPattern: try reader.signed())
                if row == position { value = current }
            }
        }
        guard Int(value) <= most else { throw MalformedDataError("points past the end of a table") }
        return value
    }

    /// All values of a column; the reader stands behind it afterwards.
    private static func values(
        _ reader: inout ByteReader, _ count: Int, most: Int
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
        guard values.allSatisfy({ Int($0) <= most }) else { throw MalformedDataError("points past the end of a table") }
        return values
    }

    private static func index<Subject>(_ value: UInt32) -> Index<Subject>? { value == 0 ? nil : Index(value - 1) }
}
