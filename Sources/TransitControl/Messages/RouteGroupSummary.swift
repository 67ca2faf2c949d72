public import TransitWire

/// A direction of a route that a user can choose.
public struct RouteDirectionOption: WireObject {
    public var directionId: Int?
    public var headsign: String?
    public var patterns: Int

    public init(directionId: Int? = nil, headsign: String? = nil, patterns: Int) {
        self.directionId = directionId
        self.headsign = headsign
        self.patterns = patterns
    }

    public static let wireSchema = WireSchema(
        "RouteChoice", "A direction of a route that a user can choose.", Self.init,
        Field("direction_id", \.directionId, "The direction (`direction_id`), 0 or 1; null when the feed has none."),
        Field("headsign", \.headsign, "The headsign of most trips in the direction."),
        Field("patterns", \.patterns, "The number of stop patterns."))
}

/// The routes of one agency that share a number.
public struct RouteGroupAgency: WireObject {
    public var agency: String?
    public var routes: [String]

    public init(agency: String? = nil, routes: [String]) {
        self.agency = agency
        self.routes = routes
    }

    public static let wireSchema = WireSchema(
        "RouteGroupAgency", "The routes of one agency that share a number.", Self.init,
        Field("agency", \.agency, "The agency's name; null when unknown."),
        Field("routes", \.routes, "The routes as `FEED:ROUTE_ID`."))
}

/// Routes that share a number.
public struct RouteGroupSummary: WireObject {
    public var name: String
    public var agencies: [RouteGroupAgency]

    public init(name: String, agencies: [RouteGroupAgency]) {
        self.name = name
        self.agencies = agencies
    }

    public static let wireSchema = WireSchema(
        "RouteGroupSummary", "Routes that share a number.", Self.init,
        Field("name", \.name, "The number or name shown on the vehicle."),
        Field("agencies", \.agencies, "The agencies that run these routes."))
}
