internal import TransitEngine
package import TransitModel
internal import TransitStore

/// The stations that the commutes, places and favorites of a caller use.
package struct StationsInUse {
    private let context: QueryContext

    package init(_ context: QueryContext) { self.context = context }

    /// The maximum number of positions of one caller.
    private static let maximumPositions = 100

    /// The positions of the stations, without duplicates: first those of commutes, then those of places and favorites.
    /// A place that has no stop of its own is represented by the nearest station within walking distance; if there is
    /// none, it has no position.
    package var positions: [Coordinate] {
        let commutes = context.commuteList
        var found: [Coordinate] = []
        for entry in commutes.entries {
            for end in [entry.commute.to, entry.commute.from] { found += positions(of: commutes.end(end)) }
        }
        for name in commutes.placeNames {
            if let (place, _) = commutes.place(name), let station = station(of: place) { found.append(station) }
        }
        for favorite in context.personal.favorites {
            guard let stop = favorite.target.stop else { continue }
            if let position = position(of: QualifiedStop(feed: favorite.feed, stop: stop)) { found.append(position) }
        }
        var seen: Set<Coordinate> = []
        return Array(found.filter { seen.insert($0).inserted }.prefix(Self.maximumPositions))
    }

    private func positions(of end: CommuteList.End) -> [Coordinate] {
        switch end {
        case .place(_, let place): station(of: place).map { [$0] } ?? []
        // The platforms of one stop are close to each other.
        case .stops(let stops): stops.lazy.compactMap { position(of: $0) }.first.map { [$0] } ?? []
        case .unknown: []
        }
    }

    /// Returns the position of the station that represents a place; `nil` if there is none within walking distance.
    package func station(of place: PlaceConfiguration) -> Coordinate? {
        switch place.location {
        case .stop(let stop): position(of: stop)
        case .coordinate(let coordinate): nearestStation(to: coordinate)
        }
    }

    /// Returns the position of the nearest stop within walking distance.
    package func nearestStation(to place: Coordinate) -> Coordinate? {
        let radius = Double(max(context.settings.walkingRadius, context.settings.maxWalkingRadius))
        var nearest: (meters: Double, position: Coordinate)?
        for timetable in context.feeds.compactMap(\.timetable) {
            // A timetable that cannot be read has no stations. Queries about it report the error.
            guard
                let near = (try? timetable.callingStops(near: place, within: radius))?.min(by: { $0.meters < $1.meters }
                ),
                near.meters < nearest?.meters ?? .infinity,
                let position = (try? timetable.file.stop(near.stop))?.coordinate
            else { continue }
            nearest = (near.meters, position)
        }
        return nearest?.position
    }

    private func position(of stop: QualifiedStop) -> Coordinate? {
        let timetable = context.feeds.first { $0.id == stop.feed }?.timetable
        return (try? timetable?.file.find(stop.stop))?.stop.coordinate
    }
}
