public import TransitModel

/// An address found by a geocoder.
public struct GeocodedAddress: Hashable, Sendable {
    /// The address for display, such as "Mill Lane 7, 24103 Kiel, Germany".
    public var name: String
    public var coordinate: Coordinate

    public init(name: String, coordinate: Coordinate) {
        self.name = name
        self.coordinate = coordinate
    }
}
