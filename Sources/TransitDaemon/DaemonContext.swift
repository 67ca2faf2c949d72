internal import Logging
internal import Synchronization
internal import TransitControl
internal import TransitModel
internal import TransitRefresh
internal import TransitStore
internal import TransitSystem

/// The components and state that the parts of a running daemon share. Created by the composition root and passed to
/// the handlers.
final class DaemonContext: Sendable {
    let clock: any DaemonClock
    let started: Instant
    let uptime = Stopwatch()
    let isReplay: Bool
    /// The user that the daemon runs as.
    let uid: UInt32
    let directories: Directories
    /// The path of the control socket, or the name of the socket from systemd.
    let socket: String
    let configuration: ConfigurationHolder
    let state: StateStore
    let feeds: FeedRegistry
    let refresh: RefreshService
    let demand: DemandTracker
    let realtimeFeeds: RealtimeFeeds
    let keys: KeyValidator
    private let rejected: RejectedKeys
    let arrivals: ArrivalsService
    let geocoding: GeocodingService
    /// The recent views, whose arrivals are preloaded.
    let recentViews = RecentViews()
    /// The time at which unsaved searches must be written.
    let searchSaveTimer = WakeTimer()
    /// Threads that compute long-running replies. Further requests wait.
    let readPool = BoundedThreadPool("answers", maximumThreads: 4)
    /// The thread that changes user data. Changes wait for the disk.
    let writePool = BoundedThreadPool("changes", maximumThreads: 1)
    let windows: CommuteWindowReporter
    let corruptFiles: CorruptFileLog
    let connections: ConnectionCount
    /// Notified of every change of a topic's data.
    let topics: ChangeNotifier<TopicChange>
    private let controller: FeedController
    private let threshold: LogThreshold
    private let notifier: ServiceNotifier
    fileprivate let logger: Logger
    /// Serializes reloads.
    private let reloading = Mutex(())
    /// The network state at the last check.
    private let lastNetwork = Mutex<NetworkConnectivity?>(nil)

    init(
        clock: any DaemonClock, isReplay: Bool, uid: UInt32, directories: Directories, socket: String,
        configuration: ConfigurationHolder, state: StateStore, feeds: FeedRegistry, refresh: RefreshService,
        demand: DemandTracker, realtimeFeeds: RealtimeFeeds, keys: KeyValidator, rejected: RejectedKeys,
        arrivals: ArrivalsService,
        geocoding: GeocodingService, corruptFiles: CorruptFileLog, connections: ConnectionCount,
        controller: FeedController,
        threshold: LogThreshold,
        notifier: ServiceNotifier, topics: ChangeNotifier<TopicChange> = ChangeNotifier(), logger: Logger
    ) {
        self.clock = clock
        started = clock.now()
        self.isReplay = isReplay
        self.uid = uid
        self.directories = directories
        self.socket = socket
        self.configuration = configuration
        self.state = state
        self.feeds = feeds
        self.refresh = refresh
        self.demand = demand
        self.realtimeFeeds = realtimeFeeds
        self.keys = keys
        self.rejected = rejected
        self.arrivals = arrivals
        self.geocoding = geocoding
        windows = CommuteWindowReporter(demand, feeds, state)
        self.corruptFiles = corruptFiles
        self.connections = connections
        self.controller = controller
        self.threshold = threshold
        self.notifier = notifier
        self.topics = topics
        self.logger = logger
    }

    /// - Throws: ``ErrorKind/feedNotFound`` for a feed that is not configured.
    func service(of feed: FeedID) throws(ControlError) -> FeedService {
        guard let service = controller.service(feed) else {
            throw ControlError.feedNotFound(feed, known: feeds.all.map(\.id))
        }
        return service
    }

    /// Handles a change of a feed's key and logs it, without the key.
    func keyChanged(_ feed: FeedID, _ message: String) {
        rejected.clear(feed)
        logger.notice("\(message)")
        topics.notify(.feed(feed))
    }

    /// Stops using a version that a request found corrupt.
    func abandon(damagedFile path: String) {
        for feed in feeds.all { controller.service(feed.id)?.abandon(damagedFile: path) }
    }

    /// Checks whether the sources are reachable, and reports changes.
    ///
    /// - Returns: Real seconds after which to check again if the system reports no change; `nil` for never.
    @discardableResult
    func checkNetwork(isWatched: Bool = true) -> Double? {
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

    /// Reads the configuration again and applies it. If it is invalid, the previous one stays in use.
    ///
    /// - Returns: One sentence for each change.
    func reload() throws(ConfigurationError) -> [String] {
        try reloading.withLock { _ throws(ConfigurationError) in
            notifier.send(.reloading)
            defer { notifier.send(.ready(status: StatusLine.text(feeds.all, at: clock.now()))) }
            let new: Configuration
            do throws(ConfigurationError) { new = try configuration.file.read() } catch {
                logger.error("The configuration is invalid. The previous one stays in use.")
                for problem in error.problems { logger.error("\(error.line(for: problem))") }
                throw error
            }
            let changes = new.changes(from: configuration.replace(with: new))
            threshold.level = new.daemon.logLevel.loggerLevel
            // A `key_file` may have a new key since the last reload.
            for feed in new.feeds { rejected.clear(feed.id) }
            controller.apply(new.feeds)
            arrivals.apply(new.feeds)
            CollectionFolder.removeFeeds(except: new.feeds.map(\.id), in: directories.collections)
            state.removeFeeds(except: new.feeds, logger)
            demand.forget(besides: Set(new.feeds.map(\.id)))
            refresh.events.send(.configured(RefreshConfiguration(new)))
            for feed in new.feeds where feed.credential != nil { refresh.events.send(.keyChanged(feed.id)) }
            windows.report(new, at: clock.now())
            checkNetwork()
            topics.notify(.everything)
            logger.notice(
                "The configuration was reloaded. \(changes.isEmpty ? "Nothing changed." : changes.joined(separator: " "))"
            )
            logWarnings()
            return changes
        }
    }
}

extension DaemonContext {
    /// Logs the warnings of the configuration.
    func logWarnings() {
        for warning in configuration.current.warnings {
            logger.warning("\(configuration.file.line(for: warning))")
        }
    }
}

/// The line about the feeds in `systemctl status`.
enum StatusLine {
    static func text(_ feeds: [FeedSnapshot], at now: Instant) -> String {
        if feeds.isEmpty { return "no feeds are configured" }
        let parts = feeds.map { feed in
            if feed.isUpdating { return "\(feed.id) updating" }
            guard let timetable = feed.timetable else { return "\(feed.id) without a timetable" }
            return timetable.isExpired(at: now) ? "\(feed.id) EXPIRED" : "\(feed.id) ready"
        }
        return parts.joined(separator: ", ")
    }
}
