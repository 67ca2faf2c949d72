internal import TransitEngine
internal import TransitModel

/// The paths through the pathways of one feed's stations, by the rules of docs/journeys.md. All pathways of a station are
/// repeated until no time becomes shorter (Bellman and Ford), for each stop separately.
struct ReferencePathways {
    enum Path: Hashable {
        /// No pathways describe both stops.
        case notDescribed
        /// The pathways of the station do not connect the stops.
        case missing
        case seconds(Int)
    }

    /// A pathway in one direction. Its ends are locations.
    private struct Direction {
        var from: Int
        var to: Int
        /// Thousandths of a second.
        var time: Int
    }

    private struct Station {
        var directions: [Direction] = []
        var entrances: [Int] = []
        /// The locations of each stop.
        var stops: [Int: [Int]] = [:]
    }

    private struct Pair: Hashable {
        var from: Int
        var to: Int
    }

    private let locations: [PathwayLocation]
    private var stationsOfStops: [Int: StopIndex] = [:]
    private var seconds: [Pair: Int] = [:]

    /// The limits and estimates that the documentation states.
    private static let longestTime = 4 * 3600
    private static let outsideEntrances = 64
    private static let unknownTime = 30_000

    init(_ pathways: Pathways, visited: [Int]) {
        locations = pathways.locations
        let visited = Set(visited)
        var stations: [StopIndex: Station] = [:]
        for (number, location) in locations.enumerated() {
            if location.isEntrance { stations[location.station, default: Station()].entrances.append(number) }
            for stop in [location.stop?.position, location.platform?.position] {
                guard let stop, visited.contains(stop) else { continue }
                stations[location.station, default: Station()].stops[stop, default: []].append(number)
                stationsOfStops[stop] = location.station
            }
        }
        for pathway in pathways.pathways {
            let (from, to) = (Int(pathway.from), Int(pathway.to))
            let time = Self.time(pathway, locations[from], locations[to])
            let station = locations[from].station
            stations[station, default: Station()].directions.append(Direction(from: from, to: to, time: time))
            if pathway.isBidirectional, pathway.mode != .exitGate {
                stations[station, default: Station()].directions.append(Direction(from: to, to: from, time: time))
            }
        }
        for station in stations.values { add(station) }
    }

    func path(from: Int, to: Int) -> Path {
        guard from != to, let station = stationsOfStops[from], station == stationsOfStops[to] else {
            return .notDescribed
        }
        return seconds[Pair(from: from, to: to)].map { .seconds($0) } ?? .missing
    }

    private mutating func add(_ station: Station) {
        for (stop, starts) in station.stops where station.stops.count > 1 {
            let inside = shortest(Dictionary(uniqueKeysWithValues: starts.map { ($0, 0) }), station)
            var outside: [Int: Int] = [:]
            let entrances = station.entrances.prefix(Self.outsideEntrances)
            for exit in entrances {
                guard let time = inside[exit] else { continue }
                for entrance in entrances {
                    guard let walk = walk(exit, entrance) else { continue }
                    outside[entrance] = min(outside[entrance] ?? .max, time + walk)
                }
            }
            let around = shortest(outside, station)
            for (target, ends) in station.stops where target != stop {
                guard let time = ends.compactMap({ inside[$0] }).min() ?? ends.compactMap({ around[$0] }).min() else {
                    continue
                }
                if time <= Self.longestTime * 1000 { seconds[Pair(from: stop, to: target)] = (time + 999) / 1000 }
            }
        }
    }

    private func shortest(_ starts: [Int: Int], _ station: Station) -> [Int: Int] {
        var times = starts
        var isChanged = true
        while isChanged {
            isChanged = false
            for direction in station.directions {
                guard let time = times[direction.from].map({ $0 + direction.time }),
                    time < times[direction.to] ?? .max
                else { continue }
                times[direction.to] = time
                isChanged = true
            }
        }
        return times
    }

    private func walk(_ exit: Int, _ entrance: Int) -> Int? {
        guard exit != entrance else { return 0 }
        guard let here = locations[exit].coordinate, let there = locations[entrance].coordinate else { return nil }
        return Self.thousandths(here.distance(to: there) * WalkingSpeed.detour)
    }

    private static func thousandths(_ meters: Double) -> Int {
        Int((meters * 1000 / WalkingSpeed.usual.metersPerSecond).rounded(.up))
    }

    private static func time(_ pathway: Pathway, _ from: PathwayLocation, _ to: PathwayLocation) -> Int {
        if let time = pathway.traversalTime { return Int(time) * 1000 }
        // 1.25 m/s are 8 ms for each centimeter.
        let walk = pathway.length.map { Int($0) * 8 }
        switch (pathway.mode, walk) {
        case (.elevator, _): return 60_000
        case (.stairs, _) where pathway.stairCount ?? 0 != 0:
            return max(600 * abs(Int(pathway.stairCount ?? 0)), walk ?? 0)
        case (.stairs, let walk?): return 2 * walk
        case (.escalator, let walk?): return walk / 2 * 5
        case (_, let walk?): return walk
        case (.fareGate, nil), (.exitGate, nil): return 5000
        case (.walkway, nil), (.movingSidewalk, nil):
            guard let here = from.coordinate, let there = to.coordinate else { return unknownTime }
            return max(unknownTime, thousandths(here.distance(to: there)))
        case (.stairs, nil), (.escalator, nil): return unknownTime
        }
    }
}
