public import TransitModel

/// How one feed of a provider is configured.
public struct ProviderOptions: Hashable, Sendable {
    /// The agency, in the provider's own terms: "CT", "2".
    public var agency: String?
    /// Another address in place of the provider's own: a mirror, or an upstream that tests start. Without a slash at its end.
    public var base: String?
    /// The configured addresses of single datasets; `file:` URLs among them.
    public var addresses: [DatasetKind: String]

    public init(agency: String? = nil, base: String? = nil, addresses: [DatasetKind: String] = [:]) {
        self.agency = agency
        self.base = base
        self.addresses = addresses
    }
}

/// The providers that there are: the only place that names them.
public enum ProviderCatalog {
    private static let factories: [(name: String, make: @Sendable (ProviderOptions) -> any Provider)] = [
        ("gtfs", { GTFSProvider($0) }),
        ("hongkong", { HongKongProvider($0) }),
        ("demo", { _ in DemoProvider() }),
        (SIRI511.name, { SIRI511($0) }),
        ("wabus", { WaBusProvider($0) }),
        (TranzyProvider.name, { TranzyProvider($0) }),
    ]

    /// As `provider` in the configuration spells them.
    public static var names: [String] { factories.map(\.name) }

    /// `nil` for a name that is not among ``names``.
    public static func provider(_ name: String, _ options: ProviderOptions = ProviderOptions()) -> (any Provider)? {
        factories.first { $0.name == name }?.make(options)
    }
}
