internal import TransitModel

/// Computes the changes between nodes: the rules of transfers.txt, the pathways and the platforms of one station, and stops
/// within walking distance.
///
/// If several rows of transfers.txt apply to a change, those for trips precede those for routes, which precede those for
/// all vehicles; among them, rows for a platform precede those for its station (GTFS reference, transfers.txt).
struct FootpathBuilder {
    private let input: JourneyNetworkInput
    private let nodes: JourneyNodes
    private let members: StationMembers
    private let rules: TransferRules
    private let pathways: StationPathways

    /// A time in transfers.txt beyond this is an error of the publisher, in seconds.
    static let maximumTransferTime = 4 * 3600
    /// The time of a change between two platforms of a station whose distance is unknown, in seconds.
    static let timeWithinStation: UInt32 = 120
    /// The number of stops to which one can walk from a stop, nearest first.
    private static let maximumWalks = 64
    /// The number of stops at about one point that are compared, so that the work is bounded.
    private static let maximumCompared = 512
    /// The number of platforms of a station to which one can change from a platform.
    private static let maximumPlatforms = 256

    init(_ input: JourneyNetworkInput, _ nodes: JourneyNodes) {
        self.input = input
        self.nodes = nodes
        members = StationMembers(input)
        rules = TransferRules(input)
        pathways = StationPathways(input.pathways, isVisited: nodes.isVisited)
    }

    func build(_ tables: inout JourneyNetworkBuilder.Tables, _ omissions: inout JourneyNetworkOmissions) {
        omissions.implausibleTransfers = rules.implausible
        let visited = input.stops.indices.lazy.filter { nodes.isVisited[$0] }.compactMap { stop in
            input.stops[stop].coordinate.map { (number: stop, place: $0) }
        }
        let grid = CoordinateGrid(visited, cell: max(1, input.walkingDistance))
        var targets: [Int: Target] = [:]
        tables.footpathsOfNodes.reserveCapacity(nodes.subjects.count + 1)
        for stop in input.stops.indices {
            if nodes.isVisited[stop] {
                targets.removeAll(keepingCapacity: true)
                addTargets(of: stop, grid, to: &targets, &omissions)
                addPathways(from: stop, to: &targets)
            }
            for node in Int(tables.nodesOfStops[stop])..<Int(tables.nodesOfStops[stop + 1]) {
                tables.footpathsOfNodes.append(UInt32(tables.footpaths.count))
                guard nodes.isVisited[stop] else { continue }
                addFootpaths(from: node, of: stop, &tables, to: targets, &omissions)
            }
        }
        tables.footpathsOfNodes.append(UInt32(tables.footpaths.count))
    }

    /// A stop to which one can change.
    private struct Target {
        /// The distance; `nil` if it is unknown.
        var meters: Double?
        /// Whether one can change only where a rule of transfers.txt says so.
        var needsRule = false
        var pathways = StationPathways.Change.notDescribed
    }

    private func addTargets(
        of stop: Int, _ grid: CoordinateGrid, to targets: inout [Int: Target],
        _ omissions: inout JourneyNetworkOmissions
    ) {
        let coordinate = input.stops[stop].coordinate
        func distance(_ other: Int) -> Double? {
            guard let coordinate, let there = input.stops[other].coordinate else { return nil }
            return coordinate.distance(to: there)
        }
        let near = near(stop, grid)
        omissions.walks += max(0, near.count - Self.maximumWalks)
        for (other, meters) in near.prefix(Self.maximumWalks) { targets[other] = Target(meters: meters) }
        let station = members.station(of: stop)
        for other in members.members(of: StopIndex(station)).prefix(Self.maximumPlatforms)
        where nodes.isVisited[other] && other != stop && targets[other] == nil {
            targets[other] = Target(meters: distance(other))
        }
        for target in rules.targets(of: members.levels(of: stop)) {
            for other in members.members(of: StopIndex(target))
            where nodes.isVisited[other] && targets[other] == nil {
                targets[other] = Target(meters: distance(other), needsRule: true)
            }
        }
        targets[stop] = Target(meters: 0)
    }

    /// Adds what pathways say. Pathways of a station are complete (GTFS reference, pathways.txt), so that stops which they do
    /// not connect need a rule.
    private func addPathways(from stop: Int, to targets: inout [Int: Target]) {
        guard let paths = pathways.paths(from: stop) else { return }
        for target in targets.keys where target != stop {
            let change = pathways.change(paths, to: target)
            targets[target]?.pathways = change
            if case .noPath = change { targets[target]?.needsRule = true }
        }
    }

    /// Returns the stops within walking distance of a stop, without the stop itself, nearest first.
    private func near(_ stop: Int, _ grid: CoordinateGrid) -> [(stop: Int, meters: Double)] {
        guard input.walkingDistance > 0, let place = input.stops[stop].coordinate else { return [] }
        var found: [(stop: Int, meters: Double)] = []
        grid.forEachNear(place, limit: Self.maximumCompared) { other in
            guard other != stop, let there = input.stops[other].coordinate else { return }
            let meters = place.distance(to: there)
            if meters <= input.walkingDistance { found.append((other, meters)) }
        }
        return found.sorted { ($0.meters, $0.stop) < ($1.meters, $1.stop) }
    }

    private func addFootpaths(
        from node: Int, of stop: Int, _ tables: inout JourneyNetworkBuilder.Tables, to targets: [Int: Target],
        _ omissions: inout JourneyNetworkOmissions
    ) {
        for (target, reached) in targets.sorted(by: { $0.key < $1.key }) {
            guard Int(tables.nodesOfStops[target + 1]) <= JourneyNetwork.PackedFootpath.maximumNodes else {
                omissions.walks += 1
                continue
            }
            let found = rules.rules(from: members.levels(of: stop), to: members.levels(of: target))
            for other in Int(tables.nodesOfStops[target])..<Int(tables.nodesOfStops[target + 1]) {
                let rule = found.first { $0.applies(from: nodes.subjects[node], to: nodes.subjects[other]) }
                if rule == nil, reached.needsRule { continue }
                let (kind, value) = change(rule, reached, isSameStop: stop == target)
                // Without a rule, riders can change within a node without a footpath, and nowhere else if it is
                // impossible.
                if node == other, rule == nil || (kind != .timed && value == 0 && kind != .notPossible) { continue }
                if kind == .notPossible, node != other { continue }
                tables.footpaths.append(
                    .init(node: other, kind: kind, value: value, stepFree: stepFree(reached.pathways, kind, rule)))
            }
        }
    }

    private func change(
        _ rule: TransferRules.Rule?, _ target: Target, isSameStop: Bool
    ) -> (JourneyNetwork.FootpathKind, UInt32) {
        var path: StationPathways.Path?
        if case .path(let found) = target.pathways { path = found }
        switch rule?.kind {
        case .notPossible: return (.notPossible, 0)
        case .timed: return (.timed, 0)
        case .minimumTime: return (.stated, max(rule?.seconds ?? 0, path?.seconds ?? 0))
        case .recommended, .inSeat, .inSeatNotAllowed, nil:
            if isSameStop { return (.stated, 0) }
            if let path { return (.stated, path.seconds) }
            return target.meters.map { (.walk, UInt32(min(1e6, $0.rounded(.up)))) } ?? (.stated, Self.timeWithinStation)
        }
    }

    private func stepFree(
        _ change: StationPathways.Change, _ kind: JourneyNetwork.FootpathKind, _ rule: TransferRules.Rule?
    ) -> JourneyNetwork.StepFreeChange {
        guard case .path(let path) = change else { return .unknown }
        guard let seconds = path.stepFreeSeconds else { return .notPossible }
        if kind == .timed { return .possible(seconds: 0) }
        return .possible(seconds: max(seconds, rule?.kind == .minimumTime ? rule?.seconds ?? 0 : 0))
    }
}

/// The rows of transfers.txt about changes between vehicles, by their stops.
struct TransferRules {
    struct Rule {
        var kind: Transfer.Kind
        var seconds: UInt32
        var from: JourneyNodes.Subject
        var to: JourneyNodes.Subject
        /// The position in the file, so that the first of equal rows applies.
        var row: Int

        /// Whether the rule applies to the vehicles of two nodes.
        func applies(from one: JourneyNodes.Subject, to other: JourneyNodes.Subject) -> Bool {
            Self.includes(from, one) && Self.includes(to, other)
        }

        private static func includes(_ rule: JourneyNodes.Subject, _ node: JourneyNodes.Subject) -> Bool {
            // A trip identifies its route.
            if let trip = rule.trip { return trip == node.trip }
            return rule.route.map { $0 == node.route } ?? true
        }

        /// Higher for a rule that precedes another one.
        var precedence: Int { Self.precedence(from) + Self.precedence(to) }

        private static func precedence(_ subject: JourneyNodes.Subject) -> Int {
            subject.trip != nil ? 10 : subject.route != nil ? 3 : 0
        }
    }

    private struct Pair: Hashable {
        var from: Int
        var to: Int
    }

    private var rules: [Pair: [Rule]] = [:]
    private var targets: [Int: [Int]] = [:]
    /// The number of rows that are ignored because of their time.
    private(set) var implausible = 0

    init(_ input: JourneyNetworkInput) {
        for (row, entry) in input.transfers.enumerated() where entry.isFootpathRule {
            let transfer = entry.transfer
            guard let from = transfer.fromStop, let to = transfer.toStop, input.stops.indices.contains(from.position),
                input.stops.indices.contains(to.position)
            else { continue }
            // A row that names a trip which is not in the timetable applies to nothing.
            if transfer.fromTrip != nil && entry.fromTrip == nil || transfer.toTrip != nil && entry.toTrip == nil {
                continue
            }
            if let seconds = transfer.minimumTime, !(0...FootpathBuilder.maximumTransferTime).contains(seconds) {
                implausible += 1
                continue
            }
            var kind = transfer.kind
            if kind == .minimumTime, transfer.minimumTime == nil { kind = .recommended }
            let pair = Pair(from: from.position, to: to.position)
            if rules[pair] == nil { targets[pair.from, default: []].append(pair.to) }
            rules[pair, default: []].append(
                Rule(
                    kind: kind, seconds: UInt32(transfer.minimumTime ?? 0),
                    from: .init(route: transfer.fromRoute, trip: entry.fromTrip),
                    to: .init(route: transfer.toRoute, trip: entry.toTrip), row: row))
        }
    }

    /// Returns the stops to which there are rules from one of several stops.
    func targets(of levels: [Int]) -> [Int] {
        targets.isEmpty ? [] : levels.flatMap { targets[$0] ?? [] }
    }

    /// Returns the rules between two stops, given with their stations, in order of precedence.
    func rules(from: [Int], to: [Int]) -> [Rule] {
        if rules.isEmpty { return [] }
        var found: [(rule: Rule, level: Int)] = []
        for (one, fromStop) in from.enumerated() {
            for (other, toStop) in to.enumerated() {
                for rule in rules[Pair(from: fromStop, to: toStop)] ?? [] { found.append((rule, one + other)) }
            }
        }
        return found.sorted {
            (-$0.rule.precedence, $0.level, $0.rule.row) < (-$1.rule.precedence, $1.level, $1.rule.row)
        }.map(\.rule)
    }
}
