internal import TransitFeeds
internal import TransitModel

extension FeedConfiguration {
    /// The request for a dataset, with the feed's key, certificates and limits; `nil` for what is not fetched by one request:
    /// the demo city, a network that is collected, and what the feed does not have.
    ///
    /// - Throws: ``FetchFailure/key(_:)``.
    func fetchRequest(
        for kind: DatasetKind, keys: FeedKeys, validators: Validators = Validators()
    ) throws(FetchFailure) -> FetchRequest? {
        guard let asked = system.request(for: kind) else { return nil }
        let policy = policy(for: kind)
        var request = try fetchRequest(asked, keys: keys)
        request.validators = validators
        request.deadline = Double(policy.deadline)
        request.bodyLimit = UInt64(clamping: policy.bodyLimit)
        return request
    }

    /// A request of the feed's provider, with the feed's key and certificates.
    ///
    /// - Throws: ``FetchFailure/key(_:)``.
    func fetchRequest(_ asked: UpstreamRequest, keys: FeedKeys) throws(FetchFailure) -> FetchRequest {
        var secrets: [SecretPart] = []
        if let credential, !keys.isReplay, isKeyed(asked.url) { secrets = [try keys.key(of: id, credential)] }
        return FetchRequest(asked, secrets: secrets, caFile: caFile)
    }

    /// What shows whether a key is good: the provider's own smallest request, else the smallest dataset that takes a key, of
    /// which the beginning is enough; `nil` where no address takes one.
    func keyCheckRequest(_ key: SecretPart) -> FetchRequest? {
        if let asked = system.keyCheck() { return FetchRequest(asked, secrets: [key], caFile: caFile) }
        for kind in [DatasetKind.alerts, .tripUpdates, .vehicles, .static] {
            guard var asked = system.request(for: kind), isKeyed(asked.url) else { continue }
            asked.bodyLimit = Self.checkedBytes
            return FetchRequest(asked, secrets: [key], caFile: caFile)
        }
        return nil
    }

    /// So much of an answer is read to see that a key was taken.
    private static let checkedBytes = 64 << 10
}

extension FetchRequest {
    /// What a provider asks for, in the terms of HTTP.
    ///
    /// - Parameter caFile: see ``FetchRequest/caFile``.
    init(_ asked: UpstreamRequest, secrets: [SecretPart], caFile: String? = nil) {
        self.init(url: asked.url)
        self.secrets = secrets
        headers = asked.headers.map { HTTPHeader(name: $0.name, value: $0.value) }
        accept = asked.accept
        deadline = Double(asked.deadline)
        bodyLimit = UInt64(clamping: asked.bodyLimit)
        self.caFile = caFile
    }
}
