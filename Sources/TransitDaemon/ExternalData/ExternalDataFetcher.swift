internal import ServiceLifecycle
internal import Synchronization
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitReplies
internal import TransitStore
internal import TransitSystem

/// Performs the fetches of data that belongs to no feed.
struct ExternalDataFetcher: Sendable {
    let data: ExternalData
    let state: StateStore
    let feeds: FeedRegistry
    let transport: any Transport
    let keys: FeedKeys
    /// Grants permission for the further requests of a fetch.
    let permits: FetchPermits
    let clock: any DaemonClock

    func fetch(_ order: DatasetFetch, _ flag: CancellationFlag) async -> FetchOutcome {
        guard let dataset = data.dataset(order.dataset) else { return order.unsent(.canceled) }
        let fetch = ExternalDataFetch(
            order: order, flag: flag, configuration: data.configuration, transport: transport, keys: keys,
            permits: permits, clock: clock, stations: stations)
        var sent = 0
        do throws(SystemFailure) { return try await dataset.fetch(fetch, &sent) } catch {
            var outcome = order.outcome(.failed(.local("\(error)")))
            outcome.requests = sent
            return outcome
        }
    }

    /// The positions of the stations that the commutes, places and favorites of the configuration and of all users
    /// need. A place is represented by the nearest station, so that no position of a home is sent to a service.
    func stations() -> [Coordinate] {
        let settings = QuerySettings(data.configuration)
        let views = feeds.all.map(\.view)
        var found: [Coordinate] = []
        var seen: Set<Coordinate> = []
        for personal in [PersonalState()] + state.userRecords().map({ PersonalState($0.record) }) {
            let context = QueryContext(now: clock.now(), feeds: views, personal: personal, settings: settings)
            for station in StationsInUse(context).positions where seen.insert(station).inserted {
                found.append(station)
            }
        }
        return found
    }
}

/// A fetch of data that belongs to no feed, with what it uses.
struct ExternalDataFetch: Sendable {
    let order: DatasetFetch
    let flag: CancellationFlag
    let configuration: Configuration
    let transport: any Transport
    let keys: FeedKeys
    /// Grants permission for the further requests of the fetch.
    let permits: FetchPermits
    let clock: any DaemonClock
    /// Returns the positions of the stations in use, which reads from the disk.
    let stations: @Sendable () -> [Coordinate]

    /// Sends a request within the limits of the order.
    func send(
        _ upstream: UpstreamRequest, secrets: [SecretLocation] = [], validators: Validators = Validators()
    ) async -> FetchResult {
        var request = FetchRequest(upstream, secrets: secrets, caFile: configuration.daemon.caFile)
        request.deadline = min(request.deadline, Double(order.deadline))
        request.bodyLimit = min(request.bodyLimit, UInt64(clamping: order.bodyLimit))
        request.validators = validators
        return await transport.fetch(request, until: flag)
    }
}

/// Requests data that belongs to no feed as soon as it is needed, instead of at the next refresh: when a person adds a
/// place, or when the first timetable of a feed has been imported.
final class ExternalDataDemand: ServiceLifecycle.Service {
    private struct State {
        var timetables: Set<ObjectIdentifier> = []
    }

    private let fetcher: ExternalDataFetcher
    private let refresh: RefreshService
    private let feeds: FeedRegistry
    private let state = Mutex(State())
    /// Wakes the task. Multiple wake-ups are coalesced.
    private let wakeUps = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(fetcher: ExternalDataFetcher, refresh: RefreshService, feeds: FeedRegistry) {
        self.fetcher = fetcher
        self.refresh = refresh
        self.feeds = feeds
    }

    /// The delay in seconds before a check that could not begin is repeated.
    private static let retryInterval = 60

    /// Checks soon whether data is missing.
    func check() { wakeUps.continuation.yield() }

    /// Checks soon whether data is missing if a timetable has changed.
    func checkTimetables() {
        let timetables = Set(feeds.all.compactMap { $0.timetable.map { ObjectIdentifier($0) } })
        let isNews = state.withLock { state in
            defer { state.timetables = timetables }
            return state.timetables != timetables
        }
        if isNews { check() }
    }

    func run() async throws {
        // The catalog names the successors of configured feeds, so a stored one is read before someone searches.
        if fetcher.data.catalog.isInUse { check() }
        await cancelWhenStopping {
            for await _ in self.wakeUps.stream {
                do throws(SystemFailure) {
                    try await BlockingWork.run("external data", CancellationFlag()) { self.requestMissing() }
                } catch {
                    // The check is repeated.
                    self.check()
                    try? await self.fetcher.clock.sleep(
                        until: self.fetcher.clock.reading().boot.advanced(by: Self.retryInterval))
                }
            }
        }
    }

    /// Requests the weather if the last forecasts lack a position, and the events if there are none although stations
    /// are in use. The limits of the refresh engine apply.
    func requestMissing() {
        if fetcher.data.catalog.isInUse { fetcher.data.catalog.load(now: fetcher.clock.now()) }
        if fetcher.data.configuration.events != nil, fetcher.data.events.snapshot == nil, !fetcher.stations().isEmpty {
            request(.events)
        }
        guard fetcher.data.configuration.weather != nil else { return }
        let positions = fetcher.data.weather.positions(near: fetcher.stations(), at: fetcher.clock.now())
        let weather = fetcher.data.weather.snapshot
        let isMissing = positions.contains { position in
            position.coordinate.map { weather?.covers($0) != true } ?? false
        }
        if isMissing { request(.weather) }
    }

    /// Requests a refresh, although the last one may be recent. After a failure, the retry is not forced.
    private func request(_ dataset: DatasetID) {
        refresh.waiters.requestRefresh(dataset, force: refresh.record(dataset)?.consecutiveFailures ?? 0 == 0)
    }
}
