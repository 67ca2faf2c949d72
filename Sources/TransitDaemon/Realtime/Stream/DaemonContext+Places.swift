internal import TransitModel
internal import TransitStore

extension DaemonContext {
    /// What a feed's live data are wanted around: the places and the ends of the commutes of the configuration and of the user
    /// that the daemon runs as.
    func placesOfInterest(_ feed: FeedID) -> [Coordinate] {
        let record = state.userRecord(of: uid)
        let book = CommuteList(personal: PersonalState(record), configuration: configuration.current)
        let ends = book.entries.flatMap { [$0.commute.from, $0.commute.to] }
        let named = book.placeNames.compactMap { book.place($0)?.place.location }
        let locations =
            named
            + ends.flatMap { end -> [PlaceConfiguration.Location] in
                if case .stops(let stops) = book.end(end) { stops.map { .stop($0) } } else { [] }
            }
        var places: [Coordinate] = []
        for location in locations {
            guard let place = coordinate(of: location, in: feed), !places.contains(place) else { continue }
            places.append(place)
        }
        return places
    }

    private func coordinate(of location: PlaceConfiguration.Location, in feed: FeedID) -> Coordinate? {
        switch location {
        case .coordinate(let coordinate): return coordinate
        case .stop(let stop):
            guard stop.feed == feed, let timetable = feeds.snapshot(feed)?.timetable else { return nil }
            // A stop that is no more, or cannot be read, is no place: questions about it say so.
            return (try? timetable.file.find(stop.stop))?.stop.coordinate
        }
    }
}
