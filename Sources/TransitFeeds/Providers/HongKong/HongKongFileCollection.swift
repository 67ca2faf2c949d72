internal import TransitModel

/// Collects the network from one published file instead of thousands of requests.
struct HongKongFileCollection: NetworkCollection {
    private let request: UpstreamRequest
    private var network: HongKongNetwork?

    private static let name = "network"

    /// The collection has only one response, so an unchanged response means an unchanged network.
    let isVersionedByFirstStep = true

    /// The files are 4 to 18 MB.
    init(url: String) { request = UpstreamRequest(url, bodyLimit: 64 << 20, deadline: 120) }

    func next() -> CollectionStep? { network == nil ? CollectionStep(Self.name, request) : nil }

    var progress: (done: Int, total: Int) { (network == nil ? 0 : 1, 1) }

    mutating func add(_ body: [UInt8], for step: CollectionStep) throws(FeedError) {
        guard step.name == Self.name else { return }
        network = try HongKongFile.network(body)
    }

    mutating func reject(
        _ step: CollectionStep, status: Int, previous: (any PreviousNetwork)?
    ) throws(FeedError) {
        throw .refused(
            reason: "The request for the network file was rejected (HTTP \(status))", report: ValidationReport())
    }

    consuming func finish() throws(FeedError) -> GTFSReading {
        guard let network else {
            throw .refused(reason: "The network file has not been fetched", report: ValidationReport())
        }
        return try network.reading()
    }
}

/// Parses a published network file. Two formats are recognized by their members:
///
/// - hk-bus-crawling: `routeList` (variants of one or several companies with their stops) and `stopList`
/// - HKBusApp: `routes`, `route_stops` and `stops`, each with its own keys
///
/// Neither has simplified Chinese. Variants of other companies are counted and left out, because their arrivals are not
/// available.
struct HongKongFile {
    private var network = HongKongNetwork()
    private var log = HongKongRowLog()
    private var rows = 0
    /// The routes with their keys in the file.
    private var routes: [(key: String, route: HongKongFileRoute)] = []
    /// The calls by route key in HKBusApp's format.
    private var calls: [String: [(sequence: UInt32, stop: StopID)]] = [:]

    private enum Kind { case crawled, app }
    private var kind: Kind?

    private static let expectedContent = "a network file with “routeList” or “routes”"

    /// - Throws: A ``FeedError`` if the body is not a network file or is truncated.
    static func network(_ body: [UInt8]) throws(FeedError) -> HongKongNetwork {
        var file = HongKongFile()
        try JSONResponse.read(body, as: expectedContent) { json throws(MalformedMessageError) -> Void? in
            try file.read(&json)
        }
        return try file.finish()
    }

    private mutating func read(_ json: inout JSONReader) throws(MalformedMessageError) {
        guard try json.beginObject() else { return }
        while let member = try json.nextMember() {
            switch member.string {
            case "routeList":
                kind = .crawled
                try readMembers(&json) { file, json, key throws(MalformedMessageError) in
                    try file.readCrawledRoute(&json, key)
                }
            case "routes":
                kind = .app
                try readMembers(&json) { file, json, key throws(MalformedMessageError) in
                    file.routes.append((key, try HongKongFileRoute(&json, &file.log, file.place(&json))))
                }
            case "route_stops":
                try readMembers(&json) { file, json, key throws(MalformedMessageError) in try file.readCalls(&json, key)
                }
            case "stopList", "stops":
                try readMembers(&json) { file, json, key throws(MalformedMessageError) in try file.readStop(&json, key)
                }
            default: break
            }
        }
    }

    /// Calls `body` with the name of each member of an object. `body` must read exactly one value.
    private mutating func readMembers(
        _ json: inout JSONReader, _ body: (inout Self, inout JSONReader, String) throws(MalformedMessageError) -> Void
    ) throws(MalformedMessageError) {
        guard try json.beginObject() else { return }
        while let key = try json.nextMember() {
            rows += 1
            try body(&self, &json, key.string)
        }
    }

    private func place(_ json: inout JSONReader) -> (row: Int, offset: Int) { (rows, json.offset) }
}

// MARK: - Stops

extension HongKongFile {
    /// Reads a stop in either format: `location {lat, lng}` and `name {en, zh}`, or `latitude`, `longitude`, `name_en`,
    /// `name_tc`.
    private mutating func readStop(_ json: inout JSONReader, _ key: String) throws(MalformedMessageError) {
        let place = place(&json)
        var name = HongKongName()
        var (latitude, longitude) = (Double?.none, Double?.none)
        guard try json.beginObject() else { return log.add(.missing, "stop", at: place) }
        while let member = try json.nextMember() {
            switch member.string {
            case "name": name = try json.hongKongName()
            case "name_en": name.english = try json.trimmedString().text
            case "name_tc": name.traditional = try json.trimmedString().text
            case "name_sc": name.simplified = try json.trimmedString().text
            case "latitude": latitude = try json.trimmedDouble()
            case "longitude": longitude = try json.trimmedDouble()
            case "location":
                guard try json.beginObject() else { break }
                while let part = try json.nextMember() {
                    switch part.string {
                    case "lat": latitude = try json.trimmedDouble()
                    case "lng": longitude = try json.trimmedDouble()
                    default: break
                    }
                }
            default: break
            }
        }
        guard let id = HongKongRow.plain(key) else { return log.add(.invalid, "stop", at: place, value: key) }
        guard name.text != nil else { return log.add(.missing, "name", at: place) }
        let row = HongKongStopRow(
            id: StopID(id), name: name, latitude: latitude, longitude: longitude, place: place, &log)
        network.stops.append((row, .init(file: "stopList", line: place.row)))
    }
}

// MARK: - Routes

/// A route in either format.
private struct HongKongFileRoute {
    var place: (row: Int, offset: Int)
    var number: String?
    var serviceType = "1"
    var origin = HongKongName()
    var destination = HongKongName()
    /// The direction of the route for each company that runs it.
    var directions: [HongKongCompany: Direction] = [:]
    /// The companies that run the route (`co`), in the order of the file.
    var companies: [HongKongCompany] = []
    var stops: [HongKongCompany: [StopID]] = [:]

    init(
        _ json: inout JSONReader, _ log: inout HongKongRowLog, _ place: (row: Int, offset: Int)
    ) throws(MalformedMessageError) {
        self.place = place
        var company: HongKongCompany?
        var direction: Direction?
        guard try json.beginObject() else { return }
        while let member = try json.nextMember() {
            switch member.string {
            case "route", "route_number": number = try json.trimmedString().text.flatMap(HongKongRow.plain)
            case "serviceType", "service_type": serviceType = try json.trimmedString().text ?? "1"
            case "orig": origin = try json.hongKongName()
            case "dest": destination = try json.hongKongName()
            case "origin_en": origin.english = try json.trimmedString().text
            case "origin_tc": origin.traditional = try json.trimmedString().text
            case "dest_en": destination.english = try json.trimmedString().text
            case "dest_tc": destination.traditional = try json.trimmedString().text
            case "company": company = try json.trimmedString().text.flatMap(HongKongCompany.init(code:))
            case "direction": direction = try json.trimmedString().text.flatMap(Direction.init(hongKong:))
            case "bound": try readDirections(&json)
            case "co": try readCompanies(&json)
            case "stops": try readStops(&json)
            default: break
            }
        }
        if let company {
            companies = [company]
            directions[company] = direction
        }
        for company in HongKongCompany.allCases where !companies.contains(company) {
            if directions[company] != nil || stops[company] != nil { companies.append(company) }
        }
    }

    private mutating func readCompanies(_ json: inout JSONReader) throws(MalformedMessageError) {
        var list = try json.list()
        while try json.next(&list) {
            guard let company = try json.trimmedString().text.flatMap(HongKongCompany.init(code:)),
                !companies.contains(company)
            else { continue }
            companies.append(company)
        }
    }

    /// Reads `{"kmb": "O", "ctb": "I"}`. "OI" is a circular route, which is treated as outbound.
    private mutating func readDirections(_ json: inout JSONReader) throws(MalformedMessageError) {
        guard try json.beginObject() else { return }
        while let member = try json.nextMember() {
            let letter = try json.trimmedString().text.map { String($0.prefix(1)) }
            guard let company = HongKongCompany(code: member.string) else { continue }
            directions[company] = letter.flatMap(Direction.init(hongKong:))
        }
    }

    private mutating func readStops(_ json: inout JSONReader) throws(MalformedMessageError) {
        guard try json.beginObject() else { return }
        while let member = try json.nextMember() {
            let company = HongKongCompany(code: member.string)
            var list = try json.list()
            while try json.next(&list) {
                guard let stop = try json.trimmedString().text.flatMap(HongKongRow.plain), let company else { continue }
                stops[company, default: []].append(StopID(stop))
            }
        }
    }

    func variant(_ company: HongKongCompany, _ number: String, _ direction: Direction) -> HongKongVariant? {
        guard let serviceType = HongKongRow.plain(serviceType) else { return nil }
        return HongKongVariant(company: company, route: number, direction: direction, serviceType: serviceType)
    }
}

/// Infers the direction of a company's route if `bound` names only the other company of a joint route.
///
/// Companies disagree on which direction is outbound: route 101 is inbound for KMB and outbound for Citybus. The other
/// variants of the route that name both companies show how their directions correspond.
private struct CompanyDirections {
    /// For each route number, the number of variants whose direction is the same for both companies, minus the number
    /// of variants whose direction differs.
    private var agreement: [String: Int] = [:]
    /// The direction that a company assigns to a variant, by the variant's two ends.
    private var byEnds: [Ends: Direction] = [:]

    private struct Ends: Hashable {
        var company: HongKongCompany
        var number: String?
        var origin: HongKongName
        var destination: HongKongName

        init(_ company: HongKongCompany, _ route: HongKongFileRoute) {
            self.company = company
            number = route.number
            origin = route.origin
            destination = route.destination
        }
    }

    init(_ routes: [HongKongFileRoute]) {
        for route in routes {
            for (company, direction) in route.directions { byEnds[Ends(company, route)] = direction }
            guard let number = route.number, let kmb = route.directions[.kmb], let citybus = route.directions[.citybus]
            else { continue }
            agreement[number, default: 0] += kmb == citybus ? 1 : -1
        }
    }

    /// Returns the company's own direction or, if there is none, the direction of its variant with the same ends or, if
    /// there is no such variant, a direction derived from the other company's direction.
    func direction(of company: HongKongCompany, on route: HongKongFileRoute) -> Direction {
        if let own = route.directions[company] ?? byEnds[Ends(company, route)] { return own }
        guard let other = route.directions.first(where: { $0.key != company })?.value else { return .zero }
        let isOpposite = route.number.flatMap { agreement[$0] }.map { $0 < 0 } ?? false
        return isOpposite ? (other == .zero ? .one : .zero) : other
    }
}

extension HongKongFile {
    private mutating func readCrawledRoute(_ json: inout JSONReader, _ key: String) throws(MalformedMessageError) {
        let place = place(&json)
        routes.append((key, try HongKongFileRoute(&json, &log, place)))
    }

    /// Reads HKBusApp's calls, `{"stop_id": "…", "sequence": "10"}`, which the file sorts as text.
    private mutating func readCalls(_ json: inout JSONReader, _ key: String) throws(MalformedMessageError) {
        var list = try json.list()
        while try json.next(&list) {
            let place = place(&json)
            var (stop, sequence) = (StopID?.none, UInt32?.none)
            guard try json.beginObject() else { continue }
            while let member = try json.nextMember() {
                switch member.string {
                case "stop_id": stop = try json.trimmedString().text.flatMap(HongKongRow.plain).map { StopID($0) }
                case "sequence": sequence = try json.integer().flatMap { UInt32(exactly: $0) }
                default: break
                }
            }
            guard let stop, let sequence else {
                log.add(.missing, stop == nil ? "stop_id" : "sequence", at: place)
                continue
            }
            calls[key, default: []].append((sequence, stop))
        }
    }

    private mutating func add(
        _ route: HongKongFileRoute, _ directions: CompanyDirections, _ stops: (HongKongCompany) -> [StopID]
    ) {
        let place = ValidationReport.Location(file: "routeList", line: route.place.row)
        guard let number = route.number else { return log.add(.missing, "route", at: route.place) }
        guard !route.companies.isEmpty else {
            return network.report.add(
                "foreign_agency", .info, at: place,
                "Arrivals are not available for route “\(number)”, so it is left out")
        }
        for company in HongKongCompany.allCases where route.companies.contains(company) {
            let direction = directions.direction(of: company, on: route)
            guard let variant = route.variant(company, number, direction) else {
                log.add(.invalid, "serviceType", at: route.place, value: route.serviceType)
                continue
            }
            let stops = stops(company)
            guard !stops.isEmpty else {
                network.report.add(
                    "unused_route", .info, at: place, "“\(variant.tripID)” has no stops and is left out")
                continue
            }
            if route.directions[company] == nil {
                network.report.add(
                    "missing_bound", .warning, at: place,
                    "Route “\(number)” has no direction for \(company.code), so “\(variant.tripID)” is assumed"
                )
            }
            network.stopSequences.append(
                HongKongNetwork.StopSequence(
                    variant: variant, origin: route.origin, destination: route.destination, stops: stops, place: place))
        }
    }

    private consuming func finish() throws(FeedError) -> HongKongNetwork {
        guard let kind else { throw .notDocument(.otherJSON, wanted: Self.expectedContent) }
        let directions = CompanyDirections(routes.map(\.route))
        for (key, route) in routes {
            switch kind {
            case .crawled: add(route, directions) { route.stops[$0] ?? [] }
            case .app:
                let stops = (calls[key] ?? []).sorted { $0.sequence < $1.sequence }.map(\.stop)
                add(route, directions) { _ in stops }
            }
        }
        log.add(to: &network.report, list: kind == .app ? "bus_data.json" : "routeFareList.json")
        return network
    }
}

extension JSONReader {
    /// Reads `{"en": …, "zh": …}`, where `zh` is traditional Chinese.
    fileprivate mutating func hongKongName() throws(MalformedMessageError) -> HongKongName {
        var name = HongKongName()
        guard try beginObject() else { return name }
        while let member = try nextMember() {
            switch member.string {
            case "en": name.english = try trimmedString().text
            case "zh", "tc": name.traditional = try trimmedString().text
            case "sc": name.simplified = try trimmedString().text
            default: break
            }
        }
        return name
    }
}
