internal import TransitFeeds
internal import TransitFetch
internal import TransitModel

/// `[weather]`: weather forecasts for the stations that people use. Positions are sent to the service only if the
/// configuration has this section.
public struct WeatherOptions: Hashable, Sendable {
    /// The base URL without a trailing slash: `https`, or `http` to a loopback address.
    public var url = OpenMeteo.publicURL
    /// Seconds between two refreshes.
    public var interval = RefreshPolicy.standard(for: .weather).interval

    public init() {}
}

/// A source of data that belongs to no feed, as the refresh engine sees it.
struct ContextSource {
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
            unconditionalInterval: interval)
        budget = BudgetPolicy(key: key, limits: limits)
    }
}

extension Configuration {
    /// The configured sources of data that belongs to no feed.
    var contextSources: [ContextSource] {
        var sources: [ContextSource] = []
        if let weather {
            // Open-Meteo allows 5,000 requests an hour and 10,000 a day, and counts each position.
            sources.append(
                ContextSource(
                    .weather, url: OpenMeteo(url: weather.url).endpoint, interval: weather.interval, key: "open-meteo",
                    limits: [
                        BudgetLimit(30, per: .rolling(seconds: 3600)), BudgetLimit(150, per: .rolling(seconds: 86_400)),
                    ]
                ))
        }
        return sources
    }

    /// Returns the source of a dataset that belongs to no feed, named by the identifier of its source; `nil` if it is
    /// not configured.
    func contextSource(_ id: FeedID) -> ContextSource? { contextSources.first { $0.dataset.feed == id } }
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
        options.interval = table.contextInterval(example: "30m") ?? options.interval
        return options
    }
}

extension ConfigurationTable {
    /// Reads `refresh`, the seconds between two refreshes of a source that belongs to no feed.
    func contextInterval(example: String) -> Int? {
        duration("refresh", in: ContextSource.minimumInterval...RefreshPolicy.maximumInterval, example: example)
    }
}
