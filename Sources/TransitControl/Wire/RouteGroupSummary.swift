/// A direction of a route that one can choose.
public struct RouteDirectionOption: WireObject {
    public var direction: Int?
    public var headsign: String?
    public var ways: Int

    public init(direction: Int? = nil, headsign: String? = nil, ways: Int) {
        self.direction = direction
        self.headsign = headsign
        self.ways = ways
    }

    public static let wireSchema = WireSchema(
        "RouteChoice", "A direction of a route that one can choose.", Self.init,
        Field("direction", \.direction, "`direction_id`, 0 or 1; null where the feed gives none."),
        Field("headsign", \.headsign, "Where most of its trips say that they go."),
        Field("ways", \.ways, "How many sequences of stops it has."))
}

/// Routes of one number that one company runs.
public struct RouteGroupAgency: WireObject {
    public var agency: String?
    public var routes: [String]

    public init(agency: String? = nil, routes: [String]) {
        self.agency = agency
        self.routes = routes
    }

    public static let wireSchema = WireSchema(
        "RouteCompany", "Routes of one number that one company runs.", Self.init,
        Field("agency", \.agency, "Who runs them; null where that is not known."),
        Field("routes", \.routes, "`FEED:ROUTE_ID` of each."))
}

/// Routes that riders know by one number.
public struct RouteGroupSummary: WireObject {
    public var name: String
    public var companies: [RouteGroupAgency]

    public init(name: String, companies: [RouteGroupAgency]) {
        self.name = name
        self.companies = companies
    }

    public static let wireSchema = WireSchema(
        "RouteGroupSummary", "Routes that riders know by one number.", Self.init,
        Field("name", \.name, "The number or name on the vehicle."),
        Field("companies", \.companies, "Who runs routes of that number."))
}
