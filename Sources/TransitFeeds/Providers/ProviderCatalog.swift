public import TransitModel

/// The configuration of one feed of a provider.
public struct ProviderOptions: Hashable, Sendable {
    /// The agency, in the provider's own terms: "CT", "2".
    public var agency: String?
    /// The base URL in place of the provider's default: a mirror, or an upstream that tests start. Has no trailing
    /// slash.
    public var base: String?
    /// The configured URLs of single datasets, which can be `file:` URLs.
    public var urls: [DatasetKind: String]

    public init(agency: String? = nil, base: String? = nil, urls: [DatasetKind: String] = [:]) {
        self.agency = agency
        self.base = base
        self.urls = urls
    }
}

/// All available providers. No other code names them.
public enum ProviderCatalog {
    private static let factories: [(name: String, make: @Sendable (ProviderOptions) -> any Provider)] = [
        ("gtfs", { GTFSProvider($0) }),
        ("hongkong", { HongKongProvider($0) }),
        ("demo", { _ in DemoProvider() }),
        (SIRI511.name, { SIRI511($0) }),
        ("wabus", { WaBusProvider($0) }),
        (TranzyProvider.name, { TranzyProvider($0) }),
    ]

    /// The values of `provider` in the configuration.
    public static var names: [String] { factories.map(\.name) }

    /// Returns `nil` if the name is not in ``names``.
    public static func provider(_ name: String, _ options: ProviderOptions = ProviderOptions()) -> (any Provider)? {
        factories.first { $0.name == name }?.make(options)
    }
}
