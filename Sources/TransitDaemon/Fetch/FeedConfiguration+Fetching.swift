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
        return fetchRequest(asked, secrets: secrets)
    }

    private func fetchRequest(_ asked: UpstreamRequest, secrets: [SecretPart]) -> FetchRequest {
        var request = FetchRequest(url: asked.url)
        request.secrets = secrets
        request.headers = asked.headers.map { HTTPHeader(name: $0.name, value: $0.value) }
        request.accept = asked.accept
        request.deadline = Double(asked.deadline)
        request.bodyLimit = UInt64(clamping: asked.bodyLimit)
        request.caFile = caFile
        return request
    }

    /// What shows whether a key is good: the provider's own smallest request, else the smallest dataset that takes a key, of
    /// which the beginning is enough; `nil` where no address takes one.
    func keyCheckRequest(_ key: SecretPart) -> FetchRequest? {
        if let asked = system.keyCheck() { return fetchRequest(asked, secrets: [key]) }
        for kind in [DatasetKind.alerts, .tripUpdates, .vehicles, .static] {
            guard var asked = system.request(for: kind), isKeyed(asked.url) else { continue }
            asked.bodyLimit = Self.checkedBytes
            return fetchRequest(asked, secrets: [key])
        }
        return nil
    }

    /// So much of an answer is read to see that a key was taken.
    private static let checkedBytes = 64 << 10
}
