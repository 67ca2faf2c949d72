public import TransitModel

/// How one feed of a provider is configured.
public struct ProviderOptions: Hashable, Sendable {
    /// The agency, in the provider's own terms: "CT", "2".
    public var agency: String?
    /// Another address in place of the provider's own: a mirror, or an upstream that tests start. Without a slash at its end.
    public var base: String?
    /// The configured addresses of live datasets.
    public var addresses: [DatasetKind: String]

    public init(agency: String? = nil, base: String? = nil, addresses: [DatasetKind: String] = [:]) {
        self.agency = agency
        self.base = base
        self.addresses = addresses
    }
}
