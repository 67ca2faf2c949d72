internal import Logging
internal import Synchronization
internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitReplies
internal import TransitStore
internal import TransitSystem

/// The events near the stations in use: requests, reads and stores them.
final class EventsDataset: ExternalDataset {
    private struct State {
        var options: EventsOptions?
        var snapshot: EventsSnapshot?
    }

    let id = DatasetID.events
    private let storage: ExternalDataStorage
    private let logger: Logger
    private let changed: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameter changed: Called when new data is in use.
    init(storage: ExternalDataStorage, logger: Logger, changed: @escaping @Sendable () -> Void) {
        self.storage = storage
        self.logger = logger
        self.changed = changed
    }

    /// The last events; `nil` if there are none or `[events]` is not configured.
    var snapshot: EventsSnapshot? { state.withLock { $0.snapshot } }
    var received: Instant? { snapshot?.received }

    func apply(_ configuration: Configuration, now: Instant) {
        let (options, former) = (configuration.events, state.withLock { $0.options })
        state.withLock { $0.options = options }
        guard let options, former.map({ $0.url == options.url }) ?? true else {
            state.withLock { $0.snapshot = nil }
            return storage.remove(id)
        }
        guard snapshot == nil, let stored = storage.response(id, now: now) else { return }
        do throws(FeedError) {
            let page = try Ticketmaster.page(stored.body, limit: Self.maximumEvents)
            state.withLock {
                $0.snapshot = EventsSnapshot(page.events, received: stored.fetched, isIncomplete: page.hasMore)
            }
        } catch {
            logger.error("The stored list of events cannot be used: \(error)")
            storage.remove(id)
        }
    }

    // MARK: Requests

    /// Milliseconds between two requests. Ticketmaster allows 5 requests in a second.
    private static let spacing: Int64 = 250

    /// Requests the events around all stations in use, page by page. If one request fails, the last list stays in use.
    func fetch(_ fetch: ExternalDataFetch, _ sent: inout Int) async throws(SystemFailure) -> FetchOutcome {
        var outcome = try await fetchPages(fetch, &sent)
        if outcome.requests == nil { outcome.requests = sent }
        return outcome
    }

    /// - Parameter sent: Receives the number of requests that left this machine.
    private func fetchPages(
        _ fetch: ExternalDataFetch, _ sent: inout Int
    ) async throws(SystemFailure) -> FetchOutcome {
        let order = fetch.order
        guard let options = fetch.configuration.events else { return order.unsent(.canceled) }
        let areas = try await BlockingWork.run("external data", fetch.flag) { EventArea.covering(fetch.stations()) }
        guard !areas.centers.isEmpty else { return order.unsent(.notModified(Validators())) }
        var secrets: [SecretLocation] = []
        if !fetch.keys.isReplay {
            do throws(TransportFailure) {
                secrets = [try fetch.keys.key(of: id.feed, options.credential)]
            } catch { return order.unsent(.failed(FetchFailure(error))) }
        }
        let period = EventsSnapshot.period(at: fetch.clock.now())
        var (events, bytes, isFirst) = ([PublicEvent](), 0, true)
        var isIncomplete = areas.isIncomplete
        for area in areas.centers {
            for number in 0..<Ticketmaster.maximumPages {
                if !isFirst, let refusal = try await next(fetch) { return refusal }
                isFirst = false
                let upstream = Ticketmaster(url: options.url).request(
                    around: area, miles: EventArea.miles, from: period.lowerBound, to: period.upperBound, page: number)
                let result = await fetch.send(upstream, secrets: secrets)
                sent += result.requests
                guard case .fetched(.memory(let body)) = result.outcome else {
                    var outcome = order.outcome(of: result)
                    outcome.requests = sent
                    return outcome
                }
                bytes += body.count
                let reading = try await read(body, fetch.flag)
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
        return try await use(events, of: period, isIncomplete: isIncomplete, bytes: bytes, fetch)
    }

    /// Waits until the next request may be sent.
    ///
    /// - Returns: `nil` if it may be sent; otherwise the outcome of the fetch.
    private func next(_ fetch: ExternalDataFetch) async throws(SystemFailure) -> FetchOutcome? {
        let order = fetch.order
        try? await fetch.clock.sleep(
            until: fetch.clock.reading().boot.advanced(byMilliseconds: Self.spacing))
        if fetch.flag.isSet { return order.outcome(.canceled) }
        // Unmetered requests are only in tests.
        guard order.source.key != nil else { return nil }
        switch try await BlockingWork.run("external data", fetch.flag, { fetch.permits.request(order) }) {
        case .allowed: return nil
        case .held: return order.outcome(.failed(.local("the request budget is used up")))
        case .canceled: return order.outcome(.canceled)
        }
    }

    private func read(
        _ body: [UInt8], _ flag: CancellationFlag
    ) async throws(SystemFailure) -> Result<Ticketmaster.Page, FeedError> {
        try await BlockingWork.run("external data", flag) {
            Result { () throws(FeedError) in try Ticketmaster.page(body) }
        }
    }

    private func use(
        _ events: [PublicEvent], of period: ClosedRange<Instant>, isIncomplete: Bool, bytes: Int,
        _ fetch: ExternalDataFetch
    ) async throws(SystemFailure) -> FetchOutcome {
        try await BlockingWork.run("external data", fetch.flag) { [self] in
            let refusal = receive(events, of: period, isIncomplete: isIncomplete, now: fetch.clock.now())
            var outcome = fetch.order.outcome(
                refusal.map { .refused($0) }
                    ?? .content(digest: ContentHash.of(Ticketmaster.body(of: events)), Validators()))
            (outcome.bytes, outcome.status) = (bytes, 200)
            return outcome
        }
    }

    /// The maximum number of events that are kept.
    private static let maximumEvents = 6000

    /// Uses the events of a refresh, and stores them.
    ///
    /// - Parameters:
    ///   - period: The period that was requested. Events outside of it are dropped.
    ///   - isIncomplete: see ``EventsSnapshot/isIncomplete``.
    /// - Returns: `nil` if they are in use; otherwise the reason why they are not, as a sentence.
    private func receive(
        _ events: [PublicEvent], of period: ClosedRange<Instant>, isIncomplete: Bool, now: Instant
    ) -> String? {
        let relevant = events.filter { event in event.start.map { period.contains($0) } ?? true }
        guard events.isEmpty || !relevant.isEmpty else { return "All events are outside of the requested period." }
        let snapshot = EventsSnapshot(
            Array(relevant.prefix(Self.maximumEvents)), received: now, isIncomplete: isIncomplete)
        state.withLock { $0.snapshot = snapshot }
        storage.save(Ticketmaster.body(of: snapshot.events, hasMore: isIncomplete), id, now: now)
        changed()
        return nil
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
