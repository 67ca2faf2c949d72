internal import Logging
internal import Synchronization
internal import TransitFetch
internal import TransitModel
internal import TransitQueries
internal import TransitRefresh
internal import TransitReplies
internal import TransitStore
internal import TransitSystem

/// Data that belongs to no feed: requests, reads and stores it. No departure depends on it.
protocol ExternalDataset: Sendable {
    var id: DatasetID { get }

    /// The time at which the data in use was received; `nil` if there is none.
    var received: Instant? { get }

    /// Applies a new configuration. Reads the stored data of a source that was added, and deletes that of a source that
    /// was removed or replaced. Must not be called concurrently.
    func apply(_ configuration: Configuration, now: Instant)

    /// Requests the data if it is needed, and uses and stores the response.
    ///
    /// - Parameter sent: Receives the number of requests that left this machine.
    func fetch(_ fetch: ExternalDataFetch, _ sent: inout Int) async throws(SystemFailure) -> FetchOutcome
}

/// The datasets that belong to no feed. Their last usable data survives a restart.
final class ExternalData: Sendable {
    let weather: WeatherDataset
    let events: EventsDataset
    let catalog: CatalogDataset
    private let current = Mutex(Configuration())

    /// - Parameters:
    ///   - installedCatalog: The path of a copy of the catalog that was installed with the program.
    ///   - changed: Called when new data is in use.
    init(
        cache: RealtimeCache, corruptFiles: CorruptFileLog, logger: Logger, installedCatalog: String? = nil,
        changed: @escaping @Sendable () -> Void = {}
    ) {
        let storage = ExternalDataStorage(cache: cache, corruptFiles: corruptFiles, logger: logger)
        weather = WeatherDataset(storage: storage, logger: logger, changed: changed)
        events = EventsDataset(storage: storage, logger: logger, changed: changed)
        catalog = CatalogDataset(storage: storage, installed: installedCatalog, logger: logger, changed: changed)
    }

    private var all: [any ExternalDataset] { [weather, events, catalog] }

    /// Returns `nil` for a dataset of a feed.
    func dataset(_ id: DatasetID) -> (any ExternalDataset)? { all.first { $0.id == id } }

    var configuration: Configuration { current.withLock { $0 } }

    /// Applies a new configuration to all datasets. Must not be called concurrently.
    func apply(_ configuration: Configuration, now: Instant) {
        current.withLock { $0 = configuration }
        for dataset in all { dataset.apply(configuration, now: now) }
    }
}
