package import TransitModel

/// Google's format for a path as text, with 5 decimal places ("Encoded Polyline Algorithm Format",
/// https://developers.google.com/maps/documentation/utilities/polylinealgorithm).
///
/// Each point is the difference in latitude, then in longitude, from the previous point, in units of 1e-5 degree. The
/// sign is in the lowest bit. The number follows in groups of five bits, the lowest first, each plus 63 as an ASCII
/// character; all groups but the last also have the bit 0x20.
package enum EncodedPolyline {
    /// Returns the encoded points.
    package static func text(of points: some Sequence<Coordinate>) -> String {
        var bytes: [UInt8] = []
        var last: (latitude: Int32, longitude: Int32) = (0, 0)
        for point in points {
            let next = (latitude: units(point.latitude), longitude: units(point.longitude))
            append(next.latitude - last.latitude, to: &bytes)
            append(next.longitude - last.longitude, to: &bytes)
            last = next
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func units(_ degrees: Double) -> Int32 { Int32((degrees * ShapePacking.scale).rounded()) }

    private static func append(_ difference: Int32, to bytes: inout [UInt8]) {
        var value = UInt32(bitPattern: (difference << 1) ^ (difference >> 31))
        while value >= 0x20 {
            bytes.append(UInt8(value & 0x1F | 0x20) + 63)
            value >>= 5
        }
        bytes.append(UInt8(value) + 63)
    }
}
