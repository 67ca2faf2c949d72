public import TransitModel

/// A feed's update state, which is kept across restarts.
public struct FeedRecord: Hashable, Sendable {
    /// The last attempt; `nil` before the first.
    public var lastAttempt: RecordedFeedAttempt?
    /// The time at which the source last confirmed or delivered the current version.
    public var confirmed: Instant?
    /// The time of the next request to the source.
    public var nextAttempt: Instant?
    /// The `ETag` of the last response, for conditional requests. Stored here because a feed that was only compressed
    /// again has a new `ETag` but keeps its version.
    public var etag: String?
    /// The `Last-Modified` header as the server sent it.
    public var lastModified: String?

    public init() {}
}

/// One attempt to update a feed.
public struct RecordedFeedAttempt: Hashable, Sendable {
    public var ended: Instant
    public var outcome: UpdateOutcome
    /// A sentence for users.
    public var message: String
    /// Duration in seconds.
    public var seconds: Double

    public init(ended: Instant, outcome: UpdateOutcome, message: String, seconds: Double) {
        self.ended = ended
        self.outcome = outcome
        self.message = message
        self.seconds = seconds
    }
}
