public import TransitEngine
public import TransitFeeds
public import TransitModel

/// The checked contents of the configuration file: every value is within its range, and every reference can be
/// resolved.
///
/// Parsed by ``init(text:file:home:)``. transitd.toml(5) describes the file.
public struct Configuration: Hashable, Sendable {
    /// The feeds in the order of the file; their ids are unique.
    public var feeds: [FeedConfiguration] = []
    /// The places from the `[place.NAME]` tables, by name.
    public var places: [String: PlaceConfiguration] = [:]
    /// The commutes from the `[commute.NAME]` tables, sorted by name. The commutes that `place.home` and `place.work`
    /// imply are not included, because a user's own places may replace either place.
    public var commutes: [CommuteConfiguration] = []
    public var queries = QueryDefaults()
    /// `[geocoder]`: the service that finds addresses; `nil` disables address searches.
    public var geocoder: Geocoder?
    public var daemon = DaemonOptions()
    /// Warnings about missing files or keys that the configuration names, in the order of their lines. The
    /// configuration is usable anyway, because the files and keys can be added later.
    public var warnings: [ConfigurationError.Problem] = []

    /// Creates a configuration without feeds and places, with default options. The daemon runs with it until a
    /// configuration file exists.
    public init() {}
}

/// One `[place.NAME]`.
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
    static func text(of stops: [QualifiedStop]) -> String { stops.map(\.description).joined(separator: separator) }

    /// Parses one or more stops of one feed; `nil` if the text is not a stop.
    static func list(_ text: String) -> [QualifiedStop]? {
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

/// One `[commute.NAME]`. Each end is a place's name or `feed:stop`, as the user wrote it.
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

/// `[queries]`: the default values of query parameters.
public struct QueryDefaults: Hashable, Sendable {
    /// Number of departures in a result of `next`, 1...50.
    public var nextCount = 3
    /// Number of departures in a result of `departures`, 1...50.
    public var departuresCount = 10
    /// The hour of the day, 0...24, from which `next` without a commute shows the commute home.
    public var returnHour = 12
    /// Radius around a place, in meters, within which stops are searched.
    public var walkingRadius = 1000
    /// Radius in meters that is tried if there is no stop within ``walkingRadius``.
    public var maxWalkingRadius = 3000
    /// Maximum number of seconds that a reply waits for on-demand data, 0...10.
    public var arrivalsWait = 3

    public init() {}
}

/// `[daemon]`: the options that are not specific to one feed.
public struct DaemonOptions: Hashable, Sendable {
    public enum LogLevel: String, Hashable, Sendable, CaseIterable {
        case debug, info, notice, warning, error
    }

    public var logLevel = LogLevel.info
    /// The default certificate file of feeds; an absolute path.
    public var caFile: String?

    public init() {}

    /// 24 hours in seconds.
    public static let defaultRefreshInterval = 24 * 3600
}

extension Configuration {
    /// The configuration of `transitd --demo`: the embedded demo city with a home and a workplace.
    public static var demo: Configuration {
        var configuration = Configuration()
        configuration.feeds = [FeedConfiguration(id: "demo", source: .demo)]
        configuration.places = [
            "home": PlaceConfiguration(location: .coordinate(DemoCity.home)),
            "work": PlaceConfiguration(location: .coordinate(DemoCity.work)),
        ]
        return configuration
    }
}
