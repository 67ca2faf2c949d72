public import TransitModel

/// A place as far as a stop's sign can mean it: where it is, and how the stops around it are called.
public struct DirectionHintPlace: Hashable, Sendable {
    public var coordinate: Coordinate?
    /// As ``SearchText/fold(_:)`` makes them.
    public var names: Set<String>

    public init(coordinate: Coordinate?, names: Set<String>) {
        self.coordinate = coordinate
        self.names = names
    }

    /// Whether one of the names is an end's, or has it as some of its words: "Clinton" means "Clinton Ferry".
    fileprivate func isMeant(by end: String) -> Bool {
        names.contains { name in
            name == end || Self.has(name.split(separator: " "), end.split(separator: " "))
                || (!end.utf8.contains { $0 < 0x80 } && name.hasPrefix(end))
        }
    }

    private static func has(_ words: [Substring], _ end: [Substring]) -> Bool {
        guard !end.isEmpty, words.count >= end.count else { return false }
        return (0...words.count - end.count).contains { words[$0...].starts(with: end) }
    }

    /// Whether it lies ahead of a stop: farther in that direction by ``TravelDirection/clearly``, and no more than 60 degrees
    /// to either side.
    fileprivate func lies(_ compass: StopDirectionHint.Compass, of stop: Coordinate) -> Bool {
        guard let coordinate else { return false }
        let meters: Double?
        switch compass {
        case .north: meters = stop.metersNorth(to: coordinate)
        case .south: meters = stop.metersNorth(to: coordinate).map { -$0 }
        case .east: meters = stop.metersEast(to: coordinate)
        case .west: meters = stop.metersEast(to: coordinate).map { -$0 }
        }
        guard let meters else { return false }
        return meters >= TravelDirection.clearly && meters >= stop.distance(to: coordinate) / 2
    }
}

extension TravelDirection {
    /// What leaves a stop that says where its vehicles go: on the way to the one place that is meant, or that lies there.
    /// Where both are, or neither, it says nothing (``unknown``).
    public init(_ sign: StopDirectionHint, at stop: Coordinate?, home: DirectionHintPlace?, work: DirectionHintPlace?) {
        let isMeant = [work, home].map { place -> Bool in
            guard let place else { return false }
            switch sign {
            case .towards(let end): return place.isMeant(by: end)
            case .heading(let compass): return stop.map { place.lies(compass, of: $0) } ?? false
            }
        }
        switch (isMeant[0], isMeant[1]) {
        case (true, false): self = .work
        case (false, true): self = .home
        default: self = .unknown
        }
    }
}

extension Coordinate {
    /// `nil` where there is no such place.
    fileprivate func metersNorth(to other: Coordinate) -> Double? {
        guard let corner = Coordinate(latitude: other.latitude, longitude: longitude) else { return nil }
        return other.latitude < latitude ? -distance(to: corner) : distance(to: corner)
    }

    /// The shorter way round; `nil` where there is no such place.
    fileprivate func metersEast(to other: Coordinate) -> Double? {
        guard let corner = Coordinate(latitude: latitude, longitude: other.longitude) else { return nil }
        let isWest = (other.longitude < longitude) == (abs(other.longitude - longitude) <= 180)
        return isWest ? -distance(to: corner) : distance(to: corner)
    }
}
