internal import Logging
internal import Synchronization
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitStore
internal import TransitSystem

/// Applies a changed configuration to the running daemon.
final class ConfigurationReloader: Sendable {
    /// The parts of the daemon that a configuration affects.
    struct Dependencies {
        var configuration: ConfigurationHolder
        var directories: Directories
        var state: StateStore
        var feeds: FeedRegistry
        var controller: FeedController
        var refresh: RefreshService
        var arrivals: ArrivalsService
        var externalData: ExternalData
        var externalDataDemand: ExternalDataDemand
        var demand: DemandTracker
        var rejectedKeys: RejectedKeys
        var windows: CommuteWindowReporter
        var network: NetworkMonitor
        var clock: any DaemonClock
        var threshold: LogThreshold
        var notifier: ServiceNotifier
        var topics: ChangeNotifier<TopicChange>
        var logger: Logger
    }

    private let dependencies: Dependencies
    /// Serializes reloads.
    private let reloading = Mutex(())

    init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    /// Reads the configuration again and applies it. If it is invalid, the previous one stays in use.
    ///
    /// - Returns: One sentence for each change.
    func reload() throws(ConfigurationError) -> [String] {
        let parts = dependencies
        return try reloading.withLock { _ throws(ConfigurationError) in
            parts.notifier.send(.reloading)
            defer { parts.notifier.send(.ready(status: StatusLine.text(parts.feeds.all, at: parts.clock.now()))) }
            let new: Configuration
            do throws(ConfigurationError) { new = try parts.configuration.file.read() } catch {
                parts.logger.error("The configuration is invalid. The previous one stays in use.")
                for problem in error.problems { parts.logger.error("\(error.line(for: problem))") }
                throw error
            }
            let changes = new.changes(from: parts.configuration.replace(with: new))
            parts.threshold.level = new.daemon.logLevel.loggerLevel
            // A `key_file` may have a new key since the last reload.
            for feed in new.feeds { parts.rejectedKeys.clear(feed.id) }
            parts.controller.apply(new.feeds)
            parts.arrivals.apply(new.feeds)
            parts.externalData.apply(new, now: parts.clock.now())
            CollectionFolder.removeFeeds(except: new.feeds.map(\.id), in: parts.directories.collections)
            parts.state.removeFeeds(except: new.feeds, parts.logger)
            parts.demand.forget(besides: Set(new.feeds.map(\.id)))
            parts.refresh.events.send(
                .configured(
                    RefreshConfiguration(new, isCatalogInUse: parts.externalData.catalog.isInUse)))
            parts.externalDataDemand.check()
            for feed in new.feeds where feed.credential != nil {
                parts.controller.service(feed.id)?.forgetFailure()
                parts.refresh.events.send(.keyChanged(feed.id))
            }
            if new.events != nil { parts.refresh.events.send(.keyChanged(DatasetID.events.feed)) }
            parts.windows.report(new, at: parts.clock.now())
            parts.network.check()
            parts.topics.notify(.everything)
            parts.logger.notice(
                "The configuration was reloaded. \(changes.isEmpty ? "Nothing changed." : changes.joined(separator: " "))"
            )
            logWarnings()
            return changes
        }
    }

    /// Logs the warnings of the configuration.
    func logWarnings() {
        for warning in dependencies.configuration.current.warnings {
            dependencies.logger.warning("\(dependencies.configuration.file.line(for: warning))")
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

/// Holds the current configuration, which a reload replaces as a whole.
final class ConfigurationHolder: Sendable {
    let file: ConfigurationFile
    private let state: Mutex<Configuration>

    init(file: ConfigurationFile, configuration: Configuration) {
        self.file = file
        state = Mutex(configuration)
    }

    var current: Configuration { state.withLock { $0 } }

    /// Replaces the configuration and returns the previous one.
    func replace(with configuration: Configuration) -> Configuration {
        state.withLock { state in
            defer { state = configuration }
            return state
        }
    }
}

extension Configuration {
    /// Describes the differences from the previous configuration, one sentence each.
    func changes(from old: Configuration) -> [String] {
        var changes: [String] = []
        let before = Dictionary(uniqueKeysWithValues: old.feeds.map { ($0.id, $0) })
        let now = Dictionary(uniqueKeysWithValues: feeds.map { ($0.id, $0) })
        for feed in feeds {
            if let other = before[feed.id] {
                if other != feed { changes.append("The feed \(feed.id) has changed.") }
            } else {
                changes.append("The feed \(feed.id) was added.")
            }
        }
        for feed in old.feeds where now[feed.id] == nil { changes.append("The feed \(feed.id) was removed.") }
        if places != old.places { changes.append("The places have changed.") }
        if commutes != old.commutes { changes.append("The commutes have changed.") }
        if queries != old.queries { changes.append("The query defaults have changed.") }
        if notifications != old.notifications { changes.append("The defaults of notifications have changed.") }
        if geocoder != old.geocoder { changes.append("The geocoder has changed.") }
        if events != old.events { changes.append("The source of events has changed.") }
        if weather != old.weather { changes.append("The weather source has changed.") }
        if catalog != old.catalog { changes.append("The catalog of feeds has changed.") }
        if daemon.logLevel != old.daemon.logLevel {
            changes.append("The log level is now \(daemon.logLevel.rawValue).")
        }
        return changes
    }
}
