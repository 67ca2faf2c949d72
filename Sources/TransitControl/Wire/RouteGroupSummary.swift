/// A direction of a route that one can choose.
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
        "RouteChoice", "A direction of a route that one can choose.", Self.init,
        Field("direction_id", \.directionId, "`direction_id`, 0 or 1; null where the feed gives none."),
        Field("headsign", \.headsign, "Where most of its trips say that they go."),
        Field("patterns", \.patterns, "How many sequences of stops it has."))
}

/// Routes of one number that one agency runs.
public struct RouteGroupAgency: WireObject {
    public var agency: String?
    public var routes: [String]

    public init(agency: String? = nil, routes: [String]) {
        self.agency = agency
        self.routes = routes
    }

    public static let wireSchema = WireSchema(
        "RouteGroupAgency", "Routes of one number that one agency runs.", Self.init,
        Field("agency", \.agency, "Who runs them; null where that is not known."),
        Field("routes", \.routes, "`FEED:ROUTE_ID` of each."))
}

/// Routes that riders know by one number.
public struct RouteGroupSummary: WireObject {
    public var name: String
    public var agencies: [RouteGroupAgency]

    public init(name: String, agencies: [RouteGroupAgency]) {
        self.name = name
        self.agencies = agencies
    }

    public static let wireSchema = WireSchema(
        "RouteGroupSummary", "Routes that riders know by one number.", Self.init,
        Field("name", \.name, "The number or name on the vehicle."),
        Field("agencies", \.agencies, "Who runs routes of that number."))
}
