internal import ServiceLifecycle
internal import Synchronization
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitStore
internal import TransitSystem

/// Performs the fetches of data that belongs to no feed.
struct ContextFetcher: Sendable {
    let data: ContextData
    let state: StateStore
    let feeds: FeedRegistry
    let transport: any Transport
    let keys: FeedKeys
    /// Grants permission for the further requests of a fetch.
    let permits: FetchPermits
    let clock: any DaemonClock

    func fetch(_ order: DatasetFetch, _ flag: CancellationFlag) async -> FetchOutcome {
        switch order.dataset {
        case .weather: await fetchWeather(order, flag)
        default: order.outcome(.canceled)
        }
    }

    private func fetchWeather(_ order: DatasetFetch, _ flag: CancellationFlag) async -> FetchOutcome {
        guard let options = data.configuration.weather else { return order.outcome(.canceled) }
        let positions = await BlockingWork.run("context", flag) { weatherPositions() }
        // Nothing is requested for stations that nobody uses.
        guard !positions.isEmpty else { return order.outcome(.notModified(Validators())) }
        let upstream = OpenMeteo(url: options.url).request(positions)
        let result = await transport.fetch(request(upstream, order), until: flag)
        guard case .fetched(.memory(let body)) = result.outcome else { return order.outcome(of: result) }
        return await BlockingWork.run("context", flag) {
            var outcome: FetchOutcome
            if let reason = data.receiveWeather(body, for: positions, now: clock.now()) {
                outcome = order.outcome(.refused(reason))
            } else {
                // A later request may be for other positions, so it is not conditional.
                outcome = order.outcome(.content(digest: ContentDigest.of(body), Validators()))
            }
            outcome.bytes = body.count
            outcome.status = 200
            return outcome
        }
    }

    private func request(
        _ upstream: UpstreamRequest, _ order: DatasetFetch, secrets: [SecretLocation] = []
    ) -> FetchRequest {
        var request = FetchRequest(upstream, secrets: secrets, caFile: data.configuration.daemon.caFile)
        request.deadline = min(request.deadline, Double(order.deadline))
        request.bodyLimit = min(request.bodyLimit, UInt64(clamping: order.bodyLimit))
        return request
    }

    // MARK: Positions

    /// The positions whose weather is needed, without duplicates: those that clients asked for, and those of
    /// ``stations()``.
    func weatherPositions() -> [RoundedPosition] {
        var seen: Set<RoundedPosition> = []
        let all = data.requestedPositions(at: clock.now()) + stations().map { RoundedPosition($0) }
        return Array(all.filter { seen.insert($0).inserted }.prefix(OpenMeteo.maximumPositions))
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

/// Requests data that belongs to no feed as soon as it is needed, instead of at the next refresh: when a person adds a
/// place, or when the first timetable of a feed has been imported.
final class ContextDemand: ServiceLifecycle.Service {
    private struct State {
        var timetables: Set<ObjectIdentifier> = []
    }

    private let fetcher: ContextFetcher
    private let waiters: RefreshWaiters
    private let feeds: FeedRegistry
    private let state = Mutex(State())
    /// Wakes the task. Multiple wake-ups are coalesced.
    private let wakeUps = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(fetcher: ContextFetcher, waiters: RefreshWaiters, feeds: FeedRegistry) {
        self.fetcher = fetcher
        self.waiters = waiters
        self.feeds = feeds
    }

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
        await cancelWhenStopping {
            for await _ in self.wakeUps.stream {
                await BlockingWork.run("context", CancellationFlag()) { self.requestMissing() }
            }
        }
    }

    /// Requests the weather if the last forecasts lack a position. The limits of the refresh engine apply.
    func requestMissing() {
        guard fetcher.data.configuration.weather != nil else { return }
        let positions = fetcher.weatherPositions()
        let weather = fetcher.data.weather
        let isMissing = positions.contains { position in
            position.coordinate.map { weather?.covers($0) != true } ?? false
        }
        if isMissing { waiters.requestRefresh(.weather, force: true) }
    }
}
