package import TransitControl
package import TransitModel
internal import TransitRefresh

extension BudgetKey {
    /// Creates the status of a key. The key is identified by the feeds that use it, so that its file path is not
    /// disclosed.
    package init(_ report: BudgetReport, feeds: [FeedID], zone: ServiceZone) {
        self.init(
            key: feeds.map(\.rawValue).joined(separator: "+"), feeds: feeds,
            windows: report.windows.map { WindowStatus($0, zone: zone) },
            spending: report.spenders.map {
                BudgetSpending(
                    feed: $0.dataset.feed, dataset: DatasetName($0.dataset.kind),
                    priority: SpendingPriority($0.priority), spent: $0.fetches)
            })
    }
}

extension WindowStatus {
    init(_ window: BudgetReport.Window, zone: ServiceZone) {
        let kind: WindowKind
        switch window.limit.window {
        case .rolling: kind = .rolling
        case .calendarDay: kind = .calendarDay
        }
        let ends = Timestamp(window.ends, in: zone)
        self.init(
            kind: kind, requests: window.limit.fetches, seconds: window.limit.window.seconds, spent: window.spent,
            left: window.left, nextFree: window.left > 0 ? nil : ends, ends: ends, forecast: window.forecast)
    }
}

extension SpendingPriority {
    init(_ priority: FetchPriority) {
        switch priority {
        case .background: self = .background
        case .commute: self = .commute
        case .user: self = .user
        }
    }
}
