internal import TransitModel

/// Collects the network of an agency: five tables, then the shapes of the routes, one by one.
struct TranzyCollection: NetworkCollection {
    private let requests: TranzyProvider
    private let agency: AgencyID?
    private var tables = TranzyTables()
    private var open = Table.allCases
    /// The shapes to ask for; known when the tables are there.
    private var wanted: [String] = []
    /// By identifier; `nil` for one that the upstream does not give.
    private var shapes: [String: [TranzyShapePoint]?] = [:]
    private var report = ValidationReport()

    /// The tables, by the last component of their addresses.
    private enum Table: String, CaseIterable {
        case agency, routes, stops, trips
        case stopTimes = "stop_times"
    }

    /// Shapes come one for a request. With the five tables this stays below the 144 calls a day that known clients allow
    /// themselves; Cluj alone has 322. Where there is none, straight lines from stop to stop take its place.
    static let maximumShapes = 120
    private static let shapePrefix = "shape-"

    init(requests: TranzyProvider, agency: AgencyID?) {
        self.requests = requests
        self.agency = agency
    }

    // MARK: Asking

    func next() -> CollectionStep? {
        if let table = open.first {
            return CollectionStep(
                table.rawValue, table == .agency ? requests.agencies : requests.request(table.rawValue))
        }
        guard let shape = wanted.first(where: { shapes[$0] == nil }) else { return nil }
        return CollectionStep(Self.shapePrefix + shape, requests.request("shapes?shape_id=\(shape)"))
    }

    var progress: (done: Int, total: Int) {
        let done = Table.allCases.count - open.count
        return (done + wanted.count { shapes[$0] != nil }, Table.allCases.count + wanted.count)
    }

    // MARK: Answers

    mutating func take(_ body: [UInt8], for step: CollectionStep) throws(FeedError) {
        if step.name.hasPrefix(Self.shapePrefix) {
            let table = try TranzyTable.read(body, "shapes", TranzyShapePoint.read)
            report.take(table.findings)
            shapes[String(step.name.dropFirst(Self.shapePrefix.count))] = .some(table.rows)
            return
        }
        guard let table = Table(rawValue: step.name) else { return }
        try take(body, table)
        open.removeAll { $0 == table }
        if open.isEmpty { wanted = tables.shapesToRequest(Self.maximumShapes) }
    }

    private mutating func take(_ body: [UInt8], _ table: Table) throws(FeedError) {
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
        report.take(table.findings)
        return table.rows
    }

    /// The one that was configured; the only one, where none was.
    private func agency(of agencies: [Agency]) throws(FeedError) -> Agency {
        if let found = agencies.first(where: { $0.id == agency }) { return found }
        if agency == nil, agencies.count == 1 { return agencies[0] }
        let list = agencies.prefix(20).map { "\($0.id) \($0.name)" }.joined(separator: ", ")
        let wanted = agency.map { "Tranzy has no agency “\($0)”" } ?? "Tranzy has several agencies, and none is chosen"
        throw .refused(reason: "\(wanted). It has: \(list.isEmpty ? "none" : list)", report: report)
    }

    mutating func refuse(
        _ step: CollectionStep, status: Int, former: (any PreviousNetwork)?
    ) throws(FeedError) {
        guard step.name.hasPrefix(Self.shapePrefix) else {
            throw .refused(reason: "Tranzy refuses \(step.name) (HTTP \(status))", report: report)
        }
        shapes[String(step.name.dropFirst(Self.shapePrefix.count))] = .some(nil)
        report.add(
            "missing_shape", .warning, at: .init(file: "shapes"),
            "\(step.name) is refused (HTTP \(status)); straight lines stand in for it")
    }

    consuming func finish() throws(FeedError) -> GTFSReading {
        try tables.network(shapes: shapes.compactMapValues { $0 }, report: report)
    }
}
