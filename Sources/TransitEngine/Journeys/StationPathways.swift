internal import TransitModel

/// The changes between the platforms of stations with pathways (GTFS reference, pathways.txt). docs/journeys.md has the rules.
struct StationPathways {
    /// The quickest path between two stops.
    struct Path: Hashable {
        /// At most ``FootpathBuilder/maximumTransferTime``.
        var seconds: UInt32
        /// The same for riders who use no steps; `nil` if they cannot.
        var stepFreeSeconds: UInt32?
    }

    /// What pathways say about a change between two stops.
    enum Change {
        /// Nothing: the stops belong to different stations, or no pathway leads to one of them.
        case notDescribed
        case path(Path)
        /// The pathways of the station do not connect the stops.
        case noPath
    }

    /// The quickest paths from one stop, by target.
    struct Paths {
        fileprivate var station: StopIndex
        fileprivate var paths: [Int: Path]
    }

    private struct Edge {
        var to: Int
        var milliseconds: Int
        var isStepFree: Bool
    }

    private let locations: [PathwayLocation]
    private var edges: [[Edge]]
    /// The locations of each stop with vehicles that pathways describe: itself, or the boarding areas of a platform.
    private var locationsOfStops: [Int: [Int]] = [:]
    private var stopsOfStations: [StopIndex: [Int]] = [:]
    private var entrancesOfStations: [StopIndex: [Int]] = [:]

    /// The entrances of a station between which riders walk outside.
    private static let maximumEntrances = 64

    /// - Parameter isVisited: Whether a vehicle calls at each stop.
    init(_ pathways: Pathways, isVisited: [Bool]) {
        locations = pathways.locations
        edges = Array(repeating: [], count: pathways.locations.count)
        for pathway in pathways.pathways {
            let (from, to) = (Int(pathway.from), Int(pathway.to))
            let milliseconds = PathwayTime.milliseconds(pathway, from: locations[from], to: locations[to])
            let isStepFree = PathwayTime.isStepFree(pathway)
            edges[from].append(Edge(to: to, milliseconds: milliseconds, isStepFree: isStepFree))
            if pathway.leadsBack {
                edges[to].append(Edge(to: from, milliseconds: milliseconds, isStepFree: isStepFree))
            }
        }
        for (number, location) in locations.enumerated() {
            if location.isEntrance { entrancesOfStations[location.station, default: []].append(number) }
            for stop in [location.stop, location.platform].compactMap({ $0?.position }) where isVisited[stop] {
                if locationsOfStops[stop] == nil { stopsOfStations[location.station, default: []].append(stop) }
                locationsOfStops[stop, default: []].append(number)
            }
        }
    }

    /// Returns the paths from a stop; `nil` if no pathways describe it.
    func paths(from stop: Int) -> Paths? {
        guard let seeds = locationsOfStops[stop], let station = seeds.first.map({ locations[$0].station }) else {
            return nil
        }
        let times = times(from: seeds, in: station, isStepFree: false)
        let stepFreeTimes = times.isEmpty ? [:] : self.times(from: seeds, in: station, isStepFree: true)
        func seconds(_ milliseconds: Int) -> UInt32 { UInt32((milliseconds + 999) / 1000) }
        let limit = FootpathBuilder.maximumTransferTime * 1000
        let paths = times.filter { $0.value <= limit }.map { target, time in
            // A walk outside, where there are no steps, can be shorter than the path inside.
            let stepFree = stepFreeTimes[target].flatMap { $0 <= limit ? max(time, $0) : nil }
            return (target, Path(seconds: seconds(time), stepFreeSeconds: stepFree.map(seconds)))
        }
        return Paths(station: station, paths: Dictionary(uniqueKeysWithValues: paths))
    }

    /// Returns what pathways say about the change to a stop.
    func change(_ paths: Paths?, to target: Int) -> Change {
        guard let paths, let location = locationsOfStops[target]?.first,
            locations[location].station == paths.station
        else { return .notDescribed }
        return paths.paths[target].map { .path($0) } ?? .noPath
    }

    /// Returns the quickest paths between the entrances of the stations and their stops.
    func entrancePaths() -> [StationEntrances.Path] {
        stopsOfStations.flatMap { station, stops -> [StationEntrances.Path] in
            let entrances = (entrancesOfStations[station] ?? []).prefix(Self.maximumEntrances)
            if entrances.isEmpty { return [] }
            func seconds(_ milliseconds: Int?) -> UInt32? {
                milliseconds.flatMap {
                    $0 <= FootpathBuilder.maximumTransferTime * 1000 ? UInt32(($0 + 999) / 1000) : nil
                }
            }
            let outward = stops.map { stop in
                [false, true].map { search((locationsOfStops[stop] ?? []).map { ($0, 0) }, isStepFree: $0) }
            }
            return entrances.flatMap { entrance -> [StationEntrances.Path] in
                guard let coordinate = locations[entrance].coordinate else { return [] }
                let inward = [false, true].map { times(of: stops, search([(entrance, 0)], isStepFree: $0)) }
                return zip(stops, outward).map { stop, outward in
                    StationEntrances.Path(
                        stop: StopIndex(stop), entrance: coordinate,
                        inward: .init(seconds: seconds(inward[0][stop]), stepFree: seconds(inward[1][stop])),
                        outward: .init(seconds: seconds(outward[0][entrance]), stepFree: seconds(outward[1][entrance])))
                }
            }
        }
    }

    // MARK: Searches

    /// Returns the times to the stops of a station, in milliseconds. A stop that no pathways connect is reached through an
    /// exit, a walk outside, and an entrance.
    private func times(from seeds: [Int], in station: StopIndex, isStepFree: Bool) -> [Int: Int] {
        let stops = stopsOfStations[station] ?? []
        let inside = search(seeds.map { ($0, 0) }, isStepFree: isStepFree)
        var times = self.times(of: stops, inside)
        if times.count == stops.count { return times }
        let entrances = (entrancesOfStations[station] ?? []).prefix(Self.maximumEntrances)
        let exits = entrances.compactMap { entrance in inside[entrance].map { (entrance, $0) } }
        let outside = entrances.compactMap { entrance in
            exits.compactMap { exit, time in walk(exit, entrance).map { time + $0 } }.min().map { (entrance, $0) }
        }
        let around = self.times(of: stops, search(outside, isStepFree: isStepFree))
        times.merge(around) { inside, _ in inside }
        return times
    }

    private func times(of stops: [Int], _ times: [Int: Int]) -> [Int: Int] {
        var found: [Int: Int] = [:]
        for stop in stops { found[stop] = locationsOfStops[stop]?.lazy.compactMap { times[$0] }.min() }
        return found
    }

    /// Returns the milliseconds of the walk outside between two entrances; `nil` if a position is unknown.
    private func walk(_ exit: Int, _ entrance: Int) -> Int? {
        if exit == entrance { return 0 }
        guard let from = locations[exit].coordinate, let to = locations[entrance].coordinate else { return nil }
        return PathwayTime.milliseconds(centimeters: from.distance(to: to) * 100 * WalkingSpeed.detour)
    }

    /// Returns the least time to each location in milliseconds (Dijkstra's algorithm).
    private func search(_ seeds: [(location: Int, time: Int)], isStepFree: Bool) -> [Int: Int] {
        var times: [Int: Int] = [:]
        var open = PriorityQueue()
        for seed in seeds {
            times[seed.location] = min(times[seed.location] ?? .max, seed.time)
            open.insert(seed)
        }
        while let (location, time) = open.popFirst() {
            guard times[location] == time else { continue }
            for edge in edges[location] where edge.isStepFree || !isStepFree {
                let arrival = time + edge.milliseconds
                guard arrival < times[edge.to] ?? .max else { continue }
                times[edge.to] = arrival
                open.insert((edge.to, arrival))
            }
        }
        return times
    }
}

/// The time that riders need for a pathway. If pathways.txt states none, it is estimated.
enum PathwayTime {
    /// Estimates, in milliseconds. Riders walk up or down about two stairs in a second, and an escalator moves at 0.5 m/s
    /// (EN 115-1). The time of an elevator includes waiting for it.
    private static let stair = 600
    private static let stairsPerCentimeter = 16
    private static let escalatorPerCentimeter = 20
    private static let elevator = 60_000
    private static let gate = 5_000
    private static let unknown = 30_000

    /// The steepest slope of a path for wheelchairs, in ten-thousandths (GTFS reference, pathways.txt, `max_slope`: 8.3 %).
    private static let steepestSlope: Int32 = 830
    /// The narrowest path for wheelchairs, in centimeters (815 mm in section 404.2.3 of the ADA Standards, rounded).
    private static let narrowestWidth: Int32 = 81

    static func milliseconds(_ pathway: Pathway, from: PathwayLocation, to: PathwayLocation) -> Int {
        if let seconds = pathway.traversalTime { return Int(seconds) * 1000 }
        let length = pathway.length.map { Int($0) }
        let walk = length.map { milliseconds(centimeters: Double($0)) }
        switch pathway.mode {
        case .walkway, .movingSidewalk: return walk ?? max(unknown, straightLine(from, to))
        case .stairs:
            guard let count = pathway.stairCount, count != 0 else {
                return length.map { $0 * stairsPerCentimeter } ?? unknown
            }
            return max(Int(count.magnitude) * stair, walk ?? 0)
        case .escalator: return length.map { $0 * escalatorPerCentimeter } ?? unknown
        case .elevator: return elevator
        case .fareGate, .exitGate: return walk ?? gate
        }
    }

    /// Returns the milliseconds of a walk at ``WalkingSpeed/usual``, rounded up.
    static func milliseconds(centimeters: Double) -> Int {
        Int((min(centimeters, 1e9) * 10 / WalkingSpeed.usual.metersPerSecond).rounded(.up))
    }

    private static func straightLine(_ from: PathwayLocation, _ to: PathwayLocation) -> Int {
        guard let from = from.coordinate, let to = to.coordinate else { return 0 }
        return milliseconds(centimeters: from.distance(to: to) * 100)
    }

    static func isStepFree(_ pathway: Pathway) -> Bool {
        switch pathway.mode {
        case .stairs, .escalator: return false
        case .walkway, .movingSidewalk, .elevator, .fareGate, .exitGate: break
        }
        if let slope = pathway.maximumSlope, abs(slope) > steepestSlope { return false }
        // Some feeds write 0 for an unknown width.
        if let width = pathway.minimumWidth, width > 0, width < narrowestWidth { return false }
        return true
    }
}

/// A binary heap of locations, nearest first.
private struct PriorityQueue {
    private var entries: [(location: Int, time: Int)] = []

    mutating func insert(_ entry: (location: Int, time: Int)) {
        entries.append(entry)
        var position = entries.count - 1
        while position > 0, entries[position].time < entries[(position - 1) / 2].time {
            entries.swapAt(position, (position - 1) / 2)
            position = (position - 1) / 2
        }
    }

    mutating func popFirst() -> (location: Int, time: Int)? {
        guard !entries.isEmpty else { return nil }
        entries.swapAt(0, entries.count - 1)
        let first = entries.removeLast()
        var position = 0
        while true {
            var least = position
            for child in [2 * position + 1, 2 * position + 2] where child < entries.count {
                if entries[child].time < entries[least].time { least = child }
            }
            if least == position { return first }
            entries.swapAt(position, least)
            position = least
        }
    }
}
