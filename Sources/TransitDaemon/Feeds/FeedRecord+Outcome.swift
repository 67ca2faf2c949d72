internal import TransitModel
internal import TransitStore

extension FeedRecord {
    /// Takes note of how an attempt ended.
    mutating func note(_ outcome: FeedImport.Outcome, at now: Instant, seconds: Double) {
        lastAttempt = FeedAttempt(
            ended: now, outcome: outcome.outcome, message: outcome.message, seconds: seconds)
        guard outcome.outcome == .updated || outcome.outcome == .unchanged else { return }
        confirmed = now
    }
}
