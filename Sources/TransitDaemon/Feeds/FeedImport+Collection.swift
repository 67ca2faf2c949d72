internal import TransitEngine
internal import TransitFeeds
internal import TransitModel

extension FeedImport {
    /// Collects the network of the feed's provider, and puts it to use as an archive is.
    func collect(_ flag: CancellationFlag, _ progress: @escaping Report) throws -> Outcome {
        guard let collection = configuration.system.collection() else { throw TransitDaemon.FetchFailure.address }
        let folder = CollectionFolder(configuration.id, in: collections)
        if isForced { folder.discard() }
        try folder.open(for: "\(configuration.source)", at: now, longest: configuration.refreshInterval)
        var collector = NetworkCollector(
            self, folder: folder, validators: conditions, flag: flag, progress: progress)
        var outcome: Outcome
        do {
            switch try collector.collect(collection) {
            case .unchanged: outcome = unchanged
            case .network(let reading, let said):
                outcome = try take(reading, said, flag, progress)
                (outcome.etag, outcome.lastModified) = (said.etag, said.lastModified)
                outcome.status = 200
                if let remark = Self.remark(onSkipped: collector.skipped) { outcome.message += " \(remark)" }
            }
        } catch let error as FeedError {
            // What cannot be put together now cannot be put together from the same answers later.
            folder.discard()
            throw error
        }
        folder.discard()
        outcome.fetched = collector.received
        return outcome
    }

    /// Names the parts that the upstream denied, as many as fit in a line; `nil` if it denied none.
    private static func remark(onSkipped parts: [String]) -> String? {
        guard let first = parts.first else { return nil }
        let rest = parts.count > 1 ? " and \(parts.count - 1) more" : ""
        return "The source refuses \(first)\(rest) (HTTP 403); what the former version has of it stays."
    }
}
