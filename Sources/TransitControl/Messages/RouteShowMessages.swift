public import TransitModel
public import TransitWire

/// An agency that runs a route.
public struct AgencySummary: WireObject {
    public var id: AgencyID
    public var name: String
    public var url: String?
    public var phone: String?
    public var timezone: String

    public init(id: AgencyID, name: String, url: String? = nil, phone: String? = nil, timezone: String) {
        self.id = id
        self.name = name
        self.url = url
        self.phone = phone
        self.timezone = timezone
    }

    public static let wireSchema = WireSchema(
        "AgencySummary", "An agency that runs a route.", Self.init,
        Field("id", \.id, "The agency's identifier (`agency_id`); may be empty."),
        Field("name", \.name, "The agency's name."),
        Field("url", \.url, "The agency's web page."),
        Field("phone", \.phone, "The agency's telephone number."),
        Field("timezone", \.timezone, "The IANA name of the agency's time zone."))
}

/// A direction of a route on a service date.
public struct RouteDirection: WireObject {
    public var directionId: Int?
    public var headsigns: [String]
    public var trips: Int
    public var first: Timestamp?
    public var last: Timestamp?

    public init(
        directionId: Int? = nil, headsigns: [String], trips: Int, first: Timestamp? = nil, last: Timestamp? = nil
    ) {
        self.directionId = directionId
        self.headsigns = headsigns
        self.trips = trips
        self.first = first
        self.last = last
    }

    public static let wireSchema = WireSchema(
        "RouteDirection", "A direction of a route on a service date.", Self.init,
        Field("direction_id", \.directionId, "The direction (`direction_id`), 0 or 1; null when the feed has none."),
        Field("headsigns", \.headsigns, "The headsigns of the direction's trips, most frequent first."),
        Field("trips", \.trips, "The number of trips in the direction on the service date."),
        Field("first", \.first, "The first departure on the service date; null when there is no service."),
        Field("last", \.last, "The last departure on the service date; null when there is no service."))
}

/// The trips of a route that call at the same stops in the same order.
public struct RoutePattern: WireObject {
    public var directionId: Int?
    public var headsign: String?
    public var from: StopReference
    public var to: StopReference
    public var stops: Int
    public var trips: Int

    public init(
        directionId: Int? = nil, headsign: String? = nil, from: StopReference, to: StopReference, stops: Int,
        trips: Int
    ) {
        self.directionId = directionId
        self.headsign = headsign
        self.from = from
        self.to = to
        self.stops = stops
        self.trips = trips
    }

    public static let wireSchema = WireSchema(
        "RoutePattern", "The trips of a route that call at the same stops in the same order.", Self.init,
        Field("direction_id", \.directionId, "The direction (`direction_id`)."),
        Field("headsign", \.headsign, "The headsign of most trips of the pattern."),
        Field("from", \.from, "The first stop."),
        Field("to", \.to, "The last stop."),
        Field("stops", \.stops, "The number of calls of each trip."),
        Field("trips", \.trips, "The number of trips in the whole timetable."))
}

/// Returns a route with its directions, first and last departures, and patterns.
public struct RoutesShowParameters: ControlParameters {
    public typealias Reply = RoutesShowResult
    public static let method = ControlMethod.routesShow

    public var route: String
    public var feed: FeedID?
    public var date: ServiceDate?
    public var language: String?

    public init(route: String, feed: FeedID? = nil, date: ServiceDate? = nil, language: String? = nil) {
        self.route = route
        self.feed = feed
        self.date = date
        self.language = language
    }

    public static let wireSchema = WireSchema(
        "RoutesShowParameters",
        "Returns a route with its directions, first and last departures, and patterns.", Self.init,
        Field(
            "route", \.route,
            "The route: `FEED:ROUTE_ID`, a route ID, or a name that matches a single route.", in: 1...300),
        Field("feed", \.feed, "Limits the search to this feed."),
        Field("date", \.date, "The service date. The default is today."),
        Field(
            "language", \.language,
            """
            The language for names, as an IETF BCP 47 language tag such as "de". Names are translated only if the feed \
            has translations.txt.
            """,
            in: 1...35))
}

/// A route with its directions and patterns.
public struct RoutesShowResult: WireObject {
    public var at: Timestamp
    public var feed: FeedID
    public var agency: AgencySummary
    public var route: RouteSummary
    public var serviceDate: ServiceDate
    public var directions: [RouteDirection]
    public var patterns: [RoutePattern]
    public var notices: [Notice]

    public init(
        at: Timestamp, feed: FeedID, agency: AgencySummary, route: RouteSummary, serviceDate: ServiceDate,
        directions: [RouteDirection], patterns: [RoutePattern], notices: [Notice] = []
    ) {
        self.at = at
        self.feed = feed
        self.agency = agency
        self.route = route
        self.serviceDate = serviceDate
        self.directions = directions
        self.patterns = patterns
        self.notices = notices
    }

    public static let wireSchema = WireSchema(
        "RoutesShowResult", "A route with its directions and patterns.", Self.init,
        Field("at", \.at, "When the result was produced."),
        Field("feed", \.feed, "The feed of the route."),
        Field("agency", \.agency, "The agency that runs the route."),
        Field("route", \.route, "The route."),
        Field("service_date", \.serviceDate, "The service date of `directions`."),
        Field("directions", \.directions, "The directions of the route."),
        Field("patterns", \.patterns, "The patterns of the route, most trips first."),
        Field("notices", \.notices, "Conditions that affect the result, such as stale or missing data."))
}
