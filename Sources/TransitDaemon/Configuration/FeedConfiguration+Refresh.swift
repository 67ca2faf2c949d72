internal import TransitFeeds
internal import TransitModel

// The properties of a feed's configuration that the refresh engine uses.
extension FeedConfiguration {
    /// The datasets that the feed has.
    var datasets: [DatasetKind] {
        let known = resolvedProvider.traits.datasets
        return DatasetKind.refreshed.filter { known.contains($0) }
    }

    /// Returns the refresh interval of a dataset and the limits of a fetch.
    func policy(for kind: DatasetKind) -> RefreshPolicy {
        let standard = RefreshPolicy.standard(for: kind)
        if kind == .static { return timetablePolicy(standard) }
        let (resolvedProvider, request) = (resolvedProvider, resolvedProvider.request(for: kind))
        return RefreshPolicy(
            interval: refresh.intervals[kind] ?? resolvedProvider.traits.intervals[kind] ?? standard.interval,
            idleInterval: refresh.idle ?? standard.idleInterval, deadline: request?.deadline ?? standard.deadline,
            bodyLimit: request?.bodyLimit ?? standard.bodyLimit, unconditionalInterval: standard.unconditionalInterval)
    }

    private func timetablePolicy(_ standard: RefreshPolicy) -> RefreshPolicy {
        var quietHours = standard.quietHours
        if let hour = refresh.downloadHour {
            quietHours = QuietHours(start: hour * 3600, length: QuietHours.standard.length)
        }
        return RefreshPolicy(
            interval: refreshInterval, quietHours: quietHours,
            deadline: isCollected ? Self.collectionDeadline : standard.deadline,
            bodyLimit: Int(clamping: limits.download), unconditionalInterval: standard.unconditionalInterval)
    }

    /// Maximum number of seconds for collecting a network, including delays that the provider's budget causes. An
    /// attempt that runs out of time leaves its partial result for the next one.
    static let collectionDeadline = 6 * 3600

    /// Returns the source of a dataset, to which spacing, circuit breakers and budgets apply; `nil` if the feed does
    /// not have the dataset.
    func datasetSource(_ kind: DatasetKind) -> DatasetSource? {
        guard let url = url(of: kind), let address = WebURL(url) else {
            return localName(of: kind).map { DatasetSource(endpoint: EndpointID($0), host: nil) }
        }
        let endpoint = address.removing { _, _ in true }.text
        // Each agency is a separate source, even if several agencies share a URL.
        return DatasetSource(
            endpoint: EndpointID(endpoint + (agency.map { "#\($0)" } ?? "")),
            host: HostID("\(address.host):\(address.port)"), key: keyName,
            isKeyed: credential != nil && isKeyed(url))
    }

    /// The key whose budget the feed's requests are charged to. A feed without a key can also have a budget.
    var keyName: KeyName? {
        credential.map { $0.name(of: id) } ?? (keyLimits.isEmpty ? nil : KeyName(id.rawValue))
    }

    private func localName(of kind: DatasetKind) -> String? {
        if kind == .static { return "\(source)" }
        guard datasets.contains(kind) else { return nil }
        // Each dataset is a separate source, so that reading one does not delay another.
        return realtime[kind].map { "\($0)" } ?? "\(provider):\(kind.rawValue)"
    }

    /// Whether any of the feed's sources is on another machine.
    var needsNetwork: Bool {
        datasets.contains { kind in
            url(of: kind).flatMap { WebURL($0) }.map { !StaticSource.isLoopback($0.host) } ?? false
        }
    }

    /// Returns the URL of the first request for a dataset; `nil` for a file, the demo city, or a dataset that the feed
    /// does not have.
    private func url(of kind: DatasetKind) -> String? {
        (resolvedProvider.request(for: kind)
            ?? (kind == .static ? resolvedProvider.collection()?.next()?.request : nil))?.url
    }

    /// The request limits of the key: those in the configuration or, if there are none, the provider's.
    private var keyLimits: [BudgetLimit] { budget.isEmpty ? resolvedProvider.traits.rateLimits.budget : budget }

    /// Returns one policy for each key of the given feeds. If feeds share a key, the limits of all of them apply.
    static func budgets(of feeds: [FeedConfiguration]) -> [BudgetPolicy] {
        var policies: [BudgetPolicy] = []
        for feed in feeds {
            let limits = feed.keyLimits
            guard let key = feed.keyName, !limits.isEmpty else { continue }
            if let known = policies.firstIndex(where: { $0.key == key }) {
                policies[known].limits += limits.filter { !policies[known].limits.contains($0) }
            } else {
                policies.append(BudgetPolicy(key: key, limits: limits))
            }
        }
        return policies
    }
}
