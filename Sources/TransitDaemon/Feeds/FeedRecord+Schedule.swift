internal import TransitModel
internal import TransitStore

// When a feed's source is asked again: decided here, kept in the ledger, waited for by the feed's service.
extension FeedRecord {
    /// Seconds after which a source that could not be asked is asked again.
    static let retryInterval = 3600

    /// When the source is to be asked; a moment that is past means at once.
    ///
    /// The ledger has wall time, and the clock may have been set back since: the answer is never later than one interval from
    /// now.
    ///
    /// - Parameters:
    ///   - isFromSource: whether the live version came from this source; false also when there is none.
    ///   - interval: seconds between two looks at the source.
    func due(at now: Instant, isFromSource: Bool, interval: Int) -> Instant {
        min(nextAttempt ?? now, now.advanced(by: isFromSource ? interval : Self.retryInterval))
    }

    /// Takes note of how an attempt ended.
    mutating func note(_ outcome: FeedImport.Outcome, at now: Instant, seconds: Double, interval: Int) {
        lastAttempt = FeedAttempt(
            ended: now, outcome: outcome.outcome, message: outcome.message, seconds: seconds)
        switch outcome.outcome {
        case .updated, .unchanged:
            confirmed = now
            (etag, lastModified) = (outcome.etag, outcome.lastModified)
            nextAttempt = now.advanced(by: interval)
        case .refused: nextAttempt = now.advanced(by: interval)
        case .failed, .cancelled: nextAttempt = now.advanced(by: min(interval, Self.retryInterval))
        }
    }
}
