internal import TransitModel

// What the refresh engine is told of a feed's configuration.
extension FeedConfiguration {
    /// The datasets that the feed has.
    var datasets: [DatasetKind] { DatasetKind.allCases.filter { $0 == .static || realtime[$0] != nil } }

    /// How often a dataset is refreshed, and how much it may take.
    func policy(for kind: DatasetKind) -> RefreshPolicy {
        let standard = RefreshPolicy.standard(for: kind)
        let interval = kind == .static ? refreshInterval : refresh.intervals[kind] ?? standard.interval
        var quietHours = standard.quietHours
        if let hour = refresh.quietHour, kind == .static {
            quietHours = QuietHours(start: hour * 3600, length: QuietHours.standard.length)
        }
        return RefreshPolicy(
            interval: interval, idleInterval: kind.isLive ? refresh.idle ?? standard.idleInterval : interval,
            quietHours: quietHours, deadline: standard.deadline,
            bodyLimit: kind == .static ? Int(clamping: limits.download) : standard.bodyLimit,
            unconditionalInterval: standard.unconditionalInterval)
    }

    /// Where a dataset comes from, for spacing, circuits and budgets; `nil` when the feed does not have it.
    func datasetSource(_ kind: DatasetKind) -> DatasetSource? {
        guard let url = url(of: kind) else {
            guard let local = localName(of: kind) else { return nil }
            return DatasetSource(endpoint: EndpointID(local), host: nil)
        }
        guard var address = WebAddress(url) else { return nil }
        address = address.removing { _, _ in true }
        return DatasetSource(
            endpoint: EndpointID(address.text), host: HostID("\(address.host):\(address.port)"), key: keyName)
    }

    /// Where the key's spending is counted; a feed without a key can have a budget too.
    private var keyName: KeyName? {
        credential.map { $0.name(of: id) } ?? (budget.isEmpty ? nil : KeyName(id.rawValue))
    }

    private func localName(of kind: DatasetKind) -> String? {
        if kind == .static { return "\(source)" }
        return realtime[kind].map { "\($0)" }
    }

    /// Whether any of its sources is on another machine.
    var needsNetwork: Bool {
        datasets.contains { kind in
            guard let url = url(of: kind), let address = WebAddress(url) else { return false }
            return !StaticSource.isLoopback(address.host)
        }
    }

    /// `nil` for a file, the demo city, and what the feed does not have.
    private func url(of kind: DatasetKind) -> String? {
        if kind == .static {
            if case .remote(let url) = source { return url }
        } else if case .remote(let url) = realtime[kind] {
            return url
        }
        return nil
    }

    /// One policy for each key of these feeds; where feeds share a key, all their limits hold.
    static func budgets(of feeds: [FeedConfiguration]) -> [BudgetPolicy] {
        var policies: [BudgetPolicy] = []
        for feed in feeds {
            guard let key = feed.keyName, !feed.budget.isEmpty else { continue }
            if let known = policies.firstIndex(where: { $0.key == key }) {
                policies[known].limits += feed.budget.filter { !policies[known].limits.contains($0) }
            } else {
                policies.append(BudgetPolicy(key: key, limits: feed.budget))
            }
        }
        return policies
    }
}
