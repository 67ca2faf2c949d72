internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
public import TransitQueries

/// `[weather]`: weather forecasts for the stations that people use. Positions are sent to the service only if the
/// configuration has this section.
public struct WeatherOptions: Hashable, Sendable {
    /// The base URL without a trailing slash: `https`, or `http` to a loopback address.
    public var url = OpenMeteo.publicURL
    /// Seconds between two refreshes.
    public var interval = RefreshPolicy.standard(for: .weather).interval
}

/// `[events]`: public events near the stations that people use. Positions are sent to the service only if the
/// configuration has this section.
public struct EventsOptions: Hashable, Sendable {
    /// The base URL without a trailing slash: `https`, or `http` to a loopback address.
    public var url = Ticketmaster.publicURL
    /// Seconds between two refreshes.
    public var interval = RefreshPolicy.standard(for: .events).interval
    /// An absolute path. If `nil`, the key is that of ``KeyStore`` or of systemd's credential directory.
    public var keyFile: String?
    /// The venues that count as large or are always listed.
    public var venues = VenueTable.standard

    /// How the key is sent.
    var credential: FeedCredential {
        FeedCredential(placement: .parameter(Ticketmaster.keyParameter), file: keyFile)
    }
}

/// `[catalog]`: the catalog of public feeds, which is downloaded when someone searches it. It needs no configuration.
public struct CatalogOptions: Hashable, Sendable {
    /// The URL of the file: `https`, or `http` to a loopback address.
    public var url = MobilityDatabase.publicURL
    /// The minimum number of seconds between two downloads.
    public var interval = RefreshPolicy.standard(for: .catalog).interval
}

/// A source of data that belongs to no feed, as the refresh engine sees it.
struct ExternalDataSource {
    var dataset: DatasetID
    var source: DatasetSource
    var policy: RefreshPolicy
    var budget: BudgetPolicy?

    /// The shortest interval that the configuration may set, in seconds. The sources are free services.
    static let minimumInterval = 600

    /// - Parameters:
    ///   - url: The URL of the requests without their query.
    ///   - key: The name under which requests are charged to the budget.
    init(
        _ dataset: DatasetID, url: String, interval: Int, key: KeyName, isKeyed: Bool = false, limits: [BudgetLimit]
    ) {
        let address = WebURL(url)
        self.dataset = dataset
        source = DatasetSource(
            endpoint: EndpointID(url), host: address.map { HostID("\($0.host):\($0.port)") }, key: key,
            isKeyed: isKeyed)
        let standard = RefreshPolicy.standard(for: dataset.kind)
        policy = RefreshPolicy(
            interval: interval, deadline: standard.deadline, bodyLimit: standard.bodyLimit,
            unconditionalInterval: max(interval, standard.unconditionalInterval))
        budget = BudgetPolicy(key: key, limits: limits)
    }
}

extension Configuration {
    /// The configured sources of data that belongs to no feed.
    var externalDataSources: [ExternalDataSource] {
        var sources: [ExternalDataSource] = []
        if let weather {
            // Open-Meteo allows 5,000 requests an hour and 10,000 a day, and counts each position.
            sources.append(
                ExternalDataSource(
                    .weather, url: OpenMeteo(url: weather.url).endpoint, interval: weather.interval, key: "open-meteo",
                    limits: [
                        BudgetLimit(30, per: .rolling(seconds: 3600)), BudgetLimit(150, per: .rolling(seconds: 86_400)),
                    ]
                ))
        }
        if let events {
            // Ticketmaster allows 5,000 requests a day.
            sources.append(
                ExternalDataSource(
                    .events, url: Ticketmaster(url: events.url).endpoint, interval: events.interval,
                    key: KeyName(DatasetID.events.feed.rawValue), isKeyed: true,
                    limits: [BudgetLimit(1000, per: .rolling(seconds: 86_400))]))
        }
        return sources
    }

    /// The configured sources, and that of the catalog if it is in use.
    func externalDataSources(isCatalogInUse: Bool) -> [ExternalDataSource] {
        externalDataSources + (isCatalogInUse ? [catalogSource] : [])
    }

    private var catalogSource: ExternalDataSource {
        ExternalDataSource(
            .catalog, url: catalog.url, interval: catalog.interval, key: KeyName(DatasetID.catalog.feed.rawValue),
            limits: [BudgetLimit(10, per: .rolling(seconds: 86_400))])
    }

    /// Returns the source of a dataset that belongs to no feed, named by the identifier of its source; `nil` if it is
    /// not configured.
    func externalDataSource(_ id: FeedID) -> ExternalDataSource? {
        externalDataSources(isCatalogInUse: true).first { $0.dataset.feed == id }
    }
}

/// Reads `[weather]`.
struct WeatherSection {
    func read(_ root: ConfigurationTable) -> WeatherOptions? {
        guard let table = root.table("weather") else { return nil }
        table.rejectUnknownKeys(
            besides: ["url", "refresh"],
            instead: ["key": "Open-Meteo needs no key: remove it", "interval": "did you mean `refresh`?"],
            in: "[weather]")
        var options = WeatherOptions()
        if let text = table.text("url", example: OpenMeteo.publicURL) {
            options.url = table.base(text, key: "url", example: OpenMeteo.publicURL) ?? options.url
        }
        options.interval = table.externalDataInterval(example: "30m") ?? options.interval
        return options
    }
}

/// Reads `[catalog]`.
struct CatalogSection {
    /// The longest interval between two downloads, in seconds.
    private static let maximumInterval = 90 * 86_400

    func read(_ root: ConfigurationTable) -> CatalogOptions {
        var options = CatalogOptions()
        guard let table = root.table("catalog") else { return options }
        table.rejectUnknownKeys(
            besides: ["url", "refresh"],
            instead: ["key": "the catalog needs no key: remove it", "interval": "did you mean `refresh`?"],
            in: "[catalog]")
        if let text = table.text("url", example: MobilityDatabase.publicURL) {
            options.url = table.base(text, key: "url", example: MobilityDatabase.publicURL) ?? options.url
        }
        options.interval =
            table.duration("refresh", in: options.interval...Self.maximumInterval, example: "7d") ?? options.interval
        return options
    }
}

/// Reads `[events]`.
struct EventsSection {
    /// The folder against which relative paths are resolved.
    var folder: String
    var home: String?
    /// Used to check the key; `nil` skips the check.
    var keys: FeedKeys?

    func read(_ root: ConfigurationTable) -> EventsOptions? {
        guard let table = root.table("events") else { return nil }
        let key =
            "write the key to a file and set `key_file = \"my.key\"`, or use `transitctl key set \(DatasetID.events.feed)`"
        table.rejectUnknownKeys(
            besides: ["url", "refresh", "key_file", "large_venue", "always_list", "capacity"],
            instead: ["key": key, "api_key": key, "apikey": key, "interval": "did you mean `refresh`?"],
            in: "[events]")
        var options = EventsOptions()
        if let text = table.text("url", example: Ticketmaster.publicURL) {
            options.url = table.base(text, key: "url", example: Ticketmaster.publicURL) ?? options.url
        }
        options.interval = table.externalDataInterval(example: "6h") ?? options.interval
        options.keyFile = table.text("key_file", example: "ticketmaster.key").map {
            StaticSource.absolute($0, folder: folder, home: home)
        }
        options.venues = readVenues(table)
        warnAboutKey(options, table)
        return options
    }

    /// Warns if the key is missing or unusable. The key can be added later.
    private func warnAboutKey(_ options: EventsOptions, _ table: ConfigurationTable) {
        guard let keys, !keys.isReplay else { return }
        let source = DatasetID.events.feed
        if keys.origin(of: source, file: options.keyFile) == nil {
            table.warn(
                "url", "[events] has no key, and the source requires one",
                remedy: "run `transitctl key set \(source)`, or set `key_file = \"\(source).key\"`")
        } else if let file = options.keyFile, let reason = FeedKeys.unusable(file) {
            // The warning omits the path, because users sometimes write the key itself there.
            table.warn(
                "key_file", "the file that `key_file` names \(reason)",
                remedy: "write only the key to it, and let only the daemon's user read it (chmod 600)")
        }
    }

    private func readVenues(_ table: ConfigurationTable) -> VenueTable {
        var capacities = VenueTable.standardCapacities
        if let venues = table.table("capacity") {
            for name in venues.keys {
                capacities[name] = venues.integer(name, in: 1...1_000_000, unit: "people", example: 20_000)
            }
        }
        let always =
            table.has("always_list")
            ? table.texts("always_list", example: "Chase Center") : VenueTable.standardAlwaysListed
        var venues = VenueTable(capacities: capacities, alwaysListed: always)
        venues.largeCapacity =
            table.integer("large_venue", in: 1...1_000_000, unit: "people", example: 20_000) ?? venues.largeCapacity
        return venues
    }
}

extension ConfigurationTable {
    /// Reads `refresh`, the seconds between two refreshes of a source that belongs to no feed.
    func externalDataInterval(example: String) -> Int? {
        duration("refresh", in: ExternalDataSource.minimumInterval...RefreshPolicy.maximumInterval, example: example)
    }
}
