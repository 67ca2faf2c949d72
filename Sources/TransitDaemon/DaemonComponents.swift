internal import Logging
internal import TransitControl
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitServer
internal import TransitStore
internal import TransitSystem

/// The components of a daemon. This is the one composition root: the executable, the tests and `make fuzz` construct a
/// daemon here and differ only in ``Environment``.
final class DaemonComponents: Sendable {
    /// What surrounds a daemon: its files, its clock, its transport and its identity.
    struct Environment {
        var configurationFile: ConfigurationFile
        var configuration: Configuration
        var directories: Directories
        var state: StateStore
        var clock: any DaemonClock
        /// Whether the clock is replayed.
        var isReplay = false
        /// Identifies the current boot of the machine.
        var boot: BootID
        var transport: any Transport
        var keys: FeedKeys
        /// The user that the daemon runs as.
        var uid: UInt32
        /// The path of the control socket, or the name of the socket from systemd.
        var socket: String
        var threshold: LogThreshold
        /// The memory for imports, timetables and realtime data.
        var memory = MemoryReservations()
        var notifier = ServiceNotifier()
        /// Returns the on-demand source of a feed; `nil` for a feed without one.
        var arrivals: ArrivalsService.Source = { $0.resolvedProvider.arrivals }
        var logger: Logger
    }

    let clock: any DaemonClock
    let started: Instant
    let uptime = Stopwatch()
    let isReplay: Bool
    let uid: UInt32
    let directories: Directories
    let socket: String
    let configuration: ConfigurationHolder
    let state: StateStore
    let feeds: FeedRegistry
    let controller: FeedController
    let refresh: RefreshService
    let fetcher: DatasetFetcher
    let streams: RealtimeStreams
    let demand: DemandTracker
    let realtimeFeeds: RealtimeFeeds
    let keys: KeyValidator
    let arrivals: ArrivalsService
    let externalData: ExternalData
    let externalDataDemand: ExternalDataDemand
    let geocoding: GeocodingService
    /// The recent views, whose arrivals are preloaded.
    let recentViews = RecentViews()
    /// The time at which unsaved searches must be written.
    let searchSaveTimer = WakeTimer()
    let contexts: RequestContexts
    /// Threads that compute long-running replies. Further requests wait.
    let readPool = BoundedThreadPool("answers", maximumThreads: 4)
    /// The thread that searches for journeys, so that searches leave the other processors to boards.
    let searchPool = BoundedThreadPool("journeys", maximumThreads: 1, hasLowPriority: true)
    /// The thread that changes user data. Changes wait for the disk.
    let writePool = BoundedThreadPool("changes", maximumThreads: 1)
    let windows: CommuteWindowReporter
    let corruptFiles: CorruptFileLog
    let connections = ConnectionCount()
    /// Notified of every change of a topic's data.
    let topics = ChangeNotifier<TopicChange>()
    /// Notified when a feed changes; `nil` stands for a change that does not belong to a single feed, such as a notice
    /// about refreshes.
    let feedChanges = ChangeNotifier<FeedID?>()
    let network: NetworkMonitor
    let names: NameResolutionMonitor
    let keyChanges: KeyChangeReporter
    let serviceCommands = ServiceCommands.ofThisProcess()
    let searches: SearchRecorder
    let travel: TravelRecorder
    let arrivalsRequests: ArrivalsRequests
    /// The stops whose departures are learned one by one.
    let stopsInUse: StopsInUse
    let ownerPermission: OwnerPermission
    let reloader: ConfigurationReloader
    let notifier: ServiceNotifier
    let notifications: NotificationService

    /// Opens every feed in the configuration. Nothing is fetched before the services run.
    ///
    /// - Throws: ``StoreError`` if the refresh ledger cannot be read.
    init(_ environment: Environment) throws(StoreError) {
        names = NameResolutionMonitor(environment.transport, clock: environment.clock)
        let responses = KeyCheckResponses(names)
        configuration = ConfigurationHolder(
            file: environment.configurationFile, configuration: environment.configuration)
        let parts = try RefreshSubsystem(
            environment.configuration,
            RefreshSubsystem.Dependencies(
                directories: environment.directories, state: environment.state, clock: environment.clock,
                boot: environment.boot, transport: responses, keys: environment.keys,
                zones: TimeZoneDatabase(), memory: environment.memory, logger: environment.logger,
                walkingDistance: { [configuration] in Double(configuration.current.queries.maxChangeWalk) },
                arrivals: environment.arrivals,
                changed: feedChanges.notify))
        clock = environment.clock
        started = environment.clock.now()
        isReplay = environment.isReplay
        uid = environment.uid
        directories = environment.directories
        socket = environment.socket
        state = environment.state
        notifier = environment.notifier
        let logger = environment.logger
        feeds = parts.registry
        controller = parts.controller
        refresh = parts.service
        fetcher = parts.fetcher
        streams = parts.streams
        demand = parts.demand
        realtimeFeeds = parts.fetcher.realtimeFeeds
        corruptFiles = parts.corruptFiles
        arrivals = parts.arrivals
        externalData = parts.externalData
        externalDataDemand = ExternalDataDemand(
            fetcher: parts.fetcher.externalData, refresh: parts.service, feeds: parts.registry)
        contexts = RequestContexts(clock: clock, configuration: configuration, feeds: feeds, state: state)
        keys = KeyValidator(
            responses: responses, keys: environment.keys, events: parts.service.events,
            budgets: parts.service.keyBudgets, clock: environment.clock)
        geocoding = GeocodingService(transport: names, clock: environment.clock)
        windows = CommuteWindowReporter(parts.demand, parts.registry, environment.state)
        network = NetworkMonitor(
            configuration: configuration, feeds: feeds, refresh: refresh, arrivals: arrivals, topics: topics,
            logger: logger)
        reloader = ConfigurationReloader(
            ConfigurationReloader.Dependencies(
                configuration: configuration, directories: directories, state: state, feeds: feeds,
                controller: controller, refresh: refresh, arrivals: arrivals, externalData: externalData,
                externalDataDemand: externalDataDemand, demand: demand,
                rejectedKeys: fetcher.rejected, windows: windows, network: network, clock: clock,
                threshold: environment.threshold, notifier: notifier, topics: topics, logger: logger))
        keyChanges = KeyChangeReporter(
            rejected: fetcher.rejected, controller: controller, topics: topics, logger: logger)
        arrivalsRequests = ArrivalsRequests(service: arrivals, feeds: feeds, clock: clock)
        ownerPermission = OwnerPermission(uid: uid)
        searches = SearchRecorder(state: state, saveTimer: searchSaveTimer, clock: clock)
        travel = TravelRecorder(
            state: state, feeds: feeds, saveTimer: searchSaveTimer, clock: clock, topics: topics)
        notifications = NotificationService(
            NotificationService.Dependencies(
                state: state, feeds: feeds, configuration: configuration, demand: demand, topics: topics,
                network: GeneralRuleInputReader.Sources(
                    state: state, controller: controller, feeds: feeds, refresh: refresh, externalData: externalData,
                    corruptFiles: corruptFiles, logger: logger),
                searchPool: searchPool, networks: controller.networks, clock: clock, logger: logger))
        stopsInUse = StopsInUse(configuration: configuration, feeds: feeds, state: state, clock: clock)
        realtimeFeeds.setStopsInUse { [stopsInUse] in stopsInUse.stops(of: $0) }
        streams.setPlaces(
            PlacesOfInterest(state: state, uid: uid, configuration: configuration, feeds: feeds).inFeed)
        connectListeners()
    }

    /// Connects change notifications to the components that depend on them.
    private func connectListeners() {
        feedChanges.listen { [notifications] in notifications.feedChanged($0) }
        topics.listen { [notifications] in notifications.topicChanged($0) }
        let report = StatusReport(notifier)
        feedChanges.listen { [feeds, clock] _ in report.update(StatusLine.text(feeds.all, at: clock.now())) }
        feedChanges.listen { [windows, configuration, clock] _ in
            windows.reportDaily(configuration.current, at: clock.now())
        }
        feedChanges.listen { [topics] feed in
            if let feed { topics.notify(.feed(feed)) }
            topics.notify(.status)
        }
        feedChanges.listen { [externalDataDemand] _ in externalDataDemand.checkTimetables() }
        topics.listen { [externalDataDemand] change in
            if case .personal = change { externalDataDemand.check() }
        }
        topics.listen { [windows, configuration, clock] change in
            guard case .personal = change else { return }
            windows.reportDaily(configuration.current, at: clock.now())
        }
        windows.report(configuration.current, at: clock.now())
    }

    /// Connects the changes of the machine to the components that depend on them, and checks its network.
    func connect(_ machine: SystemChangeMonitor) {
        let checkNetwork: @Sendable () -> Void = { [network, weak machine] in
            let pollInterval = network.check(isWatched: machine?.networkFailure == nil)
            machine?.scheduleCheck(after: pollInterval)
        }
        machine.listen { [refresh] change in
            switch change {
            case .clock: refresh.events.send(.tick)
            case .network, .time: checkNetwork()
            }
        }
        checkNetwork()
    }

    /// Records that cached files were set aside because the process crashed twice after loading them, so that replies
    /// report the reason. The files that belong to one dataset are reported once.
    func note(setAside files: [CrashLoopMarker.SetAsideResponse], at now: Instant) {
        var reported: Set<String> = []
        let crash = "transitd crashed twice within \(CrashLoopMarker.crashWindow) s of starting with the same "
        let (responses, others) = (
            files.filter { DatasetKind(rawValue: $0.dataset) != nil },
            files.filter { DatasetKind(rawValue: $0.dataset) == nil }
        )
        for file in responses + others {
            let kind = DatasetKind(rawValue: file.dataset)
            let name = "\(file.feed) \(RealtimeFeed.dataset(ofCachedFile: file.dataset)?.rawValue ?? file.dataset)"
            if reported.insert(name).inserted {
                let message =
                    kind == nil
                    ? "data from earlier responses. It was set aside and will be collected again."
                    : "cached response. It was set aside, and the next response will replace it."
                corruptFiles.add(
                    CorruptFileLog.Entry(name: name, remedy: .rebuilt, message: crash + message, found: now))
            }
            guard let kind else { continue }
            feeds.update(file.feed) { $0.sourceFailures[kind] = RealtimeSourceFailure(setAsideAt: now) }
        }
    }
}
