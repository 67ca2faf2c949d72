internal import Logging
internal import Synchronization
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitSystem

/// Checks whether the sources are reachable, and tells the feeds, the refresh engine, the arrivals service and the
/// subscribers of a change.
final class NetworkMonitor: Sendable {
    private let configuration: ConfigurationHolder
    private let feeds: FeedRegistry
    private let refresh: RefreshService
    private let arrivals: ArrivalsService
    private let topics: ChangeNotifier<TopicChange>
    private let logger: Logger
    /// The network state at the last check.
    private let lastNetwork = Mutex<NetworkConnectivity?>(nil)

    init(
        configuration: ConfigurationHolder, feeds: FeedRegistry, refresh: RefreshService, arrivals: ArrivalsService,
        topics: ChangeNotifier<TopicChange>, logger: Logger
    ) {
        self.configuration = configuration
        self.feeds = feeds
        self.refresh = refresh
        self.arrivals = arrivals
        self.topics = topics
        self.logger = logger
    }

    /// Checks whether the sources are reachable, and reports changes.
    ///
    /// - Returns: Real seconds after which to check again if the system reports no change; `nil` for never.
    @discardableResult
    func check(isWatched: Bool = true) -> Double? {
        let network = NetworkConnectivity.read()
        let isOnline = network.isOnline
        let remote = configuration.current.feeds.filter { $0.needsNetwork }
        for feed in feeds.all {
            let isOffline = !isOnline && remote.contains { $0.id == feed.id }
            if feed.isOffline != isOffline { feeds.update(feed.id) { $0.isOffline = isOffline } }
        }
        arrivals.setOnline(isOnline || remote.isEmpty)
        // Sources on this machine are always reachable.
        refresh.events.send(.network(isOnline: isOnline || remote.isEmpty))
        let before = lastNetwork.withLock { last in
            defer { last = network }
            return last
        }
        if before != network {
            reportNetwork(network, before)
            topics.notify(.everything)
        }
        // Without a monitor, the network is checked even if no source needs it, because a reload may add such a
        // source.
        return remote.isEmpty && isWatched ? nil : network.pollInterval(isWatched: isWatched)
    }

    /// Whether the network was unreachable at the last check.
    var isOffline: Bool { lastNetwork.withLock { $0 == .offline } }

    private func reportNetwork(_ network: NetworkConnectivity, _ before: NetworkConnectivity?) {
        switch network {
        case .online: if before == .offline { logger.notice("The network is available again.") }
        case .offline: logger.notice("There is no network. Replies use the data on this machine and show its age.")
        case .unknown(let reason):
            logger.warning(
                "The state of the network is unknown (\(reason)). Sources are fetched as if it were available."
            )
        }
    }
}
