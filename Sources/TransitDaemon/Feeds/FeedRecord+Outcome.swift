internal import TransitModel
internal import TransitStore

extension FeedRecord {
    /// Records the outcome of an update attempt.
    mutating func apply(_ outcome: FeedImport.Outcome, at now: Instant, seconds: Double) {
        lastAttempt = RecordedFeedAttempt(
            ended: now, outcome: outcome.outcome, message: outcome.message, seconds: seconds)
        guard outcome.outcome == .updated || outcome.outcome == .unchanged else { return }
        confirmed = now
    }
}
