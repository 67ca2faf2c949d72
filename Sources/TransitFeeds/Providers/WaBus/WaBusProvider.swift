public import TransitModel

/// Warsaw's public transport through a WaBus server, which provides the city's vehicles and the schedule of each stop.
///
/// `/v1/sync` lists lines, stops and calendars, `/v1/routes/{line}/stops` the stops of a line, and
/// `/v1/stops/{id}/schedule` the departures at a stop on one date. ``WaBusCollection`` and ``WaBusArrivals`` describe
/// how they are used. There is no public server: users run their own and configure its URL.
public struct WaBusProvider: Provider {
    let urls: WaBusURLs

    public init(_ options: ProviderOptions) {
        urls = WaBusURLs(base: options.base ?? Self.defaultBase)
    }

    public var traits: ProviderTraits { Self.traits }

    /// The URL in the server's own documentation.
    public static let defaultBase = "http://localhost:8080"

    public static let traits = ProviderTraits(
        name: "wabus", title: "Warsaw (WaBus)", datasets: [.static, .vehicles],
        attribution: """
            Vehicle positions: Miasto Stołeczne Warszawa (api.um.warszawa.pl); timetable: GTFS by Mikołaj Kuranowski \
            (mkuran.pl/gtfs), from data of Warszawski Transport Publiczny, through WaBus.
            """,
        disclaimer: "Departure times are scheduled: the server reports vehicle positions but no delays.",
        // The server allows 120 requests a minute per IP address. A collection leaves a fifth of them for departure
        // queries.
        rateLimits: ProviderRateLimits(collectionSpacing: 650), intervals: [.vehicles: 20],
        settings: ProviderSettings(agency: .refused, base: .optional(example: defaultBase)), isSelfHosted: true)

    public func collection() -> (any NetworkCollection)? { WaBusCollection(urls) }

    public func request(for kind: DatasetKind) -> UpstreamRequest? {
        kind == .vehicles ? urls.vehicles : nil
    }

    public func message(_ body: [UInt8], of kind: DatasetKind, received: Instant) throws(FeedError)
        -> any RealtimeMessage
    {
        try WaBusVehicles.message(body)
    }

    public var arrivals: (any ArrivalsSource)? { WaBusArrivals(urls) }

    public var stream: (any RealtimeStreamSource)? { WaBusStream(urls) }
}

/// The time zone of Warsaw.
enum WaBusTime {
    /// The daylight-saving rule of the European Union, in force in Poland since 1996. The server sends only times of
    /// today and tomorrow, so no older rule is needed. The rule is a constant because only the daemon reads the
    /// system's time zones.
    static let zone = ServiceZone(name: "Europe/Warsaw", posixRule: "CET-1CEST,M3.5.0,M10.5.0/3") ?? .utc
}
