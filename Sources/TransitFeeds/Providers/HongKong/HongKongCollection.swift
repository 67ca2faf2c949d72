internal import TransitModel

/// Collects the network from both operators: three lists from KMB, and from Citybus the list of routes, the stops of
/// each route and direction, and each stop that is in use, because Citybus has no other lists.
///
/// For the 400 routes and 2,700 stops of Citybus, this takes about 3,500 requests. Nothing is requested twice, and
/// unused stops are not requested.
struct HongKongCollection: NetworkCollection {
    private let urls: HongKongURLs
    /// The steps in request order. The list grows as routes and stops become known.
    private var plan: [HongKongStep] = [.kmbRoutes, .kmbStops, .kmbRouteStops, .citybusRoutes]
    private var planned: Set<HongKongStep>
    private var done: Set<HongKongStep> = []
    /// The number of completed steps in ``plan``.
    private var doneCount = 0
    /// The index of the first open step in ``plan``.
    private var position = 0
    private var lists = HongKongCollectedLists()

    /// Several times the number of steps that the city needs. The limit protects against an upstream that returns an
    /// unbounded number of routes and stops.
    static let stepLimit = 12_000

    init(_ urls: HongKongURLs) {
        self.urls = urls
        planned = Set(plan)
    }

    func next() -> CollectionStep? {
        guard position < plan.count else { return nil }
        let step = plan[position]
        return CollectionStep(step.name, urls.request(for: step), part: step.part)
    }

    var progress: (done: Int, total: Int) { (doneCount, plan.count) }

    mutating func add(_ body: [UInt8], for step: CollectionStep) throws(FeedError) {
        guard let step = HongKongStep(name: step.name) else { return }
        for following in try lists.add(body, for: step) { add(following) }
        close(step)
    }

    mutating func reject(
        _ step: CollectionStep, status: Int, previous: (any PreviousNetwork)?
    ) throws(FeedError) {
        guard let step = HongKongStep(name: step.name) else { return }
        for following in try lists.reject(step, status: status, previous: previous) { add(following) }
        close(step)
    }

    mutating func postpone(_ step: CollectionStep) {
        guard let step = HongKongStep(name: step.name), plan.indices.contains(position), plan[position] == step else {
            return
        }
        plan.remove(at: position)
        plan.append(step)
        while position < plan.count, done.contains(plan[position]) { position += 1 }
    }

    private mutating func add(_ step: HongKongStep) {
        guard !planned.contains(step) else { return }
        guard plan.count < Self.stepLimit else { return lists.countTooMany(step) }
        planned.insert(step)
        plan.append(step)
        if done.contains(step) { doneCount += 1 }
    }

    private mutating func close(_ step: HongKongStep) {
        if done.insert(step).inserted, planned.contains(step) { doneCount += 1 }
        while position < plan.count, done.contains(plan[position]) { position += 1 }
    }

    consuming func finish() throws(FeedError) -> GTFSReading {
        guard position == plan.count else {
            throw .refused(reason: "The collection of the network is incomplete", report: lists.report)
        }
        return try lists.network().reading()
    }
}

/// The responses decoded so far. They can be added in any order.
private struct HongKongCollectedLists {
    private(set) var report = ValidationReport()
    private var kmbRoutes: [HongKongRouteRow] = []
    private var kmbStops: [HongKongStopRow] = []
    private var kmbCalls: [HongKongCallRow] = []
    private var citybusRoutes: [HongKongRouteRow] = []
    private var citybusCalls: [RouteDirection: [HongKongCallRow]] = [:]
    private var citybusStops: [StopID: HongKongStopRow] = [:]

    private struct RouteDirection: Hashable {
        var route: String
        var direction: Direction
    }

    /// Parses a response and returns the steps that follow from it.
    mutating func add(_ body: [UInt8], for step: HongKongStep) throws(FeedError) -> [HongKongStep] {
        var log = HongKongRowLog()
        let following = try read(body, step, &log)
        log.add(to: &report, list: step.list)
        return following
    }

    private mutating func read(
        _ body: [UInt8], _ step: HongKongStep, _ log: inout HongKongRowLog
    ) throws(FeedError) -> [HongKongStep] {
        switch step {
        case .kmbRoutes:
            kmbRoutes = try Self.filled(body, step, &log) { HongKongRouteRow($0, isDirected: true, &$1) }
        case .kmbStops:
            kmbStops = try Self.filled(body, step, &log) { HongKongStopRow($0, &$1) }
        case .kmbRouteStops:
            kmbCalls = try Self.filled(body, step, &log) { HongKongCallRow($0, &$1) }
        case .citybusRoutes:
            citybusRoutes = try Self.filled(body, step, &log) { HongKongRouteRow($0, isDirected: false, &$1) }
            return citybusRoutes.flatMap { row in
                [Direction.zero, .one].map { HongKongStep.citybusRouteStops(route: row.route, $0) }
            }
        case .citybusRouteStops(let route, let direction):
            // A route without a return direction has an empty list.
            let calls = try HongKongResponse(body, as: step.expectedContent, &log) { HongKongCallRow($0, &$1) }.elements
            let own = calls.filter { $0.route == route && $0.direction == direction }
            citybusCalls[RouteDirection(route: route, direction: direction)] = own
            return own.map { .citybusStop($0.stop) }
        case .citybusStop(let id):
            // A stop that no longer exists is an empty object.
            let stops = try HongKongResponse(body, as: step.expectedContent, &log) { HongKongStopRow($0, &$1) }.elements
            citybusStops[id] = stops.first { $0.id == id }
        }
        return []
    }

    /// Parses a city-wide list. A list without rows is an upstream error.
    private static func filled<Element>(
        _ body: [UInt8], _ step: HongKongStep, _ log: inout HongKongRowLog,
        _ element: (HongKongRow, inout HongKongRowLog) -> Element?
    ) throws(FeedError) -> [Element] {
        let elements = try HongKongResponse(body, as: step.expectedContent, &log, element).elements
        guard !elements.isEmpty else { throw .message(.missing("data[0]"), offset: 0) }
        return elements
    }

    /// Handles a rejected request. The collection fails if a city-wide list is rejected, because half the city would be
    /// missing. If only one route or stop is rejected, its data from the previous version is kept.
    ///
    /// - Returns: The steps that must be requested as a result.
    mutating func reject(
        _ step: HongKongStep, status: Int, previous: (any PreviousNetwork)?
    ) throws(FeedError) -> [HongKongStep] {
        switch step {
        case .kmbRoutes, .kmbStops, .kmbRouteStops, .citybusRoutes:
            throw .refused(
                reason:
                    "The request for \(step.list) was rejected (HTTP \(status)), so the network is incomplete",
                report: report)
        case .citybusRouteStops(let route, let direction):
            let previous = Self.keepsPreviousData(status) ? previous : nil
            let kept = try previousCalls(route, direction, previous)
            addRejection(step, "the stops of route \(route), \(direction.word),", status, isKept: !kept.isEmpty)
            guard !kept.isEmpty else { return [] }
            citybusCalls[RouteDirection(route: route, direction: direction)] = kept
            return kept.map { .citybusStop($0.stop) }
        case .citybusStop(let id):
            let previous = Self.keepsPreviousData(status) ? previous : nil
            let kept = try previous.flatMap { (previous) throws(FeedError) in try HongKongStopRow(id, in: previous) }
            addRejection(step, "stop \(id)", status, isKept: kept != nil)
            citybusStops[id] = kept
            return []
        }
    }

    /// A 404 or 422 means that the resource does not exist. A 403 or an unparsable response proves nothing about the
    /// resource.
    private static func keepsPreviousData(_ status: Int) -> Bool { status == 403 || status == 200 }

    private func previousCalls(
        _ route: String, _ direction: Direction, _ previous: (any PreviousNetwork)?
    ) throws(FeedError) -> [HongKongCallRow] {
        let variant = HongKongVariant(company: .citybus, route: route, direction: direction)
        return (try previous?.stops(of: variant.tripID) ?? []).enumerated().map { position, stop in
            HongKongCallRow(
                route: route, direction: direction, serviceType: variant.serviceType,
                sequence: UInt32(position + 1), stop: stop)
        }
    }

    private mutating func addRejection(_ step: HongKongStep, _ what: String, _ status: Int, isKept: Bool) {
        report.add(
            isKept ? "kept_from_former_version" : "refused_request", .warning, at: .init(file: step.list),
            "The request for \(what) was rejected (HTTP \(status))" + (isKept ? "; the previous data is kept" : ""))
    }

    mutating func countTooMany(_ step: HongKongStep) {
        report.add(
            "too_many_rows", .error, at: .init(file: step.list),
            "“\(step.name)” and later steps exceed the limit on requests and are left out")
    }
}

// MARK: - The network

extension HongKongCollectedLists {
    consuming func network() -> HongKongNetwork {
        var network = HongKongNetwork()
        network.report = report
        network.stops += kmbStops.map { ($0, .init(file: HongKongStep.kmbStops.list)) }
        network.stops += citybusStops.values.map { ($0, .init(file: HongKongStep.citybusStop($0.id).list)) }
        addKMBStopSequences(to: &network)
        addCitybusStopSequences(to: &network)
        return network
    }

    private func addKMBStopSequences(to network: inout HongKongNetwork) {
        var calls = Dictionary(grouping: kmbCalls) {
            HongKongVariant(company: .kmb, route: $0.route, direction: $0.direction, serviceType: $0.serviceType)
        }
        for row in kmbRoutes {
            let variant = HongKongVariant(
                company: .kmb, route: row.route, direction: row.direction ?? .zero, serviceType: row.serviceType)
            let own = calls.removeValue(forKey: variant) ?? []
            network.add(variant, from: row.origin, to: row.destination, own, .init(file: HongKongStep.kmbRoutes.list))
        }
        // KMB keeps listing the stops of discontinued routes.
        for variant in calls.keys.sorted(by: { $0.tripID < $1.tripID }) {
            network.report.add(
                "foreign_key_violation", .warning, at: .init(file: HongKongStep.kmbRouteStops.list, field: "route"),
                "“\(variant.tripID)” has stops but is not in the list of routes, so it is left out")
        }
    }

    private func addCitybusStopSequences(to network: inout HongKongNetwork) {
        for row in citybusRoutes {
            let directions = [Direction.zero, .one].map { direction in
                (direction, citybusCalls[RouteDirection(route: row.route, direction: direction)] ?? [])
            }
            // Many routes have no return direction, so its absence is not reported.
            for (direction, calls) in directions where direction == .zero && directions[1].1.isEmpty || !calls.isEmpty {
                let isBack = direction == .one
                network.add(
                    HongKongVariant(company: .citybus, route: row.route, direction: direction),
                    from: isBack ? row.destination : row.origin, to: isBack ? row.origin : row.destination, calls,
                    .init(file: HongKongStep.citybusRoutes.list))
            }
        }
    }
}

extension HongKongNetwork {
    /// Adds a stop sequence, sorted by `seq`. A sequence without stops is reported and left out.
    fileprivate mutating func add(
        _ variant: HongKongVariant, from origin: HongKongName, to destination: HongKongName,
        _ calls: [HongKongCallRow], _ place: ValidationReport.Location
    ) {
        guard !calls.isEmpty else {
            return report.add("unused_route", .info, at: place, "“\(variant.tripID)” has no stops and is left out")
        }
        var stops: [StopID] = []
        var last: UInt32?
        for call in calls.sorted(by: { $0.sequence < $1.sequence }) {
            guard call.sequence != last else {
                report.add(
                    "duplicate_key", .error, at: place,
                    "“\(variant.tripID)” has several stops with seq \(call.sequence); the first one is used")
                continue
            }
            last = call.sequence
            stops.append(call.stop)
        }
        stopSequences.append(
            StopSequence(variant: variant, origin: origin, destination: destination, stops: stops, place: place))
    }
}

extension HongKongStep {
    /// The requested list, as in the URL. Findings give it as their file.
    fileprivate var list: String {
        switch self {
        case .kmbRoutes: "kmb/route"
        case .kmbStops: "kmb/stop"
        case .kmbRouteStops: "kmb/route-stop"
        case .citybusRoutes: "citybus/route"
        case .citybusRouteStops: "citybus/route-stop"
        case .citybusStop: "citybus/stop"
        }
    }

    /// The part of the network that is missing without the response; `nil` for the lists, which the network requires.
    fileprivate var part: String? {
        switch self {
        case .kmbRoutes, .kmbStops, .kmbRouteStops, .citybusRoutes: nil
        case .citybusRouteStops(let route, _): "the stops of route \(route)"
        case .citybusStop(let stop): "stop \(stop)"
        }
    }

    /// The expected content, for error messages.
    fileprivate var expectedContent: String { "the rows of \(list)" }
}
