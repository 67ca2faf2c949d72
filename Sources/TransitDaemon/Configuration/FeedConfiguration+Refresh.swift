internal import TransitFeeds
internal import TransitModel

// What the refresh engine is told of a feed's configuration.
extension FeedConfiguration {
    /// The datasets that the feed has.
    var datasets: [DatasetKind] {
        let known = system.traits.datasets
        return DatasetKind.refreshed.filter { known.contains($0) }
    }

    /// How often a dataset is refreshed, and how much it may take.
    func policy(for kind: DatasetKind) -> RefreshPolicy {
        let standard = RefreshPolicy.standard(for: kind)
        if kind == .static { return timetablePolicy(standard) }
        let (system, request) = (system, system.request(for: kind))
        return RefreshPolicy(
            interval: refresh.intervals[kind] ?? system.traits.intervals[kind] ?? standard.interval,
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

    /// Seconds in which a network has to be collected, however its provider's budget delays it; what came by then is kept
    /// for the next attempt.
    static let collectionDeadline = 6 * 3600

    /// Where a dataset comes from, for spacing, circuits and budgets; `nil` when the feed does not have it.
    func datasetSource(_ kind: DatasetKind) -> DatasetSource? {
        guard let url = url(of: kind), let address = WebURL(url) else {
            return localName(of: kind).map { DatasetSource(endpoint: EndpointID($0), host: nil) }
        }
        let endpoint = address.removing { _, _ in true }.text
        // Another agency is another source, though it may be asked at the same address.
        return DatasetSource(
            endpoint: EndpointID(endpoint + (agency.map { "#\($0)" } ?? "")),
            host: HostID("\(address.host):\(address.port)"), key: keyName,
            isKeyed: credential != nil && isKeyed(url))
    }

    /// Where the key's spending is counted; a feed without a key can have a budget too.
    var keyName: KeyName? {
        credential.map { $0.name(of: id) } ?? (limitsOfKey.isEmpty ? nil : KeyName(id.rawValue))
    }

    private func localName(of kind: DatasetKind) -> String? {
        if kind == .static { return "\(source)" }
        guard datasets.contains(kind) else { return nil }
        // Each is a source of its own: none waits because another one was just read.
        return realtime[kind].map { "\($0)" } ?? "\(provider):\(kind.rawValue)"
    }

    /// Whether any of its sources is on another machine.
    var needsNetwork: Bool {
        datasets.contains { kind in
            url(of: kind).flatMap { WebURL($0) }.map { !StaticSource.isLoopback($0.host) } ?? false
        }
    }

    /// Where a dataset is first asked for; `nil` for a file, the demo city, and what the feed does not have.
    private func url(of kind: DatasetKind) -> String? {
        (system.request(for: kind) ?? (kind == .static ? system.collection()?.next()?.request : nil))?.url
    }

    /// What each key may spend: as configured, else as the provider says.
    private var limitsOfKey: [BudgetLimit] { budget.isEmpty ? system.traits.pace.budget : budget }

    /// One policy for each key of these feeds; where feeds share a key, all their limits hold.
    static func budgets(of feeds: [FeedConfiguration]) -> [BudgetPolicy] {
        var policies: [BudgetPolicy] = []
        for feed in feeds {
            let limits = feed.limitsOfKey
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
