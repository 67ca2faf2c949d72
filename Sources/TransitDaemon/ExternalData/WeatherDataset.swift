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

/// The weather near the stations in use, and near the positions for which clients ask: requests, reads and stores it.
final class WeatherDataset: ExternalDataset {
    private struct State {
        var options: WeatherOptions?
        var snapshot: WeatherSnapshot?
        /// The positions for which a client has asked, the most recent last.
        var requested: [(position: RoundedPosition, at: Instant)] = []
    }

    let id = DatasetID.weather
    private let storage: ExternalDataStorage
    private let logger: Logger
    private let changed: @Sendable () -> Void
    private let state = Mutex(State())

    /// The number of positions that clients have asked for and that are refreshed in addition to those of commutes,
    /// places and favorites.
    private static let maximumRequested = 10
    /// How long, in seconds, such a position is refreshed.
    private static let requestLifetime = 6 * 3600

    /// - Parameter changed: Called when new data is in use.
    init(storage: ExternalDataStorage, logger: Logger, changed: @escaping @Sendable () -> Void) {
        self.storage = storage
        self.logger = logger
        self.changed = changed
    }

    /// The last forecasts; `nil` if there are none or `[weather]` is not configured.
    var snapshot: WeatherSnapshot? { state.withLock { $0.snapshot } }
    var received: Instant? { snapshot?.received }

    func apply(_ configuration: Configuration, now: Instant) {
        let (options, former) = (configuration.weather, state.withLock { $0.options })
        state.withLock { $0.options = options }
        guard let options, former.map({ $0.url == options.url }) ?? true else {
            state.withLock { $0.snapshot = nil }
            return storage.remove(id)
        }
        guard snapshot == nil, let stored = storage.response(id, now: now) else { return }
        do throws(FeedError) {
            let (positions, body) = try Self.split(stored.body)
            let forecasts = try OpenMeteo(url: options.url).forecasts(body, for: positions)
            state.withLock { $0.snapshot = WeatherSnapshot(forecasts, received: stored.fetched) }
        } catch {
            logger.error("The stored weather forecast cannot be used: \(error)")
            storage.remove(id)
        }
    }

    // MARK: Positions

    /// Records that a client asked for the weather at a position.
    func request(_ position: RoundedPosition, at now: Instant) {
        state.withLock { state in
            state.requested.removeAll { $0.position == position }
            state.requested.append((position, now))
            if state.requested.count > Self.maximumRequested { state.requested.removeFirst() }
        }
    }

    /// The positions for which clients asked recently, the most recent first.
    func requestedPositions(at now: Instant) -> [RoundedPosition] {
        state.withLock { state in
            state.requested.filter { $0.at.seconds(to: now) < Self.requestLifetime }.reversed().map(\.position)
        }
    }

    /// The positions whose weather is needed, without duplicates: those that clients asked for, and those of stations.
    func positions(near stations: [Coordinate], at now: Instant) -> [RoundedPosition] {
        var seen: Set<RoundedPosition> = []
        let all = requestedPositions(at: now) + stations.map { RoundedPosition($0) }
        return Array(all.filter { seen.insert($0).inserted }.prefix(OpenMeteo.maximumPositions))
    }

    // MARK: Requests

    func fetch(_ fetch: ExternalDataFetch, _ sent: inout Int) async throws(SystemFailure) -> FetchOutcome {
        let order = fetch.order
        guard let options = fetch.configuration.weather else { return order.unsent(.canceled) }
        let needed = try await BlockingWork.run("external data", fetch.flag) { [self] in
            positions(near: fetch.stations(), at: fetch.clock.now())
        }
        // Nothing is requested if no stations are in use.
        guard !needed.isEmpty else { return order.unsent(.notModified(Validators())) }
        let result = await fetch.send(OpenMeteo(url: options.url).request(needed))
        sent = result.requests
        guard case .fetched(.memory(let body)) = result.outcome else { return order.outcome(of: result) }
        return try await BlockingWork.run("external data", fetch.flag) { [self] in
            let refusal = receive(body, for: needed, now: fetch.clock.now())
            // A later request may be for other positions, so it is not conditional.
            var outcome = order.outcome(
                refusal.map { .refused($0) } ?? .content(digest: ContentHash.of(body), Validators()))
            (outcome.bytes, outcome.requests, outcome.status) = (body.count, result.requests, 200)
            return outcome
        }
    }

    /// Uses a response of the weather service, and stores it.
    ///
    /// - Returns: `nil` if it is in use; otherwise the reason why it is not, as a sentence.
    private func receive(_ body: [UInt8], for positions: [RoundedPosition], now: Instant) -> String? {
        let forecasts: [WeatherForecast]
        do throws(FeedError) { forecasts = try OpenMeteo().forecasts(body, for: positions) } catch {
            return "\(error)".asSentence
        }
        let snapshot = WeatherSnapshot(forecasts, received: now)
        guard
            forecasts.contains(where: { forecast in forecast.hours.contains { abs($0.time.seconds(to: now)) <= 3600 } })
        else {
            let last = forecasts.flatMap(\.hours).map(\.time).max()
            return "The forecast does not cover the present\(last.map { "; it ends at \($0.rfc3339())" } ?? "")."
        }
        state.withLock { $0.snapshot = snapshot }
        storage.save(Self.joined(positions, body), id, now: now)
        changed()
        return nil
    }

    // MARK: Storage

    /// Returns a stored response: a line with the positions, then the body.
    private static func joined(_ positions: [RoundedPosition], _ body: [UInt8]) -> [UInt8] {
        let line = positions.map { "\($0.latitudeText),\($0.longitudeText)" }.joined(separator: ";")
        return Array(line.utf8) + [0x0A] + body
    }

    private static func split(_ stored: [UInt8]) throws(FeedError) -> ([RoundedPosition], [UInt8]) {
        guard let end = stored.firstIndex(of: 0x0A) else { throw .message(.truncated, offset: stored.count) }
        var positions: [RoundedPosition] = []
        for text in String(decoding: stored[..<end], as: UTF8.self).split(separator: ";") {
            let numbers = text.split(separator: ",").compactMap { Double($0) }
            guard numbers.count == 2, let place = Coordinate(latitude: numbers[0], longitude: numbers[1]) else {
                throw .message(.missing("a position"), offset: 0)
            }
            positions.append(RoundedPosition(place))
        }
        return (positions, Array(stored[(end + 1)...]))
    }
}
