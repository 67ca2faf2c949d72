public import TransitModel

/// An address that a geocoder found.
public struct GeocodedAddress: Hashable, Sendable {
    /// In words, as people tell it: "Mill Lane 7, 24103 Kiel, Germany".
    public var name: String
    /// Where it is.
    public var coordinate: Coordinate

    public init(name: String, coordinate: Coordinate) {
        self.name = name
        self.coordinate = coordinate
    }
}
