public import TransitFeeds
internal import TransitModel

/// How a feed's key is sent and where it is read from. The key itself is not part of the configuration.
public struct FeedCredential: Hashable, Sendable {
    public var placement: ProviderTraits.KeyPlacement
    /// An absolute path; `nil`: `FEED.key` of ``KeyStore``, else in systemd's credential directory.
    public var file: String?

    public init(placement: ProviderTraits.KeyPlacement, file: String? = nil) {
        self.placement = placement
        self.file = file
    }

    /// The key where a request carries it.
    func part(_ secret: Secret) -> SecretLocation {
        switch placement {
        case .parameter(let name): .query(name: name, secret)
        case .header(let name): .header(name: name, secret)
        case .bearerAndHeader(let name): .bearerAndHeader(name: name, secret)
        }
    }

    /// Under which a budget of it is kept: feeds whose key is in one file share it. Without folders, which are shown to
    /// nobody.
    func name(of feed: FeedID) -> KeyName {
        guard let name = file?.split(separator: "/").last else { return KeyName(feed.rawValue) }
        return KeyName(String(name))
    }
}
