public import TransitModel

/// The configuration of one feed of a provider.
public struct ProviderOptions: Hashable, Sendable {
    /// The agency, in the provider's own terms: "CT", "2".
    public var agency: String?
    /// The base URL that replaces the provider's default, such as a mirror or a test server. It has no trailing slash.
    public var base: String?
    /// The configured URLs of individual datasets, which can be `file:` URLs.
    public var urls: [DatasetKind: String]

    public init(agency: String? = nil, base: String? = nil, urls: [DatasetKind: String] = [:]) {
        self.agency = agency
        self.base = base
        self.urls = urls
    }
}

/// All available providers. No other code refers to them by name.
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
