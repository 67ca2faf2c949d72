internal import Logging
internal import Synchronization
internal import TransitFeeds
internal import TransitModel
internal import TransitQueries
internal import TransitReplies
internal import TransitStore

/// The last usable data of the sources that belong to no feed. It survives a restart, and no departure depends on it.
final class ExternalData: Sendable {
    private struct State {
        var configuration = Configuration()
        var weather: WeatherSnapshot?
        var events: EventsSnapshot?
        /// The positions for which a client has asked, the most recent last.
        var requested: [(position: RoundedPosition, at: Instant)] = []
    }

    /// The catalog of public feeds.
    let catalog: CatalogDataset
    let storage: ExternalDataStorage
    private let logger: Logger
    /// Called when new data is in use.
    private let changed: @Sendable () -> Void
    private let state = Mutex(State())

    /// The number of positions that clients have asked for and that are refreshed in addition to those of commutes,
    /// places and favorites.
    private static let maximumRequested = 10
    /// How long, in seconds, such a position is refreshed.
    private static let requestLifetime = 6 * 3600

    /// - Parameter installedCatalog: The path of a copy of the catalog that was installed with the program.
    init(
        cache: RealtimeCache, corruptFiles: CorruptFileLog, logger: Logger, installedCatalog: String? = nil,
        changed: @escaping @Sendable () -> Void = {}
    ) {
        storage = ExternalDataStorage(cache: cache, corruptFiles: corruptFiles, logger: logger)
        catalog = CatalogDataset(storage: storage, installed: installedCatalog, logger: logger, changed: changed)
        self.logger = logger
        self.changed = changed
    }

    var configuration: Configuration { state.withLock { $0.configuration } }
    /// The last forecasts; `nil` if there are none or `[weather]` is not configured.
    var weather: WeatherSnapshot? { state.withLock { $0.weather } }
    /// The last events; `nil` if there are none or `[events]` is not configured.
    var events: EventsSnapshot? { state.withLock { $0.events } }

    /// Applies a new configuration. Reads the stored data of a source that was added, and deletes that of a source that
    /// was removed or replaced. Must not be called concurrently.
    func apply(_ configuration: Configuration, now: Instant) {
        let old = state.withLock { state in
            defer { state.configuration = configuration }
            return state.configuration
        }
        applyWeather(configuration.weather, old.weather, now: now)
        applyEvents(configuration.events, old.events, now: now)
        catalog.apply(configuration.catalog, now: now)
    }

    private func applyWeather(_ options: WeatherOptions?, _ old: WeatherOptions?, now: Instant) {
        guard let options else {
            state.withLock { $0.weather = nil }
            return storage.remove(.weather)
        }
        if let former = old, former.url != options.url {
            state.withLock { $0.weather = nil }
            storage.remove(.weather)
        } else if weather == nil, let stored = storage.response(.weather, now: now) {
            do throws(FeedError) {
                let (positions, body) = try Self.split(stored.body)
                let forecasts = try OpenMeteo(url: options.url).forecasts(body, for: positions)
                state.withLock { $0.weather = WeatherSnapshot(forecasts, received: stored.fetched) }
            } catch {
                logger.error("The stored weather forecast cannot be used: \(error)")
                storage.remove(.weather)
            }
        }
    }

    private func applyEvents(_ options: EventsOptions?, _ old: EventsOptions?, now: Instant) {
        guard let options else {
            state.withLock { $0.events = nil }
            return storage.remove(.events)
        }
        if let former = old, former.url != options.url {
            state.withLock { $0.events = nil }
            storage.remove(.events)
        } else if events == nil, let stored = storage.response(.events, now: now) {
            do throws(FeedError) {
                let page = try Ticketmaster.page(stored.body, limit: Self.maximumEvents)
                state.withLock {
                    $0.events = EventsSnapshot(page.events, received: stored.fetched, isIncomplete: page.hasMore)
                }
            } catch {
                logger.error("The stored list of events cannot be used: \(error)")
                storage.remove(.events)
            }
        }
    }

    // MARK: Events

    /// The maximum number of events that are kept.
    private static let maximumEvents = 6000

    /// Uses the events of a refresh, and stores them.
    ///
    /// - Parameters:
    ///   - period: The period that was requested. Events outside of it are dropped.
    ///   - isIncomplete: see ``EventsSnapshot/isIncomplete``.
    /// - Returns: `nil` if they are in use; otherwise the reason why they are not, as a sentence.
    func receiveEvents(
        _ events: [PublicEvent], of period: ClosedRange<Instant>, isIncomplete: Bool, now: Instant
    ) -> String? {
        let relevant = events.filter { event in event.start.map { period.contains($0) } ?? true }
        guard events.isEmpty || !relevant.isEmpty else { return "All events are outside of the requested period." }
        let snapshot = EventsSnapshot(
            Array(relevant.prefix(Self.maximumEvents)), received: now, isIncomplete: isIncomplete)
        state.withLock { $0.events = snapshot }
        storage.save(Ticketmaster.body(of: snapshot.events, hasMore: isIncomplete), .events, now: now)
        changed()
        return nil
    }

    // MARK: Weather

    /// Uses a response of the weather service, and stores it.
    ///
    /// - Returns: `nil` if it is in use; otherwise the reason why it is not, as a sentence.
    func receiveWeather(_ body: [UInt8], for positions: [RoundedPosition], now: Instant) -> String? {
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
        state.withLock { $0.weather = snapshot }
        storage.save(Self.joined(positions, body), .weather, now: now)
        changed()
        return nil
    }

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
