internal import TransitControl
internal import TransitFeeds
internal import TransitModel
internal import TransitRefresh
internal import TransitReplies
internal import TransitStore
internal import TransitSystem

/// Reads the status of feeds for `status` and `feed.list`.
struct FeedStatusReader: Sendable {
    let controller: FeedController
    let refresh: RefreshService
    let arrivals: ArrivalsService
    let clock: any DaemonClock

    /// Returns the status of a feed.
    ///
    /// - Parameters:
    ///   - plans: The refresh engine's schedule for the datasets of all feeds.
    ///   - listsUpdates: Whether the status lists the last updates of the datasets.
    func status(
        of feed: FeedSnapshot, plans: [DatasetID: DatasetPlan], now: Instant, listsUpdates: Bool = false
    ) -> FeedStatus {
        let traits = feed.configuration.resolvedProvider.traits
        return FeedStatusReply(
            feed: feed.view, provider: feed.configuration.provider, attribution: traits.attribution,
            disclaimer: traits.disclaimer,
            datasets: feed.configuration.datasets.map { kind in
                let id = DatasetID(feed.id, kind)
                return RefreshedDataset(
                    kind: kind, source: traits.formats[kind] ?? traits.title,
                    interval: feed.configuration.policy(for: kind).interval, plan: plans[id],
                    record: refresh.record(id))
            },
            arrivals: arrivals.summary(of: feed.id), progress: feed.progress.map { RequestProgress($0) },
            versions: (try? controller.service(of: feed.id).library().versions()) ?? []
        ).status(at: ClockReading(wall: now, boot: clock.reading().boot), listsUpdates: listsUpdates)
    }
}

extension RequestProgress {
    init(_ progress: UpdateProgress) {
        self.init(
            phase: progress.phase, done: Int(clamping: progress.done),
            total: progress.total == 0 ? nil : Int(clamping: progress.total), unit: progress.unit.rawValue)
    }
}
