internal import Logging
internal import Synchronization
internal import TransitEngine
internal import TransitFeeds
internal import TransitModel
internal import TransitStore

/// The parts of a daemon that keep its data fresh, put together: made once, by the composition root and by tests.
struct RefreshSubsystem {
    let registry: FeedRegistry
    let controller: FeedController
    let service: RefreshService
    let demand: DemandTracker
    let fetcher: DatasetFetcher
    let streams: RealtimeStreams
    let arrivals: ArrivalsService
    let damages = CorruptFileLog()

    /// What they are made from.
    struct Dependencies {
        var directories: Directories
        var state: StateStore
        var clock: any DaemonClock
        /// Names this run of the machine.
        var boot: BootID
        var transport: any Transport
        var keys: FeedKeys
        var zones: TimeZoneDatabase
        var logger: Logger
        /// Where a feed's arrivals are asked; `nil` for a feed without them.
        var arrivals: ArrivalsService.Source = { $0.system.arrivals }
        /// Called after anything about a feed, or about the refreshes in general (`nil`), has changed.
        var changed: @Sendable (FeedID?) -> Void
    }

    /// Opens every feed of the configuration; nothing is fetched before the service runs.
    init(_ configuration: Configuration, _ dependencies: Dependencies) throws(StoreError) {
        let events = RefreshEvents()
        let desk = RefreshWaiters(events)
        let registry = FeedRegistry()
        let live = RealtimeFeeds(
            cache: try RealtimeCache(directory: dependencies.directories.live), registry: registry, damages: damages,
            logger: dependencies.logger)
        let facts = FeedFactsReporter(events: events, registry: registry)
        let changed = dependencies.changed
        let controller = FeedController(
            FeedDependencies(
                directories: dependencies.directories, state: dependencies.state, registry: registry, live: live,
                clock: dependencies.clock, transport: dependencies.transport, keys: dependencies.keys,
                zones: dependencies.zones, desk: desk, damages: damages, logger: dependencies.logger,
                changed: { feed in
                    facts.tell(feed)
                    changed(feed)
                }))
        controller.apply(configuration.feeds)
        CollectionFolder.removeFeeds(
            except: configuration.feeds.map(\.id), in: dependencies.directories.collections)
        dependencies.state.removeFeeds(except: configuration.feeds, dependencies.logger)
        let steps = FetchPermits(events)
        let rejected = RejectedKeys(
            registry: registry, keys: dependencies.keys, state: dependencies.state, clock: dependencies.clock,
            events: events, logger: dependencies.logger)
        streams = Self.streams(dependencies, registry, live)
        let fetcher = DatasetFetcher(
            controller: controller, registry: registry, live: live, transport: dependencies.transport,
            keys: dependencies.keys, zones: dependencies.zones, clock: dependencies.clock, steps: steps,
            streams: streams, rejected: rejected)
        let engine = RefreshEngine(
            configuration: RefreshConfiguration(configuration), ledger: try dependencies.state.refreshLedger(),
            boot: dependencies.boot, seed: Self.seed(dependencies.directories), now: dependencies.clock.reading())
        service = RefreshService(
            engine: engine, events: events, desk: desk, steps: steps, state: dependencies.state,
            clock: dependencies.clock,
            logger: dependencies.logger, changed: { changed($0?.feed) }, fetch: fetcher.fetch)
        self.fetcher = fetcher
        arrivals = ArrivalsService(
            ArrivalsService.Dependencies(
                live: live, transport: dependencies.transport, keys: dependencies.keys, budgets: service.keyBudgets,
                state: dependencies.state, boot: dependencies.boot, clock: dependencies.clock,
                seed: Self.seed(dependencies.directories), logger: dependencies.logger,
                changed: { changed($0) }),
            source: dependencies.arrivals)
        arrivals.apply(configuration.feeds)
        demand = DemandTracker(events)
        self.registry = registry
        self.controller = controller
        for feed in configuration.feeds {
            facts.tell(feed.id)
            // Damaged, or of another release: what the ledger says of it is of no use, but for a key that is rejected.
            rejected.restore(feed)
            restoreTroubles(of: feed)
            if let known = registry.snapshot(feed.id), known.timetable == nil, known.keyRejectedSince == nil {
                desk.want(DatasetID(feed.id, .static), force: true)
            }
        }
    }

    /// What failed before the start may be asked late again: what is old is told as old, and why.
    private func restoreTroubles(of feed: FeedConfiguration) {
        for kind in feed.datasets where kind.isRealtime {
            guard let trouble = service.record(DatasetID(feed.id, kind)).flatMap(RealtimeSourceFailure.init) else {
                continue
            }
            registry.update(feed.id) { $0.troubles[kind] = trouble }
        }
    }

    /// Records that cached responses were set aside because the process died with them twice, so that answers report
    /// it.
    func note(setAside answers: [CrashLoopMarker.SetAsideResponse], at now: Instant) {
        for answer in answers {
            damages.add(
                CorruptFileLog.Entry(
                    name: "\(answer.feed) \(answer.dataset)", remedy: .rebuilt,
                    message:
                        "transitd ended twice within \(CrashLoopMarker.crashWindow) s of starting with the last answer. It is "
                        + "set aside; the next one takes its place.", found: now))
            guard let kind = DatasetKind(rawValue: answer.dataset) else { continue }
            registry.update(answer.feed) { $0.troubles[kind] = RealtimeSourceFailure(setAsideAt: now) }
        }
    }

    private static func streams(
        _ dependencies: Dependencies, _ registry: FeedRegistry, _ live: RealtimeFeeds
    ) -> RealtimeStreams {
        // A recording has no connections, and a replay asks nobody.
        let isNetwork = !dependencies.keys.isReplay
        return RealtimeStreams(
            RealtimeStreams.Dependencies(
                line: { dataset in
                    guard isNetwork, let configuration = registry.snapshot(dataset.feed)?.configuration,
                        let source = configuration.system.stream, source.kind == dataset.kind
                    else { return nil }
                    return RealtimeStreams.Line(source: source, caFile: configuration.caFile)
                },
                apply: { message, dataset in
                    live.take(message, of: dataset, now: dependencies.clock.now())
                },
                changed: { dependencies.changed($0.feed) }, clock: dependencies.clock, logger: dependencies.logger))
    }

    /// Spreads installations: the same one always waits for the same part of a jitter.
    private static func seed(_ directories: Directories) -> UInt64 {
        var bytes = Array(directories.state.utf8)
        if case .success(let machine) = FileContents.read("/etc/machine-id", limit: 4096) { bytes = machine + bytes }
        // FNV-1a
        return bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

/// Tells the refresh engine what it has to know of a feed's timetable: the agency's clock and the last date with service.
private struct FeedFactsReporter: Sendable {
    let events: RefreshEvents
    let registry: FeedRegistry

    func tell(_ feed: FeedID) {
        guard let timetable = registry.snapshot(feed)?.timetable else { return }
        events.send(
            .facts(
                feed,
                FeedServiceInfo(zone: timetable.zone, lastDate: timetable.file.summary.serviceDates?.upperBound)))
    }
}
