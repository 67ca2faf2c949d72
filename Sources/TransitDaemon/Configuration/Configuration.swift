internal import TransitEngine
public import TransitFeeds
public import TransitModel
public import TransitQueries

/// The checked contents of the configuration file: every value is within its range, and every reference can be
/// resolved.
///
/// Parsed by ``init(text:file:home:)``. transitd.toml(5) describes the file. Until a file exists, the daemon runs with a
/// configuration without feeds and places, which has the default options.
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
    /// `[weather]`: weather forecasts for the stations that people use; `nil` requests none.
    public var weather: WeatherOptions?
    /// `[events]`: public events near the stations that people use; `nil` requests none.
    public var events: EventsOptions?
    /// `[catalog]`: the catalog of public feeds.
    public var catalog = CatalogOptions()
    public var daemon = DaemonOptions()
    public var insights = InsightsOptions()
    /// `[notifications.RULE]`: the defaults of the users' notifications, by `rule.key`.
    public var notifications: [String: String] = [:]
    /// Warnings about missing files or keys that the configuration names, in the order of their lines. The
    /// configuration is usable anyway, because the files and keys can be added later.
    public var warnings: [ConfigurationError.Problem] = []
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
    /// How fast users walk, in kilometers per hour, 1...12.
    public var walkingSpeed = 4.5
    /// The greatest straight-line distance of a walk between two stops at a change, in meters, 0...2000.
    public var maxChangeWalk = 500
    /// Maximum number of seconds that a reply waits for on-demand data, 0...10.
    public var arrivalsWait = 3
    /// The uncertainty in seconds of a time at a change of a journey for which no source states one, 0...600.
    public var changeUncertainty = 60
}

/// `[insights]`: how `insights` counts.
public struct InsightsOptions: Hashable, Sendable {
    /// The pounds of CO2 that a trip saves for each mile, 0...10.
    public var co2PoundsPerMile = 0.89
    /// The units of users who did not choose any.
    public var units = UnitSetting.automatic
}

/// `[daemon]`: the options that are not specific to one feed.
public struct DaemonOptions: Hashable, Sendable {
    public enum LogLevel: String, Hashable, Sendable, CaseIterable {
        case debug, info, notice, warning, error
    }

    public var logLevel = LogLevel.info
    /// The default certificate file of feeds; an absolute path.
    public var caFile: String?

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
