public import TransitFeeds
internal import TransitModel

/// The way in which a feed's key is sent, and the file from which it is read. The key itself is not part of the
/// configuration.
public struct FeedCredential: Hashable, Sendable {
    public var placement: ProviderTraits.KeyPlacement
    /// An absolute path. If `nil`, the key is `FEED.key` of ``KeyStore`` or, failing that, of systemd's credential
    /// directory.
    public var file: String?

    public init(placement: ProviderTraits.KeyPlacement, file: String? = nil) {
        self.placement = placement
        self.file = file
    }

    /// Returns where the key is placed in a request.
    func location(of secret: Secret) -> SecretLocation {
        switch placement {
        case .parameter(let name): .query(name: name, secret)
        case .header(let name): .header(name: name, secret)
        case .bearerAndHeader(let name): .bearerAndHeader(name: name, secret)
        }
    }

    /// Returns the name under which the key's budget is recorded. Feeds that read their key from the same file share
    /// a budget. The name omits the file's folder, because it is shown to users.
    func name(of feed: FeedID) -> KeyName {
        guard let name = file?.split(separator: "/").last else { return KeyName(feed.rawValue) }
        return KeyName(String(name))
    }
}
