internal import Glibc
public import Logging
internal import ServiceLifecycle
internal import TransitControl
internal import TransitEngine
internal import TransitFetch
internal import TransitModel
internal import TransitRefresh
internal import TransitServer
internal import TransitStore
public import TransitSystem

/// The daemon as a whole: the composition root, which creates all components and runs them until a signal ends the
/// process.
public struct Daemon: Sendable {
    /// The options from the command line and the environment.
    public struct Options: Sendable {
        public var directories: Directories
        public var configuration: ConfigurationFile
        /// `nil` for `transitd.sock` in the runtime directory.
        public var socket: String?
        public var replay: SystemClock.Replay?
        /// Whether upstream exchanges are recorded or replayed.
        public var recording: RecordingOptions?

        public init(
            directories: Directories, configuration: ConfigurationFile, socket: String? = nil,
            replay: SystemClock.Replay? = nil, recording: RecordingOptions? = nil
        ) {
            self.directories = directories
            self.configuration = configuration
            self.socket = socket
            self.replay = replay
            self.recording = recording
        }
    }

    private let components: DaemonComponents
    private let machine: SystemChangeMonitor
    private let listeners: [ControlListener]
    /// The locks on the state folder and the cache folder.
    private let locks: [FolderLock]
    private let startMarker: CrashLoopMarker
    private let timer: BootTimeTimer
    private let openFiles: OpenFileLimit
    private let logger: Logger

    /// Opens everything that requests need: the state, the current timetables, the socket.
    ///
    /// - Throws: ``ConfigurationError``, ``StartError``, and the errors of the store and the socket.
    public init(_ options: Options, logger: Logger, threshold: LogThreshold) throws {
        ProcessMemory.limitPools()
        let openFiles = try OpenFileLimit.raise()
        let configuration = try options.configuration.read()
        threshold.level = configuration.daemon.logLevel.loggerLevel
        timer = try BootTimeTimer()
        let clock = SystemClock(replay: options.replay, timer: timer)
        let directories = options.directories
        locks = [try FolderLock(directories.state, .state), try FolderLock(directories.cache, .cache)]
        let state = try StateStore(directory: directories.state, today: ServiceZone.utc.civil(at: clock.now()).date)
        Self.log(state.openResult, logger)
        startMarker = CrashLoopMarker(directory: directories.realtimeResponses)
        let beginning = startMarker.begin()
        Self.log(beginning, logger)
        machine = try SystemChangeMonitor()
        listeners = try Self.listeners(options)
        do {
            components = try DaemonComponents(
                DaemonComponents.Environment(
                    configurationFile: options.configuration, configuration: configuration, directories: directories,
                    state: state, clock: clock, isReplay: options.replay != nil, boot: Self.bootID(clock, logger),
                    transport: try Self.transport(options.recording, clock, logger),
                    keys: FeedKeys(
                        credentialsDirectory: directories.credentials, store: KeyStore(folder: directories.keys),
                        isReplay: options.recording?.isReplay == true),
                    uid: getuid(), socket: listeners[0].name, threshold: threshold, logger: logger))
        } catch {
            for listener in listeners { listener.close() }
            throw error
        }
        components.corruptFiles.add(state.openResult, at: clock.now())
        components.note(setAside: beginning.setAside, at: clock.now())
        self.openFiles = openFiles
        self.logger = logger
    }

    /// Runs until SIGTERM or SIGINT, then finishes requests in progress within 5 seconds.
    public func run() async throws {
        defer { startMarker.end() }
        let subscriberCounter = SubscriberCounter(components.demand, components.feeds)
        let handlers = components.requestHandlers(limits: openFiles.controlLimits)
        let server = try ControlServer(
            listeners: listeners, handler: handlers, limits: openFiles.controlLimits, count: components.connections,
            logger: logger,
            onIdle: ProcessMemory.releaseFreeMemory, demandChanged: subscriberCounter.changed)
        subscriberCounter.setServer(server)
        components.topics.listen { server.topicsChanged($0) }
        components.notifications.setSubscriberCount { uid in
            server.demand().filter { $0.topic.topic.topic == .notifications && $0.topic.uid == uid }
                .reduce(0) { $0 + $1.subscribers }
        }
        // A pass runs code that the next requests may not need. Without clients, there may be no request for hours.
        components.notifications.onWorkEnded { [connections = components.connections] in
            if connections.value == 0 { ProcessMemory.releaseFreeMemory() }
        }
        // The services are stopped from last to first, so that no service uses one that has already stopped.
        let services: [any ServiceLifecycle.Service] = [
            components.refresh, components.streams, components.arrivals, components.geocoding,
            components.externalDataDemand,
            RealtimeCacheService(
                realtimeFeeds: components.realtimeFeeds, clock: components.clock, logger: logger),
            components.arrivalsPreloader(handlers.registry, logger: logger),
            components.notifications,
            SearchHistoryService(
                state: components.state, travel: components.travel, wake: components.searchSaveTimer,
                clock: components.clock, logger: logger),
            StateBackupService(
                state: components.state, travel: components.travel, clock: components.clock, logger: logger),
            CrashLoopMarkerService(marker: startMarker, timer: timer),
            server, SystemdService(notifier: components.notifier, ready: .ready(status: status), timer: timer),
        ]
        // Handles signals before the daemon reports that it is ready. A signal that arrives earlier ends the process
        // at once.
        let (running, stopping) = AsyncStream.makeStream(of: Never.self)
        let signals = SignalService(
            reloader: components.reloader, watch: try SignalReceiver(), stopping: stopping, logger: logger)
        // Without a name, the group describes all properties of a service, which took a third of the daemon's start.
        let configuration = ServiceGroupConfiguration(
            services: [
                .init(
                    service: signals, successTerminationBehavior: .gracefullyShutdownGroup,
                    serviceName: "\(SignalService.self)")
            ] + services.map { .init(service: $0, serviceName: "\(type(of: $0))") },
            logger: logger)
        logStart()
        components.connect(machine)
        try await serve(ServiceGroup(configuration: configuration), while: running)
        logger.notice("Stopped.")
    }

    /// Runs all services until they have ended. They are canceled 5 seconds after a signal.
    ///
    /// `maximumGracefulShutdownDuration` is not used, because it sleeps outside the daemon's executor; see
    /// ``cancelWhenStopping(_:)``.
    private func serve(_ group: ServiceGroup, while running: AsyncStream<Never>) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { [timer] tasks in
            tasks.addTask {
                try await group.run()
                return true
            }
            tasks.addTask {
                for await _ in running {}
                try? await timer.sleep(seconds: 5)
                return false
            }
            let hasEnded = try await tasks.next() ?? true
            tasks.cancelAll()
            if hasEnded { return }
            logger.warning("Some services did not stop within 5 s and were canceled.")
            // Ignores the errors with which services end on cancellation.
            while let result = await tasks.nextResult() { _ = result }
        }
    }

    private func logStart() {
        let file = components.configuration.file.path ?? "no configuration file"
        if let failure = machine.networkFailure {
            logger.warning(
                "Network changes cannot be monitored (\(failure)). The network is checked every 30 s instead.")
        }
        logger.notice("transitd \(DaemonVersion.text) listens on \(components.socket), with \(file).")
        components.reloader.logWarnings()
        if components.configuration.current.feeds.isEmpty {
            logger.notice("No feed is configured. Add one with: transitctl setup.")
        }
    }

    private var status: String { StatusLine.text(components.feeds.all, at: components.clock.now()) }

    private static func bootID(_ clock: SystemClock, _ logger: Logger) -> BootID {
        clock.bootID { reason in
            logger.warning(
                "The boot ID cannot be read (\(reason)). Each start of transitd counts as a boot of the machine."
            )
        }
    }

    /// Returns the sockets inherited from systemd or, if there are none, the daemon's own.
    private static func listeners(_ options: Options) throws(ControlSocketError) -> [ControlListener] {
        let inherited = try ControlListener.inherited()
        if !inherited.isEmpty { return inherited }
        let path = options.socket ?? options.directories.runtime + "/transitd.sock"
        return [try ControlListener.own(path: path, directoryMode: getuid() == 0 ? 0o755 : 0o700)]
    }

    private static func log(_ beginning: CrashLoopMarker.BeginResult, _ logger: Logger) {
        for answer in beginning.setAside {
            let end = "within \(CrashLoopMarker.crashWindow) s of starting with the same cached response"
            logger.error(
                "\(answer.feed) \(answer.dataset): transitd crashed twice \(end). It was moved to \(answer.path).")
        }
        if let failure = beginning.failure {
            logger.error("The start marker cannot be written, so crash loops will not be detected: \(failure)")
        }
    }

    private static func log(_ opening: StateStore.OpenResult, _ logger: Logger) {
        guard let damage = opening.corruptionMessage(includesPath: true) else { return }
        if case .lost = opening { logger.critical("\(damage)") } else { logger.error("\(damage)") }
    }
}

/// The version of this release, as shown by `--version`, `hello` and `status`.
public enum DaemonVersion {
    public static let text = ReleaseVersion.text
}
