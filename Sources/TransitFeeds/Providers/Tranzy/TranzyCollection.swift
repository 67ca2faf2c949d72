internal import TransitModel

/// Collects the network of an agency: five tables, then the shapes of the routes, one request each.
struct TranzyCollection: NetworkCollection {
    private let requests: TranzyProvider
    private let agency: AgencyID?
    private var tables = TranzyTables()
    private var open = Table.allCases
    /// The shapes to request; empty until all tables have been received.
    private var requestedShapes: [String] = []
    /// By identifier; `nil` for a shape that the upstream rejects.
    private var shapes: [String: [TranzyShapePoint]?] = [:]
    private var report = ValidationReport()

    /// The tables; the raw value is the last path component of the URL.
    private enum Table: String, CaseIterable {
        case agency, routes, stops, trips
        case stopTimes = "stop_times"
    }

    /// The maximum number of shapes, each of which takes one request. Together with the five tables, this number stays
    /// below the 144 requests a day to which known clients limit themselves. Cluj alone has 322 shapes. Straight lines
    /// between stops replace the missing shapes.
    static let maximumShapes = 120
    private static let shapePrefix = "shape-"

    init(requests: TranzyProvider, agency: AgencyID?) {
        self.requests = requests
        self.agency = agency
    }

    // MARK: Requests

    func next() -> CollectionStep? {
        if let table = open.first {
            return CollectionStep(
                table.rawValue, table == .agency ? requests.agencies : requests.request(table.rawValue))
        }
        guard let shape = requestedShapes.first(where: { shapes[$0] == nil }) else { return nil }
        return CollectionStep(Self.shapePrefix + shape, requests.request("shapes?shape_id=\(shape)"))
    }

    var progress: (done: Int, total: Int) {
        let done = Table.allCases.count - open.count
        return (done + requestedShapes.count { shapes[$0] != nil }, Table.allCases.count + requestedShapes.count)
    }

    // MARK: Responses

    mutating func add(_ body: [UInt8], for step: CollectionStep) throws(FeedError) {
        if step.name.hasPrefix(Self.shapePrefix) {
            let table = try TranzyTable.read(body, "shapes", TranzyShapePoint.read)
            report.add(table.findings)
            shapes[String(step.name.dropFirst(Self.shapePrefix.count))] = .some(table.rows)
            return
        }
        guard let table = Table(rawValue: step.name) else { return }
        try add(body, table)
        open.removeAll { $0 == table }
        if open.isEmpty { requestedShapes = tables.shapesToRequest(Self.maximumShapes) }
    }

    private mutating func add(_ body: [UInt8], _ table: Table) throws(FeedError) {
        switch table {
        case .agency: tables.agency = try self.agency(of: try rows(body, "agency", TranzyAgencies.row))
        case .routes: tables.routes = try rows(body, "routes", TranzyRoute.read)
        case .stops: tables.stops = try rows(body, "stops", TranzyStop.read)
        case .trips: tables.trips = try rows(body, "trips", TranzyTrip.read)
        case .stopTimes: tables.stopTimes = try rows(body, "stop_times", TranzyStopTime.read)
        }
    }

    private mutating func rows<Row: Sendable>(
        _ body: [UInt8], _ name: String, _ read: (inout TranzyRow) throws(MalformedMessageError) -> Row?
    ) throws(FeedError) -> [Row] {
        let table = try TranzyTable<Row>.read(body, name, read)
        report.add(table.findings)
        return table.rows
    }

    /// Returns the configured agency, or the only one if none is configured.
    private func agency(of agencies: [Agency]) throws(FeedError) -> Agency {
        if let found = agencies.first(where: { $0.id == agency }) { return found }
        if agency == nil, agencies.count == 1 { return agencies[0] }
        let list = agencies.prefix(20).map { "\($0.id) \($0.name)" }.joined(separator: ", ")
        let problem = agency.map { "Tranzy has no agency “\($0)”" } ?? "Tranzy has several agencies; set “agency”"
        throw .refused(reason: "\(problem). Available: \(list.isEmpty ? "none" : list)", report: report)
    }

    mutating func reject(
        _ step: CollectionStep, status: Int, previous: (any PreviousNetwork)?
    ) throws(FeedError) {
        guard step.name.hasPrefix(Self.shapePrefix) else {
            throw .refused(reason: "Tranzy rejected the request for \(step.name) (HTTP \(status))", report: report)
        }
        shapes[String(step.name.dropFirst(Self.shapePrefix.count))] = .some(nil)
        report.add(
            "missing_shape", .warning, at: .init(file: "shapes"),
            "The request for \(step.name) was rejected (HTTP \(status)); straight lines replace the shape")
    }

    consuming func finish() throws(FeedError) -> GTFSReading {
        try tables.network(shapes: shapes.compactMapValues { $0 }, report: report)
    }
}
