internal import TransitModel
internal import TransitQueries
internal import TransitStore

/// The positions that matter to the daemon's user, for sources that send only the vehicles near given positions.
struct PlacesOfInterest: Sendable {
    let state: StateStore
    /// The user whose places and commutes count.
    let uid: UInt32
    let configuration: ConfigurationHolder
    let feeds: FeedRegistry

    /// Returns the positions around which a feed's realtime data is needed: the places and commute ends in the
    /// configuration and in the data of the user that the daemon runs as.
    func inFeed(_ feed: FeedID) -> [Coordinate] {
        let record = state.userRecord(of: uid)
        let commuteList = CommuteList(personal: PersonalState(record), settings: QuerySettings(configuration.current))
        let ends = commuteList.entries.flatMap { [$0.commute.from, $0.commute.to] }
        let named = commuteList.placeNames.compactMap { commuteList.place($0)?.place.location }
        let locations =
            named
            + ends.flatMap { end -> [PlaceConfiguration.Location] in
                if case .stops(let stops) = commuteList.end(end) { stops.map { .stop($0) } } else { [] }
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
            // A stop that was removed or cannot be read has no position. Requests about the stop report the error.
            return (try? timetable.file.find(stop.stop))?.stop.coordinate
        }
    }
}
