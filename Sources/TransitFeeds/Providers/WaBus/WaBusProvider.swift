public import TransitModel

/// Warsaw's public transport through a WaBus server, which serves the city's vehicles and a timetable stop by stop.
///
/// `/v1/sync` tells lines, stops and calendars, `/v1/routes/{line}/stops` where a line calls, and
/// `/v1/stops/{id}/schedule` what leaves there on one date; ``WaBusCollection`` and ``WaBusArrivals`` say what is made of
/// them. There is no public server: whoever uses it runs one and names it in the configuration.
public struct WaBusProvider: Provider {
    let addresses: WaBusAddresses

    public init(_ options: ProviderOptions) {
        addresses = WaBusAddresses(base: options.base ?? Self.defaultBase)
    }

    public var traits: ProviderTraits { Self.traits }

    /// Where the server's own documents start it.
    public static let defaultBase = "http://localhost:8080"

    public static let traits = ProviderTraits(
        name: "wabus", title: "Warsaw (WaBus)", datasets: [.static, .vehicles],
        attribution: """
            Vehicle positions: Miasto Stołeczne Warszawa (api.um.warszawa.pl); timetable: GTFS by Mikołaj Kuranowski \
            (mkuran.pl/gtfs), from data of Warszawski Transport Publiczny, through WaBus.
            """,
        disclaimer: "Departures are planned times: the server tells where vehicles are, and not how late they are.",
        // The server allows 120 requests a minute and address; a fifth is left for whoever asks for departures.
        pace: ProviderRateLimits(collectionSpacing: 650), intervals: [.vehicles: 20],
        settings: ProviderSettings(agency: .refused, base: .optional(example: "https://wabus.example.org")))

    public func collection() -> (any NetworkCollection)? { WaBusCollection(addresses) }

    public func request(for kind: DatasetKind) -> UpstreamRequest? {
        kind == .vehicles ? addresses.vehicles : nil
    }

    public func message(_ body: [UInt8], of kind: DatasetKind, received: Instant) throws(FeedError)
        -> any RealtimeMessage
    {
        try WaBusVehicles.message(body)
    }

    public var arrivals: (any ArrivalsSource)? { WaBusArrivals(addresses) }

    public var stream: (any RealtimeStreamSource)? { WaBusStream(addresses) }
}
