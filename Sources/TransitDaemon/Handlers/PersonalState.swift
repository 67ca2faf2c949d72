internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// The data that a user has set over the socket, as configuration types.
struct PersonalState: Hashable, Sendable {
    var commutes: [CommuteConfiguration] = []
    var places: [String: PlaceConfiguration] = [:]
    /// In the user's order.
    var favorites: [SavedFavorite] = []
    /// Recent searches, newest first.
    var searches: [SavedSearch] = []
    /// The name of the commute in use.
    var commuteInUse: String?

    /// Creates an empty state, so that only the configuration applies.
    init() {}

    init(_ record: UserRecord) {
        commutes = record.commutes.map(CommuteConfiguration.init)
        for place in record.places { places[place.name] = PlaceConfiguration(place) }
        favorites = record.favorites
        searches = record.searches
        commuteInUse = record.commuteInUse
    }
}

extension CommuteConfiguration {
    init(_ saved: SavedCommute) {
        let days = saved.days.compactMap(CommuteWindow.days).reduce(into: Set()) { $0.formUnion($1) }
        self.init(
            name: saved.name, from: saved.from, to: saved.to,
            windows: saved.windows.compactMap {
                CommuteWindow($0, days: saved.days.isEmpty ? Set(Weekday.allCases) : days)
            })
    }
}

extension PlaceConfiguration {
    init(_ saved: SavedPlace) {
        switch saved.location {
        case .coordinate(let coordinate): self.init(location: .coordinate(coordinate), walk: saved.walk)
        case .stop(let feed, let stop):
            self.init(location: .stop(QualifiedStop(feed: feed, stop: stop)), walk: saved.walk)
        }
    }

    /// Returns the place in the form in which the state database stores it.
    func saved(as name: String) -> SavedPlace {
        switch location {
        case .coordinate(let coordinate): SavedPlace(name: name, location: .coordinate(coordinate), walk: walk)
        case .stop(let stop): SavedPlace(name: name, location: .stop(feed: stop.feed, stop: stop.stop), walk: walk)
        }
    }
}
