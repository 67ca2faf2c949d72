public import TransitModel

/// Tranzy (tranzy.ai): routes, stops and vehicles of several cities in Romania and Moldova. It has no times: arrivals
/// are computed from vehicle positions.
///
/// The format is known from recordings made in August and September 2026 and from existing clients.
public struct TranzyProvider: Provider {
    /// The value of `provider` in the configuration.
    public static let name = "tranzy"

    private let base: String
    private let agency: String?

    /// - Parameter options: ``ProviderOptions/agency`` is the agency's number: "2" for Cluj.
    public init(_ options: ProviderOptions = ProviderOptions()) {
        base = options.base ?? "https://api.tranzy.ai/v1/opendata"
        agency = options.agency.flatMap { $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? $0 : nil }
    }

    public var traits: ProviderTraits {
        ProviderTraits(
            name: Self.name, title: "Tranzy", datasets: [.static, .vehicles], key: .bearerAndHeader("X-API-KEY"),
            keySource: "Register as a developer at https://tranzy.ai to get a key.",
            attribution: "Data: Tranzy (tranzy.ai) and the agencies that publish through it.",
            disclaimer: "Tranzy has no timetable: the times are estimated from vehicle positions.",
            rateLimits: ProviderRateLimits(
                budget: [BudgetLimit(Self.dailyRequests, per: .rolling(seconds: 24 * 3600))],
                collectionSpacing: Self.spacing),
            intervals: [.vehicles: 30],
            settings: ProviderSettings(agency: .required(example: "2"), hasNumericAgencies: true))
    }

    /// The maximum number of requests in 24 hours. Known clients limit themselves to 4,500 for vehicles and 144 for the
    /// rest. Two vehicle requests a minute are 2,880 a day; a collection takes ``TranzyCollection/maximumShapes`` plus
    /// five.
    private static let dailyRequests = 4_644
    /// In milliseconds; Tranzy allows four requests a second.
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

    /// The list of agencies, which requires a key but no agency.
    var agencies: UpstreamRequest { UpstreamRequest("\(base)/agency") }

    public func keyCheck() -> UpstreamRequest? { agencies }

    public func agencies(_ body: [UInt8]) throws(FeedError) -> [ProviderAgency]? {
        try TranzyAgencies.read(body).map { ProviderAgency(id: $0.id.rawValue, name: $0.name) }
    }

    /// - Parameter path: The path of a table, with its query.
    func request(_ path: String) -> UpstreamRequest {
        let headers = agency.map { [UpstreamRequest.Header("X-Agency-Id", $0)] } ?? []
        return UpstreamRequest("\(base)/\(path)", headers: headers)
    }
}
