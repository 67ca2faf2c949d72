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
        var sent = 0
        do throws(SystemFailure) {
            switch order.dataset {
            case .weather: return try await fetchWeather(order, flag, &sent)
            case .events: return try await fetchEvents(order, flag, &sent)
            case .catalog:
                return try await data.catalog.fetch(order, data.configuration, transport, clock, flag, &sent)
            default: return order.unsent(.canceled)
            }
        } catch {
            var outcome = order.outcome(.failed(.local("\(error)")))
            outcome.requests = sent
            return outcome
        }
    }

    /// - Parameter sent: Receives the number of requests that left this machine.
    private func fetchWeather(
        _ order: DatasetFetch, _ flag: CancellationFlag, _ sent: inout Int
    ) async throws(SystemFailure) -> FetchOutcome {
        guard let options = data.configuration.weather else { return order.unsent(.canceled) }
        let positions = try await BlockingWork.run("context", flag) { weatherPositions() }
        // Nothing is requested for stations that nobody uses.
        guard !positions.isEmpty else { return order.unsent(.notModified(Validators())) }
        let upstream = OpenMeteo(url: options.url).request(positions)
        let result = await transport.fetch(request(upstream, order), until: flag)
        sent = result.requests
        guard case .fetched(.memory(let body)) = result.outcome else { return order.outcome(of: result) }
        return try await BlockingWork.run("context", flag) {
            var outcome: FetchOutcome
            if let reason = data.receiveWeather(body, for: positions, now: clock.now()) {
                outcome = order.outcome(.refused(reason))
            } else {
                // A later request may be for other positions, so it is not conditional.
                outcome = order.outcome(.content(digest: ContentHash.of(body), Validators()))
            }
            outcome.bytes = body.count
            outcome.requests = result.requests
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

    // MARK: Events

    /// Milliseconds between two requests. Ticketmaster allows 5 requests in a second.
    private static let eventSpacing: Int64 = 250

    /// Requests the events around all stations in use, page by page. If one request fails, the last list stays in use.
    private func fetchEvents(
        _ order: DatasetFetch, _ flag: CancellationFlag, _ sent: inout Int
    ) async throws(SystemFailure) -> FetchOutcome {
        var outcome = try await fetchEventPages(order, flag, &sent)
        if outcome.requests == nil { outcome.requests = sent }
        return outcome
    }

    /// - Parameter sent: Receives the number of requests that left this machine.
    private func fetchEventPages(
        _ order: DatasetFetch, _ flag: CancellationFlag, _ sent: inout Int
    ) async throws(SystemFailure) -> FetchOutcome {
        guard let options = data.configuration.events else { return order.unsent(.canceled) }
        let areas = try await BlockingWork.run("context", flag) { EventArea.covering(stations()) }
        guard !areas.centers.isEmpty else { return order.unsent(.notModified(Validators())) }
        var secrets: [SecretLocation] = []
        if !keys.isReplay {
            do throws(TransportFailure) {
                secrets = [try keys.key(of: DatasetID.events.feed, options.credential)]
            } catch { return order.unsent(.failed(FetchFailure(error))) }
        }
        let period = EventsSnapshot.period(at: clock.now())
        var (events, bytes, isFirst) = ([PublicEvent](), 0, true)
        var isIncomplete = areas.isIncomplete
        for area in areas.centers {
            for number in 0..<Ticketmaster.maximumPages {
                if !isFirst, let refusal = try await next(order, flag) { return refusal }
                isFirst = false
                let upstream = Ticketmaster(url: options.url).request(
                    around: area, miles: EventArea.miles, from: period.lowerBound, to: period.upperBound, page: number)
                let result = await transport.fetch(request(upstream, order, secrets: secrets), until: flag)
                sent += result.requests
                guard case .fetched(.memory(let body)) = result.outcome else {
                    var outcome = order.outcome(of: result)
                    outcome.requests = sent
                    return outcome
                }
                bytes += body.count
                let reading = try await read(body, flag)
                do throws(FeedError) {
                    let page = try reading.get()
                    events += page.events
                    if !page.hasMore { break }
                    if number == Ticketmaster.maximumPages - 1 { isIncomplete = true }
                } catch {
                    var outcome = order.outcome(.refused("\(error)".asSentence))
                    (outcome.bytes, outcome.status) = (bytes, 200)
                    return outcome
                }
            }
        }
        return try await use(events, of: period, isIncomplete: isIncomplete, bytes: bytes, order, flag)
    }

    /// Waits until the next request may be sent.
    ///
    /// - Returns: `nil` if it may be sent; otherwise the outcome of the fetch.
    private func next(_ order: DatasetFetch, _ flag: CancellationFlag) async throws(SystemFailure) -> FetchOutcome? {
        try? await clock.sleep(until: clock.reading().boot.advanced(byMilliseconds: Self.eventSpacing))
        if flag.isSet { return order.outcome(.canceled) }
        // Unmetered requests are only in tests.
        guard order.source.key != nil else { return nil }
        switch try await BlockingWork.run("context", flag, { permits.request(order) }) {
        case .allowed: return nil
        case .held: return order.outcome(.failed(.local("the request budget is used up")))
        case .canceled: return order.outcome(.canceled)
        }
    }

    private func read(
        _ body: [UInt8], _ flag: CancellationFlag
    ) async throws(SystemFailure) -> Result<Ticketmaster.Page, FeedError> {
        try await BlockingWork.run("context", flag) {
            Result { () throws(FeedError) in try Ticketmaster.page(body) }
        }
    }

    private func use(
        _ events: [PublicEvent], of period: ClosedRange<Instant>, isIncomplete: Bool, bytes: Int,
        _ order: DatasetFetch, _ flag: CancellationFlag
    ) async throws(SystemFailure) -> FetchOutcome {
        try await BlockingWork.run("context", flag) {
            var outcome: FetchOutcome
            if let reason = data.receiveEvents(
                events, of: period, isIncomplete: isIncomplete, now: clock.now())
            {
                outcome = order.outcome(.refused(reason))
            } else {
                let digest = ContentHash.of(Ticketmaster.body(of: events))
                outcome = order.outcome(.content(digest: digest, Validators()))
            }
            (outcome.bytes, outcome.status) = (bytes, 200)
            return outcome
        }
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

/// The areas in which events are searched.
enum EventArea {
    /// The radius of a search in miles. A station is at most ``spacing`` from the center, and events are shown within 10
    /// miles of a station.
    static let miles = 15
    /// The maximum distance in meters between a station and the center of its area: 5 miles.
    private static let spacing = 8000.0
    /// The maximum number of areas.
    private static let maximumCount = 6

    /// Returns the centers of areas that cover the stations.
    ///
    /// - Returns: `isIncomplete` is true if the maximum number of areas does not cover all stations.
    static func covering(_ stations: [Coordinate]) -> (centers: [RoundedPosition], isIncomplete: Bool) {
        var (centers, isIncomplete) = ([Coordinate](), false)
        for station in stations {
            guard let center = RoundedPosition(station).coordinate,
                !centers.contains(where: { $0.distance(to: station) <= spacing })
            else { continue }
            if centers.count < maximumCount { centers.append(center) } else { isIncomplete = true }
        }
        return (centers.map { RoundedPosition($0) }, isIncomplete)
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

    /// The number of seconds after which a check that could not begin is repeated.
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
                    try await BlockingWork.run("context", CancellationFlag()) { self.requestMissing() }
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
        if fetcher.data.configuration.events != nil, fetcher.data.events == nil, !fetcher.stations().isEmpty {
            request(.events)
        }
        guard fetcher.data.configuration.weather != nil else { return }
        let positions = fetcher.weatherPositions()
        let weather = fetcher.data.weather
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
