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

/// The catalog of public feeds: requests, reads and stores it.
///
/// Nothing is requested before someone searches the catalog. From then on, it is requested at most once in each
/// ``CatalogOptions/interval``, and only if someone searched since the last request or if the configuration has a feed of
/// the catalog.
final class CatalogDataset: ExternalDataset {
    /// A catalog in memory.
    struct Snapshot: Sendable {
        var search: CatalogSearch
        /// The time at which the catalog was last confirmed to be current; `nil` for the copy of the package.
        var received: Instant?
    }

    private struct State {
        var options = CatalogOptions()
        var snapshot: Snapshot?
        var isInUse = false
        var isLoaded = false
        var lastSearch: Instant?
    }

    let id = DatasetID.catalog
    private let storage: ExternalDataStorage
    private let installed: String?
    private let logger: Logger
    private let changed: @Sendable () -> Void
    private let state = Mutex(State())
    /// Serializes the reading of the stored catalog.
    private let loading = Mutex(())

    /// - Parameters:
    ///   - installed: The path of a copy of the catalog, which is used until the first download.
    ///   - changed: Called when new data is in use.
    init(
        storage: ExternalDataStorage, installed: String?, logger: Logger, changed: @escaping @Sendable () -> Void
    ) {
        self.storage = storage
        self.installed = installed
        self.logger = logger
        self.changed = changed
    }

    /// The catalog in memory; `nil` before ``load(now:)`` or if there is none.
    var snapshot: Snapshot? { state.withLock { $0.snapshot } }
    var received: Instant? { snapshot?.received }
    /// Whether someone has searched since the start, or a downloaded catalog is stored.
    var isInUse: Bool { state.withLock { $0.isInUse } }

    /// Applies a new configuration. A catalog from another URL is removed.
    func apply(_ configuration: Configuration, now: Instant) {
        let options = configuration.catalog
        let isReplaced = state.withLock { state in
            let isReplaced = state.options.url != options.url && state.isInUse
            state.options = options
            if isReplaced { (state.snapshot, state.isLoaded) = (nil, false) }
            return isReplaced
        }
        if isReplaced { return storage.remove(id) }
        if !isInUse, storage.response(id, now: now) != nil { state.withLock { $0.isInUse = true } }
    }

    /// Reads the stored catalog or, if there is none, the copy of the package. Reading takes a fraction of a second, so it
    /// happens when the catalog is needed.
    func load(now: Instant) {
        loading.withLock { _ in
            guard !state.withLock({ $0.isLoaded }) else { return }
            let found = stored(now: now) ?? copy()
            state.withLock { state in
                state.isLoaded = true
                if state.snapshot == nil { state.snapshot = found }
            }
        }
    }

    private func stored(now: Instant) -> Snapshot? {
        guard let response = storage.response(id, now: now) else { return nil }
        do throws(FeedError) {
            return Snapshot(
                search: CatalogSearch(try MobilityDatabase.entries(response.body)), received: response.fetched)
        } catch {
            logger.error("The stored catalog of feeds cannot be used: \(error)")
            storage.remove(id)
            return nil
        }
    }

    private func copy() -> Snapshot? {
        guard let path = installed else { return nil }
        switch FileContents.read(path, limit: Self.installedLimit) {
        case .success(let body):
            do throws(FeedError) {
                return Snapshot(search: CatalogSearch(try MobilityDatabase.entries(body)), received: nil)
            } catch {
                logger.error("The installed catalog of feeds, \(path), cannot be used: \(error)")
                return nil
            }
        case .failure(let failure):
            logger.debug("There is no installed catalog of feeds at \(path): \(failure)")
            return nil
        }
    }

    /// The maximum size of an installed catalog in bytes.
    private static let installedLimit = 32 << 20

    // MARK: Demand

    /// Records a search.
    ///
    /// - Returns: Whether the catalog was not in use before.
    func recordSearch(at now: Instant) -> Bool {
        state.withLock { state in
            state.lastSearch = now
            defer { state.isInUse = true }
            return !state.isInUse
        }
    }

    /// Whether the catalog is missing or older than the configured interval.
    func isDue(at now: Instant) -> Bool {
        state.withLock { state in
            guard let received = state.snapshot?.received else { return true }
            return received.seconds(to: now) >= state.options.interval
        }
    }

    /// Whether someone searched since the catalog was received, or the configuration has a feed of the catalog.
    private func isWanted(_ feeds: [FeedConfiguration]) -> Bool {
        let (snapshot, lastSearch) = state.withLock { ($0.snapshot, $0.lastSearch) }
        if let lastSearch, snapshot?.received.map({ $0 < lastSearch }) ?? true { return true }
        return feeds.contains { feed in feed.remoteURL.map { snapshot?.search.contains(url: $0) == true } ?? false }
    }

    // MARK: Requests

    /// Requests the catalog if it is due and wanted. The request is conditional if a downloaded catalog is in use.
    func fetch(_ fetch: ExternalDataFetch, _ sent: inout Int) async throws(SystemFailure) -> FetchOutcome {
        let (order, clock) = (fetch.order, fetch.clock)
        let isNeeded = try await BlockingWork.run("external data", fetch.flag) { [self] in
            load(now: clock.now())
            return isDue(at: clock.now()) && isWanted(fetch.configuration.feeds)
        }
        guard isNeeded else { return order.unsent(.notModified(Validators())) }
        let validators = snapshot?.received == nil ? nil : order.validators
        let result = await fetch.send(
            MobilityDatabase(url: fetch.configuration.catalog.url).request, validators: validators ?? Validators())
        sent = result.requests
        switch result.outcome {
        case .fetched(.memory(let body)):
            return try await BlockingWork.run("external data", fetch.flag) { [self] in
                let refusal = receive(body, now: clock.now())
                var outcome = order.outcome(
                    refusal.map { .refused($0) } ?? .content(digest: ContentHash.of(body), result.validators))
                (outcome.bytes, outcome.requests, outcome.status) = (body.count, result.requests, 200)
                return outcome
            }
        case .notModified:
            try await BlockingWork.run("external data", fetch.flag) { [self] in confirm(now: clock.now()) }
            return order.outcome(of: result)
        default: return order.outcome(of: result)
        }
    }

    /// A catalog with less than this share of the former timetables or areas is not plausible.
    private static let minimumShare = 0.75

    /// Uses a downloaded catalog and stores it.
    ///
    /// - Returns: `nil` if it is in use; otherwise the reason why it is not, as a sentence.
    private func receive(_ body: [UInt8], now: Instant) -> String? {
        let search: CatalogSearch
        do throws(FeedError) { search = CatalogSearch(try MobilityDatabase.entries(body)) } catch {
            return "\(error)".asSentence
        }
        let former = snapshot?.search.timetableCount ?? 0
        guard Double(search.timetableCount) >= Self.minimumShare * Double(former) else {
            return "The catalog has only \(search.timetableCount) timetables, and the previous one has \(former)."
        }
        let formerAreas = snapshot?.search.areaCount ?? 0
        guard Double(search.areaCount) >= Self.minimumShare * Double(formerAreas) else {
            return "The catalog has only \(search.areaCount) areas of timetables, and the former one has "
                + "\(formerAreas)."
        }
        state.withLock { $0.snapshot = Snapshot(search: search, received: now) }
        storage.save(body, id, now: now)
        changed()
        return nil
    }

    /// Records that the catalog is still current.
    private func confirm(now: Instant) {
        state.withLock { $0.snapshot?.received = now }
        if let response = storage.response(id, now: now) { storage.save(response.body, id, now: now) }
    }
}

extension FeedConfiguration {
    /// The URL of the timetable; `nil` for a file, the demo city, and a provider's own source.
    var remoteURL: String? {
        guard case .remote(let url) = source else { return nil }
        return url
    }
}
