internal import Synchronization
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// A walk between stops of two feeds.
struct JourneyFootpath: Hashable, Sendable {
    var from: StopIndex
    var to: StopIndex
    /// The straight-line distance; 0 if both are the same stop.
    var meters: Double
}

/// Caches the walks from a timetable's stops to the stops of other timetables. They are computed once per pair of
/// versions and greatest distance.
final class JourneyFootpathCache: Sendable {
    private struct Known {
        var feed: FeedID
        var version: Int
        /// Whether stops of the two feeds are the same ones (`same_as`).
        var isPair: Bool
        /// The greatest straight-line distance in meters.
        var distance: Double
        var footpaths: [JourneyFootpath]
    }

    private let known = Mutex<[Known]>([])

    /// Returns the walks in one direction; those in the other direction take as long.
    ///
    /// - Parameters:
    ///   - timetable: The timetable that owns this cache, with its network.
    ///   - distance: The greatest straight-line distance in meters.
    ///   - pair: The two timetables as feeds of one agency; `nil` if they are not.
    func footpaths(
        from timetable: (timetable: Timetable, network: JourneyNetwork),
        to other: (timetable: Timetable, network: JourneyNetwork), pair: FeedPair?,
        within distance: Double
    ) throws(StoreError) -> [JourneyFootpath] {
        let (feed, version) = (other.timetable.feed, other.timetable.version)
        let isPair = pair != nil
        if let found = known.withLock({ known in
            known.first {
                $0.feed == feed && $0.version == version && $0.isPair == isPair && $0.distance == distance
            }
        }) {
            return found.footpaths
        }
        var walks = try JourneyFootpathFinder(other, within: distance).footpaths(from: timetable)
        if let pair {
            let same = try Self.sameStops(timetable, other, pair)
            let pairs = Set(same.map { [$0.from, $0.to] })
            walks.removeAll { pairs.contains([$0.from, $0.to]) }
            walks += same
        }
        let entry = Known(feed: feed, version: version, isPair: isPair, distance: distance, footpaths: walks)
        known.withLock { known in
            known.removeAll { $0.feed == feed }
            known.append(entry)
        }
        return walks
    }

    private static func sameStops(
        _ one: (timetable: Timetable, network: JourneyNetwork),
        _ other: (timetable: Timetable, network: JourneyNetwork), _ pair: FeedPair
    ) throws(StoreError) -> [JourneyFootpath] {
        (0..<one.network.stopCount).filter { !one.network.nodes(of: $0).isEmpty }.flatMap { position in
            pair.stops([StopIndex(position)], of: one.timetable).map {
                JourneyFootpath(from: StopIndex(position), to: $0, meters: 0)
            }
        }
    }
}

/// Finds the stops of one feed that are near those of another one.
private struct JourneyFootpathFinder {
    /// The maximum number of walks from one stop to the stops of another feed. The nearest ones are kept.
    private static let maximumWalks = 8

    private let targets: [(stop: StopIndex, place: Coordinate)]
    private let grid: CoordinateGrid
    /// The greatest straight-line distance in meters.
    private let distance: Double

    init(
        _ target: (timetable: Timetable, network: JourneyNetwork), within distance: Double
    ) throws(StoreError) {
        self.distance = distance
        targets = try Self.stops(target)
        // Slightly larger cells, because the stops of the other feed may be nearer to a pole.
        grid = CoordinateGrid(
            targets.enumerated().lazy.map { (number: $0.offset, place: $0.element.place) },
            cell: max(1, distance * 1.01))
    }

    /// Returns the stops at which trips call.
    private static func stops(
        _ one: (timetable: Timetable, network: JourneyNetwork)
    ) throws(StoreError) -> [(stop: StopIndex, place: Coordinate)] {
        let places = try one.timetable.file.stopLocations(ofStops: 0..<one.network.stopCount)
        return places.indices.compactMap { position in
            guard let place = places[position].coordinate,
                one.network.nodes(of: position).contains(where: { !one.network.visits(of: $0).isEmpty })
            else { return nil }
            return (StopIndex(position), place)
        }
    }

    func footpaths(
        from origin: (timetable: Timetable, network: JourneyNetwork)
    ) throws(StoreError) -> [JourneyFootpath] {
        var found: [JourneyFootpath] = []
        for (stop, place) in try Self.stops(origin) {
            var near: [(stop: StopIndex, meters: Double)] = []
            grid.forEachNear(place) { number in
                let meters = place.distance(to: targets[number].place)
                if meters <= distance, distance > 0 { near.append((targets[number].stop, meters)) }
            }
            near.sort { ($0.meters, $0.stop) < ($1.meters, $1.stop) }
            found += near.prefix(Self.maximumWalks).map {
                JourneyFootpath(from: stop, to: $0.stop, meters: $0.meters)
            }
        }
        return found
    }
}
