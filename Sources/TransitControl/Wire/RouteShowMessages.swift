public import TransitModel

/// Who runs a route.
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
        "AgencySummary", "Who runs a route.", Self.init,
        Field("id", \.id, "`agency_id`; may be empty."),
        Field("name", \.name, "The name."),
        Field("url", \.url, "A page about it."),
        Field("phone", \.phone, "A telephone number."),
        Field("timezone", \.timezone, "The IANA name of the zone in which its times are told."))
}

/// One direction of a route on a service date.
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
        "RouteDirection", "One direction of a route on a service date.", Self.init,
        Field("direction_id", \.directionId, "`direction_id`, 0 or 1; null where the feed gives none."),
        Field("headsigns", \.headsigns, "Where its trips say that they go, most frequent first."),
        Field("trips", \.trips, "How many trips run on the service date."),
        Field("first", \.first, "The first departure on the service date; null when nothing runs."),
        Field("last", \.last, "The last departure on the service date; null when nothing runs."))
}

/// Trips of a route that call at the same stops in the same order.
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
        "RoutePattern", "Trips of a route that call at the same stops in the same order.", Self.init,
        Field("direction_id", \.directionId, "`direction_id`."),
        Field("headsign", \.headsign, "Where most of its trips say that they go."),
        Field("from", \.from, "The first stop."),
        Field("to", \.to, "The last stop."),
        Field("stops", \.stops, "How many calls a trip makes."),
        Field("trips", \.trips, "How many trips it has in the whole timetable."))
}

/// Shows one route with its directions, first and last departures and patterns.
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
        """
        Shows one route with its directions, first and last departures and patterns.
        """, Self.init,
        Field(
            "route", \.route,
            "`FEED:ROUTE_ID`, a route's identifier, or a name that fits one route only.", in: 1...300),
        Field("feed", \.feed, "Only in this feed."),
        Field("date", \.date, "The service date to look at; today when left out."),
        Field(
            "language", \.language,
            "An IETF BCP 47 code, such as \"de\": names in it where the feed translates them (translations.txt).",
            in: 1...35))
}

/// One route.
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
        "RoutesShowResult", "One route.", Self.init,
        Field("at", \.at, "When this was true."),
        Field("feed", \.feed, "The feed that it belongs to."),
        Field("agency", \.agency, "Who runs it."),
        Field("route", \.route, "The route."),
        Field("service_date", \.serviceDate, "The date that `directions` is about."),
        Field("directions", \.directions, "Its directions."),
        Field("patterns", \.patterns, "Its patterns, most trips first."),
        Field("notices", \.notices, "What to know about this answer."))
}
