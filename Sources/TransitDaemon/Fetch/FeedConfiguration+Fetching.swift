internal import TransitModel

extension FeedConfiguration {
    /// The request for a dataset, with the feed's key, certificates and limits; `nil` for what is not fetched: the demo city,
    /// and what the feed does not have.
    ///
    /// - Throws: ``FetchFailure/key(_:)``.
    func fetchRequest(
        for kind: DatasetKind, keys: FeedKeys, validators: Validators = Validators()
    ) throws(FetchFailure) -> FetchRequest? {
        guard let url = requestURL(kind) else { return nil }
        let policy = policy(for: kind)
        var request = FetchRequest(url: url)
        if let credential, !keys.isReplay, !url.hasPrefix("file:") {
            request.secrets = [try keys.key(of: id, credential)]
        }
        request.validators = validators
        request.accept =
            kind == .static
            ? "application/zip, */*;q=0.5" : "application/x-protobuf, application/json;q=0.8, */*;q=0.5"
        request.deadline = Double(policy.deadline)
        request.bodyLimit = UInt64(clamping: policy.bodyLimit)
        request.caFile = caFile
        return request
    }

    private func requestURL(_ kind: DatasetKind) -> String? {
        if kind == .static {
            return switch source {
            case .remote(let url): url
            case .file(let path): LocalFiles.url(path)
            case .demo: nil
            }
        }
        return switch realtime[kind] {
        case .remote(let url): url
        case .file(let path): LocalFiles.url(path)
        case .demo, nil: nil
        }
    }
}
