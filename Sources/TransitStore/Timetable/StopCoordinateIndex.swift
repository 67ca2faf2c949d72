internal import TransitModel

/// Where the stops are, for searches by distance: all stops with a position from south to north, 64 in one blob.
///
/// A question reads only the blobs of its band of latitudes.
enum StopCoordinateIndex {
    static let size = 64

    struct Place {
        var stop: StopIndex
        /// In units of ``TimetableSchema/unitsPerDegree``.
        var latitude: Int32
        var longitude: Int32

        var coordinate: Coordinate? {
            let units = TimetableSchema.unitsPerDegree
            return Coordinate(latitude: Double(latitude) / units, longitude: Double(longitude) / units)
        }
    }

    /// From south to north, those without a position left out.
    static func sorted(_ stops: [Stop]) -> [Place] {
        let places = stops.enumerated().compactMap { position, stop -> Place? in
            guard let coordinate = stop.coordinate else { return nil }
            return Place(
                stop: StopIndex(position), latitude: units(coordinate.latitude), longitude: units(coordinate.longitude))
        }
        return places.sorted { ($0.latitude, $0.stop) < ($1.latitude, $1.stop) }
    }

    /// Degrees in the file's units. A coordinate's degrees always fit.
    static func units(_ degrees: Double) -> Int32 {
        Int32((degrees * TimetableSchema.unitsPerDegree).rounded())
    }

    static func write(_ places: ArraySlice<Place>, to writer: inout ByteWriter) {
        var previous = Place(stop: StopIndex(0), latitude: 0, longitude: 0)
        for place in places {
            writer.putSigned(Int32(bitPattern: place.stop.rawValue &- previous.stop.rawValue))
            writer.putSigned(place.latitude &- previous.latitude)
            writer.putSigned(place.longitude &- previous.longitude)
            previous = place
        }
        writer.seal()
    }

    static func read(
        _ blob: UnsafeRawBufferPointer, sizes: TableSizes, _ body: (Place) -> Void
    ) throws(MalformedDataError) {
        var reader = try ByteReader(sealed: blob)
        var place = Place(stop: StopIndex(0), latitude: 0, longitude: 0)
        while !reader.isAtEnd {
            place.stop.rawValue &+= UInt32(bitPattern: try reader.signed())
            place.latitude &+= try reader.signed()
            place.longitude &+= try reader.signed()
            guard place.stop.position < sizes.stops else { throw MalformedDataError("names an unknown stop") }
            body(place)
        }
    }
}
