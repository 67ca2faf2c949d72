internal import TransitFeeds
internal import TransitFetch
internal import TransitModel
internal import TransitStore
internal import TransitSystem

// The import of a network that a provider publishes in parts.
extension FeedImport {
    /// The memory that is reserved for a collection in bytes. A collection can take hours, because of the source's rate
    /// limits, and its responses are on disk.
    private static let memoryOfCollection: UInt64 = 32 << 20

    /// Collects the network of the feed's provider and imports it.
    func collect(_ flag: CancellationFlag, _ progress: @escaping Report) throws -> Outcome {
        guard let collection = configuration.resolvedProvider.collection() else { throw TransportFailure.address }
        let reservation = try reserve(Self.memoryOfCollection, isCollection: true, flag, progress)
        defer { reservation.release() }
        try beginReading()
        let folder = CollectionFolder(configuration.id, in: collections)
        if isForced { folder.discard() }
        try folder.open(for: "\(configuration.source)", at: now, maximumAge: configuration.refreshInterval)
        var collector = NetworkCollector(
            self, folder: folder, validators: conditions, flag: flag, progress: progress)
        var outcome: Outcome
        do {
            switch try collector.collect(collection) {
            case .unchanged: outcome = unchanged
            case .network(let reading, let validators):
                outcome = try importReading(reading, validators, flag, progress)
                (outcome.etag, outcome.lastModified) = (validators.etag, validators.lastModified)
                outcome.status = 200
                if let remark = Self.remark(onSkipped: collector.skipped) { outcome.message += " \(remark)" }
            }
        } catch let error as FeedError {
            // An import of the same responses would fail again.
            folder.discard()
            throw error
        }
        folder.discard()
        outcome.fetched = collector.received
        return outcome
    }

    /// Returns a sentence about the parts that the upstream denied; `nil` if it denied none.
    private static func remark(onSkipped parts: [String]) -> String? {
        guard let first = parts.first else { return nil }
        let rest = parts.count > 1 ? " and \(parts.count - 1) more" : ""
        return "The source denies access to \(first)\(rest) (HTTP 403). Data from the previous version is used instead."
    }
}
