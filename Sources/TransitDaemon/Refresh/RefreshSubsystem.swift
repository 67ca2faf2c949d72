internal import Logging
internal import Synchronization
internal import TransitEngine
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitStore
internal import TransitSystem

/// The components of a daemon that keep its data fresh, assembled once by the composition root and by tests.
struct RefreshSubsystem {
    let registry: FeedRegistry
    let controller: FeedController
    let service: RefreshService
    let demand: DemandTracker
    let fetcher: DatasetFetcher
    let streams: RealtimeStreams
    let arrivals: ArrivalsService
    let externalData: ExternalData
    let corruptFiles = CorruptFileLog()

    /// The dependencies of the components.
    struct Dependencies {
        var directories: Directories
        var state: StateStore
        var clock: any DaemonClock
        /// Identifies the current boot of the machine.
        var boot: BootID
        var transport: any Transport
        var keys: FeedKeys
        var zones: TimeZoneDatabase
        /// The memory for imports, timetables and realtime data.
        var memory = MemoryReservations()
        var logger: Logger
        /// Returns the greatest distance of a walk between two stops at a change, in meters.
        var walkingDistance: @Sendable () -> Double = { JourneyNetworkInput.defaultWalkingDistance }
        /// Returns the on-demand source of a feed; `nil` for a feed without one.
        var arrivals: ArrivalsService.Source = { $0.resolvedProvider.arrivals }
        /// Called after a change of a feed, or with `nil` after a change that concerns refreshes in general.
        var changed: @Sendable (FeedID?) -> Void
    }

    /// Opens every feed in the configuration. Nothing is fetched before the service runs.
    init(_ configuration: Configuration, _ dependencies: Dependencies) throws(StoreError) {
        let events = RefreshEvents()
        let waiters = RefreshWaiters(events)
        let registry = FeedRegistry()
        let cache = try RealtimeCache(directory: dependencies.directories.realtimeResponses)
        let realtimeFeeds = RealtimeFeeds(
            cache: cache, registry: registry, corruptFiles: corruptFiles, memory: dependencies.memory,
            clock: dependencies.clock, logger: dependencies.logger,
            changed: { [changed = dependencies.changed] in changed($0) })
        externalData = ExternalData(
            cache: cache, corruptFiles: corruptFiles, logger: dependencies.logger,
            installedCatalog: dependencies.directories.installedCatalog,
            changed: { [changed = dependencies.changed] in changed(nil) })
        externalData.apply(configuration, now: dependencies.clock.now())
        let factsReporter = FeedCalendarReporter(events: events, registry: registry)
        let changed = dependencies.changed
        let controller = FeedController(
            FeedDependencies(
                directories: dependencies.directories, state: dependencies.state, registry: registry,
                realtimeFeeds: realtimeFeeds,
                clock: dependencies.clock, transport: dependencies.transport, keys: dependencies.keys,
                zones: dependencies.zones, memory: dependencies.memory,
                networks: JourneyNetworkBuilds(
                    memory: dependencies.memory, clock: dependencies.clock, logger: dependencies.logger,
                    walkingDistance: dependencies.walkingDistance, changed: { changed($0) }),
                waiters: waiters, corruptFiles: corruptFiles, logger: dependencies.logger,
                changed: { feed in
                    factsReporter.report(feed)
                    changed(feed)
                }))
        controller.apply(configuration.feeds)
        CollectionFolder.removeFeeds(
            except: configuration.feeds.map(\.id), in: dependencies.directories.collections)
        dependencies.state.removeFeeds(except: configuration.feeds, dependencies.logger)
        let permits = FetchPermits(events)
        let rejected = RejectedKeys(
            registry: registry, keys: dependencies.keys, state: dependencies.state, clock: dependencies.clock,
            events: events, logger: dependencies.logger)
        streams = Self.streams(dependencies, registry, realtimeFeeds)
        let fetcher = DatasetFetcher(
            controller: controller, registry: registry, realtimeFeeds: realtimeFeeds, transport: dependencies.transport,
            keys: dependencies.keys, zones: dependencies.zones, clock: dependencies.clock, permits: permits,
            streams: streams, rejected: rejected,
            externalData: ExternalDataFetcher(
                data: externalData, state: dependencies.state, feeds: registry, transport: dependencies.transport,
                keys: dependencies.keys, permits: permits, clock: dependencies.clock))
        let engine = RefreshEngine(
            configuration: RefreshConfiguration(configuration, isCatalogInUse: externalData.catalog.isInUse),
            ledger: try dependencies.state.refreshLedger(),
            boot: dependencies.boot, seed: Self.seed(dependencies.directories), now: dependencies.clock.reading())
        service = RefreshService(
            engine: engine, events: events, waiters: waiters, permits: permits, state: dependencies.state,
            clock: dependencies.clock,
            logger: dependencies.logger, changed: { changed($0) }, fetch: fetcher.fetch)
        self.fetcher = fetcher
        arrivals = ArrivalsService(
            ArrivalsService.Dependencies(
                realtimeFeeds: realtimeFeeds, transport: dependencies.transport, keys: dependencies.keys,
                budgets: service.keyBudgets,
                state: dependencies.state, boot: dependencies.boot, clock: dependencies.clock,
                seed: Self.seed(dependencies.directories), logger: dependencies.logger,
                changed: { changed($0) }),
            source: dependencies.arrivals)
        arrivals.apply(configuration.feeds)
        demand = DemandTracker(events)
        self.registry = registry
        self.controller = controller
        for feed in configuration.feeds {
            factsReporter.report(feed.id)
            // A feed without a timetable may have a corrupt version or one from another release. The ledger's
            // schedule does not apply to it, except for a rejected key and for an import that stopped the daemon twice.
            rejected.restore(feed)
            restoreSourceFailures(of: feed)
            if let known = registry.snapshot(feed.id), known.timetable == nil, known.keyRejectedSince == nil,
                !service.isRepeatedlyInterrupted(DatasetID(feed.id, .static))
            {
                waiters.replaceLostContent(of: DatasetID(feed.id, .static))
            }
        }
    }

    /// Restores the failures recorded before a restart, because the next attempt may be far off and replies must
    /// report why the data is old.
    private func restoreSourceFailures(of feed: FeedConfiguration) {
        for kind in feed.datasets where kind.isRealtime {
            guard let failure = service.record(DatasetID(feed.id, kind)).flatMap(RealtimeSourceFailure.init) else {
                continue
            }
            registry.update(feed.id) { $0.sourceFailures[kind] = failure }
        }
    }

    private static func streams(
        _ dependencies: Dependencies, _ registry: FeedRegistry, _ realtimeFeeds: RealtimeFeeds
    ) -> RealtimeStreams {
        // Connections are not recorded, so a replay opens none.
        let isNetwork = !dependencies.keys.isReplay
        return RealtimeStreams(
            RealtimeStreams.Dependencies(
                connection: { dataset in
                    guard isNetwork, let configuration = registry.snapshot(dataset.feed)?.configuration,
                        let source = configuration.resolvedProvider.stream, source.kind == dataset.kind
                    else { return nil }
                    return RealtimeStreams.StreamConnection(source: source, caFile: configuration.caFile)
                },
                apply: { message, dataset in
                    realtimeFeeds.receive(message, of: dataset, now: dependencies.clock.now())
                },
                changed: { dependencies.changed($0.feed) }, clock: dependencies.clock, logger: dependencies.logger))
    }

    /// Returns the seed for the jitter. It differs between installations and is constant for each of them.
    private static func seed(_ directories: Directories) -> UInt64 {
        var bytes = Array(directories.state.utf8)
        if case .success(let machine) = FileContents.read("/etc/machine-id", limit: 4096) { bytes = machine + bytes }
        // FNV-1a
        return bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

/// Reports the facts about a feed's timetable to the refresh engine: the agency's time zone and the last service
/// date.
private struct FeedCalendarReporter: Sendable {
    let events: RefreshEvents
    let registry: FeedRegistry

    func report(_ feed: FeedID) {
        guard let timetable = registry.snapshot(feed)?.timetable else { return }
        events.send(
            .feedCalendar(
                feed,
                FeedCalendarInfo(zone: timetable.zone, lastDate: timetable.file.summary.serviceDates?.upperBound)))
    }
}
