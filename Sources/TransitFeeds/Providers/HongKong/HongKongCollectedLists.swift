internal import TransitModel

/// What was collected so far, decoded; it takes answers in any order.
struct HongKongCollectedLists {
    private(set) var report = ValidationReport()
    private var kmbRoutes: [HongKongRouteRow] = []
    private var kmbStops: [HongKongStopRow] = []
    private var kmbCalls: [HongKongCallRow] = []
    private var citybusRoutes: [HongKongRouteRow] = []
    private var citybusCalls: [Way: [HongKongCallRow]] = [:]
    private var citybusStops: [StopID: HongKongStopRow] = [:]

    private struct Way: Hashable {
        var route: String
        var direction: Direction
    }

    /// Reads an answer, and tells what is to be asked because of it.
    mutating func take(_ body: [UInt8], for step: HongKongStep) throws(FeedError) -> [HongKongStep] {
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
            // The way back of a route that has none is an empty list.
            let calls = try HongKongResponse(body, as: step.wanted, &log) { HongKongCallRow($0, &$1) }.elements
            let own = calls.filter { $0.route == route && $0.direction == direction }
            citybusCalls[Way(route: route, direction: direction)] = own
            return own.map { .citybusStop($0.stop) }
        case .citybusStop(let id):
            // A stop that is not known any more is an empty object.
            let stops = try HongKongResponse(body, as: step.wanted, &log) { HongKongStopRow($0, &$1) }.elements
            citybusStops[id] = stops.first { $0.id == id }
        }
        return []
    }

    /// A list of the whole city: one without a single row is no city, but a fault of the upstream.
    private static func filled<Element>(
        _ body: [UInt8], _ step: HongKongStep, _ log: inout HongKongRowLog,
        _ element: (HongKongRow, inout HongKongRowLog) -> Element?
    ) throws(FeedError) -> [Element] {
        let elements = try HongKongResponse(body, as: step.wanted, &log, element).elements
        guard !elements.isEmpty else { throw .message(.missing("data[0]"), offset: 0) }
        return elements
    }

    /// Without one of the lists, half the city would be missing, so the collection fails. A single route or stop keeps
    /// its data from the former version.
    ///
    /// - Returns: the steps that must be requested as a result.
    mutating func refuse(
        _ step: HongKongStep, status: Int, former: (any PreviousNetwork)?
    ) throws(FeedError) -> [HongKongStep] {
        switch step {
        case .kmbRoutes, .kmbStops, .kmbRouteStops, .citybusRoutes:
            throw .refused(
                reason:
                    "\(step.list) is refused with status \(status), and without it much of the city would be missing",
                report: report)
        case .citybusRouteStops(let route, let direction):
            let former = Self.keepsPreviousData(status) ? former : nil
            let kept = try previousCalls(route, direction, former)
            addRefusal(step, "The stops of route \(route), \(direction.word), are", status, isKept: !kept.isEmpty)
            guard !kept.isEmpty else { return [] }
            citybusCalls[Way(route: route, direction: direction)] = kept
            return kept.map { .citybusStop($0.stop) }
        case .citybusStop(let id):
            let former = Self.keepsPreviousData(status) ? former : nil
            let kept = try former.flatMap { (former) throws(FeedError) in try HongKongStopRow(id, in: former) }
            addRefusal(step, "Stop \(id) is", status, isKept: kept != nil)
            citybusStops[id] = kept
            return []
        }
    }

    /// A 404 or 422 means that the resource does not exist. A 403 or an unreadable answer says nothing about the
    /// resource.
    private static func keepsPreviousData(_ status: Int) -> Bool { status == 403 || status == 200 }

    private func previousCalls(
        _ route: String, _ direction: Direction, _ former: (any PreviousNetwork)?
    ) throws(FeedError) -> [HongKongCallRow] {
        let variant = HongKongVariant(company: .citybus, route: route, direction: direction)
        return (try former?.stops(of: variant.tripID) ?? []).enumerated().map { position, stop in
            HongKongCallRow(
                route: route, direction: direction, serviceType: variant.serviceType,
                sequence: UInt32(position + 1), stop: stop)
        }
    }

    private mutating func addRefusal(_ step: HongKongStep, _ what: String, _ status: Int, isKept: Bool) {
        report.add(
            isKept ? "kept_from_former_version" : "refused_request", .warning, at: .init(file: step.list),
            "\(what) refused with status \(status)" + (isKept ? "; the former version's stay" : ""))
    }

    mutating func countTooMany(_ step: HongKongStep) {
        report.add(
            "too_many_rows", .error, at: .init(file: step.list),
            "“\(step.name)” and what follows is more than is asked for")
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
        // KMB keeps the stops of routes that run no more.
        for variant in calls.keys.sorted(by: { $0.tripID < $1.tripID }) {
            network.report.add(
                "foreign_key_violation", .warning, at: .init(file: HongKongStep.kmbRouteStops.list, field: "route"),
                "“\(variant.tripID)” has stops and is not in the list of routes; it is left out")
        }
    }

    private func addCitybusStopSequences(to network: inout HongKongNetwork) {
        for row in citybusRoutes {
            let ways = [Direction.zero, .one].map { direction in
                (direction, citybusCalls[Way(route: row.route, direction: direction)] ?? [])
            }
            // That there is no way back is usual, and no finding.
            for (direction, calls) in ways where direction == .zero && ways[1].1.isEmpty || !calls.isEmpty {
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
    /// Adds a way with its calls in the order of their numbers; one without stops is counted and never offered.
    mutating func add(
        _ variant: HongKongVariant, from origin: HongKongName, to destination: HongKongName,
        _ calls: [HongKongCallRow], _ place: ValidationReport.Place
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
                    "“\(variant.tripID)” has several stops with seq \(call.sequence); the first one counts")
                continue
            }
            last = call.sequence
            stops.append(call.stop)
        }
        ways.append(Way(variant: variant, origin: origin, destination: destination, stops: stops, place: place))
    }
}

extension HongKongStep {
    /// What is asked for, in the words of the addresses: the "file" of findings.
    var list: String {
        switch self {
        case .kmbRoutes: "kmb/route"
        case .kmbStops: "kmb/stop"
        case .kmbRouteStops: "kmb/route-stop"
        case .citybusRoutes: "citybus/route"
        case .citybusRouteStops: "citybus/route-stop"
        case .citybusStop: "citybus/stop"
        }
    }

    /// The part of the network that is missing without the answer; `nil` for the lists, because the network requires
    /// them.
    var part: String? {
        switch self {
        case .kmbRoutes, .kmbStops, .kmbRouteStops, .citybusRoutes: nil
        case .citybusRouteStops(let route, _): "the stops of route \(route)"
        case .citybusStop(let stop): "stop \(stop)"
        }
    }

    /// The same for errors.
    var wanted: String { "the rows of \(list)" }
}
