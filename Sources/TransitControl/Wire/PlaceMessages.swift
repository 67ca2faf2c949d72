/// A place of the caller.
public struct PlaceSummary: WireObject {
    public var name: String
    public var position: Position?
    public var stop: String?
    public var walk: Int?
    public var origin: Origin
    public var stops: [NearbyStop]

    public init(
        name: String, position: Position? = nil, stop: String? = nil, walk: Int? = nil, origin: Origin,
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
        Field("name", \.name, "Its name."),
        Field("position", \.position, "Where it is; null while the stop that it stands at is not known."),
        Field("stop", \.stop, "The stop that it stands at, as `FEED:STOP_ID`; null when it was given by coordinates."),
        Field(
            "walk", \.walk,
            "The walk from there to its stops, where it was set; else it is estimated.", unit: .seconds),
        Field("origin", \.origin, "user: set over the socket; configuration: in the file."),
        Field("stops", \.stops, "The nearest stops; at most 5."))
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
        Field("at", \.at, "When this was true."),
        Field("places", \.places, "By name."),
        Field("notices", \.notices, "What to know about this answer."))
}

/// Sets a place. One of `position` and `stop` is given.
public struct PlaceSetParameters: ControlParameters {
    public typealias Reply = PlaceResult
    public static let method = ControlMethod.placeSet

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
        "PlaceSetParameters", "Sets a place. One of `position` and `stop` is given.", Self.init,
        Field(
            "place", \.place,
            "Its name; \"home\" and \"work\" give the commutes home-to-work and work-to-home.", in: 1...64),
        Field("position", \.position, "Where it is."),
        Field("stop", \.stop, "A stop that it is at.", in: 1...300),
        Field(
            "walk", \.walk,
            "The walk from there to its stops; estimated when left out.", unit: .seconds, in: 0...10_800))
}

/// Removes a place.
public struct PlaceRemoveParameters: ControlParameters {
    public typealias Reply = PlaceResult
    public static let method = ControlMethod.placeRemove

    public var place: String

    public init(place: String) {
        self.place = place
    }

    public static let wireSchema = WireSchema(
        "PlaceRemoveParameters", "Removes a place.", Self.init,
        Field("place", \.place, "Its name.", in: 1...64))
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
        Field("at", \.at, "When this was true."),
        Field("place", \.place, "As it is now, or as it was when it was removed."),
        Field("commutes", \.commutes, "The names of the commutes that use it."),
        Field("notices", \.notices, "What to know about this answer."))
}
