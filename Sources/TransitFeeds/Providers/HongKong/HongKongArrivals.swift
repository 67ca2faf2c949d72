internal import TransitModel

/// Queries both operators for the next arrivals at a stop.
///
/// KMB returns all routes at the stop in one response (`stop-eta`). Querying by route (`eta`) would take one request
/// for each route and service type, twenty or more at a large stop. The responses would also have to be compared,
/// because a bus is listed under each service type that it may serve. Citybus responds for one route at a time.
struct HongKongArrivals: ArrivalsSource {
    private let urls: HongKongURLs
    private static let expectedContent = "arrivals at a stop"

    init(_ urls: HongKongURLs) { self.urls = urls }

    /// The same limits as in the phone apps: five requests at a time, half a second apart, and no request repeated
    /// within five seconds. The operators compute new times about once a minute.
    var policy: ArrivalsPolicy { ArrivalsPolicy(batch: 5, batchSpacing: 500, cooldown: 5, lifetime: 50) }

    func queries(at stop: StopID, for variants: [RouteVariant], now: Instant) -> [ArrivalsQuery] {
        guard HongKongRow.plain(stop.rawValue) != nil else { return [] }
        var known: [HongKongArrivalsQuery: [RouteVariant]] = [:]
        for variant in variants {
            guard let parsed = HongKongVariant(variant.trip) else { continue }
            let arrivalsQuery: HongKongArrivalsQuery =
                parsed.company == .kmb ? .kmb(stop) : .citybus(stop, route: parsed.route)
            known[arrivalsQuery, default: []].append(variant)
        }
        return known.map { ArrivalsQuery($0.name, variants: $1) }.sorted()
    }

    func request(for query: ArrivalsQuery) -> UpstreamRequest {
        switch HongKongArrivalsQuery(name: query.description) {
        case .kmb(let stop): urls.kmbArrivals(at: stop)
        case .citybus(let stop, let route): urls.citybusArrivals(at: stop, route: route)
        // Unreachable, because only ``queries(at:for:now:)`` creates queries; this URL returns 422.
        case nil: urls.kmbArrivals(at: "")
        }
    }

    func message(_ body: [UInt8], of query: ArrivalsQuery, received: Instant) throws(FeedError) -> DecodedMessage {
        guard let arrivalsQuery = HongKongArrivalsQuery(name: query.description) else {
            throw .notDocument(.otherJSON, wanted: Self.expectedContent)
        }
        var log = HongKongRowLog()
        let response = try HongKongResponse(body, as: Self.expectedContent, &log) {
            HongKongArrivalRow($0, of: arrivalsQuery, &$1)
        }
        let departures = HongKongStopDepartures(arrivalsQuery, query.variants, received: received)
        var header = RealtimeHeader(incrementality: .differential, timestamp: response.generated ?? received)
        header.version = "2.0"
        return DecodedMessage(
            header: header, entities: departures.entities(response.elements, generated: response.generated ?? received),
            problems: log.problems)
    }
}

/// A parsed query of ``HongKongArrivals``.
enum HongKongArrivalsQuery: Hashable {
    case kmb(StopID)
    case citybus(StopID, route: String)

    var name: String {
        switch self {
        case .kmb(let stop): "KMB/\(stop)"
        case .citybus(let stop, let route): "CTB/\(stop)/\(route)"
        }
    }

    init?(name: String) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        switch (parts[0], parts.count) {
        case ("KMB", 2): self = .kmb(StopID(parts[1]))
        case ("CTB", 3): self = .citybus(StopID(parts[1]), route: parts[2])
        default: return nil
        }
    }

    var company: HongKongCompany {
        switch self {
        case .kmb: .kmb
        case .citybus: .citybus
        }
    }

    var stop: StopID {
        switch self {
        case .kmb(let stop), .citybus(let stop, _): stop
        }
    }
}

/// One row of a response: a bus, or the reason why there is none.
struct HongKongArrivalRow: Hashable, Sendable {
    var variant: HongKongVariant
    /// `seq`, which does not always match the list of route-stops.
    var sequence: UInt32?
    var destination: HongKongName
    /// `nil` if there is no bus; the remark may say why.
    var time: Instant?
    var remark: HongKongName
    var timestamp: Instant?

    init?(_ row: HongKongRow, of arrivalsQuery: HongKongArrivalsQuery, _ log: inout HongKongRowLog) {
        // All rows of a Citybus response belong to the requested route, even if they do not contain its number.
        var queriedRoute: String?
        if case .citybus(_, let route) = arrivalsQuery { queriedRoute = route }
        guard let route = row.route ?? queriedRoute else {
            log.add(.missing, "route", at: row.place)
            return nil
        }
        // Ignores rows of other routes and stops.
        guard queriedRoute == nil || route == queriedRoute, row.stop == nil || row.stop == arrivalsQuery.stop else {
            return nil
        }
        guard let direction = row.direction else {
            log.add(.missing, "dir", at: row.place)
            return nil
        }
        variant = HongKongVariant(
            company: arrivalsQuery.company, route: route, direction: direction, serviceType: row.serviceType ?? "1")
        sequence = row.sequence
        destination = row.destination
        time = row.arrival
        remark = row.remark
        timestamp = row.timestamp
    }

    /// Whether the bus has not departed yet. KMB then gives the scheduled time, which is not published elsewhere.
    var isPlanned: Bool { remark.english == "Scheduled Bus" || remark.traditional == "原定班次" }
}
