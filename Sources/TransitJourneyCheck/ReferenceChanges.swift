internal import TransitEngine
internal import TransitModel

/// The changes between vehicles at two stops of one feed, from transfers.txt, pathways.txt and the positions of the stops.
///
/// The time of a change depends on the two stops and on the *kind* of each vehicle: the route and trip, as far as
/// transfers.txt names them.
struct ReferenceChanges {
    /// The route and the trip of a vehicle; `nil` if no row of transfers.txt names it.
    struct VehicleKind: Hashable {
        var route: RouteIndex?
        var trip: TripIndex?
    }

    private struct Pair: Hashable {
        var from: Int
        var to: Int
    }

    private let feed: CheckedFeed
    private let children: [[Int]]
    private var namedRoutes: Set<RouteIndex> = []
    private var namedTrips: Set<TripIndex> = []
    /// The positions of the rows about changes, by their stops.
    private var rows: [Pair: [Int]] = [:]
    private var targetsOfRows: [Int: Set<Int>] = [:]
    private var isVisited: [Bool]
    private let pathways: ReferencePathways

    /// The limits that the documentation of the search states.
    private static let distance = 500.0
    private static let nearestStops = 64
    private static let longestTime = 4 * 3600
    /// The time between platforms of a station of which one has no position, in seconds.
    private static let timeInStation = 120

    init(_ feed: CheckedFeed) {
        self.feed = feed
        var children = [[Int]](repeating: [], count: feed.stops.count)
        for (stop, location) in feed.stops.enumerated() {
            if let parent = location.parent?.position, parent != stop { children[parent].append(stop) }
        }
        self.children = children
        isVisited = [Bool](repeating: false, count: feed.stops.count)
        for stop in feed.visited { isVisited[stop] = true }
        pathways = ReferencePathways(feed.pathways, visited: feed.visited)
        for (number, row) in feed.transfers.enumerated() where Self.isAboutChange(row) {
            guard let from = row.transfer.fromStop, let to = row.transfer.toStop else { continue }
            if let route = row.transfer.fromRoute, row.fromTrip == nil { namedRoutes.insert(route) }
            if let route = row.transfer.toRoute, row.toTrip == nil { namedRoutes.insert(route) }
            for trip in [row.fromTrip, row.toTrip] { if let trip { namedTrips.insert(trip) } }
            rows[Pair(from: from.position, to: to.position), default: []].append(number)
            targetsOfRows[from.position, default: []].insert(to.position)
        }
    }

    private static func isAboutChange(_ row: CheckedFeed.TransferRow) -> Bool {
        guard [.recommended, .timed, .minimumTime, .notPossible].contains(row.transfer.kind), !row.namesMissingTrip
        else { return false }
        return (0...longestTime).contains(row.transfer.minimumTime ?? 0)
    }

    func kind(route: RouteIndex, trip: TripIndex) -> VehicleKind {
        VehicleKind(
            route: namedRoutes.contains(route) ? route : nil, trip: namedTrips.contains(trip) ? trip : nil)
    }

    /// Returns the stops to which riders may be able to change from a stop, in any order. Whether they can depends on the
    /// vehicles.
    func targets(of stop: Int) -> [Int] {
        var targets = Set([stop])
        targets.formUnion(nearest(stop))
        let levels = levels(of: stop)
        targets.formUnion(members(of: levels[levels.count - 1]).filter { isVisited[$0] })
        for level in levels {
            for target in targetsOfRows[level] ?? [] { targets.formUnion(members(of: target).filter { isVisited[$0] }) }
        }
        return targets.sorted()
    }

    /// Returns the seconds of a change; `nil` if it is not possible.
    ///
    /// - Parameter isNear: Whether riders can walk without a row of transfers.txt.
    func seconds(from: (stop: Int, kind: VehicleKind), to: (stop: Int, kind: VehicleKind), isNear: Bool) -> Int? {
        let row = row(from, to).map { feed.transfers[$0].transfer }
        let path = pathways.path(from: from.stop, to: to.stop)
        switch row?.kind {
        case .notPossible: return nil
        case .timed: return 0
        case .minimumTime:
            guard let minimum = row?.minimumTime else { break }
            if case .seconds(let seconds) = path { return max(minimum, seconds) }
            return minimum
        default: break
        }
        if from.stop == to.stop { return 0 }
        switch path {
        case .seconds(let seconds): return seconds
        case .missing where row == nil: return nil
        case .missing, .notDescribed: break
        }
        let isInStation = levels(of: from.stop).last == levels(of: to.stop).last
        guard row != nil || isNear || isInStation else { return nil }
        guard let here = feed.stops[from.stop].coordinate, let there = feed.stops[to.stop].coordinate else {
            return Self.timeInStation
        }
        let meters = here.distance(to: there).rounded(.up)
        return Int((meters * WalkingSpeed.detour / WalkingSpeed.usual.metersPerSecond).rounded(.up))
    }

    /// Returns the position of the row that applies: rows for trips before rows for routes before general ones, rows for a
    /// platform before rows for its station, and the first of equal ones.
    private func row(_ from: (stop: Int, kind: VehicleKind), _ to: (stop: Int, kind: VehicleKind)) -> Int? {
        if rows.isEmpty { return nil }
        var best: (rank: [Int], row: Int)?
        for (fromLevel, fromStop) in levels(of: from.stop).enumerated() {
            for (toLevel, toStop) in levels(of: to.stop).enumerated() {
                for number in rows[Pair(from: fromStop, to: toStop)] ?? [] {
                    let row = feed.transfers[number]
                    guard let one = Self.weight(row.fromTrip, row.transfer.fromRoute, of: from.kind),
                        let other = Self.weight(row.toTrip, row.transfer.toRoute, of: to.kind)
                    else { continue }
                    let weights = [one, other]
                    let rank = [
                        -weights.count { $0 == 2 }, -weights.count { $0 == 1 }, fromLevel + toLevel, number,
                    ]
                    if best.map({ rank.lexicographicallyPrecedes($0.rank) }) ?? true { best = (rank, number) }
                }
            }
        }
        return best?.row
    }

    /// Returns 2 for a row that names the trip, 1 for one that names the route, and 0 for one that names neither; `nil` if
    /// the row is about another vehicle.
    private static func weight(_ trip: TripIndex?, _ route: RouteIndex?, of kind: VehicleKind) -> Int? {
        if let trip { return trip == kind.trip ? 2 : nil }
        if let route { return route == kind.route ? 1 : nil }
        return 0
    }

    /// Returns the nearest stops within walking distance.
    func nearest(_ stop: Int) -> [Int] {
        guard let here = feed.stops[stop].coordinate else { return [] }
        // A degree of latitude is never shorter than 110 km.
        let margin = Self.distance / 110_000
        var found: [(meters: Double, stop: Int)] = []
        for other in feed.visited where other != stop {
            guard let there = feed.stops[other].coordinate, abs(there.latitude - here.latitude) <= margin else {
                continue
            }
            let meters = here.distance(to: there)
            if meters <= Self.distance { found.append((meters, other)) }
        }
        found.sort { ($0.meters, $0.stop) < ($1.meters, $1.stop) }
        return found.prefix(Self.nearestStops).map(\.stop)
    }

    /// Returns the stop, its platform or station, and the station of its platform.
    private func levels(of stop: Int) -> [Int] {
        var levels = [stop]
        while levels.count < 3, let parent = feed.stops[levels[levels.count - 1]].parent?.position,
            !levels.contains(parent)
        {
            levels.append(parent)
        }
        return levels
    }

    private func members(of stop: Int) -> [Int] {
        [stop] + children[stop] + children[stop].flatMap { children[$0] }
    }
}
