public import TransitWire

/// A place of the caller.
public struct PlaceSummary: WireObject {
    public var name: String
    public var position: Position?
    public var stop: String?
    public var walk: Int?
    public var origin: DefinitionOrigin
    public var stops: [NearbyStop]

    public init(
        name: String, position: Position? = nil, stop: String? = nil, walk: Int? = nil, origin: DefinitionOrigin,
        stops: [NearbyStop]
    ) {
        self.name = name
        self.position = position
        self.stop = stop
        self.walk = walk
        self.origin = origin
        self.stops = stops
    }

    public static let wireSchema = WireSchema(
        "PlaceSummary", "A place of the caller.", Self.init,
        Field("name", \.name, "The place's name."),
        Field("position", \.position, "The coordinates; null while the place's stop is unknown."),
        Field("stop", \.stop, "The place's stop as `FEED:STOP_ID`; null when the place was set by coordinates."),
        Field(
            "walk", \.walk,
            "The walk from the place to its stops; null when it is estimated.", unit: .seconds),
        Field(
            "origin", \.origin,
            """
            Where the place is defined. user: set over the socket; configuration: in the configuration file.
            """),
        Field("stops", \.stops, "The nearest stops, at most 5."))
}

/// Lists the caller's places.
public struct PlaceListParameters: ControlParameters {
    public typealias Reply = PlaceListResult
    public static let method = ControlMethod.placeList

    public init() {}

    public static let wireSchema = WireSchema(
        "PlaceListParameters", "Lists the caller's places.", Self.init)
}

/// The caller's places.
public struct PlaceListResult: WireObject {
    public var at: Timestamp
    public var places: [PlaceSummary]
    public var notices: [Notice]

    public init(at: Timestamp, places: [PlaceSummary], notices: [Notice] = []) {
        self.at = at
        self.places = places
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "PlaceListResult", "The caller's places.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("places", \.places, "Sorted by name."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}

/// Sets a place. Requires either `position` or `stop`.
public struct PlaceSetParameters: ControlParameters {
    public typealias Reply = PlaceResult
    public static let method = ControlMethod.placeSet
    public static let formerNames: KeyValuePairs<String, String> = ["name": "place"]

    public var place: String
    public var position: Position?
    public var stop: String?
    public var walk: Int?

    public init(place: String, position: Position? = nil, stop: String? = nil, walk: Int? = nil) {
        self.place = place
        self.position = position
        self.stop = stop
        self.walk = walk
    }

    public static let wireSchema = WireSchema(
        "PlaceSetParameters", "Sets a place. Requires either `position` or `stop`.", Self.init,
        Field(
            "place", \.place,
            """
            The place's name. The names "home" and "work" imply the commutes home-to-work and work-to-home.
            """, in: 1...64),
        Field("position", \.position, "The coordinates of the place."),
        Field("stop", \.stop, "The stop at which the place is located.", in: 1...300),
        Field(
            "walk", \.walk,
            "The walk from the place to its stops. It is estimated when omitted.", unit: .seconds, in: 0...10_800))
}

/// Removes a place.
public struct PlaceRemoveParameters: ControlParameters {
    public typealias Reply = PlaceResult
    public static let method = ControlMethod.placeRemove
    public static let formerNames: KeyValuePairs<String, String> = ["name": "place"]

    public var place: String

    public init(place: String) {
        self.place = place
    }

    public static let wireSchema = WireSchema(
        "PlaceRemoveParameters", "Removes a place.", Self.init,
        Field("place", \.place, "The place's name.", in: 1...64))
}

/// The place that was changed.
public struct PlaceResult: WireObject {
    public var at: Timestamp
    public var place: PlaceSummary
    public var commutes: [String]
    public var notices: [Notice]

    public init(at: Timestamp, place: PlaceSummary, commutes: [String], notices: [Notice] = []) {
        self.at = at
        self.place = place
        self.commutes = commutes
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "PlaceResult", "The place that was changed.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("place", \.place, "The place after the change, or before its removal."),
        Field("commutes", \.commutes, "The names of the commutes that use the place."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
