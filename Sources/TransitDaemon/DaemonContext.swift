internal import Logging
internal import Synchronization
internal import TransitControl
internal import TransitEngine
internal import TransitModel
internal import TransitStore

/// What the parts of a running daemon share: made by the composition root, handed to the handlers.
final class DaemonContext: Sendable {
    let clock: any DaemonClock
    let started: Instant
    let uptime = Stopwatch()
    let isReplay: Bool
    /// The user that the daemon runs as.
    let uid: UInt32
    let directories: Directories
    /// The path of the control socket, or the name that systemd gave it.
    let socket: String
    let configuration: ConfigurationHolder
    let state: StateStore
    let feeds: FeedRegistry
    let refresh: RefreshService
    let demand: DemandTracker
    let live: RealtimeFeeds
    let keys: KeyValidator
    private let rejected: RejectedKeys
    let arrivals: ArrivalsService
    let addresses: GeocodingService
    /// What may be kept ready for who looked at it.
    let looks = RecentViews()
    /// The time at which unsaved searches must be written.
    let searchesUnsaved = WakeTimer()
    /// Threads that compute lengthy answers. Further requests wait.
    let answers = BoundedThreadPool("answers", maximumThreads: 4)
    /// The thread that changes users' data, which waits for the disk.
    let changes = BoundedThreadPool("changes", maximumThreads: 1)
    let windows: CommuteWindows
    let damages: CorruptFileLog
    let connections: ConnectionCount
    /// Told by whoever changes what may be watched.
    let topics: ChangeNotifier<TopicChange>
    private let controller: FeedController
    private let threshold: LogThreshold
    private let notifier: ServiceNotifier
    fileprivate let logger: Logger
    /// One reload at a time.
    private let reloading = Mutex(())
    /// The state at the last check.
    private let lastNetwork = Mutex<NetworkConnectivity?>(nil)

    init(
        clock: any DaemonClock, isReplay: Bool, uid: UInt32, directories: Directories, socket: String,
        configuration: ConfigurationHolder, state: StateStore, feeds: FeedRegistry, refresh: RefreshService,
        demand: DemandTracker, live: RealtimeFeeds, keys: KeyValidator, rejected: RejectedKeys,
        arrivals: ArrivalsService,
        addresses: GeocodingService, damages: CorruptFileLog, connections: ConnectionCount,
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
        self.live = live
        self.keys = keys
        self.rejected = rejected
        self.arrivals = arrivals
        self.addresses = addresses
        windows = CommuteWindows(demand, feeds, state)
        self.damages = damages
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

    /// To be called when a feed's key is another one; says so in the log, without the key.
    func keyChanged(_ feed: FeedID, _ message: String) {
        rejected.clear(feed)
        logger.notice("\(message)")
        topics.notify(.feed(feed))
    }

    /// Puts a version out of use that a question found damaged.
    func abandon(damagedFile path: String) {
        for feed in feeds.all { controller.service(feed.id)?.abandon(damagedFile: path) }
    }

    /// Finds out whether the sources can be reached at all, and lets everybody know who has to.
    ///
    /// - Returns: real seconds after which to check again if the system reports no change; `nil`: never.
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
        // Sources on this machine itself are always within reach.
        refresh.events.send(.network(isOnline: isOnline || remote.isEmpty))
        let before = lastNetwork.withLock { last in
            defer { last = network }
            return last
        }
        if before != network {
            reportNetwork(network, before)
            topics.notify(.everything)
        }
        // Without a watch, checks also while no source needs the network, because a reload may add one.
        return remote.isEmpty && isWatched ? nil : network.pollInterval(isWatched: isWatched)
    }

    /// Whether the network was unreachable at the last check.
    var isOffline: Bool { lastNetwork.withLock { $0 == .offline } }

    private func reportNetwork(_ network: NetworkConnectivity, _ before: NetworkConnectivity?) {
        switch network {
        case .online: if before == .offline { logger.notice("The network is back.") }
        case .offline: logger.notice("There is no way to the network; what is here is told with its age.")
        case .unknown(let reason):
            logger.warning(
                "It cannot be found out whether this machine has a network (\(reason)); sources are asked as if it had."
            )
        }
    }

    /// Reads the configuration again and applies it; the old one stays when it is wrong.
    ///
    /// - Returns: what changed, a sentence each.
    func reload() throws(ConfigurationError) -> [String] {
        try reloading.withLock { _ throws(ConfigurationError) in
            notifier.send(.reloading)
            defer { notifier.send(.ready(status: StatusLine.text(feeds.all, at: clock.now()))) }
            let new: Configuration
            do throws(ConfigurationError) { new = try configuration.file.read() } catch {
                logger.error("The configuration is wrong, so the one before stays.")
                for problem in error.problems { logger.error("\(error.line(for: problem))") }
                throw error
            }
            let changes = new.changes(from: configuration.replace(with: new))
            threshold.level = new.daemon.logLevel.loggerLevel
            // Whoever reloads may have written another key into a file.
            for feed in new.feeds { rejected.clear(feed.id) }
            controller.apply(new.feeds)
            arrivals.apply(new.feeds)
            CollectionFolder.removeFeeds(except: new.feeds.map(\.id), in: directories.collections)
            state.removeFeeds(except: new.feeds, logger)
            demand.forget(besides: Set(new.feeds.map(\.id)))
            refresh.events.send(.configured(RefreshConfiguration(new)))
            for feed in new.feeds where feed.credential != nil { refresh.events.send(.keyChanged(feed.id)) }
            windows.tell(new, at: clock.now())
            checkNetwork()
            topics.notify(.everything)
            logger.notice(
                "The configuration was read again. \(changes.isEmpty ? "Nothing changed." : changes.joined(separator: " "))"
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

/// What `systemctl status` shows of the feeds.
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
