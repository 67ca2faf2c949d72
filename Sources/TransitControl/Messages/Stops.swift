public import TransitModel
public import TransitWire

/// The kind of location (`location_type` of GTFS).
public enum StopKind: String, OpenWireEnum {
    case platform
    case station
    case entrance
    case node
    case boardingArea = "boarding_area"
    /// A value that this version does not know.
    case other
}

/// The identifier and name of a stop.
public struct StopReference: WireObject {
    /// The stop's identifier (`stop_id`).
    public var id: StopID
    /// The stop's name for riders.
    public var name: String
}

/// A stop, station or other location of stops.txt.
public struct StopSummary: WireObject {
    /// The feed of the stop.
    public var feed: FeedID
    /// The stop's identifier (`stop_id`).
    public var id: StopID
    /// The short code on the sign (`stop_code`).
    public var code: String?
    /// The stop's name for riders.
    public var name: String
    /// The platform's number or letter.
    public var platform: String?
    /// The kind of location. More values may be added.
    public var kind: StopKind
    /// The coordinates.
    public var position: Position?
    /// The station that the stop belongs to.
    public var parent: StopReference?
    /// Whether wheelchair users can board at the stop.
    public var wheelchair: AccessibilityLevel
}

/// A transfer from a stop (transfers.txt).
public struct TransferSummary: WireObject {
    /// The destination of the transfer.
    public var to: StopReference
    /// The kind of transfer. More values may be added.
    public var kind: TransferKind
    /// The minimum transfer time.
    /// - Unit: seconds
    public var minTransferTime: Int?
}

/// The kind of transfer (`transfer_type` of GTFS).
public enum TransferKind: String, OpenWireEnum {
    case recommended
    case timed
    case minimumTime = "minimum_time"
    case notPossible = "not_possible"
    case inSeat = "in_seat"
    case noInSeat = "no_in_seat"
    /// A value that this version does not know.
    case other
}

/// A stop that a search found.
public struct StopSearchMatch: WireObject {
    /// How well the stop matches.
    public var rank: MatchRank
    /// The stop.
    public var stop: StopSummary
    /// The names of the routes that serve the stop, at most 12.
    public var routes: [String]
    /// The same stop in the agency's other feed, if one of the two feeds supplements the other; null when there is
    /// none.
    public var sameAs: StopSummary?
}

/// A stop near a place.
public struct NearbyStop: WireObject {
    /// The stop; the nearest platform of a stop with several platforms but without a station.
    public var stop: StopSummary
    /// The stop with all its platforms, as commands accept it: "hk:A1 + hk:B2". Null if it is `stop` alone.
    public var reference: String?
    /// The straight-line distance.
    /// - Unit: meters
    public var distance: Int
    /// The estimated walking time.
    /// - Unit: seconds
    public var walk: Int
    /// The names of the routes that serve the stop, at most 12.
    public var routes: [String]
    /// The same stop in the agency's other feed, if one of the two feeds supplements the other; null when there is
    /// none.
    public var sameAs: StopSummary?
}

/// The headsigns of a route at a stop.
public struct RouteHeadsigns: WireObject {
    /// The route's identifier (`route_id`).
    public var route: RouteID
    /// The headsigns of the trips that continue from the stop, most frequent first, at most 5; empty when all trips end at
    /// the stop or no headsign is known.
    public var headsigns: [String]
}

/// Returns a stop with its platforms, routes and transfers.
public struct StopsShowParameters: ControlParameters {
    public typealias Reply = StopsShowResult
    public static let method = ControlMethod.stopsShow

    /// The stop: `FEED:STOP_ID`, a stop ID, a stop code, or a name or its first words if they match a single stop.
    /// - Range: 1...300
    public var stop: String
    /// Limits the search to this feed.
    public var feed: FeedID?
    /// The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed has
    /// translations.txt.
    /// - Range: 1...35
    public var language: String?
}

/// A stop with its platforms, routes and transfers.
public struct StopsShowResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The stop.
    public var stop: StopSummary
    /// The stop with all its platforms, as commands accept it, if `stop` is one of several platforms of one name that have
    /// no station. Other platforms may have other routes. Null for any other stop.
    public var wholeStop: String?
    /// The IANA name of the stop's time zone.
    public var timezone: String
    /// The platforms, entrances and other parts of a station.
    public var children: [StopSummary]
    /// The routes that serve the stop. Routes that only the agency's other feed or the provider lists come last.
    public var routes: [RouteSummary]
    /// The headsigns of each route at the stop, one element for each element of `routes`, in the same order.
    public var headsigns: [RouteHeadsigns] = []
    /// The transfers from the stop (transfers.txt).
    public var transfers: [TransferSummary]
    /// The same stop in the agency's other feed, if one of the two feeds supplements the other; null when there is
    /// none.
    public var sameAs: StopSummary?
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// Searches for stops by code, by identifier, or by name in any language. Ignores case and accents.
public struct StopsSearchParameters: ControlParameters {
    public typealias Reply = StopsSearchResult
    public static let method = ControlMethod.stopsSearch
    public static let personalMembers = PersonalMembers(["favorite"])

    /// The text to search for.
    /// - Range: 1...200
    public var text: String
    /// Limits the search to this feed.
    public var feed: FeedID?
    /// The maximum number of stops.
    /// - Range: 1...100
    public var count: Int = 10
    /// The `next_cursor` of the previous page; omit it for the first page.
    public var cursor: String?
    /// Limits the result to stops of this route, given by identifier or name.
    /// - Range: 1...300
    public var route: String?
    /// Limits the result to stops of this favorite's route. The favorite is given by name or number.
    /// - Range: 1...64
    public var favorite: String?
    /// The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed has
    /// translations.txt.
    /// - Range: 1...35
    public var language: String?
    /// Whether the text becomes one of the caller's recent searches.
    public var remember: Bool = true
}

/// The stops found, best match first.
public struct StopsSearchResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// Best match first.
    public var stops: [StopSearchMatch]
    /// The `cursor` of the next page; null on the last page.
    public var nextCursor: String?
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// Lists the stops near a place. Requires either `place` or `position`.
public struct StopsNearParameters: ControlParameters {
    public typealias Reply = StopsNearResult
    public static let method = ControlMethod.stopsNear
    public static let personalMembers = PersonalMembers(["place", "favorite"], requiredOtherwise: ["position"])

    /// A place of the caller, such as "home".
    /// - Range: 1...64
    public var place: String?
    /// The coordinates of the center.
    public var position: Position?
    /// The search radius. The default is 1000, or 3000 if there are no stops within 1000.
    /// - Unit: meters
    /// - Range: 1...20000
    public var radius: Int?
    /// Limits the search to this feed.
    public var feed: FeedID?
    /// The maximum number of stops.
    /// - Range: 1...100
    public var count: Int = 10
    /// Limits the result to stops of this route, given by identifier or name.
    /// - Range: 1...300
    public var route: String?
    /// Limits the result to stops of this favorite's route. The favorite is given by name or number.
    /// - Range: 1...64
    public var favorite: String?
    /// The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed has
    /// translations.txt.
    /// - Range: 1...35
    public var language: String?
}

/// The stops near a place, nearest first.
public struct StopsNearResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The center of the search.
    public var center: Position
    /// The search radius.
    /// - Unit: meters
    public var radius: Int
    /// Nearest first.
    public var stops: [NearbyStop]
    /// The number of stops within the radius, including those not listed.
    public var total: Int?
    /// The units to show. The members of this result are in metric units.
    public var units: MeasurementUnits = .automatic
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
