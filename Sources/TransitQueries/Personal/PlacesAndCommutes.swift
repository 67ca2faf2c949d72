public import TransitEngine
public import TransitModel
package import TransitStore

/// A place, from the configuration (`[place.NAME]`) or set by a user.
public struct PlaceConfiguration: Hashable, Sendable {
    public enum Location: Hashable, Sendable {
        case coordinate(Coordinate)
        /// A stop or station at the place.
        case stop(QualifiedStop)
    }

    public var location: Location
    /// Seconds to walk between the place and the stop used there; `nil` estimates the time from the distance.
    public var walk: Int?

    public init(location: Location, walk: Int? = nil) {
        self.location = location
        self.walk = walk
    }
}

/// `feed:stop_id`: a stop and the feed that it belongs to. The feed's id ends at the first colon; a stop id may
/// contain colons.
public struct QualifiedStop: Hashable, Sendable, CustomStringConvertible {
    public var feed: FeedID
    public var stop: StopID

    public init(feed: FeedID, stop: StopID) {
        self.feed = feed
        self.stop = stop
    }

    /// Returns `nil` if the colon, the feed or the stop is missing.
    public init?(_ text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            let feed = FeedID(validating: String(text[..<colon]))
        else { return nil }
        let stop = text[text.utf8.index(after: colon)...]
        guard !stop.isEmpty else { return nil }
        self.init(feed: feed, stop: StopID(String(stop)))
    }

    public var description: String { "\(feed):\(stop)" }

    /// Separates the platforms of one stop: `caltrain:70211 + caltrain:70212`.
    private static let separator = " + "

    /// Formats several platforms of one stop as text that ``list(_:)`` can parse.
    package static func text(of stops: [QualifiedStop]) -> String {
        stops.map(\.description).joined(separator: separator)
    }

    /// Parses one or more stops of one feed; `nil` if the text is not a stop.
    package static func list(_ text: String) -> [QualifiedStop]? {
        var parts: [Substring] = []
        var rest = text[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        let stops = (parts + [rest]).compactMap { QualifiedStop(String($0)) }
        // If the separator is part of an identifier, the parts are not all stops of the same feed.
        if stops.count == parts.count + 1, Set(stops.map(\.feed)).count == 1 { return stops }
        return QualifiedStop(text).map { [$0] }
    }
}

/// A commute, from the configuration (`[commute.NAME]`) or added by a user. Each end is a place's name or `feed:stop`, as the user wrote it.
public struct CommuteConfiguration: Hashable, Sendable {
    public var name: String
    public var from: String
    public var to: String
    /// The times at which the commute is usually made. During these times, realtime data is kept as fresh as for a
    /// client's request.
    public var windows: [CommuteWindow]

    public init(name: String, from: String, to: String, windows: [CommuteWindow] = []) {
        self.name = name
        self.from = from
        self.to = to
        self.windows = windows
    }
}

/// The data that a user has set over the socket.
package struct PersonalState: Hashable, Sendable {
    package var commutes: [CommuteConfiguration] = []
    package var places: [String: PlaceConfiguration] = [:]
    /// In the user's order.
    package var favorites: [SavedFavorite] = []
    /// Recent searches, newest first.
    package var searches: [SavedSearch] = []
    /// The name of the commute in use.
    package var commuteInUse: String?
    /// Pinned departures first, then those that were learned.
    package var usualDepartures: [SavedUsualDeparture] = []
    /// The pinned journeys in the order of their departures. Those that are over may be among them.
    package var journeys: [SavedJourney] = []
    /// The user's settings of notifications.
    package var notificationSettings: [String: String] = [:]
    /// The units that the user chose; `nil` if none.
    package var units: UnitSetting?

    /// Creates an empty state, so that only the configuration applies.
    package init() {}

    package init(_ record: UserRecord) {
        commutes = record.commutes.map(CommuteConfiguration.init)
        for place in record.places { places[place.name] = PlaceConfiguration(place) }
        favorites = record.favorites
        searches = record.searches
        commuteInUse = record.commuteInUse
        notificationSettings = record.notificationSettings
        units = record.units.flatMap { UnitSetting(rawValue: $0) }
        usualDepartures = record.usualDepartures
        journeys = record.journeys
    }
}

extension CommuteConfiguration {
    package init(_ saved: SavedCommute) {
        let days = saved.days.compactMap(CommuteWindow.days).reduce(into: Set()) { $0.formUnion($1) }
        self.init(
            name: saved.name, from: saved.from, to: saved.to,
            windows: saved.windows.compactMap {
                CommuteWindow($0, days: saved.days.isEmpty ? Set(Weekday.allCases) : days)
            })
    }
}

extension PlaceConfiguration {
    package init(_ saved: SavedPlace) {
        switch saved.location {
        case .coordinate(let coordinate): self.init(location: .coordinate(coordinate), walk: saved.walk)
        case .stop(let feed, let stop):
            self.init(location: .stop(QualifiedStop(feed: feed, stop: stop)), walk: saved.walk)
        }
    }

    /// Returns the place in the form in which the state database stores it.
    package func saved(as name: String) -> SavedPlace {
        switch location {
        case .coordinate(let coordinate): SavedPlace(name: name, location: .coordinate(coordinate), walk: walk)
        case .stop(let stop): SavedPlace(name: name, location: .stop(feed: stop.feed, stop: stop.stop), walk: walk)
        }
    }
}
