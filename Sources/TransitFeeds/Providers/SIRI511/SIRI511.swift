public import TransitModel

/// 511.org, the open data of the San Francisco Bay Area; one of its agencies is Caltrain.
///
/// The timetable is a GTFS archive. Realtime data comes as one SIRI StopMonitoring response for all stops, which
/// contains predictions and vehicles, and as service alerts in 511.org's own JSON. A key allows 60 requests an hour in
/// total.
public struct SIRI511: Provider {
    /// The value of `provider` in the configuration.
    public static let name = "siri511"

    private let urls: SIRI511URLs

    public init(_ options: ProviderOptions = ProviderOptions()) { urls = SIRI511URLs(options) }

    public let traits = ProviderTraits(
        name: name, title: "511.org",
        // trip_updates contains the vehicles; a separate request would charge the budget twice.
        datasets: [.static, .tripUpdates, .alerts],
        key: .parameter("api_key"),
        keySource:
            "Request a free key at https://511.org/open-data/token.",
        attribution: "Timetable, predictions and alerts are provided by 511.org.",
        disclaimer:
            "Times are estimates without warranty: check the station's departure board before you rely on one.",
        rateLimits: ProviderRateLimits(startSpacing: 2, budget: [BudgetLimit(60, per: .rolling(seconds: 3600))]),
        // These intervals use 40 and 4 requests an hour. The remainder is for manual refreshes, the timetable and key
        // checks.
        intervals: [.tripUpdates: 90, .alerts: 900],
        settings: ProviderSettings(
            agency: .optional(example: SIRI511URLs.agency), base: .optional(example: SIRI511URLs.base),
            urls: [.static: .optional(example: "https://example.org/gtfs.zip")]),
        formats: [.static: "GTFS", .tripUpdates: "SIRI StopMonitoring", .alerts: "GTFS-Realtime in 511.org's JSON"],
        presets: [ProviderPreset(id: "caltrain", title: "Caltrain", agency: SIRI511URLs.agency)])

    public func request(for kind: DatasetKind) -> UpstreamRequest? {
        switch kind {
        case .static: urls.timetable
        case .tripUpdates: urls.stopMonitoring
        case .alerts: urls.alerts
        case .vehicles, .arrivals, .weather, .events, .catalog: nil
        }
    }

    public func message(
        _ body: [UInt8], of kind: DatasetKind, received: Instant
    ) throws(FeedError) -> any RealtimeMessage {
        switch kind {
        case .tripUpdates: try StopMonitoring.read(body)
        // GTFS-Realtime with plural and mixed-case member names, which the reader accepts.
        case .alerts, .vehicles, .arrivals, .static, .weather, .events, .catalog: try RealtimeReader(body)
        }
    }

    /// The holidays of an agency, a response of a few lines.
    public func keyCheck() -> UpstreamRequest? { urls.holidays }
}
