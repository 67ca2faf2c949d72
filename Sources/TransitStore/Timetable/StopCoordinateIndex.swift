internal import TransitModel

/// The coordinates of the kept stops, for searches by distance. The stops with coordinates are ordered from south to
/// north and stored in blobs of 64.
///
/// A query reads only the blobs of its range of latitudes.
enum StopCoordinateIndex {
    static let size = 64

    struct Entry {
        var stop: StopIndex
        /// In units of ``TimetableSchema/unitsPerDegree``.
        var latitude: Int32
        var longitude: Int32

        var coordinate: Coordinate? {
            let units = TimetableSchema.unitsPerDegree
            return Coordinate(latitude: Double(latitude) / units, longitude: Double(longitude) / units)
        }
    }

    /// Returns the kept stops with coordinates, from south to north.
    static func sorted(_ stops: [Stop]) -> [Entry] {
        let entries = stops.enumerated().compactMap { position, stop -> Entry? in
            guard stop.isKept, let coordinate = stop.coordinate else { return nil }
            return Entry(
                stop: StopIndex(position), latitude: units(coordinate.latitude), longitude: units(coordinate.longitude))
        }
        return entries.sorted { ($0.latitude, $0.stop) < ($1.latitude, $1.stop) }
    }

    /// Converts degrees to the units of the file. The degrees of a coordinate are always in range.
    static func units(_ degrees: Double) -> Int32 {
        Int32((degrees * TimetableSchema.unitsPerDegree).rounded())
    }

    static func write(_ entries: ArraySlice<Entry>, to writer: inout ByteWriter) {
        var previous = Entry(stop: StopIndex(0), latitude: 0, longitude: 0)
        for entry in entries {
            writer.putSigned(Int32(bitPattern: entry.stop.rawValue &- previous.stop.rawValue))
            writer.putSigned(entry.latitude &- previous.latitude)
            writer.putSigned(entry.longitude &- previous.longitude)
            previous = entry
        }
        writer.seal()
    }

    static func read(
        _ blob: UnsafeRawBufferPointer, sizes: TableSizes, _ body: (Entry) -> Void
    ) throws(MalformedDataError) {
        var reader = try ByteReader(sealed: blob)
        var entry = Entry(stop: StopIndex(0), latitude: 0, longitude: 0)
        while !reader.isAtEnd {
            entry.stop.rawValue &+= UInt32(bitPattern: try reader.signed())
            entry.latitude &+= try reader.signed()
            entry.longitude &+= try reader.signed()
            guard entry.stop.position < sizes.stops else { throw MalformedDataError("refers to an unknown stop") }
            body(entry)
        }
    }
}
