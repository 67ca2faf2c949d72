public import TransitModel

/// Tranzy (tranzy.ai): routes, stops and vehicles of some cities of Romania and Moldova. It has no times: arrivals are
/// computed from where the vehicles are.
///
/// Known from recordings of August and September 2026 and from what its clients say; what was seen in neither is marked
/// where it is handled.
public struct TranzyProvider: Provider {
    /// `provider` in the configuration.
    public static let name = "tranzy"

    private let base: String
    private let agency: String?

    /// - Parameter options: ``ProviderOptions/agency`` is the number of the agency: "2" for Cluj.
    public init(_ options: ProviderOptions = ProviderOptions()) {
        base = options.base ?? "https://api.tranzy.ai/v1/opendata"
        agency = options.agency.flatMap { $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? $0 : nil }
    }

    public var traits: ProviderTraits {
        ProviderTraits(
            name: Self.name, title: "Tranzy", datasets: [.static, .vehicles], key: .bearerAndHeader("X-API-KEY"),
            keySource: "Tranzy gives keys to developers: see https://tranzy.ai.",
            attribution: "Data: Tranzy (tranzy.ai) and the agencies that publish through it.",
            disclaimer: "Tranzy has no timetable: the times are estimates from the positions of vehicles.",
            pace: ProviderRateLimits(
                budget: [BudgetLimit(Self.callsOfDay, per: .rolling(seconds: 24 * 3600))],
                collectionSpacing: Self.spacing),
            intervals: [.vehicles: 30],
            settings: ProviderSettings(agency: .required(example: "2")))
    }

    /// Calls in 24 hours: 4,500 for vehicles and 144 for the rest is what known clients allow themselves. Vehicles twice a
    /// minute are 2,880; a collection is ``TranzyCollection/mostShapes`` and five.
    private static let callsOfDay = 4_644
    /// Thousandths of a second; four requests a second are allowed.
    private static let spacing = 300

    public func collection() -> (any NetworkCollection)? {
        TranzyCollection(requests: self, agency: agency.map { AgencyID($0) })
    }

    public func request(for kind: DatasetKind) -> UpstreamRequest? {
        kind == .vehicles ? request("vehicles") : nil
    }

    public func message(_ body: [UInt8], of kind: DatasetKind, received: Instant) throws(FeedError)
        -> any RealtimeMessage
    {
        try TranzyVehicles.message(body, received: received)
    }

    /// The list of agencies: it needs a key and no agency.
    var agencies: UpstreamRequest { UpstreamRequest("\(base)/agency") }

    public func keyCheck() -> UpstreamRequest? { agencies }

    public func agencies(_ body: [UInt8]) throws(FeedError) -> [ProviderAgency]? {
        try TranzyAgencies.read(body).map { ProviderAgency(id: $0.id.rawValue, name: $0.name) }
    }

    /// - Parameter path: of a table, with its query.
    func request(_ path: String) -> UpstreamRequest {
        let headers = agency.map { [UpstreamRequest.Header("X-Agency-Id", $0)] } ?? []
        return UpstreamRequest("\(base)/\(path)", headers: headers)
    }
}
