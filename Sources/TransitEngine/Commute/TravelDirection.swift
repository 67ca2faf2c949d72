public import TransitModel

/// The direction of a trip relative to the user's home and work, which is inferred if the trip serves neither. A trip
/// from a stop near home goes to work, and a trip from a stop near work goes home, unless the trip leads away from its
/// destination.
public enum TravelDirection: String, Hashable, Sendable, CaseIterable {
    case work
    case home
    case unknown

    /// The minimum difference between two distances for one to count as shorter, in meters.
    public static let minimumDifference = 300.0

    /// Infers the direction from the locations of the stops.
    ///
    /// - Parameters:
    ///   - stop: the departure stop.
    ///   - end: the last stop of the trip; `nil` if unknown. The direction is then also unknown, because the trip may
    ///     lead away from the destination.
    public init(leaving stop: Coordinate?, endingAt end: Coordinate?, home: Coordinate?, work: Coordinate?) {
        self = .unknown
        guard let stop, let end, let home, let work else { return }
        if Self.isNearer(stop, home, than: work) {
            if Self.isNearer(work, end, than: stop), Self.isNearer(end, work, than: home) { self = .work }
        } else if Self.isNearer(stop, work, than: home) {
            if Self.isNearer(home, end, than: stop), Self.isNearer(end, home, than: work) { self = .home }
        }
    }

    private static func isNearer(_ place: Coordinate, _ one: Coordinate, than other: Coordinate) -> Bool {
        place.distance(to: one) + minimumDifference < place.distance(to: other)
    }
}

/// A place to which the direction hint of a stop may refer, with its location and the names of the stops around it.
public struct DirectionHintPlace: Hashable, Sendable {
    public var coordinate: Coordinate?
    /// Folded by ``SearchText/fold(_:)``.
    public var names: Set<String>

    public init(coordinate: Coordinate?, names: Set<String>) {
        self.coordinate = coordinate
        self.names = names
    }

    /// Returns whether one of the names equals the destination or contains its words: "Clinton" matches "Clinton
    /// Ferry".
    fileprivate func isNamed(by destination: String) -> Bool {
        names.contains { name in
            name == destination || Self.has(name.split(separator: " "), destination.split(separator: " "))
                || (!destination.utf8.contains { $0 < 0x80 } && name.hasPrefix(destination))
        }
    }

    private static func has(_ words: [Substring], _ end: [Substring]) -> Bool {
        guard !end.isEmpty, words.count >= end.count else { return false }
        return (0...words.count - end.count).contains { words[$0...].starts(with: end) }
    }

    /// Returns whether the place is ahead in a compass direction from a stop: farther in that direction by at least
    /// ``TravelDirection/minimumDifference``, and no more than 60 degrees to either side.
    fileprivate func isAhead(_ compass: StopDirectionHint.CompassDirection, of stop: Coordinate) -> Bool {
        guard let coordinate else { return false }
        let meters: Double?
        switch compass {
        case .north: meters = stop.metersNorth(to: coordinate)
        case .south: meters = stop.metersNorth(to: coordinate).map { -$0 }
        case .east: meters = stop.metersEast(to: coordinate)
        case .west: meters = stop.metersEast(to: coordinate).map { -$0 }
        }
        guard let meters else { return false }
        return meters >= TravelDirection.minimumDifference && meters >= stop.distance(to: coordinate) / 2
    }
}

extension TravelDirection {
    /// Infers the direction from the hint of a stop, which is toward the only place to which the hint refers. If the
    /// hint refers to both places or to neither, the direction is ``unknown``.
    public init(_ hint: StopDirectionHint, at stop: Coordinate?, home: DirectionHintPlace?, work: DirectionHintPlace?) {
        let isMatch = [work, home].map { place -> Bool in
            guard let place else { return false }
            switch hint {
            case .towards(let destination): return place.isNamed(by: destination)
            case .heading(let compass): return stop.map { place.isAhead(compass, of: $0) } ?? false
            }
        }
        switch (isMatch[0], isMatch[1]) {
        case (true, false): self = .work
        case (false, true): self = .home
        default: self = .unknown
        }
    }
}

extension Coordinate {
    /// Returns the signed distance in meters, or `nil` if the intermediate location is invalid.
    fileprivate func metersNorth(to other: Coordinate) -> Double? {
        guard let corner = Coordinate(latitude: other.latitude, longitude: longitude) else { return nil }
        return other.latitude < latitude ? -distance(to: corner) : distance(to: corner)
    }

    /// Returns the signed distance along the shorter way around the globe, or `nil` if the intermediate location is
    /// invalid.
    fileprivate func metersEast(to other: Coordinate) -> Double? {
        guard let corner = Coordinate(latitude: latitude, longitude: other.longitude) else { return nil }
        let isWest = (other.longitude < longitude) == (abs(other.longitude - longitude) <= 180)
        return isWest ? -distance(to: corner) : distance(to: corner)
    }
}
