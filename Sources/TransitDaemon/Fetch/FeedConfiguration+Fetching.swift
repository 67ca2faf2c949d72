internal import TransitFeeds
internal import TransitFetch
internal import TransitModel

extension FeedConfiguration {
    /// Returns the request for a dataset, with the feed's key, certificates and limits; `nil` for a dataset that is not
    /// fetched with a single request: the demo city, a network that is collected, or a dataset that the feed does not
    /// have.
    ///
    /// - Throws: ``TransportFailure/key(_:)``.
    func fetchRequest(
        for kind: DatasetKind, keys: FeedKeys, validators: Validators = Validators()
    ) throws(TransportFailure) -> FetchRequest? {
        guard let upstream = resolvedProvider.request(for: kind) else { return nil }
        let policy = policy(for: kind)
        var request = try fetchRequest(upstream, keys: keys)
        request.validators = validators
        request.deadline = Double(policy.deadline)
        request.bodyLimit = UInt64(clamping: policy.bodyLimit)
        return request
    }

    /// Returns the HTTP request for a request from the feed's provider, with the feed's key and certificates.
    ///
    /// - Throws: ``TransportFailure/key(_:)``.
    func fetchRequest(_ upstream: UpstreamRequest, keys: FeedKeys) throws(TransportFailure) -> FetchRequest {
        var secrets: [SecretLocation] = []
        if let credential, !keys.isReplay, isKeyed(upstream.url) { secrets = [try keys.key(of: id, credential)] }
        return FetchRequest(upstream, secrets: secrets, caFile: caFile)
    }

    /// Returns a request that shows whether a key is valid, or `nil` if no URL takes a key. This is the provider's own
    /// key check if there is one, otherwise the smallest dataset that takes a key. The beginning of its response is
    /// sufficient.
    func keyCheckRequest(_ key: SecretLocation) -> FetchRequest? {
        if let upstream = resolvedProvider.keyCheck() { return FetchRequest(upstream, secrets: [key], caFile: caFile) }
        for kind in [DatasetKind.alerts, .tripUpdates, .vehicles, .static] {
            guard var upstream = resolvedProvider.request(for: kind), isKeyed(upstream.url) else { continue }
            upstream.bodyLimit = Self.keyCheckBodyLimit
            return FetchRequest(upstream, secrets: [key], caFile: caFile)
        }
        return nil
    }

    /// Maximum size of the response to a key check in bytes.
    private static let keyCheckBodyLimit = 64 << 10
}

extension FetchRequest {
    /// Creates the HTTP request for a provider's request.
    ///
    /// - Parameter caFile: see ``FetchRequest/caFile``.
    init(_ upstream: UpstreamRequest, secrets: [SecretLocation], caFile: String? = nil) {
        self.init(url: upstream.url)
        method = upstream.method
        body = upstream.body
        self.secrets = secrets
        headers = upstream.headers.map { HTTPHeader(name: $0.name, value: $0.value) }
        accept = upstream.accept
        deadline = Double(upstream.deadline)
        bodyLimit = UInt64(clamping: upstream.bodyLimit)
        self.caFile = caFile
    }
}
