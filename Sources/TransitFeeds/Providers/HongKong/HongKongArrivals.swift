internal import TransitModel

/// Asks both operators when the next buses come to a stop.
///
/// Of KMB one request tells all routes at the stop (`stop-eta`). Asking route by route (`eta`) would take as many requests as
/// there are routes and service types, twenty and more at a large stop, and would tell a bus apart from itself only by
/// comparing answers: it is listed under each service type that it may serve. Citybus answers for one route at a time.
struct HongKongArrivals: ArrivalsSource {
    private let addresses: HongKongAddresses
    private static let wanted = "arrivals at a stop"

    init(_ addresses: HongKongAddresses) { self.addresses = addresses }

    /// As the applications for phones do it: five at a time, half a second apart, each no sooner than after five seconds; the
    /// operators compute new times about once a minute.
    var pace: ArrivalsPolicy { ArrivalsPolicy(batch: 5, batchSpacing: 500, cooldown: 5, lifetime: 50) }

    func queries(at stop: StopID, for variants: [RouteVariant], now: Instant) -> [ArrivalsQuery] {
        guard HongKongRow.plain(stop.rawValue) != nil else { return [] }
        var known: [HongKongArrivalsQuery: [RouteVariant]] = [:]
        for variant in variants {
            guard let way = HongKongVariant(variant.trip) else { continue }
            let question: HongKongArrivalsQuery =
                way.company == .kmb ? .kmb(stop) : .citybus(stop, route: way.route)
            known[question, default: []].append(variant)
        }
        return known.map { ArrivalsQuery($0.name, variants: $1) }.sorted()
    }

    func request(for query: ArrivalsQuery) -> UpstreamRequest {
        switch HongKongArrivalsQuery(name: query.description) {
        case .kmb(let stop): addresses.kmbArrivals(at: stop)
        case .citybus(let stop, let route): addresses.citybusArrivals(at: stop, route: route)
        // Nobody but ``queries(at:for:now:)`` makes queries; this address answers 422.
        case nil: addresses.kmbArrivals(at: "")
        }
    }

    func message(_ body: [UInt8], of query: ArrivalsQuery, received: Instant) throws(FeedError) -> DecodedMessage {
        guard let question = HongKongArrivalsQuery(name: query.description) else {
            throw .notDocument(.otherJSON, wanted: Self.wanted)
        }
        var log = HongKongRowLog()
        let answer = try HongKongResponse(body, as: Self.wanted, &log) { HongKongArrivalRow($0, of: question, &$1) }
        let board = HongKongStopDepartures(question, query.variants, received: received)
        var header = RealtimeHeader(incrementality: .differential, timestamp: answer.generated ?? received)
        header.version = "2.0"
        return DecodedMessage(
            header: header, entities: board.entities(answer.elements, made: answer.generated ?? received),
            problems: log.problems)
    }
}

/// What a query of ``HongKongArrivals`` asks.
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

/// What an answer says of one bus, or why there is none.
struct HongKongArrivalRow: Hashable, Sendable {
    var variant: HongKongVariant
    /// `seq`, which does not always agree with the list of route-stops.
    var sequence: UInt32?
    var destination: HongKongName
    /// `nil`: no bus, and the remark may say why.
    var time: Instant?
    var remark: HongKongName
    var measured: Instant?

    init?(_ row: HongKongRow, of question: HongKongArrivalsQuery, _ log: inout HongKongRowLog) {
        // An answer of Citybus is about the route that was asked for, also where a row does not repeat it.
        var asked: String?
        if case .citybus(_, let route) = question { asked = route }
        guard let route = row.route ?? asked else {
            log.add(.missing, "route", at: row.place)
            return nil
        }
        // Rows of other routes and stops have no business here.
        guard asked == nil || route == asked, row.stop == nil || row.stop == question.stop else { return nil }
        guard let direction = row.direction else {
            log.add(.missing, "dir", at: row.place)
            return nil
        }
        variant = HongKongVariant(
            company: question.company, route: route, direction: direction, serviceType: row.serviceType ?? "1")
        sequence = row.sequence
        destination = row.destination
        time = row.arrival
        remark = row.remark
        measured = row.measured
    }

    /// A bus that has not left yet: KMB gives the timetable's time, which nobody else is told.
    var isPlanned: Bool { remark.english == "Scheduled Bus" || remark.traditional == "原定班次" }
}
