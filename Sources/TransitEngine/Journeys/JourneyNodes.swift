internal import TransitModel

/// The nodes of a network: each stop, and a separate node for the visits of routes and trips to which rules of
/// transfers.txt apply at that stop. The time of a change then depends only on its two nodes.
struct JourneyNodes {
    /// The route of the timetable, and the trip if rules refer to it, to which a route of the network belongs.
    struct Subject: Hashable {
        var route: RouteIndex?
        var trip: TripIndex?
    }

    /// The subject of each node; its members are `nil` if no rule at its stop refers to them.
    private(set) var subjects: [Subject] = []
    /// The stops at which a vehicle calls.
    private(set) var isVisited: [Bool]

    /// The highest number of nodes of one stop. Rules for further routes and trips are ignored there.
    private static let maximumNodesOfStop = 256

    /// Numbers the nodes, and replaces the stops of the calls by nodes.
    init(
        _ input: JourneyNetworkInput, _ routes: [Subject], _ tables: inout JourneyNetworkBuilder.Tables,
        _ omissions: inout JourneyNetworkOmissions
    ) {
        isVisited = [Bool](repeating: false, count: input.stops.count)
        let special = Self.specialSubjects(input)
        var nodesOfStop: [Int: [Subject]] = [:]
        for route in routes.indices where Self.hasOwnCalls(route, tables) {
            for call in Self.calls(of: route, tables) {
                let stop = tables.calls[call].node
                isVisited[stop] = true
                guard let known = special[stop] else { continue }
                let subject = known.part(of: routes[route])
                guard subject != Subject(), !(nodesOfStop[stop]?.contains(subject) ?? false) else { continue }
                if nodesOfStop[stop, default: []].count + 1 < Self.maximumNodesOfStop {
                    nodesOfStop[stop, default: []].append(subject)
                } else {
                    omissions.specialRules += 1
                }
            }
        }
        for stop in input.stops.indices {
            tables.nodesOfStops.append(UInt32(subjects.count))
            for subject in [Subject()] + (nodesOfStop[stop] ?? []) {
                subjects.append(subject)
                tables.stopsOfNodes.append(UInt32(stop))
            }
        }
        tables.nodesOfStops.append(UInt32(subjects.count))
        for route in routes.indices where Self.hasOwnCalls(route, tables) {
            for call in Self.calls(of: route, tables) {
                let old = tables.calls[call]
                var node = Int(tables.nodesOfStops[old.node])
                if let known = special[old.node] {
                    let subject = known.part(of: routes[route])
                    node += (nodesOfStop[old.node]?.firstIndex(of: subject)).map { $0 + 1 } ?? 0
                }
                tables.calls[call] = .init(node: node, canBoard: old.canBoard, canAlight: old.canAlight)
            }
        }
        addVisits(routes.count, &tables)
    }

    private static func calls(of route: Int, _ tables: JourneyNetworkBuilder.Tables) -> Range<Int> {
        let route = tables.routes[route]
        return route.firstCall..<route.firstCall + route.callCount
    }

    /// Whether a route does not share the calls of the route before.
    private static func hasOwnCalls(_ route: Int, _ tables: JourneyNetworkBuilder.Tables) -> Bool {
        route == 0 || tables.routes[route].firstCall != tables.routes[route - 1].firstCall
    }

    /// The routes and trips to which rules at a stop refer.
    private struct SpecialSubjects {
        var routes: Set<RouteIndex> = []
        var trips: Set<TripIndex> = []

        func part(of subject: Subject) -> Subject {
            Subject(
                route: subject.route.flatMap { routes.contains($0) ? $0 : nil },
                trip: subject.trip.flatMap { trips.contains($0) ? $0 : nil })
        }
    }

    private static func specialSubjects(_ input: JourneyNetworkInput) -> [Int: SpecialSubjects] {
        let children = StationMembers(input)
        var special: [Int: SpecialSubjects] = [:]
        for rule in input.transfers where rule.isFootpathRule {
            let ends = [
                (rule.transfer.fromStop, rule.transfer.fromRoute, rule.fromTrip),
                (rule.transfer.toStop, rule.transfer.toRoute, rule.toTrip),
            ]
            for (stop, route, trip) in ends where route != nil || trip != nil {
                guard let stop else { continue }
                for member in children.members(of: stop) {
                    if let route { special[member, default: SpecialSubjects()].routes.insert(route) }
                    if let trip { special[member, default: SpecialSubjects()].trips.insert(trip) }
                }
            }
        }
        return special
    }

    private func addVisits(_ routes: Int, _ tables: inout JourneyNetworkBuilder.Tables) {
        var counts = ContiguousArray<UInt32>(repeating: 0, count: subjects.count + 1)
        for call in tables.calls { counts[call.node + 1] += 1 }
        for node in subjects.indices { counts[node + 1] += counts[node] }
        tables.visitsOfNodes = counts
        tables.visits = ContiguousArray(
            repeating: JourneyNetwork.Visit(route: 0, position: 0), count: tables.calls.count)
        for route in 0..<routes where Self.hasOwnCalls(route, tables) {
            for (position, call) in Self.calls(of: route, tables).enumerated() {
                let node = tables.calls[call].node
                tables.visits[Int(counts[node])] = JourneyNetwork.Visit(
                    route: route, position: position)
                counts[node] += 1
            }
        }
    }
}

/// The stops that a stop of transfers.txt stands for: a station for its platforms.
struct StationMembers {
    private var children: [Int: [Int]] = [:]
    private let parents: [Int?]

    init(_ input: JourneyNetworkInput) {
        parents = input.stops.map { $0.parent?.position }
        for (stop, parent) in parents.enumerated() {
            if let parent, parent != stop { children[parent, default: []].append(stop) }
        }
    }

    /// The stop itself, the children of a station, and the boarding areas of its platforms.
    func members(of stop: StopIndex) -> [Int] {
        guard parents.indices.contains(stop.position) else { return [] }
        var members = [stop.position]
        for child in children[stop.position] ?? [] {
            members.append(child)
            members += children[child] ?? []
        }
        return members
    }

    /// The station of a stop; the stop itself if it has none.
    func station(of stop: Int) -> Int { levels(of: stop).last ?? stop }

    /// The stop and what it belongs to, nearest first.
    func levels(of stop: Int) -> [Int] {
        var levels = [stop]
        // A boarding area has a platform, and the platform a station.
        for _ in 0..<2 {
            guard let parent = parents[levels[levels.count - 1]], parents.indices.contains(parent),
                !levels.contains(parent)
            else { break }
            levels.append(parent)
        }
        return levels
    }
}
