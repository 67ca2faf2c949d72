internal import Glibc
internal import TransitEngine
internal import TransitModel

/// Where keys are asked about, kept and forgotten, for whoever may do that.
struct KeyValidator: Sendable {
    var transport: any Transport
    var keys: FeedKeys
    var events: RefreshEvents

    /// What a source says about a key.
    enum Verdict: Hashable, Sendable {
        case accepted
        /// The HTTP status.
        case rejected(Int)
        /// Why it could not be asked; without a capital and a full stop.
        case unverified(String)
    }

    /// Asks a feed's source with a key: one request.
    func verdict(on key: SecretLocation, of feed: FeedConfiguration) async -> Verdict {
        guard let request = feed.keyCheckRequest(key) else { return .unverified("no address of the feed takes a key") }
        return Self.verdict(of: await transport.fetch(request))
    }

    static func verdict(of result: FetchResult) -> Verdict {
        switch result.outcome {
        // More than was to be read: the key was taken.
        case .fetched, .notModified, .failed(.tooLarge): .accepted
        case .http(let status, _) where status == 401 || status == 403: .rejected(status)
        case .http(let status, _): .unverified("the source answers with the HTTP status \(status)")
        case .failed(let failure): .unverified("\(failure)")
        }
    }

    /// Keeps a key, and lets the feed be asked again.
    func keep(_ secret: Secret, of feed: FeedID) throws(KeyStore.Failure) {
        guard let store = keys.store else { throw KeyStore.Failure(ENOENT) }
        try store.write(secret, of: feed)
        events.send(.keyChanged(feed))
    }

    /// - Returns: whether there was one.
    func forget(_ feed: FeedID) throws(KeyStore.Failure) -> Bool {
        guard let store = keys.store, try store.remove(feed) else { return false }
        events.send(.keyChanged(feed))
        return true
    }
}
