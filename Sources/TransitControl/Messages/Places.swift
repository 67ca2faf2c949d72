public import TransitWire

/// A place of the caller.
public struct PlaceSummary: WireObject {
    /// The place's name.
    public var name: String
    /// The coordinates; null while the place's stop is unknown.
    public var position: Position?
    /// The place's stop as `FEED:STOP_ID`; null when the place was set by coordinates.
    public var stop: String?
    /// The walk from the place to its stops; null when it is estimated.
    /// - Unit: seconds
    public var walk: Int?
    /// Where the place is defined. user: set over the socket; configuration: in the configuration file.
    public var origin: DefinitionOrigin
    /// The nearest stops, at most 5.
    public var stops: [NearbyStop]
}

/// Lists the caller's places.
public struct PlaceListParameters: ControlParameters {
    public typealias Reply = PlaceListResult
    public static let method = ControlMethod.placeList
}

/// The caller's places.
public struct PlaceListResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// Sorted by name.
    public var places: [PlaceSummary]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// Sets a place. Requires either `position` or `stop`.
public struct PlaceSetParameters: ControlParameters {
    public typealias Reply = PlaceResult
    public static let method = ControlMethod.placeSet
    public static let formerNames: KeyValuePairs<String, String> = ["name": "place"]

    /// The place's name. The names "home" and "work" imply the commutes home-to-work and work-to-home.
    /// - Range: 1...64
    public var place: String
    /// The coordinates of the place.
    public var position: Position?
    /// The stop at which the place is located.
    /// - Range: 1...300
    public var stop: String?
    /// The walk from the place to its stops. It is estimated when omitted.
    /// - Unit: seconds
    /// - Range: 0...10_800
    public var walk: Int?
}

/// Removes a place.
public struct PlaceRemoveParameters: ControlParameters {
    public typealias Reply = PlaceResult
    public static let method = ControlMethod.placeRemove
    public static let formerNames: KeyValuePairs<String, String> = ["name": "place"]

    /// The place's name.
    /// - Range: 1...64
    public var place: String
}

/// The place that was changed.
public struct PlaceResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The place after the change, or before its removal.
    public var place: PlaceSummary
    /// The names of the commutes that use the place.
    public var commutes: [String]
    /// The units to show.
    public var units: MeasurementUnits = .automatic
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// An address that the geocoder found.
public struct AddressMatch: WireObject {
    /// The address as text.
    public var name: String
    /// The coordinates of the address.
    public var position: Position
}

/// Searches for addresses with the geocoder named in the configuration.
public struct AddressSearchParameters: ControlParameters {
    public typealias Reply = AddressSearchResult
    public static let method = ControlMethod.addressSearch

    /// The text to search for. The daemon sends it to the geocoder.
    /// - Range: 1...200
    public var text: String
    /// The maximum number of addresses.
    /// - Range: 1...10
    public var count: Int = 5
    /// The language for address names, as an IETF BCP 47 language tag such as "de".
    /// - Range: 1...35
    public var language: String?
    /// Whether `text` is unfinished input, as in search-as-you-type. Not every geocoder permits such requests. A client
    /// cancels the previous request when the user continues to type.
    public var partial: Bool = false
}

/// The addresses found, best match first.
public struct AddressSearchResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// Best match first. Addresses near the timetables' stops are preferred.
    public var addresses: [AddressMatch]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
