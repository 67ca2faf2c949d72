internal import TransitModel

/// Finds the stops that have a board in the kept part of a feed.
///
/// A board belongs to a whole station, or to the stops of one name that are close to each other. Such stops are therefore
/// kept together, even if only one of them is within the radius.
struct KeptStops {
    /// The maximum distance in meters between stops of the same name that have one board.
    static let namesakeDistance = 300.0

    /// Whether each stop is kept, by position in the source.
    private(set) var isKept: [Bool]
    private let stops: StopsTable
    /// The stops of each station, and each stop without a station, by the topmost parent.
    private var members: [Int: [Int]] = [:]
    /// The positions of stops and stations, ordered by the hash of their names.
    private var byName: [Int] = []
    /// The kept stops whose station and namesakes are not kept yet.
    private var open: [Int] = []

    /// Keeps the stops within the radius of a place.
    ///
    /// Throws ``FeedError/refused(reason:report:)`` if there are none.
    init(near places: [FeedSubset.Place], radius: Int, _ stops: StopsTable, _ files: FeedFiles) throws(FeedError) {
        self.init(stops)
        let centers = try Self.centers(places, stops, files)
        for (position, coordinate) in stops.coordinates.enumerated() {
            guard let coordinate else { continue }
            if centers.contains(where: { $0.distance(to: coordinate) <= Double(radius) }) { add(position) }
        }
        guard !open.isEmpty else {
            throw files.refusal(
                "keep_without_stops", .init(file: StopColumn.file),
                "No stop of the feed is within \(radius) m of the places of `keep`")
        }
        complete()
    }

    /// Keeps the stops at which kept trips call.
    init(calledAt isUsed: [Bool], _ stops: StopsTable) {
        self.init(stops)
        for position in isUsed.indices where isUsed[position] { add(position) }
        complete()
    }

    private init(_ stops: StopsTable) {
        self.stops = stops
        isKept = Array(repeating: false, count: stops.count)
        for position in 0..<stops.count where stops.parent(of: position) != nil {
            members[stops.station(of: position), default: []].append(position)
        }
        byName = (0..<stops.count).filter { [.platform, .station].contains(stops.kinds[$0]) }
        let hashes = (0..<stops.count).map { Self.name($0, stops) }
        byName.sort { (hashes[$0], $0) < (hashes[$1], $1) }
    }

    private static func centers(
        _ places: [FeedSubset.Place], _ stops: StopsTable, _ files: FeedFiles
    ) throws(FeedError) -> [Coordinate] {
        var centers: [Coordinate] = []
        for place in places {
            switch place {
            case .coordinate(let coordinate): centers.append(coordinate)
            case .stop(let id):
                let bytes = Array(id.rawValue.utf8)
                let stop = bytes.withUnsafeBufferPointer { stops.index(of: $0) }
                guard let coordinate = stop.flatMap({ stops.coordinates[$0.position] }) else {
                    throw files.refusal(
                        "keep_unknown_stop", .init(file: StopColumn.file),
                        "A place of `keep` is at the stop “\(FieldValue.excerpt(id.rawValue))”, which has no position in the feed"
                    )
                }
                centers.append(coordinate)
            }
        }
        return centers
    }

    /// Returns the hash of a stop's name. A child without a name has that of its parent.
    private static func name(_ position: Int, _ stops: StopsTable) -> UInt64 {
        let hash = stops.nameHashes[position]
        guard hash == emptyName, let parent = stops.parent(of: position) else { return hash }
        return name(parent, stops)
    }

    private static let emptyName = IdentifierHash.of("")

    private mutating func add(_ position: Int) {
        guard !isKept[position] else { return }
        isKept[position] = true
        open.append(position)
    }

    private mutating func complete() {
        while let position = open.popLast() {
            let station = stops.station(of: position)
            add(station)
            for member in members[station] ?? [] { add(member) }
            addNamesakes(of: position)
        }
    }

    private mutating func addNamesakes(of position: Int) {
        guard [.platform, .station].contains(stops.kinds[position]), let place = stops.coordinates[position] else {
            return
        }
        let name = Self.name(position, stops)
        guard name != Self.emptyName else { return }
        var low = 0
        var high = byName.count
        while low < high {
            let middle = (low + high) / 2
            if Self.name(byName[middle], stops) < name { low = middle + 1 } else { high = middle }
        }
        while low < byName.count, Self.name(byName[low], stops) == name {
            let other = byName[low]
            low += 1
            guard !isKept[other], let otherPlace = stops.coordinates[other] else { continue }
            if place.distance(to: otherPlace) <= Self.namesakeDistance { add(other) }
        }
    }
}
