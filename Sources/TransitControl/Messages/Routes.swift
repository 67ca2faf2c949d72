public import TransitModel
public import TransitWire

/// A route.
public struct RouteSummary: WireObject {
    /// The route's identifier (`route_id`).
    public var id: RouteID
    /// The number or letter shown on the vehicle.
    public var shortName: String?
    /// The full name.
    public var longName: String?
    /// The mode of transport (GTFS `route_type`): 0 tram, 1 metro, 2 rail, 3 bus, 4 ferry; also the extended types 100
    /// to 1799.
    public var type: Int
    /// The route's color, six uppercase hexadecimal digits.
    public var color: String?
    /// A color that is legible on `color`, in the same format.
    public var textColor: String?
}

extension RouteSummary {
    /// The name to display: the short name; if there is none, the long name; if there is neither, the identifier.
    public var displayName: String {
        [shortName, longName].compactMap { $0 }.first { !$0.isEmpty } ?? id.rawValue
    }
}

/// A route that a search found.
public struct RouteMatch: WireObject {
    /// The feed of the route.
    public var feed: FeedID
    /// The name of the agency that runs the route.
    public var agency: String?
    /// How well the route matches.
    public var rank: MatchRank
    /// The route.
    public var route: RouteSummary
    /// The directions that a user can choose; empty when there is only one, null unless requested.
    public var directions: [RouteDirectionOption]?
}

extension RouteMatch {
    /// The route as `FEED:ROUTE_ID`.
    public var reference: String { "\(feed):\(route.id)" }
}

/// A direction of a route that a user can choose.
public struct RouteDirectionOption: WireObject {
    /// The direction (`direction_id`), 0 or 1; null when the feed has none.
    public var directionId: Int?
    /// The headsign of most trips in the direction.
    public var headsign: String?
    /// The number of stop patterns.
    public var patterns: Int
}

/// The routes of one agency that share a number.
public struct RouteGroupAgency: WireObject {
    /// The agency's name; null when unknown.
    public var agency: String?
    /// The routes as `FEED:ROUTE_ID`.
    public var routes: [String]
}

/// Routes that share a number.
public struct RouteGroupSummary: WireObject {
    /// The number or name shown on the vehicle.
    public var name: String
    /// The agencies that run these routes.
    public var agencies: [RouteGroupAgency]
}

/// Searches for routes by name. On request, also returns the characters that can follow the text.
public struct RoutesSearchParameters: ControlParameters {
    public typealias Reply = RoutesSearchResult
    public static let method = ControlMethod.routesSearch

    /// The beginning of the name, or text that it contains; empty for all routes.
    /// - Range: 0...200
    public var text: String = ""
    /// Limits the search to this feed.
    public var feed: FeedID?
    /// Whether to return the characters that can follow the text, so that a keypad offers only existing routes.
    public var nextCharacters: Bool = false
    /// Whether to return the directions of each route.
    public var directions: Bool = false
    /// The maximum number of routes.
    /// - Range: 1...500
    public var count: Int = 10
    /// The `next_cursor` of the previous page; omit it for the first page.
    public var cursor: String?
    /// The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed has
    /// translations.txt.
    /// - Range: 1...35
    public var language: String?
    /// Whether the text becomes one of the caller's recent searches.
    public var remember: Bool = true
}

/// The routes found, best match first.
public struct RoutesSearchResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// Best match first. Routes without stops are not listed.
    public var routes: [RouteMatch]
    /// The same routes grouped by number and agency, in the order of the first route of each group.
    public var groups: [RouteGroupSummary] = []
    /// The characters that can follow the text; null unless requested.
    public var nextCharacters: [String]?
    /// Whether the text is the full name of a route; null unless `next_characters` is requested.
    public var isComplete: Bool?
    /// The `cursor` of the next page; null on the last page.
    public var nextCursor: String?
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// An agency that runs a route.
public struct AgencySummary: WireObject {
    /// The agency's identifier (`agency_id`); may be empty.
    public var id: AgencyID
    /// The agency's name.
    public var name: String
    /// The agency's web page.
    public var url: String?
    /// The agency's telephone number.
    public var phone: String?
    /// The IANA name of the agency's time zone.
    public var timezone: String
}

/// A direction of a route on a service date.
public struct RouteDirection: WireObject {
    /// The direction (`direction_id`), 0 or 1; null when the feed has none.
    public var directionId: Int?
    /// The headsigns of the direction's trips, most frequent first.
    public var headsigns: [String]
    /// The number of trips in the direction on the service date.
    public var trips: Int
    /// The first departure on the service date; null when there is no service.
    public var first: Timestamp?
    /// The last departure on the service date; null when there is no service.
    public var last: Timestamp?
    /// The stops in the order of travel; null unless `paths` is requested.
    public var stops: [RouteStop]?
    /// The path of the pattern with the most trips, in Google's encoded polyline format with 5 decimal places; null
    /// unless `paths` is requested, and without at least two positions.
    public var polyline: String?
    /// Where `polyline` comes from; null without `polyline`.
    public var polylineSource: PolylineSource?
    /// The distribution of delays in this direction on earlier days; null when too little is known.
    public var punctuality: LearnedPunctuality?
}

/// Where a polyline comes from. shape: the feed's shapes.txt; stops: straight lines between the stops. More values may be
/// added.
public enum PolylineSource: String, OpenWireEnum {
    case shape
    case stops
    /// A value that this version does not know.
    case other
}

/// The trips of a route that call at the same stops in the same order.
public struct RoutePattern: WireObject {
    /// The direction (`direction_id`).
    public var directionId: Int?
    /// The headsign of most trips of the pattern.
    public var headsign: String?
    /// The first stop.
    public var from: StopReference
    /// The last stop.
    public var to: StopReference
    /// The number of calls of each trip.
    public var stops: Int
    /// The number of trips in the whole timetable.
    public var trips: Int
    /// The time from the first departure to the last arrival, with the running times that most trips of the pattern have;
    /// null when the feed has no times.
    /// - Unit: seconds
    public var travelTime: Int?
}

/// Returns a route with its directions, first and last departures, and patterns.
public struct RoutesShowParameters: ControlParameters {
    public typealias Reply = RoutesShowResult
    public static let method = ControlMethod.routesShow

    /// The route: `FEED:ROUTE_ID`, a route ID, or a name that matches a single route.
    /// - Range: 1...300
    public var route: String
    /// Limits the search to this feed.
    public var feed: FeedID?
    /// The service date. The default is today.
    public var date: ServiceDate?
    /// Whether to return the stops and the path of each direction.
    public var paths: Bool = false
    /// The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed has
    /// translations.txt.
    /// - Range: 1...35
    public var language: String?
}

/// A route with its directions and patterns.
public struct RoutesShowResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The feed of the route.
    public var feed: FeedID
    /// The agency that runs the route.
    public var agency: AgencySummary
    /// The route.
    public var route: RouteSummary
    /// The service date of `directions`.
    public var serviceDate: ServiceDate
    /// The directions of the route.
    public var directions: [RouteDirection]
    /// The patterns of the route, most trips first.
    public var patterns: [RoutePattern]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}

/// A stop of a route.
public struct RouteStop: WireObject {
    /// The position along the direction, from 1.
    public var sequence: Int
    /// The stop.
    public var stop: StopSummary
    /// Whether every trip in the direction calls at the stop.
    public var isOnEveryTrip: Bool
    /// The time from the departure at the first stop to the arrival at this stop, with the running times that most trips of
    /// the direction's pattern with the most trips have; null at a stop outside of that pattern, and when the feed has no
    /// times.
    /// - Unit: seconds
    public var travelTime: Int?
}

/// The stops of one direction of a route.
public struct RouteStopList: WireObject {
    /// The direction (`direction_id`).
    public var directionId: Int?
    /// The headsign of most trips in the direction.
    public var headsign: String?
    /// The stops in the order of travel.
    public var stops: [RouteStop]
}

/// Lists the stops of a route in order, by direction.
public struct RoutesStopsParameters: ControlParameters {
    public typealias Reply = RoutesStopsResult
    public static let method = ControlMethod.routesStops
    public static let formerNames: KeyValuePairs<String, String> = ["direction": "direction_id"]

    /// The route: `FEED:ROUTE_ID`, a route ID, or a name that matches a single route.
    /// - Range: 1...300
    public var route: String
    /// Limits the search to this feed.
    public var feed: FeedID?
    /// Limits the result to this direction (`direction_id`).
    /// - Range: 0...1
    public var directionId: Int?
    /// The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed has
    /// translations.txt.
    /// - Range: 1...35
    public var language: String?
}

/// The stops of a route.
public struct RoutesStopsResult: WireObject {
    /// When the result was produced.
    public var at: Timestamp
    /// The feed of the route.
    public var feed: FeedID
    /// The route.
    public var route: RouteSummary
    /// One list for each direction.
    public var directions: [RouteStopList]
    /// Conditions that affect the result, such as stale or missing data.
    public var notices: [Notice] = []
}
