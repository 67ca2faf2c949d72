internal import TransitEngine
package import TransitModel
internal import TransitStore

/// A station with its position and the name that people use, in the language of the context.
package struct NamedStation: Hashable, Sendable {
    package var name: String
    package var coordinate: Coordinate
}

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
        var found: [NamedStation] = commutes.entries.flatMap { stations(of: $0.commute) }
        for name in commutes.placeNames {
            if let (place, _) = commutes.place(name), let station = station(of: place) { found.append(station) }
        }
        for favorite in context.personal.favorites {
            guard let stop = favorite.target.stop else { continue }
            if let station = station(QualifiedStop(feed: favorite.feed, stop: stop)) { found.append(station) }
        }
        var seen: Set<Coordinate> = []
        return Array(found.map(\.coordinate).filter { seen.insert($0).inserted }.prefix(Self.maximumPositions))
    }

    /// Returns the stations at the ends of a commute, the destination first. An end without a station is omitted.
    package func stations(of commute: CommuteConfiguration) -> [NamedStation] {
        [commute.to, commute.from].compactMap { end in
            switch context.commuteList.end(end) {
            case .place(_, let place): station(of: place)
            // The platforms of one stop are close to each other.
            case .stops(let stops): stops.lazy.compactMap { station($0) }.first
            case .unknown: nil
            }
        }
    }

    /// Returns the station that represents a place; `nil` if there is none within walking distance.
    package func station(of place: PlaceConfiguration) -> NamedStation? {
        switch place.location {
        case .stop(let stop): station(stop)
        case .coordinate(let coordinate): nearestStation(to: coordinate)
        }
    }

    /// Returns the nearest stop within walking distance.
    private func nearestStation(to place: Coordinate) -> NamedStation? {
        let radius = Double(max(context.settings.walkingRadius, context.settings.maxWalkingRadius))
        var nearest: (meters: Double, station: NamedStation)?
        for timetable in context.feeds.compactMap(\.timetable) {
            // A timetable that cannot be read has no stations. Queries about it report the error.
            let near = (try? timetable.callingStops(near: place, within: radius))?.min { $0.meters < $1.meters }
            guard let near, near.meters < nearest?.meters ?? .infinity,
                let station = named(try? timetable.file.stop(near.stop), in: timetable)
            else { continue }
            nearest = (near.meters, station)
        }
        return nearest?.station
    }

    private func station(_ stop: QualifiedStop) -> NamedStation? {
        guard let timetable = context.feeds.first(where: { $0.id == stop.feed })?.timetable else { return nil }
        return named((try? timetable.file.find(stop.stop))?.stop, in: timetable)
    }

    private func named(_ stop: Stop?, in timetable: Timetable) -> NamedStation? {
        guard let stop, let coordinate = stop.coordinate else { return nil }
        let names = TimetableNames(timetable, language: context.language)
        return NamedStation(name: (try? names.stationName(of: stop)) ?? stop.name, coordinate: coordinate)
    }
}
