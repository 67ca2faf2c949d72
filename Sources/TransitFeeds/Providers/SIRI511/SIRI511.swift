public import TransitModel

/// 511.org, the open data of the San Francisco Bay Area; one of its agencies is Caltrain.
///
/// The timetable is a GTFS archive. What is live comes as one SIRI StopMonitoring reply of all stops, which has predictions and
/// vehicles together, and as service alerts in a JSON of its own. A key may ask 60 times in an hour over all of it.
public struct SIRI511: Provider {
    /// `provider` in the configuration.
    public static let name = "siri511"

    private let addresses: SIRI511Addresses

    public init(_ options: ProviderOptions = ProviderOptions()) { addresses = SIRI511Addresses(options) }

    public let traits = ProviderTraits(
        name: name, title: "511.org",
        // Vehicles come with trip_updates: to ask for them as well would spend the same again.
        datasets: [.static, .tripUpdates, .alerts],
        key: .parameter("api_key"),
        keySource:
            "511.org sends a key to everybody who asks for one at https://511.org/open-data/token, free of charge.",
        attribution: "Timetable, predictions and alerts are provided by 511.org.",
        disclaimer:
            "Times are estimates, as they are and without warranty: look at the station's board before you rely on one.",
        pace: ProviderRateLimits(startSpacing: 2, budget: [BudgetLimit(60, per: .rolling(seconds: 3600))]),
        // 40 and 4 in an hour: what is left is for whoever asks by hand, for the timetable and for a check of the key.
        intervals: [.tripUpdates: 90, .alerts: 900],
        settings: ProviderSettings(
            agency: .optional(example: SIRI511Addresses.agency), base: .optional(example: SIRI511Addresses.base),
            addresses: [.static: .optional(example: "https://example.org/gtfs.zip")]),
        formats: [.static: "GTFS", .tripUpdates: "SIRI StopMonitoring", .alerts: "GTFS-Realtime in 511.org's JSON"],
        presets: [ProviderPreset(id: "caltrain", title: "Caltrain", agency: SIRI511Addresses.agency)])

    public func request(for kind: DatasetKind) -> UpstreamRequest? {
        switch kind {
        case .static: addresses.timetable
        case .tripUpdates: addresses.stopMonitoring
        case .alerts: addresses.alerts
        case .vehicles, .arrivals: nil
        }
    }

    public func message(
        _ body: [UInt8], of kind: DatasetKind, received: Instant
    ) throws(FeedError) -> any RealtimeMessage {
        switch kind {
        case .tripUpdates: try StopMonitoring.read(body)
        // GTFS-Realtime, but for its spelling: plural and mixed case, which the reader knows.
        case .alerts, .vehicles, .arrivals, .static: try RealtimeReader(body)
        }
    }

    /// The holidays of an agency: a few lines.
    public func keyCheck() -> UpstreamRequest? { addresses.holidays }
}
