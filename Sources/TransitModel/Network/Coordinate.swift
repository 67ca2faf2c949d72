#if canImport(Glibc)
    internal import Glibc
#endif

/// A position on the Earth in WGS 84 degrees.
public struct Coordinate: Hashable, Sendable {
    /// Degrees north, -90...90.
    public var latitude: Double
    /// Degrees east, -180...180.
    public var longitude: Double

    /// Returns `nil` for values out of range, for NaN, and for (0, 0), which publishers write for an unknown position.
    public init?(latitude: Double, longitude: Double) {
        guard (-90.0...90.0).contains(latitude), (-180.0...180.0).contains(longitude) else { return nil }
        guard latitude != 0 || longitude != 0 else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Returns the great-circle distance in meters (haversine on a sphere with a radius of 6,371,008.8 m).
    public func distance(to other: Coordinate) -> Double {
        let radians = Double.pi / 180
        let deltaLatitude = (other.latitude - latitude) * radians
        let deltaLongitude = (other.longitude - longitude) * radians
        let a =
            sin(deltaLatitude / 2) * sin(deltaLatitude / 2)
            + cos(latitude * radians) * cos(other.latitude * radians) * sin(deltaLongitude / 2)
            * sin(deltaLongitude / 2)
        return 2 * 6_371_008.8 * asin(min(1, a.squareRoot()))
    }
}

/// Distinguishes coordinates from addresses. Coordinates can reveal where a person lives, so they are never sent to a
/// geocoder.
public enum CoordinateText {
    /// Whether a text contains coordinates in a common notation: "37.3942 -122.0764", "37.39N 122.07W", "37° 23′ 39″ N
    /// 122° 4′ 35″ W", "geo:37.3942,-122.0764". Also true for digits without letters, which cannot be an address.
    public static func isLikely(_ text: String) -> Bool {
        guard text.contains(where: \.isNumber) else { return false }
        let words = text.split { !$0.isLetter }
        let isCompass = words.allSatisfy { $0.count == 1 && "NSEWOnsewo".contains($0) }
        return isCompass || fractions(in: text) >= 2
    }

    /// The number of decimal fractions with at least two digits. Addresses have none: house numbers and postal codes
    /// are integers.
    private static func fractions(in text: String) -> Int {
        text.split { !$0.isASCII || !($0.isNumber || $0 == ".") }.count { number in
            let parts = number.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 2 && !parts[0].isEmpty && parts[1].count >= 2
        }
    }
}
