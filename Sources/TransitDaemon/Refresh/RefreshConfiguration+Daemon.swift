internal import Synchronization
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitStore

extension RefreshConfiguration {
    /// Creates the refresh engine's configuration from the configuration file.
    ///
    /// - Parameter isCatalogInUse: Whether the catalog of feeds is refreshed.
    init(_ configuration: Configuration, isCatalogInUse: Bool = false) {
        self.init()
        for feed in configuration.feeds {
            for kind in feed.datasets {
                guard let source = feed.datasetSource(kind) else { continue }
                datasets[DatasetID(feed.id, kind)] = Dataset(
                    source: source, policy: feed.policy(for: kind), isCollected: kind == .static && feed.isCollected)
                let spacing = feed.resolvedProvider.traits.rateLimits.startSpacing
                if let host = source.host, spacing > 0 { startSpacing[host] = max(startSpacing[host] ?? 0, spacing) }
            }
        }
        for policy in FeedConfiguration.budgets(of: configuration.feeds) { budgets[policy.key] = policy }
        for source in configuration.externalDataSources(isCatalogInUse: isCatalogInUse) {
            datasets[source.dataset] = Dataset(source: source.source, policy: source.policy)
            if let budget = source.budget { budgets[budget.key] = budget }
        }
    }
}

/// Reports the commute windows of the configuration and of users to the refresh engine.
///
/// A user whose notifications are on is notified of the departures of a commute, which needs data only around them
/// (``NotificationService``). The windows of such a user's commutes are not reported, nor are those of the configuration,
/// which are the commutes of all users.
final class CommuteWindowReporter: Sendable {
    private let demand: DemandTracker
    private let feeds: FeedRegistry
    private let state: StateStore
    private let lastReported = Mutex<Basis?>(nil)

    /// The values from which the instants of the windows are computed. The windows are reported again when these
    /// values change, for example after a feed's first import.
    private struct Basis: Equatable {
        var date: ServiceDate
        /// The time zones of the feeds that have a timetable.
        var zones: [FeedID: ServiceZone]
        /// The users whose notifications are on.
        var notified: Set<UInt32>
    }

    /// The number of days for which windows are reported in advance. The windows are reported again every day.
    private static let days = 8

    init(_ demand: DemandTracker, _ feeds: FeedRegistry, _ state: StateStore) {
        self.demand = demand
        self.feeds = feeds
        self.state = state
    }

    /// The users' commutes with time windows.
    var personal: [(uid: UInt32, commute: CommuteConfiguration)] {
        state.timedCommutes().map { ($0.uid, CommuteConfiguration($0.commute)) }
    }

    /// The users whose notifications are on.
    private var notified: Set<UInt32> {
        Set(state.users(withNotificationSetting: NotificationSettingKey.on, value: "on"))
    }

    /// Reports the windows unless they were already reported today for all feeds, their current time zones and the same
    /// users. Must be called after every change of a feed and of a user's data.
    func reportDaily(_ configuration: Configuration, at now: Instant) {
        let basis = basis(at: now)
        guard lastReported.withLock({ $0 != basis }) else { return }
        report(configuration, at: now)
    }

    private func basis(at now: Instant) -> Basis {
        let zones = feeds.all.compactMap { feed in feed.timetable.map { (feed.id, $0.zone) } }
        return Basis(
            date: ServiceZone.utc.civil(at: now).date, zones: Dictionary(zones) { first, _ in first },
            notified: notified)
    }

    /// Reports the time windows of the commutes that use each feed. A commute to or from a stop uses the stop's feed
    /// and the related feeds; one to or from a place uses every feed.
    func report(_ configuration: Configuration, at now: Instant) {
        let basis = basis(at: now)
        lastReported.withLock { $0 = basis }
        let commutes =
            (basis.notified.isEmpty ? configuration.commutes.filter { !$0.windows.isEmpty } : [])
            + personal.filter { !basis.notified.contains($0.uid) }.map(\.commute)
        for feed in feeds.all {
            guard let zone = feed.timetable?.zone else { continue }
            let agency = [feed.id] + configuration.supplementedFeeds(of: feed.id)
            let windows = commutes.filter { commute in agency.contains { Self.concerns(commute, $0) } }.flatMap(
                \.windows
            ).flatMap {
                $0.instances(from: now, days: Self.days, in: zone)
            }
            demand.setWindows(windows.sorted { $0.lowerBound < $1.lowerBound }, of: feed.id)
        }
    }

    private static func concerns(_ commute: CommuteConfiguration, _ feed: FeedID) -> Bool {
        [commute.from, commute.to].contains { end in QualifiedStop(end).map { $0.feed == feed } ?? true }
    }
}
